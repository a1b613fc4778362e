#include "emu/launch/WholeWarps.h"
#include "emu/launch/GridRun.h"

using namespace leno;

WholeWarps::WholeWarps(GridRun &grid) : grid(grid), places(grid.sms().size()), ctas(places.size()) {
  group.warps = u32(grid.launch().block.count() / laneCount);
  group.ctas = ctas.data();
}

/// The CTAs that go out next, one to an SM.
bool WholeWarps::begin() {
  const CtaNeeds &needs = grid.needs();
  warp = 0;
  sm = 0;
  for (const size_t most = grid.ctasToTake(); count < most; ++count) {
    std::optional<Dim3> index = grid.takeCta();
    if (!index)
      break;
    Place &place = places[count];
    if (!place.warp)
      std::tie(place.cta, place.warp) = grid.sms()[count]->lend();
    place.cta->startAt(*place.warp, *index, needs.warps, u32(needs.sharedBytes));
    place.isClean &= !needs.sharedBytes; // whose window it has
    ctas[count] = {{index->x, index->y, index->z}, place.cta->sharedWindow().host, 0};
  }
  group.count = u32(count);
  return count;
}

void WholeWarps::next() {
  if (++sm == count)
    sm = 0, ++warp;
}

/// False: that was not its end.
bool WholeWarps::takeTurn(u64 turn) {
  Place &place = places[sm];
  Warp &its = *place.warp;
  if (place.isClean && warp < group.warps) // else it has fewer lanes
    its.startAgain(warp);
  else
    its.start(*place.cta, warp);
  const Tier::Whole whole = grid.runWhole(its, turn);
  place.isClean = whole.hasEnded && its.lanesLaunched() == allLanes && !its.local.size;
  executed = whole.instructions;
  return whole.hasEnded || its.status == WarpStatus::Exited;
}

/// A turn that was left in a group goes on where the warp would be.
bool WholeWarps::goOn(u64 turn) {
  Place &place = places[sm];
  place.warp->start(*place.cta, warp);
  place.isClean = false;
  executed = grid.runLeft(*common.warp, *place.warp, turn);
  return place.warp->status == WarpStatus::Exited;
}

/// A place for all warps of groups.
void WholeWarps::makeCommon() {
  const CtaNeeds &needs = grid.needs();
  std::tie(common.cta, common.warp) = grid.sms()[0]->lend();
  common.cta->startAt(*common.warp, places[0].cta->index(), needs.warps, u32(needs.sharedBytes));
  common.warp->start(*common.cta, 0);
}

/// Of all that a group can run. False: one turn is not over, or there is no room for one more.
bool WholeWarps::takeGroupTurns(u64 most, u64 turn, Ran &ran) {
  while (warp < group.warps && grid.runsGroups(turn)) {
    if (!common.warp)
      makeCommon();
    group.most = most - ran.ticks - count; // they will have ended
    group.turn = turn;
    group.warp = warp;
    group.cta = u32(sm);
    const Tier::Grouped end = grid.runGroup(*common.warp, group);
    for (size_t i = 0; i < count; ++i)
      ran.ticks += std::exchange(ctas[i].executed, 0);
    warp = group.warp;
    sm = group.cta;
    if (end == Tier::Grouped::Paused)
      return warp == group.warps;
    const bool hasEnded = goOn(turn);
    ran.ticks += executed;
    if (!hasEnded) {
      isAtWork = true;
      return false;
    }
    next();
  }
  return true;
}

bool WholeWarps::takeTurns(u64 most, u64 turn, Ran &ran) {
  for (; warp < grid.needs().warps; next()) {
    if (ran.ticks + turn + count > most)
      return false;
    const bool hasEnded = takeTurn(turn);
    ran.ticks += executed;
    if (!hasEnded) {
      isAtWork = true;
      return false;
    }
  }
  return true;
}

WholeWarps::Ran WholeWarps::run(u64 most, u64 turn) {
  Ran ran;
  while ((count || begin()) && takeGroupTurns(most, turn, ran) && takeTurns(most, turn, ran))
    ran.ticks += std::exchange(count, 0);
  if (isAtWork) {
    ran.stays = places[sm].warp;
    ran.ofTurn = executed;
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
    if (i < count && begun < needs.warps) {
      const bool isHere = isAtWork && i == sm;
      its.adopt(std::move(place.cta), *place.warp,
                {begun, ~u64(0) >> (64 - needs.warps) >> begun << begun, isHere});
      its.goOnAt(isHere);
    } else
      its.giveBack(std::move(place.cta), *place.warp);
  }
  if (common.warp)
    grid.sms()[0]->giveBack(std::move(common.cta), *common.warp);
  const size_t next = count ? (sm + isAtWork) % places.size() : 0;
  places.clear();
  count = 0;
  return next;
}
