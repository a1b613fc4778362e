#include "emu/device/DeviceSnapshot.h"
#include "emu/device/SharedClock.h"

using namespace leno;

std::unique_ptr<DeviceSnapshot> DeviceRun::snapshot(const DeviceSnapshot *before,
                                                    const MemoryImage::Meter &meter) const {
  std::unique_ptr<DeviceSnapshot> saved(new DeviceSnapshot(*this));
  saved->frontEnd = decoder.moment();
  saved->contexts.resize(all.size());
  for (size_t i = 0; i < all.size(); ++i) {
    const Context &context = *all[i];
    DeviceSnapshot::OfContext &to = saved->contexts[i];
    const DeviceSnapshot::OfContext *old = before ? &before->contexts[i] : nullptr;
    to.moment = context;
    if (context.run) {
      bool sameGrid = old && old->moment.run == context.run;
      to.grid = context.run->snapshotAlone(sameGrid ? old->grid.get() : nullptr, meter);
    }
    context.view.save(to.device, old ? &old->device : nullptr, meter);
  }
  return saved;
}

void DeviceRun::restore(const DeviceSnapshot &saved) {
  LENO_ASSERT(saved.contexts.size() == all.size(), "a snapshot of a device with other contexts");
  static_cast<DeviceMoment &>(*this) = saved.moment;
  decoder.setMoment(saved.frontEnd);
  stopRequested = told = false;
  for (size_t i = 0; i < all.size(); ++i) {
    Context &context = *all[i];
    const DeviceSnapshot::OfContext &from = saved.contexts[i];
    if (context.run && context.run != from.moment.run)
      context.run->forgetCtas();
    static_cast<ContextMoment &>(context) = from.moment;
    context.view.restore(from.device);
    if (context.run) {
      context.run->restoreAlone(*from.grid);
      context.clock = static_cast<SharedClock *>(&context.run->time());
    }
  }
}
