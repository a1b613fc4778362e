// Binds a kernel, a configuration and arguments to a launch.
#pragma once

#include "runtime/host/BoundLaunch.h"

namespace leno::host {

/// One launch: what may look into the handles.
class Launcher {
public:
  Launcher(std::shared_ptr<ContextState> context, const Kernel &kernel, const LaunchConfig &config,
           std::span<const Argument> arguments)
      : context(std::move(context)), kernel(kernel), config(config), arguments(arguments) {}
  /// Checks all that can be checked before its turn comes.
  Result<BoundLaunch> bind();

  /// Null when it was moved from.
  static std::shared_ptr<ContextState> stateOf(const DeviceMemory &memory) { return memory.state; }

private:
  Status checkHandles() const;
  Status checkSizes() const;
  const KernelInfo &info() const { return kernel.module->executable.kernels()[kernel.index]; }
  Error fail(const std::string &message) const { return Error("kernel '" + info().name + "': " + message); }
  Status bindChannels(BoundLaunch &launch) const;

  std::shared_ptr<ContextState> context;
  const Kernel &kernel;
  const LaunchConfig &config;
  std::span<const Argument> arguments;
};

} // namespace leno::host
