//===- WorkDistributor.h - Hands CTAs to SMs with room [S4] ---------------===//
#pragma once
#include "emu/SharedGrid.h"
#include "emu/StreamingMultiprocessor.h"
#include <algorithm>

namespace leno {

/// CTAs go out in linear order (x fastest), one to each SM in turn while one has room.
class WorkDistributor {
public:
  /// `shared`: where other parts of the grid take their CTAs too, or null.
  WorkDistributor(Dim3 grid, unsigned warpsPerCta, u32 sharedBytes, SharedGrid *shared = nullptr)
      : grid(grid), warpsPerCta(warpsPerCta), sharedBytes(sharedBytes), shared(shared) {}

  bool empty() const { return closed || distributed() == grid.count(); }
  u64 distributed() const {
    return shared ? std::min(shared->nextCta.load(std::memory_order_relaxed), grid.count()) : next;
  }
  /// No more CTAs shall start.
  void close() { closed = true; }
  /// Starts a CTA on `sm`. False: the SM has no room, or there are no more.
  bool handOut(StreamingMultiprocessor &sm);
  /// Fills the SMs; `sms` are asked in order, each given one CTA at a time.
  void distribute(llvm::ArrayRef<std::unique_ptr<StreamingMultiprocessor>> sms);

private:
  Dim3 grid;
  unsigned warpsPerCta;
  u32 sharedBytes;
  SharedGrid *shared;
  u64 next = 0;
  bool closed = false;
};

} // namespace leno
