//===- WorkDistributor.h - Hands CTAs to SMs with room [S4] ---------------===//
// S4: the "work distribution unit receives a ready signal from each core
// indicating whether that core has sufficient resources to accept a new
// processing task"; while none is ready it holds the task. An SM's signal is
// its room for warps, CTAs, registers and shared memory.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/StateHash.h"
#include "emu/launch/SharedGrid.h"
#include "emu/launch/TileMapping.h"
#include "emu/sm/StreamingMultiprocessor.h"
#include <algorithm>

namespace leno {

/// CTAs go out in linear order (x fastest), one to each SM in turn while one has room.
class WorkDistributor {
public:
  /// `shared`: where other parts of the grid take their CTAs too, or null.
  WorkDistributor(Dim3 grid, const CtaNeeds &needs, SharedGrid *shared = nullptr)
      : grid(grid), needs(needs), shared(shared) {}

  bool empty() const { return closed || distributed() == grid.count(); }
  u64 distributed() const {
    return shared ? std::min(shared->nextCta.load(std::memory_order_relaxed), grid.count()) : next;
  }
  u64 left() const { return empty() ? 0 : grid.count() - distributed(); }
  const CtaNeeds &ctaNeeds() const { return needs; }
  /// No more CTAs shall start.
  void close() { closed = true; }
  /// The next CTA, for who starts it; none: there are no more.
  std::optional<Dim3> take();
  /// Starts a CTA on `sm`. False: the SM has no room, or there are no more.
  bool handOut(StreamingMultiprocessor &sm);
  /// Fills the SMs; `sms` are asked in order, each given one CTA at a time.
  void distribute(llvm::ArrayRef<std::unique_ptr<StreamingMultiprocessor>> sms);
  /// The same where the SMs can change and, by a mapping, each has CTAs of its own. Null: an SM that takes
  /// nothing now.
  void distribute(llvm::ArrayRef<StreamingMultiprocessor *> sms);

  /// S4: under a 2-D mapping an SM gets the CTAs of its own tiles only, whatever the others do. Holds over
  /// the SMs that are asked when CTAs go out, for those that are not out yet. Without one they go where there
  /// is room.
  void setMapping(TileMapping mapping);
  /// Which CTAs are out; more than `distributed` says, once there was a mapping.
  void addTo(StateHash &hash) const {
    hash.add(mapping.tileX, mapping.tileY, out.size());
    for (size_t number = 0; number < out.size(); ++number)
      if (out[number])
        hash.number(number);
  }
  /// A mapping remembers each CTA.
  static constexpr u64 mostMapped = u64(1) << 26;

private:
  Dim3 indexOf(u64 number) const {
    if (number < grid.x) // divisions take longer than a short CTA
      return {u32(number), 0, 0};
    return {u32(number % grid.x), u32(number / grid.x % grid.y), u32(number / grid.x / grid.y)};
  }
  bool handOutMapped(StreamingMultiprocessor &sm, size_t rank, size_t sms);

  Dim3 grid;
  CtaNeeds needs;
  SharedGrid *shared;
  u64 next = 0;
  bool closed = false;
  TileMapping mapping;
  // Once there was a mapping: which CTAs are out, and where each SM looks for its next; all before are out or
  // others'.
  std::vector<bool> out;
  std::vector<u64> cursors;
};

} // namespace leno
