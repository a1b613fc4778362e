//===- Barrier.h - One of a CTA's sixteen barriers ------------------------===//
// Architecture.md 4. Warps arrive, some of them wait, and a reduction gathers a
// predicate of their lanes, until as many have arrived as are needed: a
// counted number, or all that have not exited.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/warp/WarpState.h"
#include <string>

namespace leno {

class Barrier {
public:
  /// What a warp brings.
  struct Arrival {
    BarrierOperation operation;
    unsigned warpsNeeded; ///< 0: all of the CTA that have not exited
    unsigned lanes;       ///< that execute the instruction
    unsigned holding;     ///< of these, those whose predicate is true
  };

  /// Why warp number `warp` cannot arrive so; empty when it can.
  std::string refusal(unsigned warp, const Arrival &arrival) const;
  /// Nothing has refused it.
  void arrive(unsigned warp, const Arrival &arrival);
  /// `live`: the warps of the CTA (a bit each) that have not exited.
  bool isComplete(u64 live) const;
  /// Of the next use nobody has arrived yet.
  void reset() { *this = {}; }

  u64 arrived() const { return here; }
  /// Of these, those that wait.
  u64 waiting() const { return here & ~passed; }
  unsigned warpsNeeded() const { return needed; }
  BarrierOperation operation() const { return common; }
  /// The number of lanes for Popc, 0 or 1 for And and Or.
  u32 result() const;

private:
  u64 here = 0, passed = 0; ///< warps that have arrived; of these, those that go on
  unsigned needed = 0;
  BarrierOperation common = BarrierOperation::Sync;
  u32 lanes = 0, holding = 0;
};

} // namespace leno
