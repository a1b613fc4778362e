// The counts of a launch, as a table for people and as JSON. Everything here is the same for the same launch:
// time is told elsewhere.
#pragma once

#include "emu/Statistics.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace leno::runtime {

/// A count with its name in both reports: one row of the one list.
struct StatisticsRow {
  const char *key;   ///< in JSON
  const char *label; ///< in the table
  uint64_t value;
};
std::vector<StatisticsRow> statisticsRows(const Statistics &statistics);

/// An aligned table: the counts, SIMT efficiency (lanes that executed, of all there were), then the warp
/// instructions of each kind, the most frequent first.
void printStatistics(llvm::raw_ostream &os, const Statistics &statistics);

/// The same as an object's attributes: the counts, "simtEfficiency" (0 to 1) and "byInstruction".
void writeStatistics(llvm::json::OStream &json, const Statistics &statistics);

} // namespace leno::runtime
