//===- GridOnDevice.cpp - A GridRun that has not the device to itself -------===//
#include "emu/GridRun.h"
#include "emu/device/SharedClock.h"
#include <utility>

using namespace leno;

void GridRun::share(std::unique_ptr<Scheduler> clock, TileMapping mapping, u64 cycle) {
  LENO_ASSERT(!started, "a grid is shared before it starts");
  scheduler = std::move(clock);
  distributor.setMapping(mapping);
  bool begun = begin(cycle);
  LENO_ASSERT(begun, "constants wait for another launch of the context, and it has none");
}

GridRun::Turned GridRun::turnOf(Warp &warp, u64 instructions) {
  if (executed >= spec.maxInstructions) {
    faultyWarp = &warp;
    timeout(warp, executed);
    tellCounts();
    return Turned::Trapped;
  }
  takeTurn(warp, std::min(instructions, spec.maxInstructions - executed));
  warp.endStretch(); // it may be saved, and be others' in the meantime
  std::optional<Stop> stop = afterTurn(warp);
  if (stop && stop->reason == StopReason::Trapped) {
    tellCounts();
    return Turned::Trapped;
  }
  if (stop)
    return Turned::Breakpoint;
  return ctaFinished ? Turned::CtaFinished : Turned::Ran;
}

bool GridRun::retireFinished() {
  bool any = false;
  for (const auto &sm : multiprocessors) {
    sm->retireFinished();
    if (constantsMoved())
      wakeForConstants();
    any |= !sm->residentCtas().empty();
  }
  ctaFinished = false;
  if (any || !distributor.empty())
    return false;
  tellCounts();
  end();
  return true;
}

void GridRun::kill(std::string why) {
  tellCounts();
  Trap timeout;
  timeout.kind = TrapKind::Timeout;
  timeout.detail = std::move(why);
  // CHOICE: it names the first warp that could run, though the watchdog does not depend on any.
  for (const auto &sm : multiprocessors)
    for (const auto &cta : sm->residentCtas())
      for (Warp *warp : cta->warps())
        if (warp->pc && warp->status == WarpStatus::Ready) {
          warp->trap(*warp->pc, timeout.kind, warp->active, std::move(timeout.detail));
          halted = true;
          return;
        }
  raise(std::move(timeout));
  halted = true;
}
