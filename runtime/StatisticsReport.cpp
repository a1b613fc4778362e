#include "runtime/StatisticsReport.h"

#include "llvm/Support/Format.h"
#include <algorithm>
#include <string>

namespace leno::runtime {

std::vector<StatisticsRow> statisticsRows(const Statistics &s) {
  constexpr auto Global = size_t(MemoryAccess::Space::Global), Shared = size_t(MemoryAccess::Space::Shared),
                 Constant = size_t(MemoryAccess::Space::Constant), Local = size_t(MemoryAccess::Space::Local);
  std::vector<StatisticsRow> rows = {
      {"ctas", "CTAs", s.ctas},
      {"warps", "warps", s.warps},
      {"ctasAtOnce", "CTAs of an SM at once", s.occupancy.ctas},
      {"warpInstructions", "warp instructions", s.warpInstructions},
      {"laneOperations", "lane operations", s.laneOperations},
      {"branches", "branches", s.branches},
      {"divergentBranches", "divergent branches", s.stack.divergences},
      {"reconvergences", "reconvergences", s.stack.reconvergences},
      {"stackPushes", "stack pushes", s.stack.pushed()},
      {"stackPops", "stack pops", s.stack.popped()},
      {"stackPopsOnChip", "stack pops found on chip", s.stack.popsOnChip},
      {"maxStackDepth", "max stack depth", s.deepestStack},
      {"stackSpills", "stack spills", s.stack.spills.count},
      {"stackEntriesSpilled", "stack entries spilled", s.stack.spills.entries},
      {"stackRestores", "stack restores", s.stack.restores.count},
      {"stackEntriesRestored", "stack entries restored", s.stack.restores.entries},
      {"stackTransactions", "stack memory transactions",
       s.stack.spills.transactions + s.stack.restores.transactions},
      {"stackWaits", "stack waits", s.stack.waits},
      {"stackStallCycles", "stack stall cycles", s.stack.stallCycles},
      {"stackBitsOnChip", "stack bits on chip, each warp", s.stackBitsOnChip},
      {"globalLoads", "global loads", s.loads[Global]},
      {"globalStores", "global stores", s.stores[Global]},
      {"globalBytesLoaded", "global bytes loaded", s.bytesLoaded},
      {"globalBytesStored", "global bytes stored", s.bytesStored},
      {"sharedLoads", "shared loads", s.loads[Shared]},
      {"sharedStores", "shared stores", s.stores[Shared]},
      {"localLoads", "local loads", s.loads[Local]},
      {"localStores", "local stores", s.stores[Local]},
      {"globalAtomics", "global atomics", s.atomics[Global]},
      {"sharedAtomics", "shared atomics", s.atomics[Shared]},
      {"constantLoads", "indexed constant loads", s.loads[Constant]},
      {"barrierArrivals", "barrier arrivals", s.barrierArrivals},
      {"discardedLanes", "discarded lanes", s.discards},
  };
  if (s.cycles) {
    rows.push_back({"cycles", "cycles", s.cycles->cycles});
    rows.push_back({"idleCycles", "idle SM cycles", s.cycles->idle});
  }
  return rows;
}

using Frequency = std::pair<const char *, uint64_t>;

static std::vector<Frequency> frequencies(const Statistics &statistics) {
  std::vector<Frequency> rows;
  for (size_t i = 0; i < statistics.bySemantic.size(); ++i)
    if (statistics.bySemantic[i])
      rows.push_back({semanticName(Semantic(i)), statistics.bySemantic[i]});
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Frequency &a, const Frequency &b) { return a.second > b.second; });
  return rows;
}

static std::string percent(double part) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.1f%%", part * 100);
  return text;
}

std::vector<StackLine> stackLines(const Statistics &statistics, const Executable &executable) {
  std::vector<StackLine> lines;
  for (size_t word = 0; word < statistics.stackByWord.size(); ++word) {
    const StackEvents &events = statistics.stackByWord[word];
    if (events == StackEvents())
      continue;
    std::optional<SourceLine> line = executable.line(word * 8);
    auto same = std::find_if(lines.begin(), lines.end(), [&](const StackLine &known) {
      return line && known.line && known.line->line == line->line && known.line->file == line->file;
    });
    if (same == lines.end())
      lines.push_back({word * 8, line, events});
    else
      same->events += events;
  }
  return lines;
}

static constexpr std::pair<const char *, u64 (*)(const StackEvents &)> stackColumns[] = {
    {"pushes", [](const StackEvents &events) { return events.pushed(); }},
    {"pops", [](const StackEvents &events) { return events.popped(); }},
    {"divergent", [](const StackEvents &events) { return events.divergences; }},
    {"reconverged", [](const StackEvents &events) { return events.reconvergences; }},
    {"spilled", [](const StackEvents &events) { return events.spills.entries; }},
    {"restored", [](const StackEvents &events) { return events.restores.entries; }},
    {"stallCycles", [](const StackEvents &events) { return events.stallCycles; }},
};

void printAligned(llvm::raw_ostream &os, const std::vector<std::vector<std::string>> &rows) {
  std::vector<size_t> widths(rows.front().size());
  for (const auto &row : rows)
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  for (const auto &row : rows) {
    os << llvm::left_justify(row[0], unsigned(widths[0]));
    for (size_t i = 1; i < row.size(); ++i)
      os << "  " << llvm::right_justify(row[i], unsigned(widths[i]));
    os << '\n';
  }
}

static void printStack(llvm::raw_ostream &os, const Statistics &statistics, const Executable &executable) {
  std::vector<std::vector<std::string>> kinds = {{"stack entries by kind", "pushes", "pops"}};
  for (size_t type = 0; type < statistics.stack.pushes.size(); ++type)
    if (statistics.stack.pushes[type])
      kinds.push_back({std::string("  ") + tokenTypeName(TokenType(type)),
                       std::to_string(statistics.stack.pushes[type]),
                       std::to_string(statistics.stack.pops[type])});
  printAligned(os, kinds);
  std::vector<std::vector<std::string>> lines = {{"stack by source line"}};
  for (auto [name, count] : stackColumns)
    lines[0].push_back(name == llvm::StringRef("stallCycles") ? "stall cycles" : name);
  for (const StackLine &line : stackLines(statistics, executable)) {
    lines.push_back({"  " + (line.line ? line.line->file + ":" + std::to_string(line.line->line)
                                       : executable.describe(line.address))});
    for (auto [name, count] : stackColumns)
      lines.back().push_back(std::to_string(count(line.events)));
  }
  printAligned(os, lines);
}

void printStatistics(llvm::raw_ostream &os, const Statistics &statistics, const Executable &executable) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const StatisticsRow &row : statisticsRows(statistics)) {
    rows.push_back({row.label, std::to_string(row.value)});
    if (row.key == llvm::StringRef("ctasAtOnce")) {
      rows.push_back({"occupancy", percent(statistics.warpsInUse)});
      rows.push_back({"occupancy limited by", limitName(statistics.occupancy.limit)});
    }
    if (row.key == llvm::StringRef("laneOperations"))
      rows.push_back({"SIMT efficiency", percent(statistics.laneUse())});
  }
  size_t counts = rows.size();
  for (auto [name, count] : frequencies(statistics))
    rows.push_back({std::string("  ") + name, std::to_string(count)});
  size_t labels = 0, values = 0;
  for (const auto &[label, value] : rows) {
    labels = std::max(labels, label.size());
    values = std::max(values, value.size());
  }
  for (size_t i = 0; i < rows.size(); ++i) {
    if (i == counts)
      os << "warp instructions by kind\n";
    const auto &[label, value] = rows[i];
    os << llvm::left_justify(label, unsigned(labels)) << "  " << llvm::right_justify(value, unsigned(values))
       << '\n';
  }
  if (statistics.stack.pushed())
    printStack(os, statistics, executable);
}

void writeStatistics(llvm::json::OStream &json, const Statistics &statistics, const Executable &executable) {
  for (const StatisticsRow &row : statisticsRows(statistics))
    json.attribute(row.key, row.value);
  json.attribute("simtEfficiency", statistics.laneUse());
  json.attribute("occupancy", statistics.warpsInUse);
  json.attribute("occupancyLimit", limitName(statistics.occupancy.limit));
  json.attributeObject("byInstruction", [&] {
    for (auto [name, count] : frequencies(statistics))
      json.attribute(name, count);
  });
  json.attributeObject("stackByKind", [&] {
    for (size_t type = 0; type < statistics.stack.pushes.size(); ++type)
      json.attributeObject(tokenTypeName(TokenType(type)), [&] {
        json.attribute("pushes", statistics.stack.pushes[type]);
        json.attribute("pops", statistics.stack.pops[type]);
      });
  });
  json.attributeArray("stackByLine", [&] {
    for (const StackLine &line : stackLines(statistics, executable))
      json.object([&] {
        json.attribute("label", executable.describe(line.address));
        if (line.line) {
          json.attribute("file", line.line->file);
          json.attribute("line", line.line->line);
        }
        for (auto [name, count] : stackColumns)
          json.attribute(name, count(line.events));
      });
  });
}

} // namespace leno::runtime
