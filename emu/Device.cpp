#include "emu/Device.h"
#include "llvm/Support/FormatVariadic.h"

using namespace leno;
using namespace llvm;

// What the parts of the machine rely on; a warp is a bit of 64 in a barrier. Users meet the narrower ranges of the
// runtime's table first.
Error MachineConfig::check() const {
  auto outside = [](StringRef key, u64 low, u64 high, u64 value) {
    return createStringError(formatv("{0} is {1}; it must be from {2} to {3}", key, value, low, high));
  };
  if (sm.count < 1 || sm.count > 1024)
    return outside("sm.count", 1, 1024, sm.count);
  if (sm.warps < 1 || sm.warps > 64)
    return outside("sm.warps", 1, 64, sm.warps);
  if (sm.ctas < 1)
    return outside("sm.ctas", 1, ~u64(0), sm.ctas);
  if (sm.sharedBytes > (16u << 20))
    return outside("sm.sharedBytes", 0, 16u << 20, sm.sharedBytes);
  if (warp.stackDepth < 1 || warp.stackDepth > (1u << 20))
    return outside("warp.stackDepth", 1, 1u << 20, warp.stackDepth);
  if (scheduler.quantum < 1)
    return outside("scheduler.quantum", 1, ~u64(0), scheduler.quantum);
  return Error::success();
}
