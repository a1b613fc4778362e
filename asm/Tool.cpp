//===- Tool.cpp - What every command-line tool does the same way ----------===//
#include "asm/Tool.h"

#include <CLI/CLI.hpp>

#include "llvm/Support/FileSystem.h"
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

static Error streamError(raw_fd_ostream &os, StringRef path) {
  os.flush();
  std::error_code code = os.error();
  os.clear_error();
  if (code && code != std::errc::broken_pipe)
    return createStringError(path + ": " + code.message());
  return Error::success();
}

Error finishOutput() { return streamError(outs(), "standard output"); }

Error writeWhole(StringRef path, StringRef bytes) {
  if (path == "-") {
    outs() << bytes;
    return finishOutput();
  }
  // A device or a pipe is written straight: renaming over it would replace it.
  sys::fs::file_status status;
  if (!sys::fs::status(path, status) && status.type() != sys::fs::file_type::regular_file) {
    if (status.type() == sys::fs::file_type::directory_file)
      return createStringError(path + ": this is a directory");
    std::error_code code;
    raw_fd_ostream os(path, code);
    if (code)
      return createStringError(path + ": " + code.message());
    os << bytes;
    return streamError(os, path);
  }
  Expected<sys::fs::TempFile> file = sys::fs::TempFile::create(path + ".tmp-%%%%%%", 0666);
  if (!file)
    return createStringError(path + ": " + toString(file.takeError()));
  raw_fd_ostream os(file->FD, /*shouldClose=*/false);
  os << bytes;
  if (Error error = streamError(os, path)) {
    consumeError(file->discard());
    return error;
  }
  if (Error error = file->keep(path))
    return createStringError(path + ": " + toString(std::move(error)));
  return Error::success();
}

} // namespace leno
