#include "emu/engine/RunAhead.h"
#include "asm/support/Assert.h"
#include "emu/program/OpFacts.h"
#include "emu/semantics/Memory.h"
#include "emu/sm/Cta.h"
#include "isa/Modifiers.h"
#include <cstring>

using namespace leno;

/// Of one that steers: no lane executes it, but models of memory would count an access.
static bool doesNothing(const Warp &warp, const Op &op) {
  return !(op.flags & (Op::popSync | Op::setSync)) && !warp.executing(op) && !warp.memoryModelled;
}

static bool isUniformBranch(const Warp &warp, const Op &op) {
  return op.semantic == Semantic::BRA && !(op.flags & Op::setSync) && warp.executing(op) == warp.active;
}

/// Of others, but LDS: whether it neither traps now nor ends the warp, waits for the stack's memory, or
/// accesses memory.
static bool staysAlone(const Warp &warp, const Op &op, bool stackIsOnChip) {
  const LaneMask lanes = warp.executing(op);
  const isa::Flow flow = flowOf(op.semantic);
  const bool isUniform = lanes == 0 || lanes == warp.active;
  if (flow == isa::Flow::Branch && isUniform && !(op.flags & Op::setSync))
    return true;
  if (flow == isa::Flow::Exit || (flow == isa::Flow::Next && !(op.flags & Op::popSync)))
    return false;
  const DivergenceStack &stack = warp.divergence();
  if (!stackIsOnChip || stack.depth() + 2 > stack.limit()) // one for .SSY, and its own
    return false;
  auto canLeave = [&](Reason reason) {
    return !lanes || warp.active != lanes || stack.resumesWithout(lanes, reason);
  };
  switch (flow) {
  case isa::Flow::Branch:
    return isUniform || !branchModsOf(op).isUniform;
  case isa::Flow::Brk:
    return canLeave(Reason::Brk);
  case isa::Flow::Cont:
    return canLeave(Reason::Cont);
  case isa::Flow::Ret:
    return canLeave(Reason::Ret);
  case isa::Flow::Next: // that joins
    return canLeave(Reason::None);
  default: // pushes and calls
    return true;
  }
}

/// Of LDS: whether it reads what it would read in its turn, and does not trap.
static bool readsStill(const Warp &warp, const Op &op) {
  Cta &cta = warp.cta();
  if (!cta.sharedIsStill(warp, op))
    return false;
  isa::LDSMods mods;
  std::memcpy(&mods, op.mods, sizeof(mods));
  const u64 bytes = sem::bytesOf(mods.size), size = cta.shared().size();
  const u32 *bases = reinterpret_cast<const u32 *>(warp.frame + op.a), offset = u32(op.immediate);
  const LaneMask lanes = warp.executing(op);
  u32 any = 0; // bits that some address has: no address is above
  if (lanes == allLanes)
    for (unsigned lane = 0; lane < laneCount; ++lane)
      any |= bases[lane] + offset;
  else
    for (LaneMask left = lanes; left; left &= left - 1)
      any |= bases[__builtin_ctz(left)] + offset;
  if (any & (bytes - 1))
    return false;
  if (any + bytes <= size)
    return true;
  for (LaneMask left = lanes; left; left &= left - 1)
    if (u32(bases[__builtin_ctz(left)] + offset) + bytes > size)
      return false;
  return true;
}

void leno::runAhead(Warp &warp, bool stackIsOnChip) {
  const Op *op = warp.pc, *first = op;
  AheadLog &log = warp.aheadLog;
  LaneMask active = warp.active;
  log.clear();
  unsigned count = 0;
  for (; count < mostAhead; ++count) {
    const Op *next;
    if (op->flags & Op::alone) [[likely]] {
      next = op->fn(warp, *op);
    } else if (!(op->flags & Op::steers)) {
      break;
    } else if (doesNothing(warp, *op) || (isUniformBranch(warp, *op) && !log.isFull())) {
      next = op->fn(warp, *op);
    } else if (op->semantic == Semantic::LDS) {
      if (!readsStill(warp, *op))
        break;
      next = op->fn(warp, *op);
    } else if (!log.isFull() && staysAlone(warp, *op, stackIsOnChip)) {
      const StackCounters &counters = warp.tokens().counters();
      const StackCounters before = counters;
      next = op->fn(warp, *op);
      if (counters.pushes != before.pushes || counters.pops != before.pops)
        log.addStackChange(count, before);
    } else {
      break;
    }
    LENO_ASSERT(next, "an operation that only its warp sees has stopped it");
    if (next != ++op || warp.active != active) {
      log.add(first, unsigned(op - first), active);
      op = first = next;
      active = warp.active;
    }
  }
  if (op != first)
    log.add(first, unsigned(op - first), active);
  warp.pc = op;
  warp.ahead = count;
}
