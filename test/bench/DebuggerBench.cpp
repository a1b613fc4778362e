//===- DebuggerBench.cpp - What the debugger costs ------------------------===//
// One warp turns round a loop: without the debugger, under it with breakpoints that are never met, with a
// condition that is computed in every turn and never true, and back again.
//===----------------------------------------------------------------------===//
#include "dbg/Interpreter.h"
#include "test/bench/Bench.h"

#include <CLI/CLI.hpp>

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace leno::bench {

static constexpr const char *kernelText = R"(
        .kernel spin
        .param  u32 n
        MOV     R0, 0;
        MOV     R1, 1;
loop:
        IADD    R0, R0, 1;
        IMAD    R1, R1, R0, R0;
        LOP.xor R2, R1, R0;
        ISETP.lt.u32 P0, R0, c[0][n];
  @P0   BRA     loop;
        EXIT;
never:
        NOP;
        NOP;
        EXIT;
        .endkernel
)";
static constexpr u64 instructionsOfTurn = 5;

namespace {

/// A launch of the kernel from a file of its own.
class Spin {
public:
  explicit Spin(u64 turns) : turns(turns) {}
  ~Spin() {
    if (!folder.empty())
      sys::fs::remove_directories(folder);
  }
  Expected<std::unique_ptr<runtime::Prepared>> prepare() {
    if (folder.empty())
      if (std::error_code code = sys::fs::createUniqueDirectory("leno-bench", folder))
        return createStringError(code, "cannot make a folder for the kernel");
    std::string path = (folder + "/spin.s").str();
    {
      std::error_code code;
      raw_fd_ostream file(path, code);
      if (code)
        return createStringError(code, "cannot write " + path);
      file << kernelText;
    }
    runtime::LaunchOptions options;
    options.file = path;
    options.grid = {1, 1, 1};
    options.block = {32, 1, 1};
    options.arguments = {"u32:" + std::to_string(turns)};
    return runtime::Prepared::create(options, nulls()); // that code is not reached is known
  }
  Expected<std::unique_ptr<dbg::Session>> session(ArrayRef<std::string> commands) {
    auto launch = prepare();
    if (!launch)
      return launch.takeError();
    auto session = std::make_unique<dbg::Session>(std::move(*launch));
    dbg::Interpreter interpreter(*session, nulls(), errs(), false);
    for (const std::string &command : commands)
      if (!interpreter.execute(command))
        return createStringError("the debugger refuses '" + command + "'");
    if (Expected<dbg::StopEvent> started = session->start(); !started)
      return started.takeError();
    return session;
  }

private:
  u64 turns;
  SmallString<64> folder;
};

} // namespace

static Expected<double> secondsAlone(u64 turns) {
  Spin spin(turns);
  auto launch = spin.prepare();
  if (!launch)
    return launch.takeError();
  double start = processorTime();
  (*launch)->run().run();
  return processorTime() - start;
}

static Expected<double> secondsUnder(u64 turns, ArrayRef<std::string> commands) {
  Spin spin(turns);
  auto session = spin.session(commands);
  if (!session)
    return session.takeError();
  double start = processorTime();
  (*session)->resume();
  return processorTime() - start;
}

/// The best of several: the others were disturbed.
static Expected<double> best(unsigned times, function_ref<Expected<double>()> measure) {
  double least = 0;
  for (unsigned i = 0; i < times; ++i) {
    Expected<double> seconds = measure();
    if (!seconds)
      return seconds;
    least = i == 0 ? *seconds : std::min(least, *seconds);
  }
  return least;
}

void addDebugger(CLI::App &app, DebuggerOptions &options) {
  CLI::App *sub = app.add_subcommand("debugger", "what breakpoints, conditions and steps back cost");
  sub->add_option("--turns", options.turns, "of the loop, for breakpoints that are not met")
      ->check(CLI::Range(1000u, 1u << 30))
      ->capture_default_str();
  sub->add_option("--conditions", options.conditions, "times that a condition is computed")
      ->check(CLI::Range(1u, 1u << 30))
      ->capture_default_str();
  sub->add_option("--back", options.back, "instructions to go back")
      ->check(CLI::Range(1u, 1u << 30))
      ->capture_default_str();
}

Error runDebugger(const DebuggerOptions &options) {
  constexpr unsigned times = 5;
  Table table({"", "processor seconds", "million instructions a second"});
  auto add = [&](const std::string &name, double seconds, u64 instructions) {
    table.add({name, fixed(seconds, 3), fixed(double(instructions) / seconds / 1e6, 1)});
  };
  u64 instructions = options.turns * instructionsOfTurn;
  Expected<double> alone = best(times, [&] { return secondsAlone(options.turns); });
  if (!alone)
    return alone.takeError();
  add("without the debugger", *alone, instructions);
  Expected<double> under = best(
      times, [&] { return secondsUnder(options.turns, {"break never", "break never+8", "break never+16"}); });
  if (!under)
    return under.takeError();
  add("breakpoints that are not met", *under, instructions);
  Expected<double> conditional =
      best(1, [&] { return secondsUnder(options.conditions, {"break loop if R0 == 0xffffffff"}); });
  if (!conditional)
    return conditional.takeError();
  add(std::to_string(options.conditions) + " conditions", *conditional,
      options.conditions * instructionsOfTurn);

  Spin spin(options.back / instructionsOfTurn + 2);
  auto session = spin.session({});
  if (!session)
    return session.takeError();
  (*session)->timeline().run(options.back + 1);
  u64 kept = (*session)->timeline().size().checkpointBytes;
  double start = processorTime();
  if (auto event = (*session)->reverseInstructions(options.back, false); !event)
    return event.takeError();
  add(std::to_string(options.back) + " instructions back", processorTime() - start, options.back);
  table.print(outs());
  outs() << "speed with breakpoints that are not met: " << fixed(*alone / *under, 2)
         << " of that without the debugger\n"
         << "checkpoints: " << kept / 1024 << " KiB\n";
  return Error::success();
}

} // namespace leno::bench
