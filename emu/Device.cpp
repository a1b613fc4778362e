#include "emu/Device.h"
#include "emu/observe/Observer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace leno;
using namespace llvm;

void Device::addObserver(Observer &observer) {
  observers.push_back(&observer);
  space.onHost = [this](HostEvent event) {
    event.context = context;
    for (auto at = observers.begin(); at != observers.end(); ++at)
      if (std::find(observers.begin(), at, *at) == at)
        (*at)->host(event);
  };
}

void Device::removeObserver(Observer &observer) {
  if (auto at = find(observers, &observer); at != observers.end())
    observers.erase(at);
  if (observers.empty())
    space.onHost = nullptr;
}

void Device::join(u32 contextId, SharedModels *shared) {
  context = contextId;
  models = shared;
  caches.reset();
}

StackRegion Device::stackRegion(unsigned sm, unsigned place) const {
  u64 number = u64(sm) * settings.sm.warps + place,
      bytes = settings.warp.stackDepth * StackRegion::entryBytes;
  u64 base =
      driverMemory() + StackRegion::firstAddress + number * alignTo(bytes, 32); // 256 bits: a thread set
  return StackRegion(base, settings.warp.stackDepth);
}

ConstantUnit &Device::constantUnit() {
  if (!caches) {
    caches.emplace(settings);
    caches->setListener(constantListener, context);
  }
  return *caches;
}

void Device::setConstantListener(ConstantListener *listener) {
  constantListener = listener;
  if (caches)
    caches->setListener(listener, context);
}
