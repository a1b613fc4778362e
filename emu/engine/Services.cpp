#include "emu/engine/Services.h"
#include "emu/Cta.h"
#include "emu/GridRun.h"
#include "isa/Assert.h"
#include "llvm/Support/FormatVariadic.h"
#include <atomic>

using namespace leno;
using llvm::formatv;

// Handlers see the state; every state is a warp's.
static Warp &warpOf(WarpState &state) { return static_cast<Warp &>(state); }

static unsigned lowest(LaneMask lanes) { return unsigned(__builtin_ctz(lanes)); }

//===--- Special registers ------------------------------------------------===//

static bool ramp(service::SpecialValues &values, u64 first, u32 step) {
  values.first = u32(first);
  values.step = step;
  values.isRamp = true;
  return true;
}

template <class F> static bool each(service::SpecialValues &values, F value) {
  for (unsigned lane = 0; lane < laneCount; ++lane)
    values.each[lane] = value(lane);
  values.isRamp = false;
  return true;
}

bool service::specialRegister(WarpState &state, const Op &op, SpecialValues &values) {
  using SR = isa::SpecialRegister;
  Warp &warp = warpOf(state);
  const Cta &cta = warp.cta();
  const GridRun &run = warp.grid();
  const Dim3 &block = run.launch().block, &grid = run.launch().grid;
  auto all = [&](u64 value) { return ramp(values, value, 0); };
  auto thread = [&](u32 Dim3::*axis) { // counted on from the first, which takes divisions
    Dim3 next = warp.thread(0);
    if (next.x + laneCount <= block.x) // all in one row of the block
      return ramp(values, next.*axis, axis == &Dim3::x);
    return each(values, [&](unsigned) {
      u32 value = next.*axis;
      if (++next.x == block.x) {
        next.x = 0;
        if (++next.y == block.y)
          next.y = 0, ++next.z;
      }
      return value;
    });
  };
  switch (SR reg = SR(op.extra)) {
  case SR::LANEID:
    return ramp(values, 0, 1);
  case SR::WARPID:
    return all(warp.index());
  case SR::NWARPID:
    return all(run.warpsPerCta());
  case SR::SMID:
    return all(cta.multiprocessor().index());
  case SR::NSMID:
    return all(u32(run.device().config().sm.count));
  case SR::GRIDID:
    return all(run.gridId());
  case SR::CTXID:
    return all(run.device().contextId());
  case SR::CLOCKLO:
  case SR::CLOCKHI:
    // The SM's counter moves on only when a turn ends: end it, and run this
    // instruction again with the counter up to date.
    if (!state.clockIsFresh) {
      state.status = WarpStatus::NeedsClock;
      state.pc = &op;
      return false;
    }
    state.clockIsFresh = false;
    return all(reg == SR::CLOCKLO ? state.clock : state.clock >> 32);
  case SR::TID_X:
    return thread(&Dim3::x);
  case SR::TID_Y:
    return thread(&Dim3::y);
  case SR::TID_Z:
    return thread(&Dim3::z);
  case SR::NTID_X:
    return all(block.x);
  case SR::NTID_Y:
    return all(block.y);
  case SR::NTID_Z:
    return all(block.z);
  case SR::CTAID_X:
    return all(cta.index().x);
  case SR::CTAID_Y:
    return all(cta.index().y);
  case SR::CTAID_Z:
    return all(cta.index().z);
  case SR::NCTAID_X:
    return all(grid.x);
  case SR::NCTAID_Y:
    return all(grid.y);
  case SR::NCTAID_Z:
    return all(grid.z);
  case SR::LANEMASK_EQ:
    return each(values, [](unsigned lane) { return 1u << lane; });
  case SR::LANEMASK_LT:
    return each(values, [](unsigned lane) { return (1u << lane) - 1; });
  case SR::LANEMASK_LE:
    return each(values, [](unsigned lane) { return (2u << lane) - 1; });
  case SR::LANEMASK_GT:
    return each(values, [](unsigned lane) { return ~((2u << lane) - 1); });
  case SR::LANEMASK_GE:
    return each(values, [](unsigned lane) { return ~((1u << lane) - 1); });
  case SR::SHARED_SIZE:
    return all(state.shared.size);
  case SR::SHARED_BASE:
    return all(AddressSpace::sharedWindow >> 16);
  case SR::LOCAL_BASE:
    return all(AddressSpace::localWindow >> 16);
  case SR::LOCAL_SIZE:
    return all(state.local.size);
  }
  warp.trap(op, TrapKind::IllegalOperand, warp.active, formatv("there is no special register {0}", op.extra));
  return false;
}

//===--- Control flow -----------------------------------------------------===//

const Op *service::brokenUniform(WarpState &state, const Op &op, LaneMask taken) {
  return warpOf(state).trap(
      op, TrapKind::Divergent, taken,
      formatv("a branch with .U is taken by lanes {0:x8} and not by {1:x8}", taken, state.active & ~taken));
}

/// The calls that a warp is in, the innermost first; those from one place in a row are one.
static std::vector<CallSite> callPath(const Warp &warp) {
  std::vector<CallSite> path;
  const DivergenceStack &stack = warp.divergence();
  for (size_t i = stack.depth(); i-- > 0;) {
    Token entry = stack.at(i);
    if (entry.type != TokenType::Call)
      continue;
    u64 pc = entry.pc; // a pre-return has no call before it
    if (pc > 0)
      if (Semantic before = warp.grid().opAt(pc - 1)->semantic;
          before == Semantic::CAL || before == Semantic::JCAL)
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

/// Pushes or traps.
static bool pushToken(Warp &warp, const Op &op, TokenType type, LaneMask mask, const Op *at) {
  Token token{type, mask, u32(warp.grid().indexOf(*at))};
  DivergenceStack &stack = warp.divergence();
  if (!stack.push(token)) [[unlikely]]
    return stackOverflow(warp, op, type);
  if (canBeWatched && warp.watched) [[unlikely]]
    warp.grid().tell(
        [&](Observer &o) { o.push(warp, token, {stack.depth() - 1, stack.placeOf(stack.depth() - 1)}); });
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
  if (canBeWatched && warp.watched)
    warp.grid().tell([&](Observer &o) { o.divergence(warp, taken, stays); });
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
    if (canBeWatched && warp.watched)
      warp.grid().tell([&](Observer &o) { o.divergence(warp, together, stays); });
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

static DivergenceStack::Outcome unwindAndTell(Warp &warp) {
  warp.popped.clear();
  DivergenceStack::Outcome outcome = warp.divergence().unwind(&warp.popped);
  for (const DivergenceStack::Popped &entry : warp.popped)
    warp.grid().tell([&](Observer &o) { o.pop(warp, entry.token, {entry.entry, entry.place}); });
  return outcome;
}

const Op *service::leave(WarpState &state, const Op &op, LaneMask lanes, Leave why, const Op *next) {
  Warp &warp = warpOf(state);
  DivergenceStack &stack = warp.divergence();
  if (why == Leave::Exit && warp.locksHeld && lockHeldAtExit(warp, op, lanes))
    return nullptr;
  if (why != Leave::Join)
    stack.leave(Reason(why), lanes);
  state.active &= ~lanes;
  if (state.active)
    return next;
  DivergenceStack::Outcome outcome = canBeWatched && warp.watched ? unwindAndTell(warp) : stack.unwind();
  switch (outcome.kind) {
  case DivergenceStack::Outcome::Resume:
    state.active = outcome.lanes;
    if (canBeWatched && warp.watched)
      warp.grid().tell([&](Observer &o) { o.reconvergence(warp, outcome.token, outcome.lanes); });
    return warp.grid().opAt(outcome.token.pc);
  case DivergenceStack::Outcome::Retire:
    state.status = WarpStatus::Exited;
    state.pc = &op;
    if (!warp.cta().warpExited(warp))
      return warp.trap(op, TrapKind::BarrierDeadlock, 0, warp.cta().describeDeadlock());
    return nullptr;
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

const Op *service::readConstants(WarpState &state, const Op &op) {
  Warp &warp = warpOf(state);
  if (warp.executing(op) && !warp.grid().constantCaches()->read(warp, op)) {
    state.status = WarpStatus::AwaitsConstants;
    state.pc = &op;
    return nullptr;
  }
  return op.flags & Op::popSync   ? popSync(state, op)
         : op.flags & Op::setSync ? setSync(state, op)
                                  : op.inner(state, op);
}

//===--- While operations are counted -------------------------------------===//
// Where no lane passes an operation's guard there is nothing to count. Where it is known before what to
// count, the operation itself comes last: a jump, not a call.

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
  warp.pc = &op; // for those who are told
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

bool service::isFaulty(const Op &op) {
  return llvm::is_contained({illegalInstruction, misalignedRegister, misalignedConstant, badTarget,
                             misalignedTarget, badConstantSource, endOfProgram},
                            op.inner);
}

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
  if (!cta.arrive(warp, number, arrival))
    return warp.trap(op, TrapKind::BarrierDeadlock, lanes, cta.describeDeadlock());
  // The last to arrive goes on at once, and who does not wait.
  return state.status == WarpStatus::Ready ? &op + 1 : nullptr;
}

const Op *service::breakpointTrap(WarpState &state, const Op &op, LaneMask lanes) {
  Warp &warp = warpOf(state);
  if (!warp.grid().debuggerAttached())
    return warp.trap(op, TrapKind::Breakpoint, lanes, formatv("BPT {0} without a debugger", op.immediate));
  state.status = WarpStatus::Breakpoint;
  state.pc = &op + 1;
  return nullptr;
}

const Op *service::breakpoint(WarpState &state, const Op &op) {
  state.status = WarpStatus::Breakpoint;
  state.pc = &op;
  return nullptr;
}

const Op *service::hostFence(WarpState &, const Op &op) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return &op + 1;
}

//===--- Words that cannot execute ----------------------------------------===//

const Op *service::endOfProgram(WarpState &state, const Op &op) {
  Warp &warp = warpOf(state);
  return warp.trap(op, TrapKind::PcOutOfRange, warp.active, "the program ends here: an EXIT is missing",
                   warp.addressOf(op));
}

const Op *service::illegalInstruction(WarpState &state, const Op &op) {
  Warp &warp = warpOf(state);
  u64 word = warp.grid().program().word(warp.addressOf(op) / 8);
  return warp.trap(op, TrapKind::IllegalInstruction, warp.active,
                   formatv("{0:x16} is not an instruction", word));
}

/// A trap of the lanes that would execute `op`; none: it has no effect.
static const Op *faulty(WarpState &state, const Op &op, TrapKind kind, std::string detail,
                        std::optional<u64> address = std::nullopt) {
  Warp &warp = warpOf(state);
  LaneMask lanes = warp.executing(op);
  return lanes ? warp.trap(op, kind, lanes, std::move(detail), address) : &op + 1;
}

const Op *service::misalignedRegister(WarpState &state, const Op &op) {
  return faulty(state, op, TrapKind::MisalignedRegister,
                formatv("{0} needs an aligned register pair for 64 bits, an aligned quad for 128, below RZ",
                        semanticName(op.semantic)));
}

const Op *service::misalignedConstant(WarpState &state, const Op &op) {
  return faulty(
      state, op, TrapKind::IllegalOperand,
      formatv("{0} needs a 64-bit constant at an offset that is a multiple of 8", semanticName(op.semantic)));
}

const Op *service::badTarget(WarpState &state, const Op &op) {
  Warp &warp = warpOf(state);
  u64 target = warp.addressOf(op) + 8 + u64(op.immediate) * 8;
  return faulty(state, op, TrapKind::PcOutOfRange,
                formatv("the target of {0} is outside the program of {1} bytes", semanticName(op.semantic),
                        warp.grid().size() * 8),
                target);
}

const Op *service::misalignedTarget(WarpState &state, const Op &op) {
  return faulty(state, op, TrapKind::MisalignedPc,
                formatv("the target of {0} is not a multiple of 8", semanticName(op.semantic)),
                warpOf(state).addressOf(op) + 8 + u64(op.immediate));
}

const Op *service::badConstantSource(WarpState &state, const Op &op) {
  Warp &warp = warpOf(state);
  Program::PoolRow row = warp.grid().badConstantOf(op).value_or(Program::PoolRow{});
  return faulty(state, op, TrapKind::InvalidConstantAddress,
                formatv("{0} reads 4 bytes at c[{1}][{2:x}]; the bank holds {3} bytes",
                        semanticName(op.semantic), row.bank, row.offset, state.constants[row.bank].size),
                row.offset);
}
