#include "emu/launch/PhasedCta.h"
#include "asm/support/Assert.h"
#include "emu/engine/Interpreter.h"
#include "emu/launch/GridRun.h"
#include <algorithm>
#include <cstring>

using namespace leno;

PhasedCta::PhasedCta(GridRun &grid, StreamingMultiprocessor &sm)
    : grid(grid), sm(sm), warps(grid.needs().warps) {
  ahead.warps.resize(warps.size());
  static_assert(frame::sinkRow == -8);
  std::tie(cta, itsPlace) = sm.lend();
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
  itsPlace->start(*cta, 0);
}

/// As Warp::start would have them.
void PhasedCta::begin(Dim3 index) {
  const CtaNeeds &needs = grid.needs();
  cta->startAt(*itsPlace, index, needs.warps, u32(needs.sharedBytes));
  itsPlace->shared = cta->sharedWindow();
  alive = ~u64(0) >> (64 - needs.warps);
  waiting = 0;
  isTogether = isNew = true;
  for (State &each : warps) {
    unsigned char *frame = each.words.frame;
    std::memset(frame, 0, size_t(grid.registers()) * rowBytes);
    each = {{frame, allLanes, {}, {}}, u32(grid.launch().entry / 8), 0, 0};
    each.words.predicates[truePredicate] = allLanes;
  }
}

//===--- At the place -----------------------------------------------------===//

void PhasedCta::restore(Warp &to) const {
  const State &its = warps[to.index()];
  std::memcpy(to.frame, its.words.frame, size_t(grid.registers()) * rowBytes);
  std::copy_n(its.words.predicates, 9, to.predicates);
  to.codes = its.words.codes;
  to.instructions = its.executed;
}

void PhasedCta::takeFrom(const Warp &from) {
  compiled::WarpWords &words = warps[from.index()].words;
  std::memcpy(words.frame, from.frame, size_t(grid.registers()) * rowBytes);
  std::copy_n(from.predicates, 9, words.predicates);
  words.codes = from.codes;
}

void PhasedCta::makeReal(unsigned warp) {
  itsPlace->start(*cta, warp);
  restore(*itsPlace);
}

/// Up to a barrier, the warp's end or what can't go on so.
Tier::Phase PhasedCta::runPiece(unsigned warp, u64 budget) {
  State &its = warps[warp];
  itsPlace->startAgain(warp);
  Tier::Phase phase = grid.runPhase(*itsPlace, its.words, its.next, budget);
  const bool isReal = phase.end == Tier::PhaseEnd::Left;
  if (isReal) {
    makeReal(warp);
    phase = grid.goOnInPhase(*itsPlace, budget);
  }
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
  grid.executedBarrier(phase.at);
  if (isReal)
    takeFrom(*itsPlace);
  return phase;
}

/// Who comes to a barrier last goes on at once.
Tier::PhaseEnd PhasedCta::takeTurn(unsigned warp, u64 turn, u64 &executed) {
  const u64 bit = u64(1) << warp;
  State &its = warps[warp];
  for (executed = 0;;) {
    if (std::exchange(isTogether, false) && !ahead.turnsLeft)
      goAhead(warp, turn, executed);
    Tier::Phase phase;
    if (isAhead(warp)) {
      const size_t k = its.turnsAhead++;
      phase = {ahead.instructionsOf(k, warp), Tier::PhaseEnd::Barrier, ahead.phases[k].at};
      LENO_ASSERT(phase.instructions <= turn - executed,
                  "a phase that was run ahead does not fit into its turn");
      if (!--ahead.turnsLeft)
        forget();
    } else {
      const u64 begun = goOnBehind(warp);
      phase = runPiece(warp, turn - executed - begun);
      phase.instructions += begun;
    }
    isNew = false;
    executed += phase.instructions;
    its.executed += phase.instructions;
    sm.advance(phase.instructions);
    if (phase.end == Tier::PhaseEnd::Ended)
      alive &= ~bit;
    else if (phase.end == Tier::PhaseEnd::Barrier) {
      const Op *now = grid.opAt(phase.at);
      areAlike = !waiting || (areAlike && barrier == now);
      barrier = now;
      its.next = u32(phase.at + 1);
      waiting |= bit;
    } else {
      itsPlace->instructions = its.executed;
      return phase.end;
    }
    const bool isComplete = waiting == alive;
    if (isComplete) {
      waiting = 0;
      isTogether = areAlike;
    }
    if (phase.end == Tier::PhaseEnd::Ended || !isComplete || executed == turn)
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
  ahead.phases.clear();
  ahead.instructions.clear();
  ahead.ofLast = ahead.turnsLeft = 0;
  ahead.isBegun = false;
  for (State &each : warps)
    each.turnsAhead = 0;
}

/// One phase of all warps; `ofFirst`: what the first one has executed in its turn, and afterwards that of the
/// next phase. False: it is not such.
bool PhasedCta::runAhead(size_t from, u64 turn, u64 &ofFirst) {
  std::vector<Tier::OwnTurn *> &order = ahead.inOrder;
  const std::optional<Tier::OwnTurns> ran = grid.runOwnPhase(*itsPlace, from, order, turn, ofFirst);
  if (!ran) {
    for (State &each : warps)
      each.turnsAhead = u32(ahead.phases.size());
    goBack();
    for (State &each : warps)
      each.turnsAhead = 0;
    return false;
  }
  const bool areAll = ran->count == order.size();
  if (ran->count) {
    const size_t phase = ahead.phases.size();
    ahead.phases.push_back({from, ran->barrier});
    ahead.instructions.resize((phase + 1) * warps.size());
    ahead.ofLast = 0;
    for (const Tier::OwnTurn *each : llvm::ArrayRef(order).take_front(ran->count)) {
      ahead.instructionsOf(phase, each->warp) = each->instructions + 1; // with the barrier
      ahead.ofLast |= u64(1) << each->warp;
    }
    ahead.turnsLeft += ran->count;
  }
  if (!areAll) {
    const Tier::OwnTurn &behind = *order[ran->count];
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
  ahead.isNew = isNew;
  ahead.order.clear();
  ahead.inOrder.clear();
  for (u64 behind : {~u64(0) << first, ~(~u64(0) << first)})
    for (u64 left = alive & behind; left; left &= left - 1) {
      ahead.order.push_back(u8(__builtin_ctzll(left)));
      ahead.inOrder.push_back(&ahead.turns[ahead.order.back()]);
    }
  while (executed < turn && ahead.phases.size() < mostAhead) {
    const Tier::OwnPhases *own = grid.ownPhases(from);
    if (!own || (ahead.phases.empty() && !keep(*own)) || !runAhead(from, turn, executed))
      break;
    from = ahead.phases.back().at + 1;
  }
  if (!ahead.turnsLeft)
    forget();
}

/// So many instructions of its turn have executed before.
u64 PhasedCta::goOnBehind(unsigned warp) {
  if (!ahead.isBegun || ahead.warp != warp)
    return 0;
  LENO_ASSERT(ahead.turnsLeft == 1, "a turn has begun before others that come first");
  const u64 begun = ahead.begun;
  warps[warp].next = u32(ahead.next);
  forget();
  return begun;
}

/// It has executed the next phase before.
u64 PhasedCta::hadTurn(unsigned warp) {
  State &its = warps[warp];
  const u64 instructions = ahead.instructionsOf(its.turnsAhead, warp);
  its.next = u32(ahead.phases[its.turnsAhead].at + 1);
  ++its.turnsAhead;
  --ahead.turnsLeft;
  its.executed += instructions;
  waiting |= u64(1) << warp;
  return instructions;
}

// The last turn of all phases is another's: it goes on with what is behind them.
bool PhasedCta::pass(u64 among, Passed &passed) {
  u64 those = ready() & among;
  if (!those || ahead.order.size() < 2)
    return false;
  const size_t phase = warps[unsigned(__builtin_ctzll(those))].turnsAhead;
  const unsigned last = 63 - unsigned(__builtin_clzll(those));
  const bool isLast = phase + 1 >= ahead.phases.size();
  if (isLast)
    those &= phase < ahead.phases.size() ? ahead.ofLast : 0;
  if (isLast && those == ready())
    those &= ~(u64(1) << last);
  if (!those)
    return false;
  passed = {those, waiting, phase};
  barrier = grid.opAt(ahead.phases[phase].at);
  areAlike = true;
  u64 instructions = 0;
  for (u64 left = those; left; left &= left - 1)
    instructions += hadTurn(unsigned(__builtin_ctzll(left)));
  if (waiting == alive) { // who has come last goes on
    waiting = 0;
    instructions += hadTurn(last);
    barrier = grid.opAt(ahead.phases[phase + 1].at);
  }
  passed.instructions = instructions;
  sm.advance(instructions);
  return true;
}

u64 PhasedCta::takeBack(const Passed &passed, u64 those) {
  u64 instructions = 0;
  for (u64 left = those; left; left &= left - 1) {
    const unsigned warp = unsigned(__builtin_ctzll(left));
    State &its = warps[warp];
    for (; its.turnsAhead > passed.phase; ++ahead.turnsLeft) {
      const u64 ofTurn = ahead.instructionsOf(--its.turnsAhead, warp);
      its.executed -= ofTurn;
      instructions += ofTurn;
    }
    its.next = u32(ahead.phases[passed.phase].from);
  }
  waiting = passed.waitedBefore | (passed.warps & ~those);
  barrier = grid.opAt(ahead.phases[passed.phase].at);
  sm.advance(0 - instructions);
  return instructions;
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
      if (const unsigned warp = ahead.warpAt(phase, i); warps[warp].turnsAhead > phase)
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
  const unsigned number = atWork.value_or(unsigned(__builtin_ctzll(alive)));
  Cta &its = sm.adopt(std::move(cta), *itsPlace, {number, alive, atWork.has_value()});
  for (Warp *warp : its.warps()) {
    const unsigned index = warp->index();
    if (warp->exited() || index == atWork)
      continue;
    restore(*warp);
    warp->pc = grid.opAt(warps[index].next);
    if (waiting >> index & 1)
      its.hasArrived(*warp, *grid.opAt(warps[index].next - 1));
  }
}

void PhasedCta::giveBack() { sm.giveBack(std::move(cta), *itsPlace); }
