// What a run has come to, as JSON: of a launch alone, or of several contexts.
#pragma once

#include "emu/observe/Statistics.h"
#include "runtime/CountReport.h"
#include "runtime/Prepared.h"
#include "llvm/Support/JSON.h"
#include <map>

namespace leno::runtime {

class RunReport {
public:
  /// By context and launch.
  using Counts = std::map<std::pair<u32, size_t>, Statistics>;
  /// `stop`: Budget when it was stopped before its end.
  RunReport(const Prepared &prepared, const Counts &statistics, StopReason stop)
      : prepared(prepared), statistics(statistics), stop(stop) {}

  /// "finished", "trapped" (alone) or "failed", "stuck", "interrupted"
  const char *status() const;
  /// What the models of a context have counted.
  CountTables tables(u32 context) const;
  /// What they have together.
  CountTables sharedTables() const;
  /// `more`: attributes that the caller adds.
  void writeJson(
      llvm::raw_ostream &os,
      llvm::function_ref<void(llvm::json::OStream &)> more = [](llvm::json::OStream &) {}) const;

private:
  FrontEnd::Contexts contexts() const { return prepared.run().contexts(); }
  void writeContexts(llvm::json::OStream &json) const;
  void writeTrapOf(llvm::json::OStream &json, u32 context) const;
  void writeStatisticsOf(llvm::json::OStream &json, u32 context, size_t launch) const;

  const Prepared &prepared;
  const Counts &statistics;
  StopReason stop;
};

} // namespace leno::runtime
