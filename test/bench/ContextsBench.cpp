//===- ContextsBench.cpp - leno-bench contexts ----------------------------===//
// S4's claims as figures: two contexts of half width at once, an urgent one
// beside a long kernel, and one that sets up much work beside one that needs
// throughput. Every run's results are checked against plain C++.
//===----------------------------------------------------------------------===//
#include "test/bench/Bench.h"
#include "test/bench/Chart.h"
#include "test/bench/ContextRuns.h"

#include "asm/support/Tool.h"

#include <CLI/CLI.hpp>

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace leno::bench {
namespace {

using Rule = MachineConfig::Contexts;

class Experiment {
public:
  Experiment(const ContextsOptions &options, const ContextRuns &runs) : options(options), runs(runs) {}
  Error run();

private:
  using Jobs = std::vector<ContextJob>;

  MachineConfig machine(u64 allocation) const;
  Error halfWidth();
  Error urgent();
  Error setupBound();
  Error sweeps();
  Expected<ContextsOutcome> together(const std::string &experiment, const std::string &how,
                                     const MachineConfig &config, const Jobs &jobs);
  Error startLatencies(const MachineConfig &config, u64 &worst, u64 &mean, ContextsOutcome &last);
  u64 startBound(const MachineConfig &config) const;
  Jobs partWidth(unsigned contexts) const;
  Jobs longAndUrgent(u64 arrival) const;
  Jobs setupAndThroughput(u64 setupSms) const;
  void print(const Twine &text) const {
    if (options.json != "-")
      outs() << text;
  }
  void begin(const Twine &title) {
    print(title);
    table.emplace(std::vector<std::string>{"allocation", "cycles", "of serial", "context", "starts after",
                                           "done after", "instr/cycle", "blocked", "SM cycles", "saved KiB",
                                           "switching"});
  }
  void end() {
    if (options.json != "-")
      table->print(outs());
    print("\n");
  }

  const ContextsOptions &options;
  const ContextRuns &runs;
  std::optional<Table> table;
  u64 serial = 0; ///< cycles of the experiment's baseline: one context at a time
  json::Array rows;
  json::Object claims;
  std::vector<Panel> panels;
};

MachineConfig Experiment::machine(u64 allocation) const {
  MachineConfig config;
  config.sm.count = options.sms;
  config.sm.warps = 24; // S4
  config.timing.model = MachineConfig::Timing::Cycles;
  config.contexts.allocation = allocation;
  config.contexts.timeSlice = 0; // the baseline runs one after the other to its end
  return config;
}

/// One run as rows of the table, one for each context.
Expected<ContextsOutcome> Experiment::together(const std::string &experiment, const std::string &how,
                                               const MachineConfig &config, const Jobs &jobs) {
  Expected<ContextsOutcome> outcome = runs.run(config, jobs);
  if (!outcome)
    return outcome;
  if (serial == 0)
    serial = outcome->cycles;
  double ratio = double(outcome->cycles) / double(serial);
  for (const ContextOutcome &context : outcome->contexts) {
    bool first = &context == &outcome->contexts.front();
    const ContextCounts &counts = context.counts;
    table->add({first ? how : "", first ? std::to_string(outcome->cycles) : "", first ? fixed(ratio, 3) : "",
                context.name, std::to_string(context.startLatency()), std::to_string(context.cycles()),
                fixed(context.throughput(), 2), std::to_string(counts.blockedCycles),
                std::to_string(counts.smCycles), fixed(double(counts.savedBytes) / 1024, 0),
                std::to_string(counts.switchCycles)});
    rows.push_back(json::Object{{"experiment", experiment},
                                {"allocation", how},
                                {"cycles", outcome->cycles},
                                {"of_serial", ratio},
                                {"context", context.name},
                                {"start_latency", context.startLatency()},
                                {"context_cycles", context.cycles()},
                                {"warp_instructions_per_cycle", context.throughput()},
                                {"blocked_cycles", counts.blockedCycles},
                                {"sm_cycles", counts.smCycles},
                                {"saves", counts.saves},
                                {"restores", counts.restores},
                                {"drains", counts.drains},
                                {"saved_bytes", counts.savedBytes},
                                {"switch_cycles", counts.switchCycles},
                                {"front_end_switches", outcome->frontEndSwitches},
                                {"slices_gained", counts.slicesGained},
                                {"slices_lost", counts.slicesLost}});
  }
  return outcome;
}

//===--- Half of the machine each -----------------------------------------===//

/// Each needs its part of the SMs and can use no more.
Experiment::Jobs Experiment::partWidth(unsigned contexts) const {
  Jobs jobs;
  for (unsigned i = 0; i < contexts; ++i)
    jobs.push_back({.name = std::string(1, char('a' + i)),
                    .ctas = options.sms / contexts,
                    .warps = 24,
                    .steps = options.quick ? 60u : 500u});
  return jobs;
}

Error Experiment::halfWidth() {
  begin("two contexts that need half of the SMs each (S4: at once they take half of the time)\n");
  serial = 0;
  double best = 1;
  for (auto [how, allocation] : {std::pair("one after the other", Rule::One),
                                 std::pair("static", Rule::Static), std::pair("dynamic", Rule::Dynamic)}) {
    Expected<ContextsOutcome> outcome = together("half-width", how, machine(allocation), partWidth(2));
    if (!outcome)
      return outcome.takeError();
    if (allocation == Rule::Static)
      best = double(outcome->cycles) / double(serial);
  }
  end();
  print(formatv("together they take {0:f3} of the time of one after the other (to be at most 0.550)\n\n",
                best));
  claims["half_width_of_serial"] = best;
  return Error::success();
}

//===--- An urgent one beside a long one ----------------------------------===//

Experiment::Jobs Experiment::longAndUrgent(u64 arrival) const {
  u32 factor = options.quick ? 1 : 4;
  return {
      {.name = "long", .ctas = 12 * options.sms, .warps = 8, .steps = 150 * factor},
      {.name = "urgent", .ctas = options.sms, .warps = 8, .steps = 20, .priority = 1, .arrival = arrival}};
}

/// The urgent context comes at ten times of the long one's run.
Error Experiment::startLatencies(const MachineConfig &config, u64 &worst, u64 &mean, ContextsOutcome &last) {
  worst = mean = 0;
  constexpr unsigned times = 10;
  for (unsigned i = 1; i <= times; ++i) {
    u64 step = options.quick ? 700 : 3000;
    Expected<ContextsOutcome> outcome = runs.run(config, longAndUrgent(i * step + i));
    if (!outcome)
      return outcome.takeError();
    u64 latency = outcome->contexts[1].startLatency();
    worst = std::max(worst, latency);
    mean += latency;
    last = std::move(*outcome);
  }
  mean /= times;
  return Error::success();
}

/// What a new context of high priority can have to wait for: its launch is taken and set up, and beside that
/// an SM full of CTAs saves its state. One cycle more for each hand-over.
u64 Experiment::startBound(const MachineConfig &config) const {
  u64 state = ContextRuns::fullState(config, 8, runs.registers());
  return std::max(1 + config.device.launchCycles, divideCeil(state, config.contexts.storageBytes)) + 2;
}

Error Experiment::urgent() {
  begin("a long kernel, and a short one of high priority that comes while it runs\n");
  serial = 0;
  struct Variant {
    const char *how;
    u64 allocation, switching, timeSlice;
  };
  Table latencies({"allocation", "starts after, worst of 10", "mean", "bound"});
  json::Array latencyRows;
  for (const Variant &variant : {Variant{"one at a time", Rule::One, Rule::Save, 0},
                                 Variant{"one, 20,000-cycle slices", Rule::One, Rule::Save, 20000},
                                 Variant{"static", Rule::Static, Rule::Save, 0},
                                 Variant{"dynamic, save", Rule::Dynamic, Rule::Save, 0},
                                 Variant{"dynamic, drain", Rule::Dynamic, Rule::Drain, 0}}) {
    MachineConfig config = machine(variant.allocation);
    config.contexts.switching = variant.switching;
    config.contexts.timeSlice = variant.timeSlice;
    Expected<ContextsOutcome> outcome =
        together("urgent", variant.how, config, longAndUrgent(options.quick ? 2000 : 10000));
    if (!outcome)
      return outcome.takeError();
    u64 worst, mean;
    ContextsOutcome last;
    if (Error error = startLatencies(config, worst, mean, last))
      return error;
    bool bounded = variant.allocation == Rule::Dynamic && variant.switching == Rule::Save;
    latencies.add({variant.how, std::to_string(worst), std::to_string(mean),
                   bounded ? std::to_string(startBound(config)) : "-"});
    latencyRows.push_back(json::Object{
        {"allocation", variant.how}, {"worst_start_latency", worst}, {"mean_start_latency", mean}});
    if (bounded) {
      claims["start_latency_bound"] = startBound(config);
      claims["start_latency_worst"] = worst;
      if (worst > startBound(config))
        return createStringError(formatv("the urgent context waited {0} cycles, more than the bound of {1}",
                                         worst, startBound(config)));
    }
  }
  end();
  if (options.json != "-")
    latencies.print(outs());
  print("\n");
  claims["start_latencies"] = std::move(latencyRows);
  return Error::success();
}

//===--- Much setup beside much work --------------------------------------===//

/// Both have about the same to do when the first has one SM.
Experiment::Jobs Experiment::setupAndThroughput(u64 setupSms) const {
  u32 rounds = options.quick ? 100 : 150;
  return {{.name = "setup", .launches = rounds, .ctas = 1, .warps = 1, .steps = 60, .sms = setupSms},
          {.name = "wide", .ctas = rounds * (options.sms - 1) / 2, .warps = 8, .steps = 20}};
}

Error Experiment::setupBound() {
  begin("a context of many small launches beside one that needs all SMs it can get\n");
  serial = 0;
  Expected<ContextsOutcome> outcome =
      together("setup-bound", "one after the other", machine(Rule::One), setupAndThroughput(0));
  if (!outcome)
    return outcome.takeError();
  u64 best = ~u64(0);
  for (unsigned sms = 1; sms < options.sms; ++sms) {
    Expected<ContextsOutcome> split =
        together("setup-bound", formatv("static {0} + {1}", sms, options.sms - sms), machine(Rule::Static),
                 setupAndThroughput(sms));
    if (!split)
      return split.takeError();
    best = std::min(best, split->cycles);
  }
  Expected<ContextsOutcome> dynamic =
      together("setup-bound", "dynamic", machine(Rule::Dynamic), setupAndThroughput(0));
  if (!dynamic)
    return dynamic.takeError();
  end();
  double ratio = double(dynamic->cycles) / double(best);
  print(
      formatv("rebalanced by blocked cycles they take {0:f3} of the best static split's time (to be at most "
              "1.050)\n\n",
              ratio));
  claims["dynamic_of_best_static"] = ratio;
  return Error::success();
}

//===--- What it depends on -----------------------------------------------===//

Error Experiment::sweeps() {
  Panel width{
      "Contexts at once, each of a part of the SMs", "contexts", "cycles, of one after the other", {}};
  Panel::Line &measured = width.lines.emplace_back(Panel::Line{"together", 0, false, {}});
  for (unsigned contexts = 1; contexts <= options.sms; contexts *= 2) {
    Expected<ContextsOutcome> all = runs.run(machine(Rule::Dynamic), partWidth(contexts)),
                              one = runs.run(machine(Rule::One), partWidth(contexts));
    if (!all || !one)
      return joinErrors(all.takeError(), one.takeError());
    measured.points.push_back({double(contexts), double(all->cycles) / double(one->cycles)});
  }
  Panel start{"Start of an urgent context", "bytes a cycle to context storage", "cycles, worst of 10", {}};
  start.lines.push_back({"save and restore", 0, false, {}});
  start.lines.push_back({"its bound", 0, true, {}});
  start.lines.push_back({"drain", 1, false, {}});
  for (u64 bytes : {8, 16, 32, 64, 128})
    for (u64 switching : {Rule::Save, Rule::Drain}) {
      MachineConfig config = machine(Rule::Dynamic);
      config.contexts.storageBytes = bytes;
      config.contexts.switching = switching;
      u64 worst, mean;
      ContextsOutcome last;
      if (Error error = startLatencies(config, worst, mean, last))
        return error;
      start.lines[switching == Rule::Save ? 0 : 2].points.push_back({double(bytes), double(worst)});
      if (switching == Rule::Save)
        start.lines[1].points.push_back({double(bytes), double(startBound(config))});
    }
  Panel window{"Rebalancing, setup beside throughput", "window, cycles", "cycles", {}};
  window.lines.push_back({"dynamic", 0, false, {}});
  for (unsigned sms = 1; sms < options.sms; ++sms)
    window.lines.push_back({formatv("static {0} + {1}", sms, options.sms - sms), sms, true, {}});
  for (u64 cycles : {500, 1000, 2000, 4000, 8000}) {
    MachineConfig config = machine(Rule::Dynamic);
    config.contexts.window = cycles;
    config.contexts.threshold = cycles / 4;
    Expected<ContextsOutcome> dynamic = runs.run(config, setupAndThroughput(0));
    if (!dynamic)
      return dynamic.takeError();
    window.lines[0].points.push_back({double(cycles), double(dynamic->cycles)});
  }
  for (unsigned sms = 1; sms < options.sms; ++sms) {
    Expected<ContextsOutcome> split = runs.run(machine(Rule::Static), setupAndThroughput(sms));
    if (!split)
      return split.takeError();
    for (double x : {500, 8000})
      window.lines[sms].points.push_back({x, double(split->cycles)});
  }
  panels = {std::move(width), std::move(start), std::move(window)};
  return Error::success();
}

Error Experiment::run() {
  print(formatv(
      "{0} SMs of 24 warps, cycle model, {1} cycles from a launch to its first CTA, {2} bytes a cycle "
      "to context storage; every result checked against plain C++\n\n",
      options.sms, machine(Rule::One).device.launchCycles, machine(Rule::One).contexts.storageBytes));
  if (Error error = halfWidth())
    return error;
  if (Error error = urgent())
    return error;
  if (Error error = setupBound())
    return error;
  if (!options.plot.empty())
    if (Error error = sweeps())
      return error;
  if (Error error = writeChart(options.plot, formatv("leno-bench contexts, {0} SMs", options.sms),
                               [&] { return panels; }))
    return error;
  return writeJson(options.json, json::Object{{"benchmark", "contexts"},
                                              {"host", hostName()},
                                              {"sms", options.sms},
                                              {"quick", options.quick},
                                              {"claims", std::move(claims)},
                                              {"rows", std::move(rows)}});
}

} // namespace

void addContexts(CLI::App &app, ContextsOptions &options) {
  CLI::App *command = app.add_subcommand("contexts", "Several contexts on one device (S4)");
  command->add_option("--sms", options.sms, "SMs of the device (default 4)")->check(CLI::Range(2, 64));
  command->add_flag("--quick", options.quick, "Smaller sizes: a look that takes a second");
  addResultFiles(*command, options.json, &options.plot);
}

Error runContexts(const ContextsOptions &options) {
  Expected<std::unique_ptr<ContextRuns>> runs = ContextRuns::create();
  if (!runs)
    return runs.takeError();
  return Experiment(options, **runs).run();
}

} // namespace leno::bench
