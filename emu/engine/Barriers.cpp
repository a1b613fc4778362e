// BAR: a warp arrives at a barrier of its CTA (Architecture.md 4).
#include "emu/engine/ServiceWarp.h"
#include "emu/engine/Services.h"
#include "emu/launch/GridRun.h"
#include "emu/sm/Cta.h"
#include "llvm/Support/FormatVariadic.h"

using namespace leno;
using llvm::formatv;

/// The lanes whose value differs from that of the lowest, which goes to `value`.
static LaneMask others(const WarpState &state, s32 offset, LaneMask lanes, u32 &value) {
  value = 0;
  if (offset == frame::zeroRow * s32(rowBytes))
    return 0;
  const u32 *words = reinterpret_cast<const u32 *>(state.frame + offset);
  value = words[lowest(lanes)];
  LaneMask different = 0;
  for (LaneMask left = lanes; left; left &= left - 1)
    different |= words[lowest(left)] != value ? left & -left : 0;
  return different;
}

const Op *service::barrier(WarpState &state, const Op &op, LaneMask lanes, BarrierOperation operation) {
  Warp &warp = warpOf(state);
  Cta &cta = warp.cta();
  auto illegal = [&](LaneMask at, std::string detail) {
    return warp.trap(op, TrapKind::IllegalOperand, at, std::move(detail));
  };
  u32 number, threads = 0;
  LaneMask different = others(state, op.a, lanes, number);
  number += u32(op.immediate);
  if (different)
    return illegal(different,
                   formatv("lanes {0:x8} name another barrier than the others, {1}", different, number));
  if (number >= Cta::barrierCount)
    return illegal(lanes,
                   formatv("there is no barrier {0}: they are 0 to {1}", number, Cta::barrierCount - 1));
  unsigned warpsNeeded = op.extra == allWarps ? 0 : op.extra;
  if (!op.extra) { // the count is in a register
    different = others(state, op.c, lanes, threads);
    if (different)
      return illegal(different,
                     formatv("lanes {0:x8} give another count than the others, {1}", different, threads));
    if (threads == 0 || threads % laneCount)
      return illegal(lanes,
                     formatv("a count of {0} threads is no positive multiple of {1}", threads, laneCount));
    warpsNeeded = threads / laneCount;
  }
  LaneMask missing = warp.divergence().live() & ~lanes;
  if (missing && !warp.grid().device().config().barrier.divergent)
    return warp.trap(
        op, TrapKind::Divergent, missing,
        formatv("lanes {0:x8} of the warp are not at barrier {1} with the others", missing, number));
  LaneMask holding = lanes & (state.predicates[op.p] ^ (0 - LaneMask(op.flips & 1)));
  Barrier::Arrival arrival{operation, warpsNeeded, unsigned(__builtin_popcount(lanes)),
                           unsigned(__builtin_popcount(holding))};
  if (std::string why = cta.barrier(number).refusal(warp.index(), arrival); !why.empty())
    return illegal(lanes, formatv("barrier {0}: {1}", number, why));
  if (operation != BarrierOperation::Arrive) {
    state.status = WarpStatus::AtBarrier;
    state.pc = &op + 1;
    warp.barrierOp = &op;
    warp.barrierLanes = lanes;
  }
  if (!cta.arrive(warp, op, number, arrival))
    return warp.trap(op, TrapKind::BarrierDeadlock, lanes, cta.describeDeadlock());
  // The last to arrive goes on at once, and who does not wait.
  return state.status == WarpStatus::Ready ? &op + 1 : nullptr;
}
