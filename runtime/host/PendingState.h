// What stands behind a PendingLaunch.
#pragma once

#include "runtime/checks/LaunchChecks.h"
#include "runtime/host/ContextState.h"

namespace leno::host {

/// For those who wait for its replies.
std::string howEnded(const LaunchResult &result);

class PendingState {
public:
  virtual ~PendingState() = default;
  virtual bool isDone() = 0;
  virtual Result<LaunchResult> wait() = 0;
  virtual LaunchCycles cycles() = 0;
};

/// That is a command of its context.
class ContextLaunchState final : public PendingState {
public:
  ContextLaunchState(std::shared_ptr<ContextState> context, size_t number, std::string kernel,
                     std::vector<std::shared_ptr<ChannelState>> channels)
      : context(std::move(context)), number(number), kernel(std::move(kernel)),
        channels(std::move(channels)) {}
  bool isDone() override;
  Result<LaunchResult> wait() override;
  LaunchCycles cycles() override;

  /// The caller has the turn.
  bool hasEnded() const { return result || !context->context()->alive(); }
  /// Null when it is not in flight.
  GridRun *grid() const {
    for (const GridInFlight &one : context->context()->grids())
      if (one.record == number)
        return one.run.get();
    return nullptr;
  }

  const std::shared_ptr<ContextState> context;
  const size_t number; ///< of its context's launches
  const std::string kernel;
  const std::vector<std::shared_ptr<ChannelState>> channels;
  Statistics counts;
  std::shared_ptr<checks::LaunchChecks> checker; ///< null: none
  std::optional<LaunchResult> result;
};

} // namespace leno::host
