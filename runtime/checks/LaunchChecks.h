// The checks of one launch, which the host API has asked for.
#pragma once

#include "runtime/checks/CheckReport.h"
#include "runtime/checks/Checks.h"

namespace leno::checks {

class LaunchChecks {
public:
  LaunchChecks(llvm::ArrayRef<const CheckRow *> rows, u32 context) : context(context) {
    for (const CheckRow *row : rows)
      all.push_back(row->make());
  }
  /// A ParallelRun on one thread or a GridRun, before its first instruction. What `program` points to must
  /// live as long as this. `released`: what its context had.
  template <class Run>
  void watch(Run &run, const RunningProgram &program, llvm::ArrayRef<AddressSpace::Allocation> released) {
    running = program;
    for (const auto &check : all) {
      for (const AddressSpace::Allocation &gone : released)
        check->host({HostEvent::Releases, gone.window.base, gone.window.size, context, gone.name});
      check->programOf = [program](const GridRun &) { return program; };
      run.addObserver(*check);
    }
  }
  std::vector<NamedFinding> take(const AddressSpace &memory) {
    std::vector<NamedFinding> found;
    for (const auto &check : all)
      for (Finding &finding : check->take())
        found.push_back(named(std::move(finding), running, memory));
    return found;
  }

private:
  u32 context;
  RunningProgram running;
  std::vector<std::unique_ptr<Check>> all;
};

} // namespace leno::checks
