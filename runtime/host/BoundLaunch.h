// A launch whose arguments have been checked, ready to run once.
#pragma once

#include "emu/launch/ParallelRun.h"
#include "runtime/checks/LaunchChecks.h"
#include "runtime/host/ChannelState.h"
#include "runtime/host/PendingState.h"

namespace leno::host {

/// LENO_CHECK: the checks of all launches that ask for none themselves.
Result<std::vector<const checks::CheckRow *>> checksOfEnvironment();

class BoundLaunch {
public:
  const std::string &name() const { return info().name; }
  /// Runs it to its end or to a trap: alone, or as a command of its context, which `taken` is told of then.
  Result<LaunchResult> run(llvm::function_ref<void(std::shared_ptr<ContextLaunchState>)> taken = [](auto) {
  }) const;

private:
  friend class ContextState;
  friend class Launcher;
  const KernelInfo &info() const { return module->executable.kernels()[kernel]; }
  Error fail(const std::string &message) const { return Error("kernel '" + info().name + "': " + message); }
  Result<LaunchResult> runAlone() const;
  /// By the debugger that the environment names; nullopt: it is for us to run.
  Result<std::optional<LaunchResult>> runInDebugger() const;
  using CheckerPointer = std::shared_ptr<checks::LaunchChecks>; ///< null: none
  using ProfilePointer = std::shared_ptr<LaunchProfile>; ///< null: none
  Result<ProfilePointer> beginProfile(bool isAlone) const;
  Result<std::unique_ptr<ParallelRun>> makeRun(Statistics *statistics, const CheckerPointer &checker,
                                               const ProfilePointer &profile, Observer *trace) const;
  std::vector<std::shared_ptr<ChannelState>> allChannels() const;
  Status openChannels() const;
  void closeChannels(const std::string &why) const;
  bool runServing(ParallelRun &run) const;
  /// Of a grid of it that has ended, counted or not.
  LaunchResult resultOf(const GridRun &grid, const Statistics &counted, checks::LaunchChecks *checker) const;
  std::vector<Finding> tell(checks::LaunchChecks *checker) const;
  checks::RunningProgram running() const {
    return {&module->executable, &info(), context->globalBaseOf(*module)};
  }
  TrapInfo describe(const leno::Trap &trap) const;

  std::shared_ptr<ContextState> context;
  std::shared_ptr<const ModuleState> module;
  std::size_t kernel = 0;
  LaunchSpec spec;
  unsigned wantedThreads = 0;
  bool counts = false, overlap = false;
  std::string profile;                          ///< a folder; empty: none
  std::vector<const checks::CheckRow *> checks; ///< empty: none
  bool tellsAloud = false;                      ///< to standard error, too
  bool mayNeverEnd = false;                     ///< it has channels, or no limit of instructions
  std::vector<std::shared_ptr<ChannelState>> channels; ///< that it serves
  std::shared_ptr<ChannelState> message;               ///< that brings it; null: its context has it
};

} // namespace leno::host
