//===- MessagesBench.cpp - leno-bench messages ----------------------------===//
// S3's table 1: what a message of K words costs in each of four places, by
// formula and by a kernel that serves a host on the machine's clock; and what
// such a service makes of more slots, other places, and work beside it.
//===----------------------------------------------------------------------===//
#include "test/bench/Bench.h"
#include "test/bench/Chart.h"
#include "test/bench/MessageRuns.h"

#include <CLI/CLI.hpp>

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace leno::bench {
namespace {

struct Place {
  bool atProducer, inCache;
  const char *key, *name;
};
// Named for a message from the CPU to a core; the other way round, CPU and core change places.
constexpr Place places[] = {{true, false, "system_memory", "system memory"},
                            {false, false, "ppu_memory", "PPU memory"},
                            {true, true, "cpu_cache", "CPU cache"},
                            {false, true, "core_cache", "core cache"}};

MessageRun runOf(const Place &place, uint64_t T, uint32_t K, uint32_t slots = 1, uint32_t messages = 1,
                 unsigned loadWarps = 0, uint32_t slices = 4) {
  MessageRun run;
  run.atProducer = place.atProducer, run.inCache = place.inCache;
  run.T = T, run.K = K, run.slots = slots, run.messages = messages, run.loadWarps = loadWarps,
  run.slices = slices;
  run.each = slots == 1;
  bench::run(run);
  return run;
}

//===--- The table ----------------------------------------------------------===//

struct Row {
  const Place *place;
  MessageFormula formula;
  uint64_t measured, longest;
};

/// Over messages that come in many phases of the polls.
Expected<Row> measure(const Place &place, uint64_t T, uint32_t K) {
  constexpr uint32_t phases = 64;
  MessageRun run = runOf(place, T, K, 1, phases);
  Row row{&place, messageFormula(place.atProducer, place.inCache, T, K), 0, 0};
  for (const host::ChannelCounts &c : {run.toCore, run.toHost}) {
    if (c.messages != phases || c.write != phases * row.formula.write ||
        c.readReady != phases * row.formula.readReady || c.readMessage != phases * row.formula.readMessage)
      return createStringError(
          formatv("messages: in {0} {1} messages of {2} words took {3} + {4} + {5} cycles, and one {6} + {7} + {8} "
                  "by S3's formula",
                  place.name, c.messages, K, c.write, c.readReady, c.readMessage, row.formula.write,
                  row.formula.readReady, row.formula.readMessage));
    row.measured = (c.write + c.readReady + c.readMessage) / phases;
  }
  row.longest = run.toCore.longest;
  return row;
}

void print(const std::vector<Row> &rows, uint64_t T, uint64_t K) {
  outs() << formatv("T = {0}, K = {1}: cycles of one message, both directions; the longest with its polls and "
                    "instructions\n",
                    T, K);
  Table table({"message in", "write", "read ready", "read message", "formula", "measured", "longest"});
  for (const Row &row : rows)
    table.add({row.place->name, std::to_string(row.formula.write), std::to_string(row.formula.readReady),
               std::to_string(row.formula.readMessage), std::to_string(row.formula.total()),
               std::to_string(row.measured), std::to_string(row.longest)});
  table.print(outs());
}

json::Array jsonRows(const std::vector<Row> &rows) {
  json::Array array;
  for (const Row &row : rows)
    array.push_back(json::Object{{"place", row.place->key},
                                 {"write", row.formula.write},
                                 {"read_ready", row.formula.readReady},
                                 {"read_message", row.formula.readMessage},
                                 {"formula", row.formula.total()},
                                 {"measured", row.measured},
                                 {"longest", row.longest}});
  return array;
}

//===--- The service --------------------------------------------------------===//

constexpr unsigned loadWarps = 8;

/// What of a service is varied, and the values that it takes.
struct Axis {
  const char *key, *name;
  std::vector<uint32_t> values;
};
const Axis axes[] = {{"slots", "slots", {1, 2, 4, 8, 16, 32}},
                     {"K", "words of a message", {1, 4, 16, 64}},
                     {"T", "T, cycles of a memory access", {5, 25, 100, 250}},
                     {"slices", "slices of the L2", {1, 2, 4, 8}}};

struct Service {
  const Place *place;
  const Axis *axis;
  uint32_t value;
  double alone, beside;   ///< messages in 1,000 cycles
  uint64_t sliceWait = 0; ///< of the requests beside others, cycles a message
};

Service serve(const MessagesOptions &options, const Place &place, const Axis &axis, uint32_t value) {
  auto of = [&](const char *key, uint32_t usual) { return StringRef(axis.key) == key ? value : usual; };
  uint32_t T = of("T", uint32_t(options.T)), slots = of("slots", options.slots), messages = 8 * slots;
  auto rate = [&](unsigned load, uint64_t &wait) {
    MessageRun run = runOf(place, T, of("K", uint32_t(options.K)), slots, messages, load, of("slices", 4));
    wait = run.toCore.sliceWait / messages;
    return 1000.0 * messages / double(run.cycles - 20 * T);
  };
  uint64_t unused, wait;
  double alone = rate(0, unused), beside = rate(loadWarps, wait);
  return {&place, &axis, value, alone, beside, wait};
}

/// Over slots, and where it is asked for over all that S3's table depends on.
std::vector<Service> services(const MessagesOptions &options) {
  std::vector<Service> all;
  for (const Axis &axis : ArrayRef(axes).take_front(options.load ? std::size(axes) : 1))
    for (const Place &place : places)
      for (uint32_t value : axis.values)
        if (&axis != axes || value <= options.slots)
          all.push_back(serve(options, place, axis, value));
  return all;
}

void print(const std::vector<Service> &all) {
  outs() << formatv("\nA persistent service: messages in 1,000 cycles, alone and beside {0} warps that read\n", loadWarps);
  for (const Axis &axis : axes) {
    Table table({"messages in", axis.key, "alone", "beside others", "at slices, a message"});
    bool any = false;
    for (const Service &one : all)
      if (one.axis == &axis) {
        table.add({one.place->name, std::to_string(one.value), fixed(one.alone, 2), fixed(one.beside, 2),
                   std::to_string(one.sliceWait)});
        any = true;
      }
    if (any)
      table.print(outs());
  }
}

json::Array jsonRows(const std::vector<Service> &all) {
  json::Array array;
  for (const Service &one : all)
    array.push_back(json::Object{{"place", one.place->key},
                                 {one.axis->key, one.value},
                                 {"per_1000_cycles", one.alone},
                                 {"per_1000_cycles_beside_others", one.beside},
                                 {"slice_wait", one.sliceWait}});
  return array;
}

std::vector<Panel> panels(const MessagesOptions &options, const std::vector<Service> &all) {
  Panel words{formatv("T = {0}", options.T), "words of the message", "cycles, measured", {}};
  Panel times{formatv("K = {0}", options.K), "T, cycles of a memory access", "cycles, measured", {}};
  auto measured = [](const MessageRun &run) {
    return double(run.toCore.write + run.toCore.readReady + run.toCore.readMessage);
  };
  for (unsigned i = 0; i < std::size(places); ++i) {
    Panel::Line ofWords{places[i].name, i, false, {}}, ofTimes = ofWords;
    for (uint32_t K = 1; K <= 64; K *= 2)
      ofWords.points.push_back({double(K), measured(runOf(places[i], options.T, K))});
    for (uint64_t T : {5, 25, 100, 250})
      ofTimes.points.push_back({double(T), measured(runOf(places[i], T, options.K))});
    words.lines.push_back(std::move(ofWords));
    times.lines.push_back(std::move(ofTimes));
  }
  std::vector<Panel> found = {words, times};
  for (const Axis &axis : axes) {
    Panel rates{formatv("service, T = {0}, K = {1}, {2} slots", options.T, options.K, options.slots),
                axis.name,
                "messages in 1,000 cycles",
                {}};
    for (unsigned i = 0; i < std::size(places); ++i) {
      Panel::Line alone{places[i].name, i, false, {}};
      Panel::Line beside{std::string(places[i].name) + ", beside others", i, true, {}};
      for (const Service &one : all)
        if (one.axis == &axis && one.place == &places[i]) {
          alone.points.push_back({double(one.value), one.alone});
          beside.points.push_back({double(one.value), one.beside});
        }
      if (alone.points.empty())
        continue;
      rates.lines.push_back(std::move(alone));
      rates.lines.push_back(std::move(beside));
    }
    if (!rates.lines.empty())
      found.push_back(std::move(rates));
  }
  return found;
}

} // namespace

void addMessages(CLI::App &app, MessagesOptions &options) {
  CLI::App *command = app.add_subcommand(
      "messages", "What a message costs, by where it is left: formulas, and a kernel that serves a host (S3)");
  command->add_option("--T", options.T, "Cycles of an access to memory, a multiple of 5 (default 250)")
      ->check(CLI::Range(5, 10000))
      ->check([](const std::string &text) {
        return text.ends_with('0') || text.ends_with('5')
                   ? std::string()
                   : "a cache answers in a fifth of it: " + text + " is not a multiple of 5";
      });
  command->add_option("--K", options.K, "Words of the message (default 16)")->check(CLI::Range(1, 1024));
  command->add_option("--slots", options.slots, "Slots of the service, at most (default 8)")->check(CLI::Range(1, 32));
  command->add_flag("--load", options.load, "The service over K, T and slices, too");
  addResultFiles(*command, options.json, &options.plot);
}

llvm::Error runMessages(const MessagesOptions &options) {
  std::vector<Row> rows;
  for (const Place &place : places) {
    Expected<Row> row = measure(place, options.T, options.K);
    if (!row)
      return row.takeError();
    rows.push_back(*row);
  }
  std::vector<Service> served = services(options);
  if (options.json != "-") {
    print(rows, options.T, options.K);
    outs() << "\nS3's text has 1012 and 132 cycles for a CPU cache and a core cache, K = 16 and \"T is "
              "250\"; its "
              "formulas give them for T = 25.\n";
    print(served);
  }
  if (llvm::Error error = writeChart(options.plot, "leno-bench messages", [&] { return panels(options, served); }))
    return error;
  return writeJson(options.json, json::Value(json::Object{{"benchmark", "messages"},
                                                          {"T", options.T},
                                                          {"K", options.K},
                                                          {"rows", jsonRows(rows)},
                                                          {"service", jsonRows(served)}}));
}

} // namespace leno::bench
