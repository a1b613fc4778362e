//===- StackCacheBench.cpp - leno-bench stack-cache -----------------------===//
// S0's claims as figures: what stacks cost in cycles, traffic and bits on the
// chip when they are all on chip, all in memory, or cached. Every run's
// results are checked against plain C++.
//===----------------------------------------------------------------------===//
#include "test/bench/Bench.h"
#include "test/bench/Chart.h"
#include "test/bench/StackRuns.h"

#include "asm/support/AtomicFile.h"
#include "runtime/DataFile.h"

#include <CLI/CLI.hpp>
#include <cstring>
#include <map>

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace leno::bench {
namespace {

using Stack = MachineConfig::Stack;

const char *policyName(u64 policy) { return policy == Stack::Threshold ? "threshold" : "set-boundary"; }

/// Each kernel has a colour in all charts.
unsigned colourOf(const std::string &name) {
  for (unsigned i = 0; i < stackKernels().size(); ++i)
    if (stackKernels()[i].name == name)
      return i;
  return 0;
}

class Experiment {
public:
  explicit Experiment(const StackCacheOptions &options) : options(options) {}
  Error run();

private:
  /// One figure of the sweeps: a configuration that differs from the default in `value` of `knob`.
  struct Point {
    std::string kernel, knob, policy;
    u64 value;
    double ratio; ///< stall cycles, of those with all in memory
  };

  MachineConfig machine(u64 model, u64 policy = Stack::Threshold, u64 entries = 16) const;
  Expected<StackRun> runOne(const MachineConfig &config, u64 warps);
  Expected<double> ratio(const MachineConfig &config, u64 warps);
  Error sizes();
  Error addRow(Table &table, const std::string &name, const MachineConfig &config);
  Error sweep(const std::string &knob, std::vector<u64> values, std::vector<u64> policies,
              function_ref<void(MachineConfig &, u64 &warps, u64 value)> set);
  Error sweeps();
  Error speeds();
  void printSweeps() const;
  void printClaims() const;
  json::Value json();
  std::vector<Panel> panels() const;

  const StackCacheOptions &options;
  LoadedStackKernel *current = nullptr;
  double inMemory = 0; ///< stall cycles of the current kernel with all in memory
  std::map<std::pair<u64, u64>, double> allInMemory; ///< the same, by latency and warps
  std::vector<Point> points;
  json::Array rows, speedRows;
};

MachineConfig Experiment::machine(u64 model, u64 policy, u64 entries) const {
  MachineConfig config;
  config.sm.count = 1;
  config.sm.warps = 64;
  config.sm.registers = 196608;
  config.warp.stackDepth = 2048;
  config.timing.model = MachineConfig::Timing::Cycles;
  config.stack.model = model;
  config.stack.policy = policy;
  config.stack.entries = entries;
  if (entries <= config.stack.moveEntries) // S0: n is less than the number of entries
    config.stack.moveEntries = entries / 2;
  if (policy == Stack::SetBoundary && entries < 2 * config.stack.setEntries)
    config.stack.setEntries = entries / 2;
  return config;
}

Expected<StackRun> Experiment::runOne(const MachineConfig &config, u64 warps) {
  return current->run(config, warps);
}

//===--- Sizes and policies -----------------------------------------------===//

Error Experiment::addRow(Table &table, const std::string &name, const MachineConfig &config) {
  Expected<StackRun> run = runOne(config, options.warps);
  if (!run)
    return run.takeError();
  const StackCounters &stack = run->stack;
  if (name == "memory")
    inMemory = double(stack.stallCycles);
  double ratio = inMemory ? double(stack.stallCycles) / inMemory : 0;
  u64 bits = run->onChipBits;
  table.add({current->kernel().name, name, std::to_string(run->cycles.cycles),
             std::to_string(run->cycles.idle), std::to_string(stack.stallCycles), fixed(ratio, 3),
             std::to_string(stack.pushes), std::to_string(stack.deepest), std::to_string(stack.cleanPops),
             std::to_string(stack.spills.entries), std::to_string(stack.restores.entries),
             fixed(double(stack.spills.bytes() + stack.restores.bytes()) / 1024, 0), std::to_string(bits)});
  rows.push_back(
      json::Object{{"kernel", current->kernel().name},
                   {"storage", name},
                   {"entries", config.stack.model == Stack::Cache ? int64_t(config.stack.entries) : 0},
                   {"cycles", run->cycles.cycles},
                   {"idle_cycles", run->cycles.idle},
                   {"instructions", run->cycles.issued},
                   {"stall_cycles", stack.stallCycles},
                   {"stalls_of_all_in_memory", ratio},
                   {"pushes", stack.pushes},
                   {"deepest", stack.deepest},
                   {"clean_pops", stack.cleanPops},
                   {"spills", stack.spills.count},
                   {"spilled_entries", stack.spills.entries},
                   {"restores", stack.restores.count},
                   {"restored_entries", stack.restores.entries},
                   {"transactions", stack.spills.transactions + stack.restores.transactions},
                   {"bytes", stack.spills.bytes() + stack.restores.bytes()},
                   {"on_chip_bits", bits}});
  if (config.stack.model == Stack::Cache)
    points.push_back(
        {current->kernel().name, "entries", policyName(config.stack.policy), config.stack.entries, ratio});
  return Error::success();
}

Error Experiment::sizes() {
  Table table({"kernel", "stack", "cycles", "idle", "stalls", "of memory", "pushes", "deepest", "clean pops",
               "spilled", "restored", "KiB moved", "bits on chip"});
  if (Error error = addRow(table, "memory", machine(Stack::Memory)))
    return error;
  MachineConfig posted = machine(Stack::Memory);
  posted.timing.postedWrites = 1;
  if (Error error = addRow(table, "memory, posted writes", posted))
    return error;
  for (u64 policy : {Stack::Threshold, Stack::SetBoundary})
    for (u64 entries : {4, 8, 16, 32, 64})
      if (Error error = addRow(table, formatv("{0} {1}", policyName(policy), entries),
                               machine(Stack::Cache, policy, entries)))
        return error;
  if (Error error = addRow(table, "chip", machine(Stack::Chip)))
    return error;
  if (options.json != "-") {
    table.print(outs());
    outs() << '\n';
  }
  return Error::success();
}

//===--- What the stalls depend on ----------------------------------------===//

Expected<double> Experiment::ratio(const MachineConfig &config, u64 warps) {
  double &all = allInMemory[{config.timing.memoryLatency, warps}];
  if (all == 0) {
    MachineConfig baseline = config;
    baseline.stack = Stack();
    baseline.stack.model = Stack::Memory;
    Expected<StackRun> run = runOne(baseline, warps);
    if (!run)
      return run.takeError();
    all = std::max(1.0, double(run->stack.stallCycles));
  }
  Expected<StackRun> cached = runOne(config, warps);
  if (!cached)
    return cached.takeError();
  return double(cached->stack.stallCycles) / all;
}

Error Experiment::sweep(const std::string &knob, std::vector<u64> values, std::vector<u64> policies,
                        function_ref<void(MachineConfig &, u64 &, u64)> set) {
  for (u64 policy : policies)
    for (u64 value : values) {
      MachineConfig config = machine(Stack::Cache, policy);
      u64 warps = options.warps;
      set(config, warps, value);
      double figure;
      if (Error error = ratio(config, warps).moveInto(figure))
        return error;
      points.push_back({current->kernel().name, knob, policyName(policy), value, figure});
    }
  return Error::success();
}

Error Experiment::sweeps() {
  constexpr u64 threshold = Stack::Threshold, boundary = Stack::SetBoundary;
  if (Error error =
          sweep("latency", {25, 50, 100, 250, 500, 1000}, {threshold, boundary},
                [](MachineConfig &config, u64 &, u64 value) { config.timing.memoryLatency = value; }))
    return error;
  if (Error error = sweep("warps", {1, 2, 4, 8, 16, 24}, {threshold, boundary},
                          [](MachineConfig &, u64 &warps, u64 value) { warps = value; }))
    return error;
  if (Error error =
          sweep("restore threshold", {1, 2, 4, 8, 12}, {threshold},
                [](MachineConfig &config, u64 &, u64 value) { config.stack.restoreThreshold = value; }))
    return error;
  if (Error error =
          sweep("spill threshold", {1, 2, 4, 8, 12}, {threshold},
                [](MachineConfig &config, u64 &, u64 value) { config.stack.spillThreshold = value; }))
    return error;
  return sweep("sets ahead", {1, 2, 3}, {boundary},
               [](MachineConfig &config, u64 &, u64 value) { config.stack.setsAhead = value; });
}

void Experiment::printSweeps() const {
  std::vector<std::string> knobs;
  for (const Point &point : points)
    if (point.knob != "entries" && !is_contained(knobs, point.knob))
      knobs.push_back(point.knob);
  for (const std::string &knob : knobs) {
    std::vector<std::string> header = {"kernel", "policy"};
    std::vector<std::vector<std::string>> lines;
    for (const Point &point : points) {
      if (point.knob != knob)
        continue;
      if (std::string value = std::to_string(point.value); !is_contained(header, value))
        header.push_back(value);
      if (lines.empty() || lines.back()[0] != point.kernel || lines.back()[1] != point.policy)
        lines.push_back({point.kernel, point.policy});
      lines.back().push_back(fixed(point.ratio, 3));
    }
    outs() << "stall cycles of 16 entries, of those with all in memory, by " << knob << ":\n";
    Table table(header);
    for (auto &line : lines)
      table.add(line);
    table.print(outs());
    outs() << '\n';
  }
}

void Experiment::printClaims() const {
  outs() << "1,000 calls deep on 16 entries, stall cycles of those with all in memory (S0's claim, as tested "
            "here: at "
            "most 0.100):\n";
  Table table({"kernel", "threshold", "set-boundary"});
  for (const Point &first : points) {
    if (first.knob != "entries" || first.value != 16 || first.policy != "threshold")
      continue;
    for (const Point &second : points)
      if (second.kernel == first.kernel && second.knob == "entries" && second.value == 16 &&
          second.policy != first.policy)
        table.add({first.kernel, fixed(first.ratio, 3), fixed(second.ratio, 3)});
  }
  table.print(outs());
}

//===--- The emulator's own speed ------------------------------------------===//

Error Experiment::speeds() {
  Table table({"kernel", "time", "M warp instr/s, chip", "cache", "cache / chip"});
  for (u64 timing : {MachineConfig::Timing::Off, MachineConfig::Timing::Cycles}) {
    MachineConfig chip = machine(Stack::Chip), cache = machine(Stack::Cache);
    chip.timing.model = cache.timing.model = timing;
    Expected<SpeedPair> pair = current->compare(chip, cache, options.warps, options.seconds);
    if (!pair)
      return pair.takeError();
    const char *model = timing ? "cycles" : "off";
    table.add({current->kernel().name, model, fixed(pair->first / 1e6, 1), fixed(pair->second / 1e6, 1),
               fixed(pair->ratio, 3)});
    speedRows.push_back(json::Object{{"kernel", current->kernel().name},
                                     {"timing_model", model},
                                     {"chip_warp_instructions_per_second", pair->first},
                                     {"cache_warp_instructions_per_second", pair->second},
                                     {"ratio", pair->ratio}});
  }
  if (options.json != "-")
    table.print(outs());
  return Error::success();
}

//===--- The kernels, for runs of one's own ---------------------------------===//

Error saveWords(const std::string &path, const std::vector<uint32_t> &words) {
  runtime::Array array{ElementType::U32, {words.size()}, std::vector<uint8_t>(words.size() * 4)};
  std::memcpy(array.bytes.data(), words.data(), array.bytes.size());
  return writeFileAtomically(path, [&](raw_ostream &os) {
    return runtime::writeArray(os, runtime::FileFormat::Npy, array);
  });
}

/// Sources, what they read and what they are to compute, and a list of them all.
Error saveKernels(const StackCacheOptions &options) {
  if (std::error_code error = sys::fs::create_directories(options.save))
    return createStringError(error, "--save: cannot make the folder '" + options.save + "': " + error.message());
  uint32_t threads = options.warps * laneCount;
  json::Array list;
  for (const StackKernel &kernel : stackKernels()) {
    if (!options.kernels.empty() && !is_contained(options.kernels, kernel.name))
      continue;
    uint32_t size = options.quick ? kernel.quickSize : kernel.size;
    std::vector<uint32_t> data = kernel.data(size, threads);
    std::string base = options.save + "/" + kernel.name;
    if (Error error = writeFileAtomically(base + ".s", [&](raw_ostream &os) {
          os << stackKernelSource(kernel.name);
          return Error::success();
        }))
      return error;
    if (Error error = saveWords(base + "-data.npy", data))
      return error;
    if (Error error = saveWords(base + "-results.npy", kernel.reference(size, threads, data)))
      return error;
    list.push_back(json::Object{{"name", kernel.name},
                                {"what", kernel.what},
                                {"size", size},
                                {"threads", threads},
                                {"scratch_bytes_of_thread", kernel.scratchBytes}});
  }
  return writeJson(options.save + "/kernels.json", std::move(list));
}

//===--- Results ------------------------------------------------------------===//

json::Value Experiment::json() {
  json::Array dependence;
  for (const Point &point : points)
    dependence.push_back(json::Object{{"kernel", point.kernel},
                                      {"policy", point.policy},
                                      {"knob", point.knob},
                                      {"value", point.value},
                                      {"stalls_of_all_in_memory", point.ratio}});
  MachineConfig config = machine(Stack::Cache);
  return json::Object{{"benchmark", "stack-cache"},
                      {"host", hostName()},
                      {"warps", options.warps},
                      {"quick", options.quick},
                      {"memory_latency", config.timing.memoryLatency},
                      {"memory_interval", config.timing.memoryInterval},
                      {"nesting_limit", config.warp.stackDepth},
                      {"rows", std::move(rows)},
                      {"dependence", std::move(dependence)},
                      {"speed", std::move(speedRows)}};
}

std::vector<Panel> Experiment::panels() const {
  std::vector<Panel> result;
  for (const Point &point : points) {
    std::string title = "Stalls by " + point.knob + (point.knob == "entries" ? "" : ", 16 entries");
    Panel *panel = nullptr;
    for (Panel &known : result)
      if (known.title == title)
        panel = &known;
    if (!panel)
      panel = &result.emplace_back(Panel{title, point.knob, "stall cycles, of those with all in memory", {}});
    std::string name = point.kernel + (point.policy == "threshold" ? "" : ", set-boundary");
    if (panel->lines.empty() || panel->lines.back().name != name)
      panel->lines.push_back({name, colourOf(point.kernel), point.policy != "threshold", {}});
    panel->lines.back().points.push_back({double(point.value), point.ratio});
  }
  return result;
}

Error Experiment::run() {
  if (options.json != "-")
    outs() << formatv(
        "{0} warps on one SM, a memory transaction takes 250 cycles and one starts every 4; every result "
        "checked against plain C++\n\n",
        options.warps);
  for (const StackKernel &kernel : stackKernels()) {
    if (!options.kernels.empty() && !is_contained(options.kernels, kernel.name))
      continue;
    Expected<std::unique_ptr<LoadedStackKernel>> loaded = LoadedStackKernel::create(kernel, options.quick);
    if (!loaded)
      return loaded.takeError();
    current = loaded->get();
    allInMemory.clear();
    if (options.json != "-")
      outs() << kernel.name << ": " << kernel.what << '\n';
    if (Error error = options.speed ? speeds() : sizes())
      return error;
    if (!options.speed && kernel.isSwept)
      if (Error error = sweeps())
        return error;
  }
  if (options.json != "-" && !options.speed) {
    printSweeps();
    printClaims();
  }
  if (Error error =
          writeChart(options.plot, formatv("leno-bench stack-cache, {0} warps on one SM", options.warps),
                     [&] { return panels(); }))
    return error;
  return writeJson(options.json, json());
}

} // namespace

void addStackCache(CLI::App &app, StackCacheOptions &options) {
  CLI::App *command =
      app.add_subcommand("stack-cache", "What warps' stacks cost on chip, in memory, and cached (S0)");
  std::vector<std::string> names;
  for (const StackKernel &kernel : stackKernels())
    names.push_back(kernel.name);
  command->add_option("--kernel", options.kernels, "Only these kernels")
      ->check(CLI::IsMember(names))
      ->type_name("NAME");
  command->add_option("--warps", options.warps, "Warps on the SM (default 8)")->check(CLI::Range(1, 32));
  command->add_flag("--quick", options.quick, "Smaller sizes: a look that takes seconds");
  command->add_flag("--speed", options.speed, "The emulator's speed instead, with the cache and without it");
  command->add_option("--seconds", options.seconds, "With --speed: time for each comparison (default 2)")
      ->check(CLI::Range(0.001, 3600.0));
  command
      ->add_option("--save", options.save,
                   "Instead of measuring, writes the kernels there, their data and what they are to compute")
      ->type_name("DIR");
  addResultFiles(*command, options.json, &options.plot);
}

Error runStackCache(const StackCacheOptions &options) {
  return options.save.empty() ? Experiment(options).run() : saveKernels(options);
}

} // namespace leno::bench
