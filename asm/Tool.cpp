//===- Tool.cpp - What every command-line tool does the same way ----------===//
#include "asm/Tool.h"

#include "asm/AtomicFile.h"
#include "isa/FloatEnvironment.h"

#include <CLI/CLI.hpp>

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

int parseCommandLine(CLI::App &app, int argc, char **argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? ExitSuccess : ExitUsage;
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

Error writeWhole(StringRef path, StringRef bytes) {
  if (path == "-") {
    outs() << bytes;
    return finishOutput();
  }
  return writeFileAtomically(path, [&](raw_ostream &os) {
    os << bytes;
    return Error::success();
  });
}

} // namespace leno
