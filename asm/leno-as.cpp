//===- leno-as.cpp - The assembler ----------------------------------------===//
#include "asm/Assembler.h"
#include "asm/Linker.h"
#include "asm/LoadProgram.h"
#include "asm/NearMiss.h"
#include "asm/Tool.h"

#include <CLI/CLI.hpp>

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace leno;

static std::string checkNames() {
  std::string names;
  for (unsigned i = 0; i < check::checkCount; ++i)
    names += (i ? ", " : "") + check::checkInfo(check::Check(i)).name.str();
  return names + ", all";
}

int main(int argc, char **argv) {
  CLI::App app("Assembles Leno assembly text into an executable, or with -c into an object.");
  describeTool(app, "leno-as",
               "  leno-as saxpy.s                      assemble and link to saxpy\n"
               "  leno-as -c -g saxpy.s -o saxpy.o     an object with line tables\n"
               "  leno-as -l - saxpy.s                 and a listing: addresses and words beside the source\n"
               "  leno-as --show-encoding saxpy.s      each instruction with its bytes");
  std::string input, output;
  bool objectOnly = false, showEncoding = false;
  AssembleOptions options;
  app.add_option("FILE", input, "Assembly text; - is standard input")->required();
  app.add_flag("-c", objectOnly, "Write an object; do not link");
  app.add_flag("-g", options.debugLines, "Write a line table for debuggers");
  app.add_option("-I", options.includeDirs, "Search a directory for .include files")
      ->type_name("DIR")
      ->allow_extra_args(false);
  app.add_option("-D", options.defines, "Define a symbol (value 1 when none is given)")
      ->type_name("SYM[=VAL]")
      ->allow_extra_args(false);
  app.add_option("-o", output, "Output file (default: FILE without .s, with .o for -c); - is standard output")
      ->type_name("OUT");
  std::string listingPath, listing;
  app.add_option(
         "-l", listingPath,
         "Write the source with the address and word of each instruction, macros expanded (+) and included "
         "files in place; - is standard output. The linker fills in words marked *")
      ->type_name("LISTING");
  app.add_flag("--show-encoding", showEncoding, "Print the instructions with their bytes, and write no file")
      ->excludes("-l");
  std::vector<std::string> warnings;
  bool noWarnings = false;
  app.add_flag("-w", noWarnings, "Do not warn of what the static checker finds");
  app.add_option(
         "-W", warnings,
         "NAME turns a check on, no-NAME off, error makes warnings errors, error=NAME those of one check; "
         "NAME is one of " +
             checkNames())
      ->type_name("CHECK")
      ->allow_extra_args(false);
  app.add_option("--max-errors", options.maxErrors, "Stop telling after so many errors (default: tell all)")
      ->type_name("N");
  if (int status = parseCommandLine(app, argc, argv); status >= 0)
    return status;
  if (noWarnings)
    options.warnings.on.reset();
  for (const std::string &warning : warnings)
    if (!options.warnings.apply(warning)) {
      StringRef name(warning);
      name.consume_front("error=") || name.consume_front("no-");
      NearMiss near(name);
      for (unsigned i = 0; i < check::checkCount; ++i)
        near.consider(check::checkInfo(check::Check(i)).name, check::checkInfo(check::Check(i)).name);
      errs() << "leno-as: error: there is no check '" << name << "'"
             << (near.found() ? near.hint() + " Checks are " : "; checks are ") << checkNames() << '\n';
      return ExitUsage;
    }
  options.colours = useColours();
  options.standalone = !objectOnly;
  if (!listingPath.empty())
    options.listing = &listing;

  auto source = readInput(input);
  if (!source)
    return fail("leno-as", source.takeError());
  Expected<FileKind> kind = identifyFile(**source);
  if (!kind)
    return fail("leno-as", kind.takeError());
  if (*kind != FileKind::Source)
    return fail("leno-as", createStringError(input + ": this is an ELF file, not assembly text"));
  if (showEncoding) {
    // Into memory first: a file with errors gives messages and no half text.
    std::string text;
    raw_string_ostream os(text);
    if (Error error = assembleToText(std::move(*source), options, os, errs()))
      return fail("leno-as", std::move(error));
    if (Error error = writeWhole(output.empty() ? "-" : output, text))
      return fail("leno-as", std::move(error));
    return ExitSuccess;
  }

  Expected<SmallVector<char, 0>> file = assemble(std::move(*source), options, errs());
  if (file && !objectOnly)
    file = link(MemoryBufferRef(StringRef(file->data(), file->size()), input == "-" ? "<stdin>" : input));
  if (!file)
    return fail("leno-as", file.takeError());
  if (output.empty()) {
    if (input == "-")
      return fail("leno-as",
                  createStringError("standard input has no name to make the output's from: give -o OUT"));
    SmallString<128> name(input);
    sys::path::replace_extension(name, objectOnly ? ".o" : "");
    output = name.str().str();
    if (output == input)
      output += objectOnly ? ".o" : ".out";
  }
  if (Error error = writeWhole(output, StringRef(file->data(), file->size())))
    return fail("leno-as", std::move(error));
  if (options.listing)
    if (Error error = writeWhole(listingPath, listing))
      return fail("leno-as", std::move(error));
  return ExitSuccess;
}
