//===- Allocation.h - How many SMs each context shall have [S4] -----------===//
// Pure rules; the device run carries them out. A slice is a place for a
// context's state on an SM: one or several are there (contexts.perSm), and a
// context has at most one of them.
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
  u64 asked = 0;    ///< SMs of its part of a static split, or 0
  u64 blocked = 0;  ///< cycles of the window in which its work waited for an SM
  unsigned sms = 0; ///< that it has been granted
  /// A page of it is being mapped: it gets no more work, and keeps the SMs that have state of it.
  bool faulted = false;
  unsigned occupied = 0; ///< SMs that have state of it
  bool retired = false;  ///< it needs no part of a static split
};

/// The slices that there are.
struct Slices {
  Slices(unsigned sms, unsigned perSm = 1) : sms(sms), perSm(perSm) {}
  unsigned sms;
  unsigned perSm;
  unsigned all() const { return sms * perSm; }
};

/// The split that holds whatever the contexts do: what each asks for, and for the others equal parts of the
/// rest, those of smaller number first. Empty when there are not enough slices.
std::vector<unsigned> staticSplit(llvm::ArrayRef<ContextDemand> contexts, Slices slices);

/// After a context change. CHOICE: each active context keeps one slice while there are enough, those of the
/// highest priority share the rest, and what they cannot use goes to those after them. With fewer slices than
/// active contexts the last one is shared by time, and `turn` says whose it is now.
std::vector<unsigned> splitByPriority(llvm::ArrayRef<ContextDemand> contexts, Slices slices, u64 turn);
/// Some have to wait for their turn.
bool needsTurns(llvm::ArrayRef<ContextDemand> contexts, Slices slices);

struct SliceMove {
  size_t from, to;
  bool operator==(const SliceMove &) const = default;
};
/// After a window of cycles. CHOICE: between contexts of the same priority that can run, and none loses its
/// last slice, or gets two of one SM.
std::optional<SliceMove> rebalance(llvm::ArrayRef<ContextDemand> contexts, Slices slices, u64 threshold);

} // namespace leno
