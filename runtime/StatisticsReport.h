// The counts of a launch, as a table for people and as JSON. Everything here is the same for the same launch:
// time is told elsewhere.
#pragma once

#include "asm/Executable.h"
#include "emu/observe/Statistics.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace leno::runtime {

/// The first column to the left, the others to the right. Rows have equally many.
void printAligned(llvm::raw_ostream &os, const std::vector<std::vector<std::string>> &rows);

/// A count with its name in both reports: one row of the one list.
struct StatisticsRow {
  const char *key;   ///< in JSON
  const char *label; ///< in the table
  uint64_t value;
};
std::vector<StatisticsRow> statisticsRows(const Statistics &statistics);

/// What the divergence stack did at the instructions of one source line, or at one without a line.
struct StackLine {
  uint64_t address;               ///< of the line's first instruction that used the stack
  std::optional<SourceLine> line; ///< when there is a line table
  StackEvents events;
};
/// By address.
std::vector<StackLine> stackLines(const Statistics &statistics, const Executable &executable);

/// An aligned table: the counts, SIMT efficiency (lanes that executed, of all there were), then the warp
/// instructions of each kind, the most frequent first; then the stack's entries by kind and by source line.
void printStatistics(llvm::raw_ostream &os, const Statistics &statistics, const Executable &executable);

/// The same as an object's attributes: the counts, "simtEfficiency" and "occupancy" (0 to 1),
/// "occupancyLimit", "byInstruction", "stackByKind" and "stackByLine".
void writeStatistics(llvm::json::OStream &json, const Statistics &statistics, const Executable &executable);

} // namespace leno::runtime
