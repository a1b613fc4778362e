// Handlers around those of operations while they are counted (OperationCounts.h).
//
// Where no lane passes an operation's guard there is nothing to count. Where it is known before what to
// count, the operation itself comes last: a jump, not a call.
#include "emu/engine/ServiceWarp.h"
#include "emu/engine/Services.h"
#include "emu/launch/GridRun.h"

using namespace leno;

static OperationCounts &countsOf(Warp &warp) { return warp.grid().operationCounts(); }

static const Op *countedGuard(WarpState &state, const Op &op) {
  Warp &warp = warpOf(state);
  countsOf(warp).guarded(warp.grid().indexOf(op), warp.executing(op));
  return op.inner(state, op); // nothing around it could keep it from ending
}

static const Op *countedGuardIfItEnds(WarpState &state, const Op &op) {
  Warp &warp = warpOf(state);
  LaneMask lanes = warp.executing(op);
  const Op *next = service::uncounted(op)(state, op);
  if (next)
    countsOf(warp).guarded(warp.grid().indexOf(op), lanes);
  return next;
}

/// Counts an operation that has executed, after which the active lanes are others, or that went where only
/// few go.
[[gnu::noinline]] static void endStretch(Warp &warp, const Op &op, LaneMask lanes, const Op *next) {
  const size_t index = warp.grid().indexOf(op);
  if (hasGuard(op))
    countsOf(warp).guarded(index, lanes);
  countsOf(warp).leave(index + 1, warp.stretch); // where no group goes on
  if (next)
    warp.beginStretch(*next);
}

static const Op *countedEach(WarpState &state, const Op &op) {
  Warp &warp = warpOf(state);
  LaneMask lanes = warp.executing(op);
  if (!lanes)
    return service::uncounted(op)(state, op);
  const Op *next = service::uncounted(op)(state, op);
  if (!next && warp.stoppedBefore(op)) [[unlikely]]
    return nullptr;
  const Op *behind = next ? next : warp.pc;
  const bool isJump = behind != &op + 1;
  const bool toTarget = isJump && op.flags & Op::hasTarget && behind == &op + 1 + op.immediate;
  if (warp.active != warp.stretch.active || isJump != toTarget) [[unlikely]]
    endStretch(warp, op, lanes, next);
  else if (toTarget) // all have passed its guard
    countsOf(warp).jump(warp.grid().indexOf(op), warp.stretch);
  else if (hasGuard(op))
    countsOf(warp).guarded(warp.grid().indexOf(op), lanes);
  return next;
}

static const Op *countedBranch(WarpState &state, const Op &op) {
  Warp &warp = warpOf(state);
  LaneMask lanes = warp.executing(op);
  if (lanes && lanes != warp.active)
    return countedEach(state, op);
  if (lanes)
    countsOf(warp).jump(warp.grid().indexOf(op), warp.stretch);
  return op.inner(state, op);
}

Handler service::counted(const Op &op) {
  switch (op.counting) {
  case Counting::WithOthers:
    return uncounted(op);
  case Counting::Guard:
    return countedGuard;
  case Counting::GuardIfItEnds:
    return countedGuardIfItEnds;
  case Counting::Branch:
    return countedBranch;
  case Counting::Each:
    return countedEach;
  }
  return nullptr;
}
