#include "emu/launch/WholeWarps.h"
#include "emu/launch/GridRun.h"

using namespace leno;

WholeWarps::WholeWarps(GridRun &grid) : grid(grid), places(grid.sms().size()) {}

/// The CTAs that go out next, one to an SM.
bool WholeWarps::begin() {
  warp = 0;
  sm = 0;
  for (const size_t most = grid.ctasToTake(); count < most; ++count) {
    std::optional<Dim3> index = grid.takeCta();
    if (!index)
      break;
    Place &place = places[count];
    if (!place.warp)
      std::tie(place.cta, place.warp) = grid.sms()[count]->lend();
    place.cta->startAt(*place.warp, *index, grid.needs().warps, u32(grid.needs().sharedBytes));
    place.isClean &= !grid.needs().sharedBytes; // whose window it has
  }
  return count;
}

/// False: that was not its end.
bool WholeWarps::takeTurn(size_t number, u64 turn) {
  Place &place = places[number];
  Warp &its = *place.warp;
  if (place.isClean)
    its.startAgain(warp);
  else
    its.start(*place.cta, warp);
  const Tier::Whole whole = grid.runWhole(its, turn);
  place.isClean = whole.hasEnded && its.lanesLaunched() == allLanes && !its.local.size;
  executed = whole.instructions;
  return whole.hasEnded || its.status == WarpStatus::Exited;
}

WholeWarps::Ran WholeWarps::run(u64 most, u64 turn) {
  Ran ran;
  while (count || begin()) {
    const unsigned last = grid.needs().warps - 1;
    for (; warp <= last; ++warp, sm = 0)
      for (; sm < count; ++sm) {
        if (ran.ticks + turn > most)
          return ran;
        const bool hasEnded = takeTurn(sm, turn);
        ran.ticks += executed;
        if (!hasEnded) {
          isAtWork = true;
          ran.stays = places[sm].warp;
          ran.ofTurn = executed;
          return ran;
        }
        ran.ticks += warp == last; // what comes of it
      }
    count = 0;
  }
  return ran;
}

size_t WholeWarps::settle() {
  const CtaNeeds &needs = grid.needs();
  for (size_t i = 0; i < places.size(); ++i) {
    Place &place = places[i];
    if (!place.warp)
      continue;
    const unsigned begun = warp + (i < sm);
    StreamingMultiprocessor &its = *grid.sms()[i];
    if (i < count && begun < needs.warps)
      its.adopt(std::move(place.cta), *place.warp, begun, isAtWork && i == sm, needs);
    else
      its.giveBack(std::move(place.cta), *place.warp);
  }
  const size_t next = count ? (sm + isAtWork) % places.size() : 0;
  places.clear();
  count = 0;
  return next;
}
