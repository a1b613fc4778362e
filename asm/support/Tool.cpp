//===- Tool.cpp - What every command-line tool does the same way ----------===//
#include "asm/support/Tool.h"

#include "asm/support/AtomicFile.h"
#include "asm/support/UsageErrors.h"

#include <CLI/CLI.hpp>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include <sstream>

using namespace llvm;

namespace leno {

int parseCommandLine(CLI::App &app, int argc, char **argv) {
  std::vector<CLI::App *> apps = app.get_subcommands([](const CLI::App *) { return true; });
  apps.push_back(&app);
  for (CLI::App *one : apps)
    for (CLI::Option *option :
         one->get_options([](const CLI::Option *o) { return o->get_expected_max() == 0; }))
      option->disable_flag_override(); // --json=FILE is not --json
  try {
    app.parse(argc, argv);
    for (CLI::App *one : apps)
      requireValues(*one);
  } catch (const CLI::Success &success) {
    std::ostringstream asked; // --help, --version, or nothing
    app.exit(success, asked);
    outs() << asked.str();
    if (Error error = finishOutput())
      return fail(app.get_name(), std::move(error));
    return ExitSuccess;
  } catch (const CLI::ParseError &error) {
    WithColor::error(errs(), app.get_name(), !useColours())
        << describeMistake(app, error, ArrayRef(argv, size_t(argc)).drop_front()) << '\n';
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
  for (const WholeFile &file : outputs) {
    auto write = [&file](raw_ostream &os) {
      os << file.bytes;
      return Error::success();
    };
    if (isStandardOutput(file))
      set.addStandardOutput(write);
    else if (Error error = set.add(file.path, write))
      return error;
  }
  return set.commit();
}

} // namespace leno
