//===- WorkDistributor.h - Hands CTAs to SMs with room [S4] ---------------===//
#pragma once
#include "emu/StreamingMultiprocessor.h"

namespace leno {

/// CTAs go out in linear order (x fastest), one to each SM in turn while one has room.
class WorkDistributor {
public:
  WorkDistributor(Dim3 grid, unsigned warpsPerCta, u32 sharedBytes)
      : grid(grid), warpsPerCta(warpsPerCta), sharedBytes(sharedBytes) {}

  bool empty() const { return next == grid.count(); }
  u64 distributed() const { return next; }
  /// Fills the SMs; `sms` are asked in order, each given one CTA at a time.
  void distribute(llvm::ArrayRef<std::unique_ptr<StreamingMultiprocessor>> sms);

private:
  Dim3 grid;
  unsigned warpsPerCta;
  u32 sharedBytes;
  u64 next = 0;
};

} // namespace leno
