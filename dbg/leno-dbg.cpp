//===- leno-dbg.cpp - The debugger for warps ------------------------------===//
#include "dbg/Interrupt.h"
#include "dbg/Repl.h"
#include "llvm/Support/Process.h"
#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdlib>

using namespace leno;
using namespace leno::dbg;

namespace {
struct Options {
  std::string file;
  runtime::LaunchOptions launch;
  std::vector<std::string> scripts;
  bool batch = false;
};
} // namespace

static int debug(const Options &options) {
  auto launch = runtime::PreparedLaunch::create(options.file, options.launch, llvm::errs());
  if (!launch) {
    llvm::handleAllErrors(launch.takeError(), [](const llvm::ErrorInfoBase &error) {
      llvm::errs() << "error: ";
      error.log(llvm::errs());
      llvm::errs() << '\n';
    });
    return 1;
  }
  Session session(std::move(*launch));
  const char *noColor = std::getenv("NO_COLOR");
  bool colours = llvm::sys::Process::StandardOutHasColors() && !(noColor && *noColor);
  Interpreter interpreter(session, llvm::outs(), llvm::errs(), colours);
  catchInterrupts();
  for (const std::string &script : options.scripts) {
    if (interpreter.quitting())
      break;
    if (llvm::Error error = interpreter.executeFile(script)) {
      llvm::errs() << "error: " << llvm::toString(std::move(error)) << '\n';
      return 1;
    }
  }
  if (!interpreter.quitting() && (!options.batch || options.scripts.empty()))
    runRepl(interpreter, options.batch);
  return options.batch && interpreter.failed() ? 1 : 0;
}

int main(int argc, char **argv) {
  // Whoever closes the pipe wants no more: end without a word.
  std::signal(SIGPIPE, SIG_DFL);
  Options options;
  CLI::App app("Step a kernel's warps: breakpoints, lanes, registers, predicates, divergence stacks, memory.");
  app.footer("Examples:\n"
             "  leno-dbg saxpy.s --grid 4 --block 256 --arg u32:1000 --arg f32:2 --arg in:x.npy --arg inout:y.npy:out.npy\n"
             "  leno-dbg loop.s --block 32 -x commands.dbg --batch\n"
             "  echo 'info kernels' | leno-dbg kernels.o --kernel first --batch\n"
             "In the debugger: `help`, `break LABEL`, `run`, `stepi`, `info warps`, `print R0`, `quit`.");
  app.set_version_flag("--version", std::string("leno-dbg ") + LENO_VERSION);
  app.add_option("FILE", options.file, "assembly source (.s), object or executable")->required();
  app.add_option("-x", options.scripts, "run the commands of this file first (may be given again)")
      ->type_name("SCRIPT")
      ->allow_extra_args(false);
  app.add_flag("--batch", options.batch,
               "leave after the scripts, or read commands from standard input without echo; exit status 1 when one failed");
  runtime::addLaunchOptions(app, options.launch);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  int status = debug(options);
  llvm::outs().flush();
  if (llvm::outs().has_error()) // a full disk or a pipe that ignores signals
    llvm::outs().clear_error();
  return status;
}
