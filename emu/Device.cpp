#include "emu/Device.h"
#include "llvm/Support/FormatVariadic.h"

using namespace leno;
using namespace llvm;

Error MachineConfig::check() const {
  auto inRange = [](StringRef key, u64 value, u64 low, u64 high) -> Error {
    if (value >= low && value <= high)
      return Error::success();
    return createStringError(
        formatv("the machine's {0} is {1}; it must be from {2} to {3}", key, value, low, high));
  };
  struct {
    StringRef key;
    u64 value, low, high;
  } const limits[] = {
      {"sm.count", sm.count, 1, 1024},
      {"sm.warps", sm.warps, 1, 64}, // a barrier keeps a bit for each warp
      {"sm.ctas", sm.ctas, 1, 64},
      {"sm.sharedBytes", sm.sharedBytes, 0, 16 << 20},
      {"warp.stackDepth", warp.stackDepth, 1, 1 << 20},
      {"scheduler.quantum", scheduler.quantum, 1, ~u64(0)},
  };
  for (const auto &limit : limits)
    if (Error error = inRange(limit.key, limit.value, limit.low, limit.high))
      return error;
  return Error::success();
}
