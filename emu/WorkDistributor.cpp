#include "emu/WorkDistributor.h"

using namespace leno;

void WorkDistributor::distribute(llvm::ArrayRef<std::unique_ptr<StreamingMultiprocessor>> sms) {
  for (bool handedOut = true; handedOut && !empty();) {
    handedOut = false;
    for (const auto &sm : sms) {
      if (empty())
        break;
      if (!sm->hasRoom(warpsPerCta, sharedBytes))
        continue;
      Dim3 index{u32(next % grid.x), u32(next / grid.x % grid.y), u32(next / grid.x / grid.y)};
      ++next;
      sm->start(index, warpsPerCta, sharedBytes);
      handedOut = true;
    }
  }
}
