//===- SourceOptions.cpp - The options of source that a tool assembles ----===//
#include "asm/SourceOptions.h"

#include "asm/support/NearMiss.h"

#include <CLI/CLI.hpp>

using namespace llvm;

namespace leno {

static std::string checkNames() {
  std::string names;
  for (unsigned i = 0; i < check::checkCount; ++i)
    names += (i ? ", " : "") + check::checkInfo(check::Check(i)).name.str();
  return names + ", all";
}

static std::string unknownCheck(StringRef name) {
  name.consume_front("no-");
  name.consume_front("error=");
  NearMiss near(name);
  for (unsigned i = 0; i < check::checkCount; ++i)
    near.consider(check::checkInfo(check::Check(i)).name, check::checkInfo(check::Check(i)).name);
  return "there is no check '" + name.str() + "'" +
         (near.found() ? near.hint() + " Checks are " : "; checks are ") + checkNames();
}

void addSourceOptions(CLI::App &app, AssembleOptions &options, const std::string &group) {
  app.add_flag("-g", options.debugLines,
               options.debugLines ? "A line table for debuggers; here it is always made"
                                  : "Write a line table for debuggers")
      ->group(group);
  app.add_option("-I", options.includeDirs, "Search a directory for .include files")
      ->type_name("DIR")
      ->allow_extra_args(false)
      ->group(group);
  app.add_option_function<std::vector<std::string>>(
         "-D",
         [&options](const std::vector<std::string> &definitions) {
           for (const std::string &definition : definitions)
             if (Expected<Definition> read = readDefinition(definition); !read)
               throw CLI::ValidationError(toString(read.takeError()));
           options.defines = definitions;
         },
         "Define a symbol (value 1 when none is given)")
      ->type_name("SYM[=VAL]")
      ->allow_extra_args(false)
      ->group(group);
  app.add_flag_callback(
         "-w", [&options] { options.warnings.on.reset(); }, "Do not warn of what the static checker finds")
      ->group(group);
  // Before or behind it, -w is the start that these add to.
  app.add_option_function<std::vector<std::string>>(
         "-W",
         [&options](const std::vector<std::string> &warnings) {
           for (const std::string &warning : warnings)
             if (!options.warnings.apply(warning))
               throw CLI::ValidationError(unknownCheck(warning));
         },
         "NAME turns a check on, no-NAME off, error makes warnings errors, error=NAME those of one check, "
         "no-error=NAME all but those; NAME is one of " +
             checkNames())
      ->type_name("CHECK")
      ->allow_extra_args(false)
      ->group(group);
}

} // namespace leno
