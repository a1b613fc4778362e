//===- leno-dbg.cpp - The debugger for warps ------------------------------===//
#include "asm/Tool.h"
#include "dbg/Interrupt.h"
#include "dbg/Repl.h"
#include "llvm/Support/Process.h"
#include <CLI/CLI.hpp>
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

static bool coloursWanted() {
  const char *noColour = std::getenv("NO_COLOR");
  return llvm::sys::Process::StandardOutHasColors() && !(noColour && *noColour);
}

static int debug(const Options &options) {
  auto launch = runtime::PreparedLaunch::create(options.file, options.launch, llvm::errs());
  if (!launch)
    return fail("leno-dbg", launch.takeError());
  Session session(std::move(*launch));
  Interpreter interpreter(session, llvm::outs(), llvm::errs(), coloursWanted());
  catchInterrupts();
  for (const std::string &script : options.scripts) {
    if (interpreter.quitting())
      break;
    if (llvm::Error error = interpreter.executeFile(script))
      return fail("leno-dbg", std::move(error));
  }
  if (!interpreter.quitting() && (!options.batch || options.scripts.empty()))
    runRepl(interpreter, options.batch);
  if (llvm::Error error = finishOutput())
    return fail("leno-dbg", std::move(error));
  return options.batch && interpreter.failed() ? ExitFailure : ExitSuccess;
}

int main(int argc, char **argv) {
  Options options;
  CLI::App app(
      "Step a kernel's warps: breakpoints, lanes, registers, predicates, divergence stacks, memory.");
  describeTool(app, "leno-dbg",
               "  leno-dbg saxpy.s --grid 4 --block 256 --arg u32:1000 --arg f32:2 --arg in:x.npy --arg "
               "inout:y.npy:out.npy\n"
               "  leno-dbg loop.s --block 32 -x commands.dbg --batch\n"
               "  echo 'info kernels' | leno-dbg kernels.o --kernel first --batch\n"
               "In the debugger: `help`, `break LABEL`, `run`, `stepi`, `info warps`, `print R0`, `quit`.");
  app.add_option("FILE", options.file, "assembly source (.s), an object or an executable")->required();
  app.add_option("-x", options.scripts, "run the commands of this file first (may be given again)")
      ->type_name("SCRIPT")
      ->allow_extra_args(false);
  app.add_flag("--batch", options.batch,
               "leave after the scripts, or read commands from standard input without echo; exit status 1 "
               "when one failed");
  runtime::addLaunchOptions(app, options.launch);
  if (int status = parseCommandLine(app, argc, argv); status >= 0)
    return status;
  return debug(options);
}
