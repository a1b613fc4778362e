// The checks of launches of one context that the host API has asked for.
#pragma once

#include "emu/launch/GridRun.h"
#include "runtime/checks/CheckReport.h"
#include "runtime/checks/Checks.h"

namespace leno::checks {

/// Launches that overlap share one, so that it sees what they do to each other.
class LaunchChecks {
public:
  LaunchChecks(llvm::ArrayRef<const CheckRow *> rows, u32 context) : context(context) {
    for (const CheckRow *row : rows) {
      all.push_back(row->make());
      all.back()->programOf = [this](const GridRun &grid) { return programOf(grid.gridId()); };
    }
  }
  LaunchChecks(const LaunchChecks &) = delete;
  LaunchChecks &operator=(const LaunchChecks &) = delete;

  /// A ParallelRun on one thread or a GridRun, before its first instruction. `gridId`: 0 where it is the only
  /// one. `keeper` keeps what `program` points to. `released`: what its context had.
  template <class Run>
  void watch(Run &run, u64 gridId, const RunningProgram &program, std::shared_ptr<const void> keeper,
             llvm::ArrayRef<AddressSpace::Allocation> released) {
    running[gridId] = {program, std::move(keeper)};
    for (const auto &check : all) {
      for (const AddressSpace::Allocation &gone : released)
        check->host({HostEvent::Releases, gone.window.base, gone.window.size, context, gone.name});
      run.addObserver(*check);
    }
  }
  /// What the host does to the context's memory meanwhile.
  void host(const HostEvent &event) {
    for (const auto &check : all)
      check->host(event);
  }
  std::vector<NamedFinding> take(const AddressSpace &memory) {
    std::vector<NamedFinding> found;
    for (const auto &check : all)
      for (Finding &finding : check->take())
        found.push_back(named(std::move(finding), [this](u64 id) { return programOf(id); }, memory));
    return found;
  }

private:
  RunningProgram programOf(u64 gridId) const {
    auto found = running.find(running.count(gridId) ? gridId : 0);
    return found == running.end() ? RunningProgram() : found->second.first;
  }
  u32 context;
  std::map<u64, std::pair<RunningProgram, std::shared_ptr<const void>>> running; ///< by the grid's number
  std::vector<std::unique_ptr<Check>> all;
};

} // namespace leno::checks
