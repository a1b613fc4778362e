//===- Speed.cpp - leno-bench speed ---------------------------------------===//
// What the execution core reaches on one host core, beside plain C++ and,
// when asked, other implementations. Every result is checked: a fast wrong
// engine has no speed.
//===----------------------------------------------------------------------===//
#include "test/bench/Bench.h"
#include "test/bench/Chart.h"
#include "test/bench/SpeedRuns.h"
#include "test/unit/emu/TierScope.h"

#include "emu/compiled/TierChoice.h"
#include "emu/observe/Statistics.h"
#include "emu/sm/Cta.h"
#include "runtime/MachineConfig.h"
#include "runtime/checks/Checks.h"

#include <CLI/CLI.hpp>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <bit>
#include <cmath>
#include <cstdlib>
#include <map>
#include <thread>

using namespace llvm;

namespace leno::bench {
namespace {

/// An observer that hears of what it wants and does nothing.
class Listener : public Observer {
public:
  explicit Listener(Interests wanted) : wanted(wanted) {}
  Interests interests() const override { return wanted; }

private:
  Interests wanted;
};

/// Bytes that a launch touches of global memory, and of shared memory in CTAs that run; at the most.
class Touched final : public Observer {
public:
  u64 most = 0;
  Interests interests() const override { return Life | Memory; }
  void gridStart(const GridRun &) override { global.clear(), sum = 0; }
  void ctaEnd(const Cta &cta) override {
    sum -= count(shared[&cta]);
    shared.erase(&cta);
  }
  void memory(const Warp &warp, const Op &, const MemoryAccess &access) override {
    if (access.space != MemorySpace::Global && access.space != MemorySpace::Shared)
      return;
    Words &words = access.space == MemorySpace::Global ? global : shared[&warp.cta()];
    for (LaneMask left = access.lanes; left; left &= left - 1)
      for (unsigned byte = 0; byte < access.bytes; ++byte) {
        u64 address = access.addresses[std::countr_zero(left)] + byte;
        u64 &word = words[address / 64], bit = u64(1) << address % 64;
        sum += !(word & bit);
        word |= bit;
      }
    most = std::max(most, sum);
  }

private:
  using Words = DenseMap<u64, u64>; ///< a bit for each byte of 64
  static u64 count(const Words &words) {
    u64 bytes = 0;
    for (auto [at, word] : words)
      bytes += unsigned(std::popcount(word));
    return bytes;
  }
  Words global;
  std::map<const Cta *, Words> shared;
  u64 sum = 0;
};

/// What can be switched on, by keys of the machine or by who watches.
struct Cost {
  const char *name;
  std::vector<const char *> keys;
  Observer::Interests interests = 0;       ///< of one who listens; Counts: of statistics
  const checks::CheckRow *check = nullptr; ///< instead
  /// Shadow memory for each byte that is touched.
  bool hasShadow() const { return check && StringRef(check->name) == "race"; }
};
const std::vector<Cost> costs = {
    {"statistics", {}, Observer::Counts},
    {"an observer of memory", {}, Observer::Memory},
    {"an observer of instructions", {}, Observer::Instructions},
    {"an observer of everything", {}, Observer::everything & ~Observer::Counts},
    {"stack cache", {"stack.model=cache"}},
    {"L2 slices", {"l2.model=slices"}},
    {"constant caches", {"constants.model=caches"}},
    {"cycle model", {"timing.model=cycles"}},
    {"... with units", {"timing.model=cycles", "units.model=scoreboard"}},
    {"... with an instruction cache", {"timing.model=cycles", "icache.model=cache"}},
};

std::vector<Cost> checkCosts() {
  std::vector<Cost> rows;
  for (const checks::CheckRow &row : checks::checkRows())
    rows.push_back({row.name, {}, 0, &row});
  return rows;
}

bool withTiers = false; ///< --tiers

double geometricMean(ArrayRef<double> values) {
  double sum = 0;
  for (double value : values)
    sum += std::log(value);
  return values.empty() ? 0 : std::exp(sum / double(values.size()));
}

std::string mebibytes(u64 bytes) { return fixed(double(bytes) / (1 << 20), 0); }

class Experiment {
public:
  explicit Experiment(const SpeedOptions &options) : options(options) {}
  Error run();

private:
  Error findEngines();
  Error load();
  /// The speed of each kernel with each engine.
  Error speeds(StringRef title, ArrayRef<std::unique_ptr<LoadedSpeedKernel>> kernels, bool areLoops);
  void compare();
  Error speedups();
  Error tiers();
  Error slowdowns(StringRef title, ArrayRef<Cost> costs);
  Error beside(const std::string &other, const std::string &what);
  Error shadowBytes(const LoadedSpeedKernel &kernel, const Cost &cost, double &bytes);
  Error slowdown(const LoadedSpeedKernel &kernel, const Cost &cost, double &ratio);
  Error scale();
  Error loadLong();
  bool prints() const { return options.json != "-"; }
  void print(const std::string &title, const Table &table) {
    if (!prints())
      return;
    outs() << title << "\n\n";
    table.print(outs());
    outs() << '\n';
    outs().flush();
  }
  std::vector<Panel> panels() const;

  const SpeedOptions &options;
  std::vector<const Engine *> engines;
  std::vector<std::unique_ptr<LoadedSpeedKernel>> kernels, loops;
  std::vector<double> widest; ///< each kernel's seconds with the last engine
  json::Array rows, peerRows, tierRows, threadRows, costRows, besideRows, scaleRows;
  json::Object longProgram;
  Panel loopPanel{"Loops", "bits of the host's vectors", "G lane operations/s", {}};
  Panel kernelPanel{"Kernels", "bits of the host's vectors", "G lane operations/s", {}};
  Panel scalePanel{"Threads of a grid", "threads", "ns a thread", {}};
};

Error Experiment::findEngines() {
  engines.assign(availableEngines().begin(), availableEngines().end());
  if (options.engine.empty())
    return Error::success();
  Expected<const Engine *> engine = findEngine(options.engine);
  if (!engine)
    return engine.takeError();
  engines = {*engine};
  return Error::success();
}

Error Experiment::load() {
  for (auto [all, loaded] : {std::pair(&speedLoops(), &loops), std::pair(&speedKernels(), &kernels)})
    for (const SpeedKernel &kernel : *all) {
      if (!options.kernels.empty() && !is_contained(options.kernels, kernel.name))
        continue;
      auto result = LoadedSpeedKernel::create(kernel, options.quick ? kernel.quickSize : kernel.size);
      if (!result)
        return result.takeError();
      loaded->push_back(std::move(*result));
    }
  return Error::success();
}

Error Experiment::speeds(StringRef title, ArrayRef<std::unique_ptr<LoadedSpeedKernel>> kernels,
                         bool areLoops) {
  Table table(
      {"kernel", "engine", "ms", "M warp instr/s", "G lane op/s", "lanes used", "peak MiB", "start-up ms"});
  for (const auto &kernel : kernels) {
    const std::string &name = kernel->kernel().name;
    Statistics statistics;
    Observer *counting[] = {&statistics};
    if (auto run = kernel->run(*engines.back(), {}, counting); !run)
      return run.takeError();
    Panel &panel = areLoops ? loopPanel : kernelPanel;
    panel.lines.push_back({name, unsigned(panel.lines.size()), panel.lines.size() >= 7, {}});
    for (const Engine *engine : engines) {
      peakMemory();
      Expected<SpeedRun> best = kernel->best(*engine, options.seconds);
      if (!best)
        return best.takeError();
      u64 peak = peakMemory();
      double lanes = double(statistics.laneOperations) / best->seconds;
      table.add({name, engine->name, fixed(best->seconds * 1e3, 2), fixed(best->rate() / 1e6, 1),
                 fixed(lanes / 1e9, 2), fixed(statistics.laneUse() * 100, 1) + "%", mebibytes(peak),
                 fixed(kernel->startup() * 1e3, 1)});
      rows.push_back(json::Object{{"kernel", name},
                                  {"engine", engine->name},
                                  {"vector_bits", engine->vectorBits},
                                  {"threads", 1},
                                  {"seconds", best->seconds},
                                  {"warp_instructions", int64_t(best->instructions)},
                                  {"warp_instructions_per_second", best->rate()},
                                  {"lane_operations", int64_t(statistics.laneOperations)},
                                  {"lane_operations_per_second", lanes},
                                  {"simt_efficiency", statistics.laneUse()},
                                  {"peak_bytes", int64_t(peak)},
                                  {"startup_seconds", kernel->startup()}});
      panel.lines.back().points.push_back({double(engine->vectorBits), lanes / 1e9});
      if (!areLoops && engine == engines.back())
        widest.push_back(best->seconds);
    }
  }
  if (!kernels.empty())
    print(title.str(), table);
  return Error::success();
}

/// Beside plain C++, and beside the peers when asked. Ratios are theirs to ours: above 1 we are faster.
void Experiment::compare() {
  if (kernels.empty())
    return;
  std::vector<SpeedPeer> peers;
  if (options.peers)
    peers = measurePeers(options.seconds, options.quick);
  std::vector<std::string> header = {"kernel", std::string("Leno, ") + engines.back()->name + " ms", "C++ ms",
                                     "/ Leno"};
  for (const SpeedPeer &peer : peers) {
    if (peer.found)
      header.insert(header.end(), {StringRef(peer.name).split(':').first.str() + " ms", "/ Leno"});
    if (prints())
      outs() << peer.name << '\n';
  }
  Table table(header);
  std::vector<std::vector<double>> ratios(1 + peers.size());
  for (auto [kernel, ours] : zip(kernels, widest)) {
    std::vector<std::string> row = {kernel->kernel().name, fixed(ours * 1e3, 2)};
    json::Object figures{{"kernel", kernel->kernel().name}, {"seconds", ours}};
    auto add = [&](const std::string &name, std::optional<double> theirs, unsigned column) {
      row.push_back(theirs ? fixed(*theirs * 1e3, 2) : "-");
      row.push_back(theirs ? fixed(*theirs / ours, 3) : "-");
      if (!theirs)
        return;
      ratios[column].push_back(*theirs / ours);
      figures[name + "_seconds"] = *theirs;
    };
    add("cpp", kernel->nativeSeconds(options.seconds), 0);
    for (unsigned i = 0; i < peers.size(); ++i)
      if (peers[i].found)
        add(StringRef(peers[i].name).split(':').first.lower(), peers[i].secondsOf(kernel->kernel().name),
            i + 1);
    table.add(row);
    peerRows.push_back(std::move(figures));
  }
  std::vector<std::string> last = {"geometric mean", ""};
  for (unsigned i = 0; i < ratios.size(); ++i)
    if (i == 0 || peers[i - 1].found)
      last.insert(last.end(), {"", fixed(geometricMean(ratios[i]), 3)});
  table.add(last);
  print("Beside others, one core each; / Leno is their time to ours", table);
}

/// How many times sooner compiled code ends than the interpreter; compiling comes before, and is told apart.
Error Experiment::tiers() {
  Table table({"kernel", "interpreted ms", "compiled ms", "times faster", "M warp instr/s", "compiling ms"});
  std::vector<double> gains;
  for (const auto &kernel : concat<std::unique_ptr<LoadedSpeedKernel>>(loops, kernels)) {
    const Engine &engine = *engines.back();
    SpeedRun interpreted, first, compiled;
    {
      test::TierScope scope("interpreter");
      if (Error error = kernel->best(engine, options.seconds).moveInto(interpreted))
        return error;
    }
    {
      test::TierScope scope("compiled");
      if (Error error = kernel->run(engine).moveInto(first))
        return error;
      if (Error error = kernel->best(engine, options.seconds).moveInto(compiled))
        return error;
    }
    double gain = interpreted.seconds / compiled.seconds, compiling = first.seconds - compiled.seconds;
    const std::string &name = kernel->kernel().name;
    gains.push_back(gain);
    table.add({name, fixed(interpreted.seconds * 1e3, 2), fixed(compiled.seconds * 1e3, 2), fixed(gain, 2),
               fixed(compiled.rate() / 1e6, 1), fixed(compiling * 1e3, 0)});
    tierRows.push_back(json::Object{{"kernel", name},
                                    {"engine", engine.name},
                                    {"interpreted_seconds", interpreted.seconds},
                                    {"compiled_seconds", compiled.seconds},
                                    {"compiling_seconds", compiling}});
  }
  table.add({"geometric mean", "", "", fixed(geometricMean(gains), 2), "", ""});
  print("The compiled tier beside the interpreter, with the widest engine", table);
  return Error::success();
}

/// How many times sooner the kernels end on all host threads, or on those asked for.
Error Experiment::speedups() {
  unsigned threads = options.threads ? options.threads : std::thread::hardware_concurrency();
  if (threads < 2 || kernels.empty())
    return Error::success();
  Table table({"kernel", "by the clock", "by the busiest thread", "plain C++"});
  std::vector<double> all, busiest, host;
  for (const auto &kernel : kernels) {
    Speedup ratio;
    if (Error error = kernel->speedup(*engines.back(), threads, options.seconds).moveInto(ratio))
      return error;
    all.push_back(ratio.byClock);
    busiest.push_back(ratio.byBusiest);
    host.push_back(ratio.host);
    table.add(
        {kernel->kernel().name, fixed(ratio.byClock, 2), fixed(ratio.byBusiest, 2), fixed(ratio.host, 2)});
    threadRows.push_back(json::Object{{"kernel", kernel->kernel().name},
                                      {"threads", threads},
                                      {"speedup", ratio.byClock},
                                      {"speedup_by_busiest_thread", ratio.byBusiest},
                                      {"speedup_of_plain_cpp", ratio.host}});
  }
  table.add({"geometric mean", fixed(geometricMean(all), 2), fixed(geometricMean(busiest), 2),
             fixed(geometricMean(host), 2)});
  print("On " + std::to_string(threads) +
            " host threads, times faster; the busiest thread's processor time is what the clock\n"
            "would show on a host with nothing else to do; plain C++: arithmetic on the same threads,\n"
            "by turns with the kernel, is what the host's cores gave",
        table);
  return Error::success();
}

/// How many times longer each kernel takes with one thing switched on.
Error Experiment::slowdowns(StringRef title, ArrayRef<Cost> costs) {
  std::vector<std::string> header = {"kernel"};
  for (const Cost &cost : costs) {
    header.push_back(cost.name);
    if (cost.hasShadow())
      header.push_back(cost.name + std::string(" bytes"));
  }
  Table table(header);
  std::vector<std::vector<double>> all(costs.size());
  auto add = [&](const LoadedSpeedKernel &kernel) -> Error {
    std::vector<std::string> row = {kernel.kernel().name};
    json::Object figures{{"kernel", kernel.kernel().name}};
    for (auto [cost, ratios] : zip(costs, all)) {
      double ratio = 0;
      if (Error error = slowdown(kernel, cost, ratio))
        return error;
      ratios.push_back(ratio);
      row.push_back(fixed(ratio, 3));
      figures[cost.name] = ratio;
      if (cost.hasShadow()) {
        double bytes = 0;
        if (Error error = shadowBytes(kernel, cost, bytes))
          return error;
        row.push_back(fixed(bytes, 2));
        figures[cost.name + std::string(" bytes")] = bytes;
      }
    }
    table.add(row);
    costRows.push_back(std::move(figures));
    return Error::success();
  };
  // The mean is the kernels' alone: loops stress one thing each.
  for (const auto *group : {&loops, &kernels}) {
    all.assign(costs.size(), {});
    for (const auto &kernel : *group)
      if (Error error = add(*kernel))
        return error;
  }
  if (!kernels.empty()) {
    std::vector<std::string> last = {"kernels' geometric mean"};
    for (auto [cost, ratios] : zip(costs, all)) {
      last.push_back(fixed(geometricMean(ratios), 3));
      if (cost.hasShadow())
        last.push_back("");
    }
    table.add(last);
  }
  print(
      (title + ": times of the plain machine's time, medians of runs by turns" +
       (any_of(costs, [](auto &cost) { return cost.hasShadow(); }) ? "; shadow bytes for each that is touched"
                                                                   : ""))
          .str(),
      table);
  return Error::success();
}

/// A build of another kind, or of another day.
Error Experiment::beside(const std::string &other, const std::string &what) {
  auto times = timesBeside(other, options);
  if (!times)
    return times.takeError();
  Table table({"kernel", "/ other"});
  std::vector<double> all;
  for (const auto &[kernel, ratio] : *times) {
    all.push_back(ratio);
    table.add({kernel, fixed(ratio, 3)});
    besideRows.push_back(json::Object{{"kernel", kernel}, {"other", other}, {"ratio", ratio}});
  }
  table.add({"geometric mean", fixed(geometricMean(all), 3)});
  print(what + ", medians of runs by turns", table);
  return Error::success();
}

Error Experiment::slowdown(const LoadedSpeedKernel &kernel, const Cost &cost, double &ratio) {
  MachineConfig config;
  for (const char *key : cost.keys)
    if (Error error = runtime::setMachineKey(config, key))
      return error;
  Statistics statistics;
  Listener listener(cost.interests);
  std::vector<Observer *> observers;
  std::unique_ptr<checks::Check> check = cost.check ? cost.check->make() : nullptr;
  if (check)
    observers.push_back(check.get());
  if (cost.interests)
    observers.push_back(cost.interests == Observer::Counts ? static_cast<Observer *>(&statistics)
                                                           : &listener);
  // Kernels are loaded for good; what a run changes is its list of programs.
  return const_cast<LoadedSpeedKernel &>(kernel)
      .slowdown(*engines.back(), config, observers, options.seconds)
      .moveInto(ratio);
}

Error Experiment::shadowBytes(const LoadedSpeedKernel &kernel, const Cost &cost, double &bytes) {
  auto &runs = const_cast<LoadedSpeedKernel &>(kernel);
  std::unique_ptr<checks::Check> check = cost.check->make();
  Touched touched;
  if (Error error = runs.run(*engines.back(), {}, {check.get(), &touched}).takeError())
    return error;
  bytes = touched.most ? double(check->shadowBytes()) / double(touched.most) : 0;
  return Error::success();
}

/// Grids of 2^10 to 2^24 threads: time by threads, and memory that only resident CTAs take.
Error Experiment::scale() {
  Table table({"threads", "ms", "ns a thread", "peak MiB"});
  scalePanel.lines.push_back({engines.back()->name, 0, false, {}});
  for (unsigned bits = 10; bits <= (options.quick ? 14 : 24); bits += 2) {
    Expected<std::unique_ptr<LoadedSpeedKernel>> kernel =
        LoadedSpeedKernel::create(scaleKernel(), 1u << bits);
    if (!kernel)
      return kernel.takeError();
    peakMemory();
    Expected<SpeedRun> best = (*kernel)->best(*engines.back(), std::min(options.seconds, 0.1));
    if (!best)
      return best.takeError();
    u64 peak = peakMemory();
    double each = best->seconds * 1e9 / (1u << bits);
    table.add({"2^" + std::to_string(bits), fixed(best->seconds * 1e3, 2), fixed(each, 2), mebibytes(peak)});
    scaleRows.push_back(json::Object{
        {"threads", int64_t(1) << bits}, {"seconds", best->seconds}, {"peak_bytes", int64_t(peak)}});
    scalePanel.lines.back().points.push_back({double(1u << bits), each});
  }
  print("By threads of a grid, 256 a CTA", table);
  return loadLong();
}

/// A program of a million instructions, from words of code to operations.
Error Experiment::loadLong() {
  auto kernel = LoadedSpeedKernel::create(
      *llvm::find_if(speedKernels(), [](auto &k) { return k.name == "matmul"; }), 32);
  if (!kernel)
    return kernel.takeError();
  ArrayRef<uint64_t> once = (*kernel)->code();
  std::vector<uint64_t> words;
  while (words.size() < 1'000'000)
    words.insert(words.end(), once.begin(), once.end());
  double start = processorTime();
  size_t size = predecode(words, *engines.back()).size();
  double seconds = processorTime() - start;
  if (prints())
    outs() << formatv("{0} instructions are loaded in {1} ms\n\n", size, fixed(seconds * 1e3, 0));
  longProgram = json::Object{{"instructions", int64_t(size)}, {"seconds", seconds}};
  return Error::success();
}

std::vector<Panel> Experiment::panels() const {
  std::vector<Panel> result;
  for (const Panel *panel : {&loopPanel, &kernelPanel, &scalePanel})
    if (!panel->lines.empty())
      result.push_back(*panel);
  return result;
}

Error Experiment::run() {
  if (Error error = findEngines())
    return error;
  if (Error error = load())
    return error;
  if (prints())
    outs() << "host: " << hostName()
           << ", one core; processor time, the best of three runs and more, every result checked\n\n";
  if (Error error = speeds("Loops of one warp", loops, true))
    return error;
  if (Error error = speeds("Kernels", kernels, false))
    return error;
  compare();
  if (withTiers)
    if (Error error = tiers())
      return error;
  if (Error error = speedups())
    return error;
  if (options.costs)
    if (Error error = slowdowns("What each costs", costs))
      return error;
  if (options.checks)
    if (Error error = slowdowns("What each check costs", checkCosts()))
      return error;
  if (std::string other = unobservedBuild(); options.costs && !other.empty())
    if (Error error =
            beside(other, "What the doors for observers cost when nobody watches: times of the time "
                          "without them"))
      return error;
  if (!options.beside.empty())
    if (Error error = beside(options.beside, "Times of the time that " + options.beside + " takes"))
      return error;
  if (options.scale)
    if (Error error = scale())
      return error;
  if (prints())
    for (const auto &kernel : concat<std::unique_ptr<LoadedSpeedKernel>>(loops, kernels))
      outs() << kernel->kernel().name << ": " << kernel->kernel().what << '\n';
  if (Error error = writeChart(options.plot, "leno-bench speed, one core", [&] { return panels(); }))
    return error;
  return writeJson(options.json, json::Object{{"benchmark", "speed"},
                                              {"host", hostName()},
                                              {"rows", std::move(rows)},
                                              {"beside_others", std::move(peerRows)},
                                              {"tiers", std::move(tierRows)},
                                              {"threads", std::move(threadRows)},
                                              {"costs", std::move(costRows)},
                                              {"beside_builds", std::move(besideRows)},
                                              {"scale", std::move(scaleRows)},
                                              {"long_program", std::move(longProgram)}});
}

} // namespace

void addSpeed(CLI::App &app, SpeedOptions &options) {
  CLI::App *speed = app.add_subcommand(
      "speed", "The execution core's speed on one host core, for each vector width, beside plain C++");
  std::vector<std::string> names;
  for (const auto *kernels : {&speedLoops(), &speedKernels()})
    for (const SpeedKernel &kernel : *kernels)
      names.push_back(kernel.name);
  speed->add_option("--kernel", options.kernels, "Only these")
      ->check(CLI::IsMember(names))
      ->type_name("NAME");
  speed->add_option("--engine", options.engine, "Only this engine: sse2, avx2 or avx512");
  speed->add_option("--seconds", options.seconds, "Time for each measurement (default 0.5)")
      ->check(CLI::Range(0.0, 3600.0));
  speed->add_flag("--quick", options.quick, "Smaller sizes: a look that takes seconds");
  speed->add_option("--threads", options.threads, "Host threads to compare one with (default: all cores)")
      ->check(CLI::Range(1, 1024));
  speed->add_flag(
      "--peers", options.peers,
      "The kernels in OpenCL C too, through Leno's driver, PoCL and Oclgrind where they are installed");
  speed->add_flag("--tiers", withTiers, "The compiled tier beside the interpreter");
  speed->add_flag("--costs", options.costs, "What statistics, an observer and each model cost");
  speed->add_flag("--checks", options.checks, "What each check of leno-run --check costs");
  speed->add_option("--beside", options.beside, "The leno-bench of another build, to compare with by turns")
      ->check(CLI::ExistingFile)
      ->type_name("FILE");
  speed->add_flag("--scale", options.scale, "Grids of 2^10 to 2^24 threads");
  addResultFiles(*speed, options.json, &options.plot);
  CLI::App *openCl =
      app.add_subcommand("opencl", "What --peers runs: the kernels through this process's OpenCL");
  openCl->group(""); // not shown
  openCl->add_flag("--quick", options.quick);
  openCl->add_option("--seconds", options.seconds);
  addTimes(app, options);
}

Error runSpeed(const SpeedOptions &options) { return Experiment(options).run(); }
Error runOpenCl(const SpeedOptions &options) { return runOpenCl(options.seconds, options.quick); }

} // namespace leno::bench
