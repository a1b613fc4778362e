//===- MessagesBench.cpp - leno-bench messages ----------------------------===//
// S3's table 1: what a message of K words costs in each of four places, by
// formula and by running it through the modelled memories (MessageTransfer.h).
//===----------------------------------------------------------------------===//
#include "test/bench/Bench.h"
#include "test/bench/Chart.h"

#include "emu/memory/MessageTransfer.h"

#include <CLI/CLI.hpp>

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace leno::bench {
namespace {

struct Place {
  MessagePlace place;
  const char *key, *name;
};
// Named for a message from the CPU to a core; the other way round, CPU and core change places.
constexpr Place places[] = {{MessagePlace::ProducerMemory, "system_memory", "system memory"},
                            {MessagePlace::ConsumerMemory, "ppu_memory", "PPU memory"},
                            {MessagePlace::ProducerCache, "cpu_cache", "CPU cache"},
                            {MessagePlace::ConsumerCache, "core_cache", "core cache"}};
constexpr MessageDirection directions[] = {MessageDirection::HostToCore, MessageDirection::CoreToHost};

struct Row {
  const Place *place;
  MessageCost formula, measured;
  u64 latestPoll; ///< total when polls fall worst
};

/// Over all cycles in which the consumer may begin to poll.
Expected<Row> measure(const Place &place, u64 T, u64 K) {
  Row row{&place, messageFormula(place.place, T, K), {}, 0};
  for (MessageDirection direction : directions) {
    row.measured = runMessage(place.place, direction, T, K).cost;
    for (u64 first = 0; first <= row.formula.write; ++first) {
      MessageRun run = runMessage(place.place, direction, T, K, first);
      if (!run.intact)
        return createStringError(formatv("messages: a message in {0} was torn", place.name));
      row.latestPoll = std::max(row.latestPoll, run.cost.total());
    }
    if (row.measured != row.formula)
      return createStringError(
          formatv("messages: in {0} a message of {1} words took {2} cycles, and {3} by S3's "
                  "formula",
                  place.name, K, row.measured.total(), row.formula.total()));
  }
  return row;
}

Expected<std::vector<Row>> measureAll(u64 T, u64 K) {
  std::vector<Row> rows;
  for (const Place &place : places) {
    Expected<Row> row = measure(place, T, K);
    if (!row)
      return row.takeError();
    rows.push_back(*row);
  }
  return rows;
}

void print(const std::vector<Row> &rows, u64 T, u64 K) {
  outs() << formatv("T = {0}, K = {1}: cycles of one message, both directions\n", T, K);
  Table table({"message in", "write", "read ready", "read message", "formula", "measured", "polls worst"});
  for (const Row &row : rows)
    table.add({row.place->name, std::to_string(row.formula.write), std::to_string(row.formula.readReady),
               std::to_string(row.formula.readMessage), std::to_string(row.formula.total()),
               std::to_string(row.measured.total()), std::to_string(row.latestPoll)});
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
                                 {"measured", row.measured.total()},
                                 {"measured_polls_worst", row.latestPoll}});
  return array;
}

std::vector<Panel> panels(u64 T) {
  Panel panel{formatv("T = {0}", T), "words of the message", "cycles, measured", {}};
  for (unsigned i = 0; i < std::size(places); ++i) {
    Panel::Line line{places[i].name, i, false, {}};
    for (u64 K = 1; K <= 64; K *= 2)
      line.points.push_back(
          {double(K), double(runMessage(places[i].place, directions[0], T, K).cost.total())});
    panel.lines.push_back(std::move(line));
  }
  return {panel};
}

} // namespace

void addMessages(CLI::App &app, MessagesOptions &options) {
  CLI::App *command = app.add_subcommand(
      "messages",
      "What a message costs, by where it is left: formulas, and through the modelled memories (S3)");
  command->add_option("--T", options.T, "Cycles of an access to memory, a multiple of 5 (default 250)")
      ->check(CLI::Range(5, 10000))
      ->check([](const std::string &text) {
        return text.ends_with('0') || text.ends_with('5')
                   ? std::string()
                   : "a cache answers in a fifth of it: " + text + " is not a multiple of 5";
      });
  command->add_option("--K", options.K, "Words of the message (default 16)")->check(CLI::Range(1, 1024));
  addResultFiles(*command, options.json, &options.plot);
}

Error runMessages(const MessagesOptions &options) {
  Expected<std::vector<Row>> rows = measureAll(options.T, options.K);
  if (!rows)
    return rows.takeError();
  if (options.json != "-") {
    print(*rows, options.T, options.K);
    outs() << "\nS3's text has 1012 and 132 cycles for a CPU cache and a core cache, K = 16 and \"T is "
              "250\"; its "
              "formulas give them for T = 25.\n";
  }
  if (Error error = writeChart(options.plot, "leno-bench messages", [&] { return panels(options.T); }))
    return error;
  return writeJson(
      options.json,
      json::Value(json::Object{
          {"benchmark", "messages"}, {"T", options.T}, {"K", options.K}, {"rows", jsonRows(*rows)}}));
}

} // namespace leno::bench
