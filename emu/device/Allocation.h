//===- Allocation.h - How many SMs each context shall have [S4] -----------===//
// Pure rules; the device run carries them out. A slice is an SM.
//
//   static   "the allocation of processing throughput to contexts is static".
//   dynamic  "when one context is blocked by a specified amount more than a
//            context with the least number of blocked clock cycles ... the
//            context with the greatest number of blocked clock cycles is
//            allocated an additional processing slice and the context with
//            the least number ... one less."
//   On a context change the older contexts are "migrated to fewer cores".
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/warp/Lanes.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <vector>

namespace leno {

/// A context as the rules see it.
struct ContextDemand {
  bool active = false; ///< it has work
  int priority = 0;
  u64 asked = 0;    ///< its part of a static split, or 0
  u64 blocked = 0;  ///< cycles of the window in which its work waited for an SM
  unsigned sms = 0; ///< that it has been granted
  /// A page of it is being mapped: it gets no more work, and keeps the SMs that have state of it.
  bool faulted = false;
  unsigned occupied = 0; ///< SMs that have state of it
  bool retired = false;  ///< it needs no part of a static split
};

/// The split that holds whatever the contexts do: what each asks for, and for the others equal parts of the
/// rest, those of smaller number first. Empty when there are not enough SMs.
std::vector<unsigned> staticSplit(llvm::ArrayRef<ContextDemand> contexts, unsigned sms);

/// After a context change. CHOICE: each active context keeps one SM while there are enough, those of the
/// highest priority share the rest. With fewer SMs than active contexts the last SM is shared by time, and
/// `turn` says whose it is now.
std::vector<unsigned> splitByPriority(llvm::ArrayRef<ContextDemand> contexts, unsigned sms, u64 turn);
/// Some have to wait for their turn.
bool needsTurns(llvm::ArrayRef<ContextDemand> contexts, unsigned sms);

struct SliceMove {
  size_t from, to;
  bool operator==(const SliceMove &) const = default;
};
/// After a window of cycles. CHOICE: between contexts of the same priority that can run, and none loses its
/// last slice.
std::optional<SliceMove> rebalance(llvm::ArrayRef<ContextDemand> contexts, u64 threshold);

} // namespace leno
