//===- ConstantsBench.cpp - leno-bench constants --------------------------===//
// S2's claim as figures: constants that change between launches cost least
// when SMs keep the versions they work with. The same stream of launches and
// updates runs under both protocols and with the drained store; what each CTA
// reads is checked against what stood at its launch's place in the stream.
//===----------------------------------------------------------------------===//
#include "test/bench/Bench.h"
#include "test/bench/Chart.h"
#include "test/bench/ConstantRuns.h"

#include <CLI/CLI.hpp>

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace leno::bench {
namespace {

using Wait = ConstantEvent::Wait;

struct Variant {
  u64 protocol;
  const char *key, *name;
};
constexpr Variant variants[] = {{ConstantCacheConfig::OldestL2, "A", "A, oldest in L2"},
                                {ConstantCacheConfig::CurrentL2, "B", "B, current in L2"},
                                {ConstantCacheConfig::Drained, "baseline", "drained store"}};

class Experiment {
public:
  explicit Experiment(const ConstantsOptions &options) : options(options) {}
  Error run();

private:
  struct Point {
    std::string knob;
    u64 value;
    const Variant *variant;
    ConstantFigures figures;
  };
  ConstantLoad defaultLoad() const { return {options.launches, options.ctas, options.words}; }
  Error point(const std::string &knob, u64 value, const ConstantLoad &load, unsigned sms);
  u64 cyclesOf(const Point &point, StringRef key) const;
  void print(const std::string &knob, const std::string &title) const;
  void printClaims() const;
  json::Value json() const;
  std::vector<Panel> panels() const;

  const ConstantsOptions &options;
  std::unique_ptr<ConstantRuns> runs;
  std::vector<Point> points;
};

Error Experiment::point(const std::string &knob, u64 value, const ConstantLoad &load, unsigned sms) {
  for (const Variant &variant : variants) {
    Expected<ConstantFigures> figures = runs->run(load, variant.protocol, sms);
    if (!figures)
      return figures.takeError();
    points.push_back({knob, value, &variant, *figures});
  }
  return Error::success();
}

u64 Experiment::cyclesOf(const Point &point, StringRef key) const {
  for (const Point &other : points)
    if (other.knob == point.knob && other.value == point.value && other.variant->key == key)
      return other.figures.cycles;
  return 0;
}

//===--- Results ------------------------------------------------------------===//

constexpr const char *ofLaunch = "CTAs of a launch", *smCount = "SMs";

void Experiment::print(const std::string &knob, const std::string &title) const {
  Table table({knob, "protocol", "cycles", "times faster", "CTAs/1000 cycles", "drains", "idle SM cycles",
               "update waits", "L1 hits", "copied words", "backup reads"});
  for (const Point &point : points) {
    if (point.knob != knob)
      continue;
    const ConstantFigures &run = point.figures;
    u64 waits = 0;
    for (u64 cycles : run.waits)
      waits += cycles;
    table.add({std::to_string(point.value), point.variant->name, std::to_string(run.cycles),
               fixed(double(cyclesOf(point, "baseline")) / double(run.cycles), 2),
               fixed(point.figures.throughput(), 2), std::to_string(run.drains),
               std::to_string(run.idleForUpdates), std::to_string(waits),
               fixed(100 * double(point.figures.hits) / double(point.figures.reads), 1) + "%",
               std::to_string(point.figures.copied), std::to_string(point.figures.backupReads)});
  }
  outs() << title << ":\n";
  table.print(outs());
  outs() << '\n';
}

void Experiment::printClaims() const {
  for (const Point &point : points)
    if (point.knob == smCount && point.value == options.sms &&
        point.variant->protocol != ConstantCacheConfig::Drained)
      outs() << formatv(
          "{0}: {1} times fewer cycles than the drained store; updates kept free SMs idle for {2} cycles\n",
          point.variant->name, fixed(double(cyclesOf(point, "baseline")) / double(point.figures.cycles), 2),
          point.figures.idleForUpdates);
}

json::Value Experiment::json() const {
  json::Array rows;
  for (const Point &point : points) {
    const ConstantFigures &run = point.figures;
    rows.push_back(
        json::Object{{"knob", point.knob},
                     {"value", point.value},
                     {"protocol", point.variant->key},
                     {"cycles", run.cycles},
                     {"times_faster_than_baseline", double(cyclesOf(point, "baseline")) / double(run.cycles)},
                     {"ctas_per_1000_cycles", point.figures.throughput()},
                     {"drains", run.drains},
                     {"idle_sm_cycles_for_updates", run.idleForUpdates},
                     {"waits_for_inactive_sm", run.waitOf(Wait::NoInactiveSm)},
                     {"waits_for_locked_lines", run.waitOf(Wait::Locked)},
                     {"waits_for_backup", run.waitOf(Wait::BackupFull)},
                     {"waits_for_drain", run.waitOf(Wait::Drain)},
                     {"lock_stalls", run.lockStalls},
                     {"busy_sm_cycles", run.busy},
                     {"l1_hits", point.figures.hits},
                     {"l1_reads", point.figures.reads},
                     {"copied_words", point.figures.copied},
                     {"backup_reads", point.figures.backupReads}});
  }
  return json::Object{{"benchmark", "constants"},         {"sms", options.sms},
                      {"launches", options.launches},     {"ctas_of_launch", options.ctas},
                      {"words_of_update", options.words}, {"rows", std::move(rows)}};
}

std::vector<Panel> Experiment::panels() const {
  std::vector<Panel> result;
  for (const char *knob : {ofLaunch, smCount})
    for (bool waits : {false, true}) {
      Panel panel{waits ? "Idle for updates" : "Throughput",
                  knob,
                  waits ? "inactive SMs, of all SM cycles, while an update waits" : "CTAs in 1000 cycles",
                  {}};
      for (unsigned i = 0; i < std::size(variants); ++i) {
        Panel::Line line{variants[i].name, i, false, {}};
        for (const Point &point : points)
          if (point.knob == knob && point.variant == &variants[i]) {
            double sms = double(point.knob == smCount ? point.value : options.sms);
            const ConstantFigures &run = point.figures;
            line.points.push_back(
                {double(point.value),
                 waits ? double(run.idleForUpdates) / double(run.cycles) / sms : point.figures.throughput()});
          }
        panel.lines.push_back(std::move(line));
      }
      result.push_back(std::move(panel));
    }
  return result;
}

Error Experiment::run() {
  if (Error error = ConstantRuns::create().moveInto(runs))
    return error;
  for (unsigned ctas : {1, 2, 4, 8, 16, 32, 64}) { // as many in all
    ConstantLoad load{std::max(8u, options.launches * options.ctas / ctas), ctas, options.words};
    if (Error error = point(ofLaunch, ctas, load, options.sms))
      return error;
  }
  std::vector<unsigned> counts = {1, 2, 4, 8, 16, 32};
  counts.push_back(options.sms);
  std::sort(counts.begin(), counts.end());
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  for (unsigned sms : counts)
    if (Error error = point(smCount, sms, defaultLoad(), sms))
      return error;
  if (options.json != "-") {
    outs() << formatv("Launches that overlap, {0} of {1} CTAs or as many CTAs in all, each with 20 to 210 reads of 512 constants; an "
                      "update writes {2}. "
                      "What each CTA reads is checked.\n\n",
                      options.launches, options.ctas, options.words);
    print(ofLaunch, formatv("By size of launches, {0} SMs, an update before each", options.sms));
    print(smCount, "By number of SMs, an update before each launch");
    printClaims();
  }
  if (Error error =
          writeChart(options.plot, formatv("leno-bench constants, launches of {0} CTAs", options.ctas),
                     [&] { return panels(); }))
    return error;
  return writeJson(options.json, json());
}

} // namespace

void addConstants(CLI::App &app, ConstantsOptions &options) {
  CLI::App *command = app.add_subcommand(
      "constants", "What updates of constants cost with SMs that keep their version, and with a drain (S2)");
  command->add_option("--sms", options.sms, "SMs (default 16)")->check(CLI::Range(1, 1024));
  command->add_option("--launches", options.launches, "Launches (default 200)")
      ->check(CLI::Range(1, 1000000));
  command->add_option("--ctas", options.ctas, "CTAs of a launch (default 4)")->check(CLI::Range(1, 1024));
  command->add_option("--words", options.words, "Constants that an update writes (default 8)")
      ->check(CLI::Range(1, 512));
  addResultFiles(*command, options.json, &options.plot);
}

Error runConstants(const ConstantsOptions &options) { return Experiment(options).run(); }

} // namespace leno::bench
