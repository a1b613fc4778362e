//===- leno-objdump.cpp - The disassembler --------------------------------===//
#include "asm/LoadProgram.h"
#include "asm/ObjectDump.h"
#include "asm/Tool.h"

#include <CLI/CLI.hpp>

#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace leno;

int main(int argc, char **argv) {
  CLI::App app("Disassembles Leno objects and executables. The plain text assembles back to the same bytes.");
  describeTool(app, "leno-objdump",
               "  leno-objdump program                 text that leno-as takes\n"
               "  leno-objdump -S program              with source lines (assembled with -g)\n"
               "  leno-objdump --raw program           with addresses and words\n"
               "  leno-objdump --kernels program       the kernels' metadata");
  std::string input;
  DumpOptions options;
  bool disassemble = false;
  app.add_option("FILE", input, "An object or executable; - is standard input")->required();
  app.add_flag("-d", disassemble, "Disassemble (the default, unless --kernels is given)");
  app.add_flag("-S", options.source, "Source lines between the instructions");
  app.add_flag("--raw", options.raw, "Addresses and words beside the instructions");
  app.add_flag("--kernels", options.kernels, "The kernels' parameters, registers and shared memory");
  if (int status = parseCommandLine(app, argc, argv); status >= 0)
    return status;
  options.disassemble = disassemble || !options.kernels || options.source || options.raw;

  RunFiles files;
  auto file = readInput(input, &files);
  if (!file)
    return fail("leno-objdump", file.takeError());
  files.writes("-");
  if (Error error = files.check())
    return fail("leno-objdump", std::move(error));
  if (Error error = dump(**file, options, outs()))
    return fail("leno-objdump", std::move(error));
  if (Error error = finishOutput())
    return fail("leno-objdump", std::move(error));
  return ExitSuccess;
}
