//===- ThreadsBench.cpp - leno-bench threads ------------------------------===//
// One grid on 1, 2, ... host threads: the time it takes, and that its bits are
// those of plain C++ every time. Beside the time of the clock stands the
// processor time of the busiest thread: what the clock would show on a host
// with nothing else to do.
//===----------------------------------------------------------------------===//
#include "test/bench/Bench.h"
#include "test/bench/Chart.h"
#include "test/bench/KernelSources.h"

#include "asm/LoadProgram.h"
#include "emu/launch/ParallelRun.h"
#include "emu/program/Predecoder.h"

#include <CLI/CLI.hpp>

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <thread>

using namespace llvm;

namespace leno::bench {
namespace {

constexpr u32 blockThreads = 128;

u32 mixed(u32 n, u32 turns) {
  u32 value = n;
  for (u32 turn = 0; turn < turns; ++turn) {
    value ^= value >> 15;
    value = value * value + n;
    value += value << 7;
  }
  return value;
}

struct Row {
  unsigned threads;
  double seconds, busiest;
};

class Experiment {
public:
  explicit Experiment(const ThreadsOptions &options) : options(options) {}
  Error run();

private:
  Error prepare();
  Expected<Row> measure(unsigned threads);
  Expected<Row> runOnce(unsigned threads);
  void print() const;

  const ThreadsOptions &options;
  const Engine *engine = nullptr;
  std::optional<Program> program;
  std::vector<u32> expected;
  std::vector<Row> rows;
};

Error Experiment::prepare() {
  if (Error error = chooseEngine().moveInto(engine))
    return error;
  Expected<Executable> executable = loadProgramText(kernelSource("threads/mix.s"), "mix.s", {}, errs());
  if (!executable)
    return executable.takeError();
  program = predecode(executable->code(), *engine);
  for (u32 n = 0; n < options.ctas * blockThreads; ++n)
    expected.push_back(mixed(n, options.turns));
  return Error::success();
}

Expected<Row> Experiment::runOnce(unsigned threads) {
  MachineConfig config;
  config.sm.count = std::max<u64>(config.sm.count, options.most);
  Device device(config, *engine);
  std::vector<u32> got(expected.size());
  Expected<u64> out = device.memory().allocate(got.size() * 4, "out");
  if (!out)
    return out.takeError();
  LaunchSpec spec;
  spec.kernel = "mix";
  spec.grid = {options.ctas};
  spec.block = {blockThreads};
  spec.parameters.resize(12);
  std::memcpy(&spec.parameters[0], &*out, 8);
  std::memcpy(&spec.parameters[8], &options.turns, 4);
  Expected<std::unique_ptr<ParallelRun>> grid = ParallelRun::create(device, *program, spec, threads);
  if (!grid)
    return grid.takeError();
  double start = now();
  StopReason reason = (*grid)->run();
  double seconds = now() - start;
  if (reason != StopReason::Finished)
    return createStringError("threads: the kernel did not finish");
  if (Error error = device.memory().read(*out, {reinterpret_cast<uint8_t *>(got.data()), got.size() * 4}))
    return std::move(error);
  if (got != expected)
    return createStringError(
        formatv("threads: a result on {0} host threads differs from plain C++", threads));
  return Row{threads, seconds, (*grid)->busiestSeconds()};
}

/// The best of several: noise only ever slows.
Expected<Row> Experiment::measure(unsigned threads) {
  Row best{threads, 1e9, 1e9};
  for (unsigned i = 0; i < options.runs; ++i) {
    Expected<Row> row = runOnce(threads);
    if (!row)
      return row.takeError();
    best.seconds = std::min(best.seconds, row->seconds);
    best.busiest = std::min(best.busiest, row->busiest);
  }
  return best;
}

void Experiment::print() const {
  outs() << formatv("{0} CTAs of {1} threads, {2} turns each, {3}; {4}, {5} cores; the best of {6}, every "
                    "result checked\n",
                    options.ctas, blockThreads, options.turns, engine->name, hostName(),
                    std::thread::hardware_concurrency(), options.runs);
  Table table({"host threads", "seconds", "times as fast", "busiest thread, s", "times as fast"});
  for (const Row &row : rows)
    table.add({std::to_string(row.threads), fixed(row.seconds, 3), fixed(rows[0].seconds / row.seconds, 2),
               fixed(row.busiest, 3), fixed(rows[0].busiest / row.busiest, 2)});
  table.print(outs());
}

Error Experiment::run() {
  if (Error error = prepare())
    return error;
  for (unsigned threads = 1; threads <= options.most; threads = threads < 4 ? threads + 1 : threads * 2) {
    Expected<Row> row = measure(threads);
    if (!row)
      return row.takeError();
    rows.push_back(*row);
  }
  if (options.json != "-")
    print();
  if (Error error = writeChart(options.plot, "leno-bench threads", [&] {
        Panel panel{"A compute-bound grid", "host threads", "times as fast as on one", {}};
        panel.lines = {{"by the clock", 0, false, {}}, {"by the busiest thread", 1, true, {}}};
        for (const Row &row : rows) {
          panel.lines[0].points.push_back({double(row.threads), rows[0].seconds / row.seconds});
          panel.lines[1].points.push_back({double(row.threads), rows[0].busiest / row.busiest});
        }
        return std::vector{panel};
      }))
    return error;
  json::Array array;
  for (const Row &row : rows)
    array.push_back(
        json::Object{{"threads", row.threads}, {"seconds", row.seconds}, {"busiest_seconds", row.busiest}});
  return writeJson(options.json, json::Value(json::Object{{"benchmark", "threads"},
                                                          {"engine", engine->name},
                                                          {"host", hostName()},
                                                          {"rows", std::move(array)}}));
}

} // namespace

void addThreads(CLI::App &app, ThreadsOptions &options) {
  CLI::App *command = app.add_subcommand(
      "threads", "How much faster a grid is on several cores of the host, with the same bits");
  options.most = std::max(1u, std::thread::hardware_concurrency());
  command->add_option("--most", options.most, "Host threads at most (default: the host's cores)")
      ->check(CLI::Range(1, 256));
  command->add_option("--ctas", options.ctas, "CTAs of the grid (default 512)")->check(CLI::Range(1, 65536));
  command->add_option("--turns", options.turns, "Turns of each thread (default 20000)")
      ->check(CLI::Range(1, 10'000'000));
  command->add_option("--runs", options.runs, "Runs of each number, of which the best counts (default 3)")
      ->check(CLI::Range(1, 100));
  addResultFiles(*command, options.json, &options.plot);
}

Error runThreads(const ThreadsOptions &options) { return Experiment(options).run(); }

} // namespace leno::bench
