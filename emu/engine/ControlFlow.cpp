// Branches, calls and joins: what they make of the active mask and the stack (Architecture.md 5).
#include "emu/engine/CallPath.h"
#include "emu/engine/ServiceWarp.h"
#include "emu/engine/Services.h"
#include "emu/launch/GridRun.h"
#include "emu/program/OpFacts.h"
#include "emu/sm/Cta.h"
#include "llvm/Support/FormatVariadic.h"

using namespace leno;
using llvm::formatv;

const Op *service::brokenUniform(WarpState &state, const Op &op, LaneMask taken) {
  return warpOf(state).trap(
      op, TrapKind::Divergent, taken,
      formatv("a branch with .U is taken by lanes {0:x8} and not by {1:x8}", taken, state.active & ~taken));
}

std::vector<CallSite> leno::callPath(const Warp &warp) {
  std::vector<CallSite> path;
  const DivergenceStack &stack = warp.divergence();
  for (size_t i = stack.depth(); i-- > 0;) {
    Token entry = stack.at(i);
    if (entry.type != TokenType::Call)
      continue;
    u64 pc = entry.pc; // a pre-return has no call before it
    if (pc > 0)
      if (flowOf(warp.grid().opAt(pc - 1)->semantic) == isa::Flow::Call)
        --pc;
    if (!path.empty() && path.back().pc == pc * 8)
      ++path.back().times;
    else
      path.push_back({pc * 8, 1});
  }
  return path;
}

/// Returns false.
[[gnu::noinline]] static bool stackOverflow(Warp &warp, const Op &op, TokenType type) {
  warp.trap(
      op, TrapKind::StackOverflow, warp.active,
      formatv("a {0} entry exceeds the nesting limit of {1}", tokenTypeName(type), warp.divergence().limit()),
      std::nullopt, callPath(warp));
  return false;
}

[[gnu::noinline]] static void tellPush(Warp &warp, const Op &op, const Token &token) {
  GridRun &grid = warp.grid();
  const DivergenceStack &stack = warp.divergence();
  if (StackEvents *events = grid.stackEvents(op)) {
    ++events->pushes[size_t(token.type)];
    grid.operationCounts().noteDepth(stack.depth());
  }
  grid.tell(Observer::Stack, [&](Observer &o) {
    o.push(warp, op, token, {stack.depth() - 1, stack.placeOf(stack.depth() - 1)});
  });
}

static void tellDivergence(Warp &warp, const Op &op, LaneMask taken, LaneMask stays) {
  if (StackEvents *events = warp.grid().stackEvents(op))
    ++events->divergences;
  warp.grid().tell(Observer::Divergence, [&](Observer &o) { o.divergence(warp, op, taken, stays); });
}

/// Pushes or traps.
static bool pushToken(Warp &warp, const Op &op, TokenType type, LaneMask mask, const Op *at) {
  Token token{type, mask, u32(warp.grid().indexOf(*at))};
  DivergenceStack &stack = warp.divergence();
  if (canBeWatched && warp.stackWatched) [[unlikely]]
    warp.pc = &op; // whose transfers and waits are told
  if (!stack.push(token)) [[unlikely]]
    return stackOverflow(warp, op, type);
  if (canBeWatched && warp.stackWatched) [[unlikely]]
    tellPush(warp, op, token);
  return true;
}

/// The lanes that `.S` of a branch will join when it is done. CHOICE: those whose guard is true, also where
/// the test of the flags keeps them from the branch: they do not run on behind it.
static LaneMask joining(const Warp &warp, const Op &op) {
  return op.flags & Op::popSync ? warp.executing(op) : 0;
}

const Op *service::diverge(WarpState &state, const Op &op, LaneMask taken) {
  Warp &warp = warpOf(state);
  LaneMask stays = warp.active & ~taken, waits = stays & ~joining(warp, op);
  if (waits && !pushToken(warp, op, TokenType::Div, waits, &op + 1))
    return nullptr;
  tellDivergence(warp, op, taken, stays);
  warp.active = taken;
  return &op + 1 + op.immediate;
}

// Architecture.md 5: the target of the lowest lane runs first. Lanes that go elsewhere run the branch again.
const Op *service::branchIndirect(WarpState &state, const Op &op, LaneMask taken, const s64 *targets,
                                  bool uniform) {
  Warp &warp = warpOf(state);
  LaneMask misaligned = 0, outside = 0, together = 0;
  s64 first = targets[lowest(taken)];
  for (LaneMask left = taken; left; left &= left - 1) {
    unsigned lane = lowest(left);
    LaneMask bit = LaneMask(1) << lane;
    misaligned |= targets[lane] % 8 ? bit : 0;
    outside |= targets[lane] < 0 || u64(targets[lane]) > warp.grid().size() * 8 ? bit : 0;
    together |= targets[lane] == first ? bit : 0;
  }
  if (LaneMask bad = misaligned ? misaligned : outside) {
    unsigned lane = lowest(bad);
    std::string why = misaligned
                          ? "is not a multiple of 8"
                          : formatv("is outside the program of {0} bytes", warp.grid().size() * 8).str();
    return warp.trap(op, misaligned ? TrapKind::MisalignedPc : TrapKind::PcOutOfRange, bad,
                     formatv("the target of lane {0}, {1:x}, {2}", lane, u64(targets[lane]), why),
                     u64(targets[lane]));
  }
  LaneMask stays = state.active & ~together;
  if (stays && uniform)
    return brokenUniform(state, op, together);
  if (stays) {
    bool isLast = together == taken;
    LaneMask waits = isLast ? stays & ~joining(warp, op) : stays;
    if (waits && !pushToken(warp, op, TokenType::Div, waits, isLast ? &op + 1 : &op))
      return nullptr;
    tellDivergence(warp, op, together, stays);
    state.active = together;
  }
  return warp.grid().opAt(u64(first) / 8);
}

const Op *service::push(WarpState &state, const Op &op, Push what) {
  static constexpr TokenType types[] = {TokenType::Sync, TokenType::Brk, TokenType::Cont, TokenType::Call};
  Warp &warp = warpOf(state);
  return pushToken(warp, op, types[unsigned(what)], warp.active, &op + 1 + op.immediate) ? &op + 1 : nullptr;
}

const Op *service::call(WarpState &state, const Op &op) {
  Warp &warp = warpOf(state);
  return pushToken(warp, op, TokenType::Call, warp.active, &op + 1) ? &op + 1 + op.immediate : nullptr;
}

static DivergenceStack::Outcome unwindAndTell(Warp &warp, const Op &op) {
  warp.pc = &op; // whose transfers and waits are told
  warp.popped.clear();
  DivergenceStack::Outcome outcome = warp.divergence().unwind(&warp.popped);
  StackEvents *events = warp.grid().stackEvents(op);
  for (const DivergenceStack::Popped &entry : warp.popped) {
    if (events) {
      ++events->pops[size_t(entry.token.type)];
      events->popsOnChip += entry.place == EntryPlace::Chip || entry.place == EntryPlace::ChipAndMemory;
    }
    warp.grid().tell(Observer::Stack,
                     [&](Observer &o) { o.pop(warp, op, entry.token, {entry.entry, entry.place}); });
  }
  if (events && outcome.kind == DivergenceStack::Outcome::Resume)
    ++events->reconvergences;
  return outcome;
}

const Op *service::retire(WarpState &state, const Op &op) {
  Warp &warp = warpOf(state);
  warp.status = WarpStatus::Exited;
  warp.pc = &op;
  if (!warp.cta().warpExited(warp))
    return warp.trap(op, TrapKind::BarrierDeadlock, 0, warp.cta().describeDeadlock());
  return nullptr;
}

const Op *service::leave(WarpState &state, const Op &op, LaneMask lanes, Leave why, const Op *next) {
  Warp &warp = warpOf(state);
  DivergenceStack &stack = warp.divergence();
  if (why == Leave::Exit && warp.locksHeld && lockHeldAtExit(warp, op, lanes))
    return nullptr;
  if (why != Leave::Join)
    stack.leave(Reason(why), lanes);
  if (op.semantic == Semantic::KIL)
    stack.kill(lanes);
  state.active &= ~lanes;
  if (state.active)
    return next;
  DivergenceStack::Outcome outcome =
      canBeWatched && warp.stackWatched ? unwindAndTell(warp, op) : stack.unwind();
  switch (outcome.kind) {
  case DivergenceStack::Outcome::Resume:
    state.active = outcome.lanes;
    warp.grid().tell(Observer::Divergence,
                     [&](Observer &o) { o.reconvergence(warp, op, outcome.token, outcome.lanes); });
    return warp.grid().opAt(outcome.token.pc);
  case DivergenceStack::Outcome::Retire:
    return retire(warp, op);
  case DivergenceStack::Outcome::Fault:
    return warp.trap(op, outcome.trap, outcome.lanes, outcome.detail);
  }
  return nullptr;
}

// S0: the set synchronisation bit. SYNC is pushed before the instruction is processed, whether the branch
// diverges or not.
const Op *service::setSync(WarpState &state, const Op &op) {
  Warp &warp = warpOf(state);
  return pushToken(warp, op, TokenType::Sync, warp.active, &op + 1 + op.b) ? op.inner(state, op) : nullptr;
}

// S0: the pop synchronisation bit. The instruction executes first, then the
// lanes for which it executed join.
const Op *service::popSync(WarpState &state, const Op &op) {
  LaneMask lanes = warpOf(state).executing(op);
  const Op *next = op.flags & Op::setSync ? setSync(state, op) : op.inner(state, op);
  if (next)
    return lanes ? leave(state, op, lanes, Leave::Join, next) : next;
  // Stopped with the instruction done, at a barrier or a BPT: the warp goes on where the join leads.
  bool done =
      state.status == WarpStatus::AtBarrier || (state.status == WarpStatus::Breakpoint && state.pc != &op);
  if (done)
    if (const Op *joined = leave(state, op, lanes, Leave::Join, state.pc))
      state.pc = joined;
  return nullptr;
}
