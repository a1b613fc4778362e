#include "emu/launch/PhasedCta.h"
#include "asm/support/Assert.h"
#include "emu/engine/Interpreter.h"
#include "emu/launch/GridRun.h"
#include <algorithm>
#include <cstring>

using namespace leno;

PhasedCta::PhasedCta(GridRun &grid, StreamingMultiprocessor &sm)
    : grid(grid), sm(sm), warps(grid.needs().warps) {
  std::tie(cta, itsPlace) = sm.lend();
  makeRooms();
  itsPlace->start(*cta, 0);
}

PhasedCta::PhasedCta(GridRun &grid, StreamingMultiprocessor &sm, std::unique_ptr<Cta> resident)
    : grid(grid), sm(sm), cta(std::move(resident)), itsPlace(cta->warps().front()),
      warps(grid.needs().warps) {
  makeRooms();
  const std::vector<Warp *> before = cta->warps().vec();
  for (Warp *warp : before) {
    const unsigned index = warp->index();
    State &its = warps[index];
    its.next = u32(grid.indexOf(*warp->pc));
    if (warp->exited())
      continue;
    alive |= u64(1) << index;
    its.executed = warp->instructions;
    warp->endStretch();
    std::memcpy(its.words.frame, warp->frame, size_t(grid.registers()) * rowBytes);
    std::copy_n(warp->local.host, localBytes, localOf(index));
    if (warp->status == WarpStatus::AtBarrier)
      wait(u64(1) << index, grid.indexOf(*warp->barrierOp));
    takeFrom(*warp);
  }
  cta->gather(*itsPlace);
  for (Warp *warp : before)
    if (warp != itsPlace)
      sm.giveBack(*warp);
  itsPlace->start(*cta, 0);
}

bool PhasedCta::canTake(const Cta &cta) {
  u64 waits = 0;
  std::optional<unsigned> barrier;
  for (const Warp *warp : cta.warps()) {
    if (warp->exited())
      continue;
    if (warp->ahead || warp->locksHeld || warp->stepOver || warp->clockIsFresh)
      return false;
    if (warp->status == WarpStatus::Ready)
      continue;
    if (warp->status != WarpStatus::AtBarrier || !Cta::isPlainBarrier(*warp->barrierOp) ||
        warp->divergence().depth() || warp->active != warp->divergence().live() ||
        warp->barrierLanes != warp->active)
      return false;
    const unsigned number = unsigned(warp->barrierOp->immediate);
    if (barrier.value_or(number) != number)
      return false;
    barrier = number;
    waits |= u64(1) << warp->index();
  }
  for (unsigned number = 0; number < Cta::barrierCount; ++number)
    if (cta.barrier(number).arrived() != (number == barrier ? waits : 0))
      return false;
  return !cta.finished();
}

/// Each warp's registers and local memory.
void PhasedCta::makeRooms() {
  ahead.warps.resize(warps.size());
  static_assert(frame::sinkRow == -8);
  ownFrame = itsPlace->frame;
  ownLocal = itsPlace->local.host;
  localBytes = localBytesOf(itsPlace->local.size);
  locals.resize(localBytes / rowBytes * warps.size());
  const size_t below = 8 + grid.poolWords().size(), rows = below + grid.registers();
  frames = std::make_unique<Row[]>(rows * warps.size());
  for (size_t i = 0; i < warps.size(); ++i) {
    Row *zero = &frames[rows * i + below];
    warps[i].words.frame = reinterpret_cast<unsigned char *>(zero);
    for (size_t k = 0; k < grid.poolWords().size(); ++k)
      std::fill_n(zero[frame::firstPoolRow - s64(k)].lane, laneCount, grid.poolWords()[k]);
  }
  for (unsigned i = 0; i < warps.size(); ++i)
    ahead.turns.push_back({&warps[i].words, i, 0});
}

/// As Warp::start would have them.
void PhasedCta::begin(Dim3 index) {
  const CtaNeeds &needs = grid.needs();
  cta->startAt(*itsPlace, index, needs.warps, u32(needs.sharedBytes));
  itsPlace->shared = cta->sharedWindow();
  alive = ~u64(0) >> (64 - needs.warps);
  waiting = 0;
  isTogether = isNew = true;
  blank = alive;
  for (State &each : warps) {
    each.words = {each.words.frame, allLanes, {}, {}};
    each.words.predicates[truePredicate] = allLanes;
    each.next = u32(grid.launch().entry / 8);
    each.executed = each.past = 0;
    each.deepest = 0;
    each.isApart = false;
    each.killed = 0;
    std::fill_n(each.waiting, 5, 0);
    each.stack.clear();
  }
  if (const u64 lanes = grid.launch().block.count() % laneCount) { // of the last one
    warps.back().words.active = (LaneMask(1) << lanes) - 1;
    warps.back().isApart = true;
  }
  llvm::fill(locals, Row());
}

/// When it is near that they are used.
void PhasedCta::clear(u64 those) {
  for (u64 left = blank & those; left; left &= left - 1)
    std::memset(warps[unsigned(__builtin_ctzll(left))].words.frame, 0, size_t(grid.registers()) * rowBytes);
  blank &= ~those;
}

//===--- At the place -----------------------------------------------------===//

/// All but its registers.
void PhasedCta::restore(Warp &to) const {
  const State &its = warps[to.index()];
  to.active = its.words.active;
  std::copy_n(its.words.predicates, 9, to.predicates);
  to.codes = its.words.codes;
  to.instructions = its.executed;
  to.past = its.past;
  DivergenceStack &stack = to.divergence();
  stack.setMaxDepth(its.deepest);
  if (!its.isApart)
    return;
  for (size_t i = its.stack.size(); i-- > 0;)
    stack.giveBack(its.stack[i]);
  std::copy_n(its.waiting, 5, stack.waitingLanes());
  stack.kill(its.killed);
}

void PhasedCta::takeFrom(Warp &from) {
  State &its = warps[from.index()];
  its.words.active = from.active;
  std::copy_n(from.predicates, 9, its.words.predicates);
  its.words.codes = from.codes;
  its.past = from.past;
  DivergenceStack &stack = from.divergence();
  its.deepest = stack.maxDepth();
  its.isApart = from.active != allLanes || stack.depth();
  if (!its.isApart)
    return;
  for (its.stack.clear(); stack.depth();)
    its.stack.push_back(stack.take());
  std::copy_n(stack.waitingLanes(), 5, its.waiting);
  its.killed = stack.killed();
}

/// In the frame that it has.
void PhasedCta::makeReal(unsigned warp) {
  itsPlace->start(*cta, warp, warps[warp].words.frame);
  restore(*itsPlace);
}

/// Up to a barrier, the warp's end or what can't go on so.
Tier::Phase PhasedCta::runPiece(unsigned warp, u64 budget) {
  State &its = warps[warp];
  const u32 past = u32(std::min<u64>(its.past, budget));
  its.past -= past;
  if (past == budget)
    return {past, Tier::PhaseEnd::Paused, its.next};
  budget -= past;
  itsPlace->local.host = localOf(warp);
  bool isReal = its.isApart;
  Tier::Phase phase;
  if (isReal) {
    clear(u64(1) << warp);
    makeReal(warp);
    itsPlace->pc = grid.opAt(its.next);
    phase = grid.resumeInPhase(*itsPlace, budget);
  } else {
    if (itsPlace->lanesLaunched() != allLanes)
      makeReal(warp);
    itsPlace->startAgain(warp);
    itsPlace->divergence().setMaxDepth(its.deepest);
    const bool isBlank = blank >> warp & 1;
    blank &= ~(u64(1) << warp);
    phase = grid.runPhase(*itsPlace, its.words, its.next, budget, isBlank);
    its.deepest = itsPlace->divergence().maxDepth();
    isReal = phase.end == Tier::PhaseEnd::Left;
    if (isReal) {
      makeReal(warp);
      phase = grid.goOnInPhase(*itsPlace, budget);
    }
  }
  phase.instructions += past;
  if (phase.end == Tier::PhaseEnd::Paused)
    takeFrom(*itsPlace);
  if (phase.end != Tier::PhaseEnd::Barrier)
    return phase;
  const Op *now = grid.opAt(phase.at);
  if (waiting && barrier->immediate != now->immediate) { // what comes of that the barriers know
    if (!isReal)
      makeReal(warp);
    itsPlace->pc = now;
    phase.end = Tier::PhaseEnd::Left;
    return phase;
  }
  ++phase.instructions;
  if (isReal)
    takeFrom(*itsPlace);
  grid.executedBarrier(phase.at, its.words.active);
  return phase;
}

/// At that barrier.
void PhasedCta::wait(u64 those, size_t at) {
  const Op *now = grid.opAt(at);
  areAlike = !waiting || (areAlike && barrier == now);
  barrier = now;
  waiting |= those;
}

/// Where all wait they do no more.
bool PhasedCta::meet() {
  if (waiting != alive)
    return false;
  waiting = 0;
  isTogether = areAlike;
  return true;
}

/// Who comes to a barrier last goes on at once.
Tier::PhaseEnd PhasedCta::takeTurn(unsigned warp, u64 turn, u64 &executed) {
  const u64 bit = u64(1) << warp;
  State &its = warps[warp];
  for (executed = 0;;) {
    if (std::exchange(isTogether, false) && !ahead.turnsLeft)
      goAhead(warp, turn, executed);
    if (isAhead(warp)) {
      executed += tell(warp);
      LENO_ASSERT(executed <= turn, "a phase that was run ahead does not fit into its turn");
      if (waiting || executed == turn)
        return Tier::PhaseEnd::Barrier;
      continue;
    }
    const u64 begun = goOnBehind(warp);
    Tier::Phase phase = runPiece(warp, turn - executed - begun);
    phase.instructions += begun;
    isNew = false;
    executed += phase.instructions;
    its.executed += phase.instructions;
    sm.advance(phase.instructions);
    if (phase.end == Tier::PhaseEnd::Left) {
      itsPlace->instructions = its.executed;
      return phase.end;
    }
    if (phase.end == Tier::PhaseEnd::Ended) {
      alive &= ~bit;
      its.next = u32(phase.at);
      its.isApart = false;
    } else if (phase.end == Tier::PhaseEnd::Paused) {
      its.next = u32(phase.at);
      return phase.end;
    } else {
      its.next = u32(phase.at + 1);
      wait(bit, phase.at);
    }
    if (!meet() || phase.end == Tier::PhaseEnd::Ended || executed == turn)
      return phase.end;
  }
}

//===--- Ahead of turns ---------------------------------------------------===//

/// What phases change. False: that is more than going ahead is worth.
bool PhasedCta::keep(const Tier::OwnPhases &own) {
  const llvm::ArrayRef<u32> rows = ahead.isNew ? llvm::ArrayRef<u32>() : llvm::ArrayRef(own.rows);
  const llvm::ArrayRef<u8> shared = own.writesShared ? cta->shared() : llvm::ArrayRef<u8>();
  if (rows.size() * rowBytes + shared.size() / warps.size() > mostKept)
    return false;
  ahead.rows.assign(rows.begin(), rows.end());
  ahead.words.resize(rows.size() * warps.size());
  Row *kept = ahead.words.data();
  for (unsigned i = 0; i < warps.size(); ++i) {
    ahead.warps[i] = warps[i].words;
    for (u32 row : rows)
      *kept++ = rowsOf(i)[row];
  }
  ahead.shared.assign(shared.begin(), shared.end());
  return true;
}

void PhasedCta::forget() {
  for (unsigned i = 0; i < warps.size(); ++i)
    if (const size_t had = turnsOf(i)) {
      for (size_t phase = 0; phase < had; ++phase)
        warps[i].executed += ahead.instructionsOf(phase, i);
      warps[i].next = u32(ahead.phases[had - 1].at + 1);
    }
  ahead.phases.clear();
  ahead.instructions.clear();
  ahead.told = ahead.turnsLeft = 0;
  ahead.isBegun = false;
}

/// One phase of all warps; `ofFirst`: what the first one has executed in its turn, and afterwards that of the
/// next phase. False: it is not such.
bool PhasedCta::runAhead(size_t from, u64 turn, u64 &ofFirst) {
  std::vector<compiled::OwnTurn *> &order = ahead.inOrder;
  const std::optional<Tier::OwnTurns> ran = grid.runOwnPhase(*itsPlace, from, order, turn, ofFirst);
  if (!ran) {
    ahead.told = ahead.phases.size();
    goBack();
    ahead.told = 0;
    return false;
  }
  const bool areAll = ran->count == order.size();
  if (ran->count) {
    const size_t phase = ahead.phases.size();
    Ahead::Phase its{from, ran->barrier, 0, 0};
    ahead.instructions.resize((phase + 1) * warps.size());
    for (const compiled::OwnTurn *each : llvm::ArrayRef(order).take_front(ran->count)) {
      its.warps |= u64(1) << each->warp;
      its.instructions += ahead.instructionsOf(phase, each->warp) =
          each->instructions + 1; // with the barrier
    }
    ahead.phases.push_back(its);
    ahead.turnsLeft += ran->count;
  }
  if (!areAll) {
    const compiled::OwnTurn &behind = *order[ran->count];
    ahead.isBegun = true;
    ahead.warp = behind.warp;
    ahead.next = ran->next;
    ahead.begun = behind.instructions;
    ++ahead.turnsLeft;
    return false;
  }
  ofFirst = (order.size() == 1 ? ofFirst : 0) + order.back()->instructions + 1;
  std::rotate(order.begin(), order.end() - 1, order.end());
  return true;
}

/// All phases that nobody else can tell the time of, from where the warps are.
void PhasedCta::goAhead(unsigned first, u64 turn, u64 executed) {
  size_t from = warps[first].next;
  const Tier::OwnPhases *own = grid.ownPhases(from);
  ahead.isNew = isNew;
  if (!own || !own->areSeveral || llvm::any_of(warps, [](const State &each) { return each.isApart; }) ||
      !keep(*own))
    return;
  ahead.order.clear();
  ahead.inOrder.clear();
  for (u64 behind : {~u64(0) << first, ~(~u64(0) << first)})
    for (u64 left = alive & behind; left; left &= left - 1) {
      ahead.order.push_back(u8(__builtin_ctzll(left)));
      ahead.inOrder.push_back(&ahead.turns[ahead.order.back()]);
    }
  clear(alive);
  while (runAhead(from, turn, executed) && executed < turn && ahead.phases.size() < mostAhead) {
    from = ahead.phases.back().at + 1;
    if (!grid.ownPhases(from))
      break;
  }
  if (!ahead.turnsLeft)
    forget();
}

/// So many instructions of its turn have executed before.
u64 PhasedCta::goOnBehind(unsigned warp) {
  if (!ahead.isBegun || ahead.warp != warp)
    return 0;
  LENO_ASSERT(ahead.turnsLeft == 1, "a turn has begun before others that come first");
  forget();
  warps[warp].next = u32(ahead.next);
  return ahead.begun;
}

/// The turn of a ready warp whose next phase has executed before; returns its instructions.
u64 PhasedCta::tell(unsigned warp) {
  const Ahead::Phase &phase = ahead.phases[ahead.told];
  const u64 instructions = ahead.instructionsOf(ahead.told, warp);
  isNew = false;
  sm.advance(instructions);
  wait(u64(1) << warp, phase.at);
  ahead.told += meet();
  if (!--ahead.turnsLeft)
    forget();
  return instructions;
}

//===--- Visits -----------------------------------------------------------===//

/// What phases have been told, and who waits, behind one more visit. Who comes to a barrier last goes on at
/// once, and so do those that have waited there and come later in the visit.
std::pair<size_t, u64> PhasedCta::behindVisit(size_t told, u64 waits) const {
  for (u64 ready = alive & ~waits;; ready = alive) {
    const u64 last = u64(1) << (63 - __builtin_clzll(ready));
    waits = alive & ~(last - 1);
    ++told;
    if (waits != alive)
      return {told, waits};
  }
}

unsigned PhasedCta::visits(unsigned most) const {
  if (ahead.order.size() < 2 || !ahead.turnsLeft)
    return 0;
  // Of the last phase some may not have executed, and behind it a turn may have begun.
  unsigned count = 0;
  size_t told = ahead.told;
  for (u64 waits = waiting; count < most; ++count) {
    std::tie(told, waits) = behindVisit(told, waits);
    if (told + 1 >= ahead.phases.size())
      break;
  }
  return count;
}

u64 PhasedCta::instructionsOf(size_t phase, u64 those) {
  u64 instructions = 0;
  for (; those; those &= those - 1)
    instructions += ahead.instructionsOf(phase, unsigned(__builtin_ctzll(those)));
  return instructions;
}

PhasedCta::Visited PhasedCta::visit(unsigned times) {
  const size_t warpsOfAll = ahead.order.size();
  Visited visited{times * warpsOfAll, 0, waiting, ahead.told, ahead.turnsLeft};
  for (unsigned i = 0; i < times; ++i)
    std::tie(ahead.told, waiting) = behindVisit(ahead.told, waiting);
  auto countOf = [](u64 those) { return u64(__builtin_popcountll(those)); };
  ahead.turnsLeft -= (ahead.told - visited.told) * warpsOfAll + countOf(waiting) - countOf(visited.waiting);
  visited.instructions = instructionsOf(ahead.told, waiting) - instructionsOf(visited.told, visited.waiting);
  for (size_t phase = visited.told; phase < ahead.told; ++phase)
    visited.instructions += ahead.phases[phase].instructions;
  barrier = grid.opAt(ahead.phases[ahead.told].at);
  areAlike = true;
  isNew = isTogether = false;
  sm.advance(visited.instructions);
  return visited;
}

void PhasedCta::takeBack(const Visited &visited) {
  waiting = visited.waiting;
  ahead.told = visited.told;
  ahead.turnsLeft = visited.turnsLeft;
  barrier = grid.opAt(ahead.phases[ahead.told].at);
  sm.advance(0 - visited.instructions);
}

/// To where its warps have come to in their turns.
void PhasedCta::goBack() {
  for (unsigned i = 0; i < warps.size(); ++i) {
    warps[i].words = ahead.warps[i];
    if (ahead.isNew)
      std::memset(warps[i].words.frame, 0, size_t(grid.registers()) * rowBytes);
    for (size_t k = 0; k < ahead.rows.size(); ++k)
      rowsOf(i)[ahead.rows[k]] = ahead.words[i * ahead.rows.size() + k];
  }
  std::copy(ahead.shared.begin(), ahead.shared.end(), cta->shared().begin());
  for (size_t phase = 0; phase < ahead.phases.size(); ++phase)
    for (size_t i = 0; i < ahead.order.size(); ++i)
      if (const unsigned warp = ahead.warpAt(phase, i); turnsOf(warp) > phase)
        interpret(warp, ahead.phases[phase].from, ahead.instructionsOf(phase, warp) - 1);
}

void PhasedCta::interpret(unsigned warp, size_t from, u64 instructions) {
  makeReal(warp);
  itsPlace->pc = grid.opAt(from);
  [[maybe_unused]] const u64 done =
      instructions ? Interpreter().run(*itsPlace, instructions).instructions : 0;
  LENO_ASSERT(done == instructions, "a phase does not execute as it has before");
  takeFrom(*itsPlace);
}

//===--- From and to the others -------------------------------------------===//

void PhasedCta::settle(std::optional<unsigned> atWork) {
  if (ahead.turnsLeft) {
    LENO_ASSERT(!atWork, "a warp is at work behind phases that were run ahead");
    goBack();
    forget();
  }
  clear(alive);
  const unsigned number = atWork.value_or(unsigned(__builtin_ctzll(alive)));
  itsPlace->frame = ownFrame;
  itsPlace->local.host = ownLocal;
  Cta &its = sm.adopt(std::move(cta), *itsPlace, {number, alive, atWork.has_value()});
  for (Warp *warp : its.warps()) {
    const unsigned index = warp->index();
    if (index != atWork)
      warp->pc = grid.opAt(warps[index].next);
    if (warp->exited() && index != atWork)
      continue;
    std::memcpy(warp->frame, warps[index].words.frame, size_t(grid.registers()) * rowBytes);
    std::copy_n(localOf(index), localBytes, warp->local.host);
    if (index == atWork)
      continue;
    restore(*warp);
    if (waiting >> index & 1)
      its.hasArrived(*warp, *grid.opAt(warps[index].next - 1));
  }
}

void PhasedCta::giveBack() {
  itsPlace->frame = ownFrame;
  itsPlace->local.host = ownLocal;
  sm.giveBack(std::move(cta), *itsPlace);
}
