//===- leno-as.cpp - The assembler ----------------------------------------===//
#include "asm/Assembler.h"
#include "asm/Dependencies.h"
#include "asm/Linker.h"
#include "asm/SourceOptions.h"
#include "asm/support/InputFile.h"
#include "asm/support/Tool.h"

#include <CLI/CLI.hpp>

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace leno;

int main(int argc, char **argv) {
  CLI::App app("Assembles Leno assembly text into an executable, or with -c into an object.");
  describeTool(app, "leno-as",
               "  leno-as saxpy.s                      assemble and link to saxpy\n"
               "  leno-as -c -g saxpy.s -o saxpy.o     an object with line tables\n"
               "  leno-as -l - saxpy.s                 and a listing: addresses and words beside the source\n"
               "  leno-as --show-encoding saxpy.s      each instruction with its bytes\n"
               "  leno-as -c -MD saxpy.s               also saxpy.d: what make must know\n"

               "  leno-as -g -ffile-prefix-map=$PWD=. saxpy.s    the same bytes in whatever folder");
  std::string input, output;
  bool objectOnly = false, showEncoding = false;
  AssembleOptions options;
  app.add_option("FILE", input, "Assembly text; - is standard input")->required();
  app.add_flag("-c", objectOnly, "Write an object; do not link");
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
  std::vector<std::string> codeOptions;
  app.add_option(
         "-f", codeOptions,
         "file-prefix-map=OLD=NEW, or debug-prefix-map=OLD=NEW: paths in the line table that begin with OLD "
         "begin with NEW, so that builds in any folder give the same bytes")
      ->type_name("OPTION")
      ->allow_extra_args(false);
  addSourceOptions(app, options, "OPTIONS");
  app.add_option("--max-errors", options.maxErrors, "Stop telling after so many errors (default: tell all)")
      ->type_name("N");
  DependencyOptions dependencies;
  dependencies.addTo(app);
  if (int status = parseCommandLine(app, argc, dependencies.translate(argc, argv).data()); status >= 0)
    return status;
  if (showEncoding && dependencies.wanted()) {
    fail("leno-as", createStringError("--show-encoding writes no file that a rule could be of"));
    return ExitUsage;
  }
  if (!dependencies.wanted() && (!dependencies.file.empty() || dependencies.phony ||
                                 !dependencies.targets.empty() || !dependencies.quotedTargets.empty())) {
    fail("leno-as", createStringError("-MF, -MT, -MQ and -MP need -MD or -M"));
    return ExitUsage;
  }
  if (output == "-" && listingPath == "-") {
    fail("leno-as", createStringError("-o and -l both want standard output; name a file for one of them"));
    return ExitUsage;
  }
  RunFiles files;
  options.files = &files;
  for (const std::string &option : codeOptions) {
    StringRef map(option);
    if (!(map.consume_front("file-prefix-map=") || map.consume_front("debug-prefix-map=")) ||
        !map.contains('=')) {
      fail("leno-as", createStringError("-f" + option +
                                        ": expected -ffile-prefix-map=OLD=NEW or "
                                        "-fdebug-prefix-map=OLD=NEW"));
      return ExitUsage;
    }
    options.prefixMap.emplace_back(map.split('=').first.str(), map.split('=').second.str());
  }
  options.colours = useColours();
  options.standalone = !objectOnly;
  if (!listingPath.empty())
    options.listing = &listing;

  auto source = readInput(input, &files);
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
    if (Error error = writeWhole({{output.empty() ? "-" : output, text}}, files))
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
  SmallVector<WholeFile, 2> outputs{{output, StringRef(file->data(), file->size())}};
  if (options.listing)
    outputs.push_back({listingPath, listing});
  std::string rule, rulePath;
  if (dependencies.wanted()) {
    rule = dependencies.rule(output, files.inputs());
    rulePath = dependencies.destination(output, input);
    if (dependencies.only)
      outputs.clear();
    outputs.push_back({rulePath, rule});
  }
  if (Error error = writeWhole(outputs, files))
    return fail("leno-as", std::move(error));
  return ExitSuccess;
}
