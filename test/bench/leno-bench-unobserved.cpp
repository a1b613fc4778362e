// leno-bench times, of an emulator that nobody can watch.
#include "test/bench/Bench.h"

#include "asm/support/Tool.h"
#include "emu/compiled/TierChoice.h"

#include <CLI/CLI.hpp>

int main(int argc, char **argv) {
  using namespace leno;
  setenv(tierVariable, "interpreter", 0); // one and the same from the start to the end
  CLI::App app("What `leno-bench speed --costs` compares with: an emulator without its doors for observers.");
  app.require_subcommand(1);
  bench::SpeedOptions options;
  bench::addTimes(app, options);
  if (int status = parseCommandLine(app, argc, argv); status >= 0)
    return status;
  if (llvm::Error error = bench::runTimes(options))
    return fail("leno-bench-unobserved", std::move(error));
  if (llvm::Error error = finishOutput())
    return fail("leno-bench-unobserved", std::move(error));
  return ExitSuccess;
}
