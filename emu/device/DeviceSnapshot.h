//===- DeviceSnapshot.h - A device with its contexts at a moment ----------===//
// Snapshot.h for several contexts: who has which SM, pushbuffers, semaphores,
// context storage, each context's memory, and its grid, which a snapshot keeps
// alive when it ends.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/Snapshot.h"
#include "emu/device/DeviceRun.h"

namespace leno {

class DeviceSnapshot {
public:
  /// DeviceRun::moments() when it was taken.
  u64 moments() const { return moment.passed; }

private:
  friend class DeviceRun;
  explicit DeviceSnapshot(const DeviceMoment &moment) : moment(moment) {}

  struct OfContext {
    ContextMoment moment;
    std::unique_ptr<Snapshot> grid; ///< null: none
    Device::Saved device;
  };
  DeviceMoment moment;
  FrontEndMoment frontEnd;
  std::vector<OfContext> contexts;
};

} // namespace leno
