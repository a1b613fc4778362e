#include "emu/Device.h"
#include "llvm/Support/MathExtras.h"

using namespace leno;
using namespace llvm;

StackRegion &Device::stackRegion(unsigned sm, unsigned place) {
  u64 number = u64(sm) * settings.sm.warps + place,
      bytes = settings.warp.stackDepth * StackRegion::entryBytes;
  u64 base =
      driverMemory() + StackRegion::firstAddress + number * alignTo(bytes, 32); // 256 bits: a thread set
  std::lock_guard lock(stacksMutex);
  return stacks.try_emplace(number, base, settings.warp.stackDepth).first->second;
}

ConstantUnit &Device::constantUnit() {
  if (!caches)
    caches.emplace(settings);
  return *caches;
}
