//===- leno-ld.cpp - The linker -------------------------------------------===//
#include "asm/Linker.h"
#include "asm/LoadProgram.h"
#include "asm/Tool.h"

#include <CLI/CLI.hpp>

using namespace llvm;
using namespace leno;

int main(int argc, char **argv) {
  CLI::App app("Links Leno objects into an executable.");
  describeTool(app, "leno-ld", "  leno-ld -o program main.o functions.o");
  std::vector<std::string> inputs;
  std::string output;
  app.add_option("FILE", inputs, "Objects, made by leno-as -c")->required();
  app.add_option("-o", output, "Output file")->type_name("OUT")->required();
  if (int status = parseCommandLine(app, argc, argv); status >= 0)
    return status;

  RunFiles used;
  std::vector<std::unique_ptr<MemoryBuffer>> files;
  std::vector<MemoryBufferRef> objects;
  for (const std::string &input : inputs) {
    auto file = readInput(input, &used);
    if (!file)
      return fail("leno-ld", file.takeError());
    objects.push_back(**file);
    files.push_back(std::move(*file));
  }
  Expected<SmallVector<char, 0>> linked = link(objects);
  if (!linked)
    return fail("leno-ld", linked.takeError());
  if (Error error = writeWhole({{output, StringRef(linked->data(), linked->size())}}, used))
    return fail("leno-ld", std::move(error));
  return ExitSuccess;
}
