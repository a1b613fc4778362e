//===- Tool.cpp - What every command-line tool does the same way ----------===//
#include "asm/Tool.h"

#include "asm/AtomicFile.h"
#include "asm/NearMiss.h"
#include "isa/FloatEnvironment.h"

#include <CLI/CLI.hpp>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>

using namespace llvm;

namespace leno {

void describeTool(CLI::App &app, const std::string &name, const std::string &examples) {
  app.name(name);
  app.set_version_flag("--version", name + " " + LENO_VERSION, "Print the version and exit");
  app.footer("Examples:\n" + examples);
  app.get_formatter()->column_width(32);
  // A closed pipe shows as a write error, which finishOutput() knows, not as a signal.
  std::signal(SIGPIPE, SIG_IGN);
  // The process is the tool's own: numbers are read and printed as everywhere, whatever was loaded into it.
  FloatControl::setDefault(isa::Round::RN);
}

/// What was typed, or a name that begins with it, which is as near as can be.
static void considerOption(NearMiss &near, StringRef typed, const std::string &name) {
  near.consider(typed.size() > 3 && StringRef(name).starts_with(typed) ? typed : name, name);
}

static bool isOption(const std::string &word) { return word.size() > 1 && word[0] == '-'; }

/// Of what no option and no operand took: the mistyped option, before what was meant to be its value.
static std::string describeExtras(const CLI::App &app) {
  std::vector<std::string> extras = app.remaining(/*recurse=*/true);
  auto option = llvm::find_if(extras, isOption);
  if (option == extras.end())
    return "'" + extras.front() + "' is one operand too many";
  StringRef typed = StringRef(*option).split('=').first;
  std::vector<std::string> names;
  std::vector<const CLI::App *> apps{&app};
  for (const CLI::App *subcommand : app.get_subcommands())
    apps.push_back(subcommand);
  for (const CLI::App *one : apps)
    for (const CLI::Option *known : one->get_options()) {
      for (const std::string &name : known->get_lnames())
        names.push_back("--" + name);
      for (const std::string &name : known->get_snames())
        names.push_back("-" + name);
    }
  NearMiss near(typed);
  for (const std::string &name : names)
    considerOption(near, typed, name);
  return "there is no option '" + typed.str() + "'" + near.hint();
}

/// A word in the place of a subcommand.
static std::string describeSubcommand(const CLI::App &app, StringRef typed) {
  NearMiss near(typed);
  std::vector<std::string> names;
  for (const CLI::App *known :
       app.get_subcommands([](const CLI::App *one) { return !one->get_group().empty(); }))
    names.push_back(known->get_name());
  for (const std::string &name : names)
    near.consider(name, name);
  return typed.empty() ? "expected one of " + join(names, ", ")
                       : "there is no '" + typed.str() + "'" + near.hint() +
                             (near.found() ? "" : "; there are " + join(names, ", "));
}

static std::string describeMistake(const CLI::App &app, const CLI::ParseError &error) {
  bool needsSubcommand = app.get_require_subcommand_min() > 0 && app.get_subcommands().empty();
  std::vector<std::string> extras = app.remaining(/*recurse=*/true);
  if (needsSubcommand && (extras.empty() || extras.front()[0] != '-'))
    return describeSubcommand(app, extras.empty() ? StringRef() : StringRef(extras.front()));
  // An option that does not exist says more than what is missing for its sake.
  if (dynamic_cast<const CLI::ExtrasError *>(&error) || any_of(extras, isOption))
    return describeExtras(app);
  return error.what();
}

int parseCommandLine(CLI::App &app, int argc, char **argv) {
  std::vector<CLI::App *> apps = app.get_subcommands([](const CLI::App *) { return true; });
  apps.push_back(&app);
  for (CLI::App *one : apps)
    for (CLI::Option *option :
         one->get_options([](const CLI::Option *o) { return o->get_expected_max() == 0; }))
      option->disable_flag_override(); // --json=FILE is not --json
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success &success) {
    app.exit(success);
    return ExitSuccess;
  } catch (const CLI::ParseError &error) {
    WithColor::error(errs(), app.get_name(), !useColours()) << describeMistake(app, error) << '\n';
    std::string of = app.get_name();
    for (const CLI::App *subcommand : app.get_subcommands())
      of += " " + subcommand->get_name();
    errs() << "note: '" << of << " --help' shows the options\n";
    return ExitUsage;
  }
  return -1;
}

int fail(StringRef tool, Error error) {
  handleAllErrors(std::move(error), [&](const ErrorInfoBase &info) {
    WithColor::error(errs(), tool, !useColours()) << info.message() << '\n';
  });
  return ExitFailure;
}

bool useColours() { return !std::getenv("NO_COLOR") && sys::Process::StandardErrHasColors(); }

Error finishOutput() {
  outs().flush();
  std::error_code code = outs().error();
  outs().clear_error();
  if (code && code != std::errc::broken_pipe)
    return createStringError("standard output: " + code.message());
  return Error::success();
}

Error writeWhole(ArrayRef<WholeFile> outputs, RunFiles files) {
  auto isStandardOutput = [](const WholeFile &file) { return file.path == "-"; };
  if (any_of(outputs, isStandardOutput))
    files.writes("-");
  if (Error error = files.check())
    return error;
  OutputSet set(std::move(files));
  for (const WholeFile &file : outputs)
    if (!isStandardOutput(file))
      if (Error error = set.add(file.path, [&file](raw_ostream &os) {
            os << file.bytes;
            return Error::success();
          }))
        return error;
  if (Error error = set.commit())
    return error;
  for (const WholeFile &file : outputs)
    if (isStandardOutput(file))
      outs() << file.bytes;
  return finishOutput();
}

} // namespace leno
