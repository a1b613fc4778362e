// A launch whose arguments have been checked, ready to run once.
#pragma once

#include "emu/launch/ParallelRun.h"
#include "emu/observe/Statistics.h"
#include "runtime/host/ChannelState.h"

#include "leno/Launch.h"

namespace leno::host {

class BoundLaunch {
public:
  const std::string &name() const { return info().name; }
  /// Runs it to its end or to a trap.
  Result<LaunchResult> run() const;
  /// Of a grid of it that has ended, counted or not.
  LaunchResult resultOf(const GridRun &grid, const Statistics &counted) const;

private:
  friend class ContextState;
  friend class Launcher;
  const KernelInfo &info() const { return module->executable.kernels()[kernel]; }
  Error fail(const std::string &message) const { return Error("kernel '" + info().name + "': " + message); }
  Result<std::unique_ptr<ParallelRun>> makeRun(Statistics *statistics) const;
  Status openChannels() const;
  void runServing(ParallelRun &run) const;
  TrapInfo describe(const leno::Trap &trap) const;

  std::shared_ptr<DeviceState> device;
  std::shared_ptr<const ModuleState> module;
  std::size_t kernel = 0;
  LaunchSpec spec;
  unsigned wantedThreads = 0;
  bool counts = false;
  std::vector<std::shared_ptr<ChannelState>> channels;
};

} // namespace leno::host
