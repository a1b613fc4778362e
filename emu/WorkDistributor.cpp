#include "emu/WorkDistributor.h"

using namespace leno;

bool WorkDistributor::handOut(StreamingMultiprocessor &sm) {
  if (empty() || !sm.hasRoom(warpsPerCta, sharedBytes))
    return false;
  u64 number = shared ? shared->nextCta.fetch_add(1, std::memory_order_relaxed) : next++;
  if (number >= grid.count()) // another part took the last one
    return false;
  sm.start({u32(number % grid.x), u32(number / grid.x % grid.y), u32(number / grid.x / grid.y)}, warpsPerCta,
           sharedBytes);
  return true;
}

void WorkDistributor::distribute(llvm::ArrayRef<std::unique_ptr<StreamingMultiprocessor>> sms) {
  for (bool handedOut = true; handedOut && !empty();) {
    handedOut = false;
    for (const auto &sm : sms)
      handedOut |= handOut(*sm);
  }
}
