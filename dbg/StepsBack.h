//===- StepsBack.h - Where a warp stood before ----------------------------===//
#pragma once

#include "dbg/Timeline.h"
#include "llvm/ADT/ArrayRef.h"

namespace leno::dbg {

/// A moment in which a warp is about to execute an instruction.
struct Footstep {
  u64 tick;
  WarpPosition whose;
  u64 pc = 0;
  size_t calls = 0; ///< it is in that many calls
  bool isOf(const Footstep &other) const { return whose == other.whose; }
  static Footstep of(u64 tick, const Warp &warp, u64 pc);
};

/// A step that did more than execute one instruction of its warp: others ran at a barrier, or the focus moved
/// on when the warp had exited.
struct Jump {
  Footstep from;
  u64 to;
  WarpPosition focus; ///< afterwards
  bool ledTo(const Footstep &step) const { return to == step.tick && focus == step.whose; }
};

/// How many calls a warp is in.
size_t callsOf(const Warp &warp);

/// Walks back over what one warp has executed, and over jumps. The machine is in its past while this lives.
class StepsBack {
public:
  StepsBack(Timeline &timeline, const Machine &machine, llvm::ArrayRef<Jump> jumps)
      : timeline(timeline), machine(machine), jumps(jumps), trip(timeline) {}

  /// Where the step came from that led to `here`; nullopt: the warp had executed nothing before.
  std::optional<Footstep> before(const Footstep &here);

private:
  Timeline &timeline;
  const Machine &machine;
  llvm::ArrayRef<Jump> jumps;
  Timeline::Excursion trip;
  /// Visits the stretch before `first`, for the warp of `here`.
  void look(const Footstep &here);
  /// What only grows while a warp executes; nullopt: it has not started.
  std::optional<u64> executed(const Footstep &warp) const;

  std::vector<Footstep> window; ///< of one warp, a stretch of time
  u64 first = 0;                ///< where it begins
  std::optional<Footstep> whose;
};

} // namespace leno::dbg
