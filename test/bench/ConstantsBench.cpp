//===- ConstantsBench.cpp - leno-bench constants --------------------------===//
// S2's claim as figures: constants that change between launches cost least
// when SMs keep the versions they work with. The same stream of launches and
// updates goes through both protocols and the drained store; every value that
// work reads is checked against what stood at its place in the stream.
//===----------------------------------------------------------------------===//
#include "test/bench/Bench.h"
#include "test/bench/Chart.h"

#include "emu/constants/ConstantFrontEnd.h"

#include <CLI/CLI.hpp>

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <random>

using namespace llvm;

namespace leno::bench {
namespace {

using Wait = ConstantProtocol::Wait;

struct Variant {
  u64 protocol;
  const char *key, *name;
};
constexpr Variant variants[] = {{ConstantCacheConfig::OldestL2, "A", "A, oldest in L2"},
                                {ConstantCacheConfig::CurrentL2, "B", "B, current in L2"},
                                {ConstantCacheConfig::Drained, "baseline", "drained store"}};

/// Launches of a few pieces of work each, and before every so many of them an update.
struct Load {
  unsigned launches, piecesOfLaunch, launchesPerUpdate, wordsOfUpdate, workingSet;
};

/// A stream of commands, and for each piece of work the sum of what it is to read.
struct Stream {
  std::vector<ConstantWork> work;
  std::vector<ConstantCommand> commands;
  std::vector<u64> sums;

  Stream(const Load &load, unsigned seed) {
    // mt19937's numbers are the standard's: the same stream everywhere.
    std::mt19937 random(seed);
    std::vector<u32> now(load.workingSet);
    work.reserve(size_t(load.launches) * load.piecesOfLaunch);
    for (unsigned launch = 0; launch < load.launches; ++launch) {
      for (unsigned i = 0; launch % load.launchesPerUpdate == 0 && i < load.wordsOfUpdate; ++i) {
        u32 word = u32(random() % load.workingSet);
        now[word] = u32(random());
        commands.push_back({nullptr, constantWord(1, word * 4), now[word]});
      }
      for (unsigned piece = 0; piece < load.piecesOfLaunch; ++piece)
        addWork(random, now);
    }
  }

private:
  // Some pieces take ten times as long as others, as CTAs do whose data differ.
  void addWork(std::mt19937 &random, const std::vector<u32> &now) {
    ConstantWork &piece = work.emplace_back();
    piece.compute = 10;
    u64 sum = 0;
    for (u64 reads = 20 + random() % 181; reads > 0; --reads) {
      u32 word = u32(random() % now.size());
      piece.reads.push_back(constantWord(1, word * 4));
      sum += now[word];
    }
    sums.push_back(sum);
    commands.push_back({&piece});
  }
};

struct Figures {
  ConstantRun run;
  u64 hits = 0, reads = 0, copied = 0, backupReads = 0;
  double throughput() const { return double(run.work) * 1000 / double(run.cycles); }
};

class Experiment {
public:
  explicit Experiment(const ConstantsOptions &options) : options(options) {}
  Error run();

private:
  struct Point {
    std::string knob;
    u64 value;
    const Variant *variant;
    Figures figures;
  };
  Load defaultLoad() const { return {options.launches, options.pieces, 1, options.words, 512}; }
  Expected<Figures> measure(const Stream &stream, const Variant &variant, unsigned sms) const;
  Error point(const std::string &knob, u64 value, const Load &load, unsigned sms);
  u64 cyclesOf(const Point &point, StringRef key) const;
  void print(const std::string &knob, const std::string &title) const;
  void printClaims() const;
  json::Value json() const;
  std::vector<Panel> panels() const;

  const ConstantsOptions &options;
  std::vector<Point> points;
};

Expected<Figures> Experiment::measure(const Stream &stream, const Variant &variant, unsigned sms) const {
  ConstantCacheConfig config;
  config.protocol = variant.protocol;
  auto protocol = ConstantProtocol::create(config, sms);
  std::vector<u64> sums(stream.work.size());
  Figures figures;
  figures.run = ConstantFrontEnd(*protocol, {}).run(stream.commands, [&](u64 work, u64, u32 value) {
    sums[work] += value;
  });
  if (sums != stream.sums)
    return createStringError(
        formatv("constants: protocol {0} on {1} SMs gave some work another version of the "
                "constants than stood at its launch",
                variant.key, sms));
  for (unsigned sm = 0; sm < sms; ++sm) {
    figures.hits += protocol->counts(sm).hits;
    figures.reads += protocol->counts(sm).reads;
    figures.copied += protocol->counts(sm).copiedWords;
  }
  figures.backupReads = protocol->backupReads();
  return figures;
}

Error Experiment::point(const std::string &knob, u64 value, const Load &load, unsigned sms) {
  Stream stream(load, 1);
  for (const Variant &variant : variants) {
    Expected<Figures> figures = measure(stream, variant, sms);
    if (!figures)
      return figures.takeError();
    points.push_back({knob, value, &variant, *figures});
  }
  return Error::success();
}

u64 Experiment::cyclesOf(const Point &point, StringRef key) const {
  for (const Point &other : points)
    if (other.knob == point.knob && other.value == point.value && other.variant->key == key)
      return other.figures.run.cycles;
  return 0;
}

//===--- Results ------------------------------------------------------------===//

constexpr const char *perUpdate = "launches per update", *smCount = "SMs";

void Experiment::print(const std::string &knob, const std::string &title) const {
  Table table({knob, "protocol", "cycles", "times faster", "work/1000 cycles", "drains", "idle SM cycles",
               "update waits", "L1 hits", "copied words", "backup reads"});
  for (const Point &point : points) {
    if (point.knob != knob)
      continue;
    const ConstantRun &run = point.figures.run;
    u64 waits = 0;
    for (u64 cycles : run.updateWaits)
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
          point.variant->name,
          fixed(double(cyclesOf(point, "baseline")) / double(point.figures.run.cycles), 2),
          point.figures.run.idleForUpdates);
}

json::Value Experiment::json() const {
  json::Array rows;
  for (const Point &point : points) {
    const ConstantRun &run = point.figures.run;
    rows.push_back(
        json::Object{{"knob", point.knob},
                     {"value", point.value},
                     {"protocol", point.variant->key},
                     {"cycles", run.cycles},
                     {"times_faster_than_baseline", double(cyclesOf(point, "baseline")) / double(run.cycles)},
                     {"work_per_1000_cycles", point.figures.throughput()},
                     {"drains", run.drains},
                     {"idle_sm_cycles_for_updates", run.idleForUpdates},
                     {"waits_for_inactive_sm", run.waitOf(Wait::NoInactiveSm)},
                     {"waits_for_locked_lines", run.waitOf(Wait::Locked)},
                     {"waits_for_backup", run.waitOf(Wait::BackupFull)},
                     {"waits_for_drain", run.waitOf(Wait::Drain)},
                     {"read_stall_cycles", run.readStalls},
                     {"busy_sm_cycles", run.busy},
                     {"l1_hits", point.figures.hits},
                     {"l1_reads", point.figures.reads},
                     {"copied_words", point.figures.copied},
                     {"backup_reads", point.figures.backupReads}});
  }
  return json::Object{{"benchmark", "constants"},         {"sms", options.sms},
                      {"launches", options.launches},     {"pieces_of_launch", options.pieces},
                      {"words_of_update", options.words}, {"rows", std::move(rows)}};
}

std::vector<Panel> Experiment::panels() const {
  std::vector<Panel> result;
  for (const char *knob : {perUpdate, smCount})
    for (bool waits : {false, true}) {
      Panel panel{waits ? "Idle for updates" : "Throughput",
                  knob,
                  waits ? "inactive SMs, of all SM cycles, while an update waits"
                        : "pieces of work in 1000 cycles",
                  {}};
      for (unsigned i = 0; i < std::size(variants); ++i) {
        Panel::Line line{variants[i].name, i, false, {}};
        for (const Point &point : points)
          if (point.knob == knob && point.variant == &variants[i]) {
            double sms = double(point.knob == smCount ? point.value : options.sms);
            const ConstantRun &run = point.figures.run;
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
  for (unsigned rate : {1, 2, 4, 8, 16, 32, 64}) {
    Load load = defaultLoad();
    load.launchesPerUpdate = rate;
    if (Error error = point(perUpdate, rate, load, options.sms))
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
    outs() << formatv(
        "{0} launches of {1} pieces of work, each with 20 to 200 reads of 512 constants, 10 cycles "
        "apart; an update writes {2}. Every value read is checked.\n\n",
        options.launches, options.pieces, options.words);
    print(perUpdate, formatv("By rate of updates, {0} SMs", options.sms));
    print(smCount, "By number of SMs, an update before each launch");
    printClaims();
  }
  if (Error error =
          writeChart(options.plot, formatv("leno-bench constants, launches of {0} pieces", options.pieces),
                     [&] { return panels(); }))
    return error;
  return writeJson(options.json, json());
}

} // namespace

void addConstants(CLI::App &app, ConstantsOptions &options) {
  CLI::App *command = app.add_subcommand(
      "constants", "What updates of constants cost with SMs that keep their version, and with a drain (S2)");
  command->add_option("--sms", options.sms, "SMs (default 16)")->check(CLI::Range(1, 1024));
  command->add_option("--launches", options.launches, "Launches (default 1000)")
      ->check(CLI::Range(1, 1000000));
  command->add_option("--pieces", options.pieces, "Pieces of work of a launch (default 4)")
      ->check(CLI::Range(1, 1024));
  command->add_option("--words", options.words, "Constants that an update writes (default 8)")
      ->check(CLI::Range(1, 512));
  addResultFiles(*command, options.json, &options.plot);
}

Error runConstants(const ConstantsOptions &options) { return Experiment(options).run(); }

} // namespace leno::bench
