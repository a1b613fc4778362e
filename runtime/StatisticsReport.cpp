#include "runtime/StatisticsReport.h"

#include "llvm/Support/Format.h"
#include <algorithm>
#include <string>

namespace leno::runtime {

std::vector<StatisticsRow> statisticsRows(const Statistics &s) {
  constexpr auto Global = size_t(MemoryAccess::Space::Global), Shared = size_t(MemoryAccess::Space::Shared),
                 Constant = size_t(MemoryAccess::Space::Constant), Local = size_t(MemoryAccess::Space::Local);
  return {
      {"ctas", "CTAs", s.ctas},
      {"warps", "warps", s.warps},
      {"warpInstructions", "warp instructions", s.warpInstructions},
      {"laneOperations", "lane operations", s.laneOperations},
      {"branches", "branches", s.branches},
      {"divergentBranches", "divergent branches", s.divergences},
      {"reconvergences", "reconvergences", s.reconvergences},
      {"stackPushes", "stack pushes", s.pushes},
      {"stackPops", "stack pops", s.pops},
      {"maxStackDepth", "max stack depth", s.deepestStack},
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

void printStatistics(llvm::raw_ostream &os, const Statistics &statistics) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const StatisticsRow &row : statisticsRows(statistics)) {
    rows.push_back({row.label, std::to_string(row.value)});
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
}

void writeStatistics(llvm::json::OStream &json, const Statistics &statistics) {
  for (const StatisticsRow &row : statisticsRows(statistics))
    json.attribute(row.key, row.value);
  json.attribute("simtEfficiency", statistics.laneUse());
  json.attributeObject("byInstruction", [&] {
    for (auto [name, count] : frequencies(statistics))
      json.attribute(name, count);
  });
}

} // namespace leno::runtime
