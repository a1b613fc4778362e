//===- leno-bench.cpp - Experiments and speed -----------------------------===//
#include "test/bench/Bench.h"

#include "asm/support/Tool.h"
#include "emu/compiled/TierChoice.h"

#include <CLI/CLI.hpp>

#include <functional>

using namespace llvm;

int main(int argc, char **argv) {
  using namespace leno;
  setenv(tierVariable, "interpreter", 0); // one and the same from the start to the end
  CLI::App app("Experiments on the machine, and the emulator's speed.");
  describeTool(app, "leno-bench",
               "  leno-bench speed                     every engine of this host, beside plain C++\n"
               "  leno-bench speed --peers --costs     beside OpenCL too; what models and observers cost\n"
               "  leno-bench speed --engine avx2       one of them\n"
               "  leno-bench speed --beside OTHER      beside a leno-bench of another build\n"
               "  leno-bench speed --json speed.json   for programs\n"
               "  leno-bench stack-cache --plot s.svg  what stacks cost on chip, in memory, and cached\n"
               "  leno-bench constants --plot c.svg    updates of constants, with versions and with drains\n"
               "  leno-bench contexts --plot x.svg     several contexts at once, and one at a time\n"
               "  leno-bench messages --T 25 --K 16    what a message costs, by where it is left\n"
               "  leno-bench threads                   a grid on 1, 2, ... cores of this host\n"
               "  leno-bench assemble                  leno-as beside llvm-mc\n"
               "  leno-bench debugger                  breakpoints, conditions and steps back");
  app.require_subcommand(1);
  bench::SpeedOptions speed;
  bench::addSpeed(app, speed);
  bench::StackCacheOptions stackCache;
  bench::addStackCache(app, stackCache);
  bench::ConstantsOptions constants;
  bench::addConstants(app, constants);
  bench::ContextsOptions contexts;
  bench::addContexts(app, contexts);
  bench::MessagesOptions messages;
  bench::addMessages(app, messages);
  bench::ThreadsOptions threads;
  bench::addThreads(app, threads);
  bench::AssembleBenchOptions assemble;
  bench::addAssemble(app, assemble);
  bench::DebuggerOptions debugger;
  bench::addDebugger(app, debugger);
  if (int status = parseCommandLine(app, argc, argv); status >= 0)
    return status;
  const std::pair<const char *, std::function<Error()>> experiments[] = {
      {"speed", [&] { return bench::runSpeed(speed); }},
      {"opencl", [&] { return bench::runOpenCl(speed); }},
      {"times", [&] { return bench::runTimes(speed); }},
      {"stack-cache", [&] { return bench::runStackCache(stackCache); }},
      {"constants", [&] { return bench::runConstants(constants); }},
      {"contexts", [&] { return bench::runContexts(contexts); }},
      {"assemble", [&] { return bench::runAssemble(assemble); }},
      {"threads", [&] { return bench::runThreads(threads); }},
      {"messages", [&] { return bench::runMessages(messages); }},
      {"debugger", [&] { return bench::runDebugger(debugger); }},
  };
  for (const auto &[name, run] : experiments)
    if (app.got_subcommand(name))
      if (Error error = run())
        return fail("leno-bench", std::move(error));
  if (Error error = finishOutput())
    return fail("leno-bench", std::move(error));
  return ExitSuccess;
}
