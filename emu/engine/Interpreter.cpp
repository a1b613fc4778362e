#include "emu/engine/Interpreter.h"
#include "emu/engine/Services.h"
#include "emu/launch/GridRun.h"
#include "emu/sm/Cta.h"

using namespace leno;

/// After so many instructions, at one that has stopped the warp.
static Tier::Ran stoppedAt(Warp &warp, const Op &op, u64 before) {
  if (!warp.stoppedBefore(op))
    return {before + 1, Tier::Why::Stopped};
  warp.stepOver = true;
  return {before, warp.status == WarpStatus::NeedsClock ? Tier::Why::NeedsClock : Tier::Why::Stopped};
}

// The execution loop. `observed` is a constant of it, so that an absent
// observer costs nothing. So is an end that never comes.
template <bool observed, class IsEnd>
static Tier::Ran execute(Warp &warp, u64 budget, IsEnd isEnd) {
  const GridRun &grid = warp.grid();
  const std::vector<Observer *> &before = grid.listenersTo(Observer::Instructions);
  const std::vector<Observer *> &behind = grid.listenersTo(Observer::Results);
  const bool &stop = grid.isStopRequested();
  const Op *op = warp.pc;
  u64 left = budget;
  u64 start = warp.multiprocessor().clock();
  Handler handler = warp.stepOver ? service::wrapped(*op) : op->fn; // its breakpoint was told already
  warp.stepOver = false;
  LaneMask lanes = 0;
  while (left > 0) {
    if constexpr (observed) {
      lanes = warp.executing(*op);
      if (handler != service::breakpoint) {
        warp.clock = start + (budget - left);
        warp.clockIsFresh = true;
        for (Observer *observer : before)
          observer->instruction(warp, *op, lanes);
      }
    }
    const Op *next = handler(warp, *op);
    if (!next)
      break;
    --left;
    if constexpr (observed) {
      warp.pc = next;
      for (Observer *observer : behind)
        observer->instructionDone(warp, *op, lanes);
      if (stop) {
        op = next;
        break;
      }
    }
    op = next;
    if (isEnd(op))
      break;
    handler = op->fn;
  }
  if (warp.status == WarpStatus::Ready) {
    warp.pc = op;
    return {budget - left, observed && stop ? Tier::Why::Requested : Tier::Why::Budget};
  }
  if constexpr (observed)
    if (!warp.stoppedBefore(*op))
      for (Observer *observer : behind)
        observer->instructionDone(warp, *op, lanes);
  return stoppedAt(warp, *op, budget - left);
}

static constexpr auto never = [](const Op *) { return false; };

/// Apart, so that turns that nobody watches begin and end with little.
[[gnu::noinline]] static Tier::Ran executeWatched(const GridRun &grid, Warp &warp, u64 budget) {
  if (grid.wants(Observer::Counts) && !warp.stretch.active)
    warp.beginStretch(*warp.pc);
  return grid.wants(Observer::eachInstruction) ? execute<true>(warp, budget, never)
                                              : execute<false>(warp, budget, never);
}

Tier::Ran Interpreter::run(Warp &warp, u64 budget) {
  const GridRun &grid = warp.grid();
  return canBeWatched && grid.wants(Observer::eachInstruction | Observer::Counts)
             ? executeWatched(grid, warp, budget)
             : execute<false>(warp, budget, never);
}

Tier::Ran Interpreter::runOne(Warp &warp) {
  const Op &op = *warp.pc;
  Handler handler = warp.stepOver ? service::wrapped(op) : op.fn;
  warp.stepOver = false;
  const Op *next = handler(warp, op);
  if (!next) [[unlikely]]
    return stoppedAt(warp, op, 0);
  warp.pc = next;
  return {1, Why::Budget};
}

Tier::Ran Interpreter::runUntil(Warp &warp, u64 budget, const Ends &ends) {
  if (canBeWatched && warp.grid().wants(Observer::Counts) && !warp.stretch.active)
    warp.beginStretch(*warp.pc);
  return execute<false>(warp, budget, [&warp, ends](const Op *op) {
    const u8 *its = warp.active == allLanes ? ends.full : ends.any;
    return !its || its[op - ends.first];
  });
}
