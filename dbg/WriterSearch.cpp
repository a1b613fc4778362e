#include "dbg/WriterSearch.h"
#include "emu/sm/Cta.h"

namespace leno::dbg {

void WriterSearch::instruction(const Warp &warp, const Op &op, LaneMask executing) {
  looked = false;
  wrote = 0;
  if (place.kind == Place::Memory || !place.isOf(warp))
    return;
  if (LaneMask lanes = executing & place.lanes) {
    // What a mask in a register picks is not told by the word: a change shows it.
    before = place.read(machine);
    looked = true;
    wrote = writes(warp.addressOf(op)) ? lanes : 0;
  }
}

void WriterSearch::memory(const Warp &warp, const Op &, const MemoryAccess &access) {
  if (place.kind != Place::Memory || access.kind == MemoryAccess::Kind::Load)
    return;
  if (LaneMask lanes = place.lanesThatTouch(access, warp)) {
    // A generic access tells each space by itself, all before the first byte moves.
    before = place.read(machine);
    looked = true;
    wrote |= lanes;
  }
}

void WriterSearch::instructionDone(const Warp &warp, const Op &op, LaneMask) {
  if (!looked)
    return;
  Place::Bits after = place.read(machine);
  if (!wrote && after == before)
    return;
  last = {timeline.tickOfVisit(),
          false,
          WarpPosition::of(warp),
          warp.addressOf(op),
          wrote ? wrote : place.lanes,
          before,
          after};
}

bool WriterSearch::isChangedBy(const Change &change) const {
  static constexpr Place::Kind kinds[] = {Place::Register, Place::Predicate, Place::FlagBit, Place::Memory};
  if (change.kind >= Change::Pc || change.context != place.context || kinds[change.kind] != place.kind ||
      (place.isOfCta() && !(change.cta == place.cta)) || (place.isOfWarp() && change.warp != place.warp))
    return false;
  bool ofLane = place.lanes >> change.lane & 1;
  switch (place.kind) {
  case Place::Register:
    return ofLane && change.number >= place.number && change.number < place.number + place.words;
  case Place::Predicate:
  case Place::FlagBit:
    return change.number == place.number;
  case Place::Memory:
    break;
  }
  return change.space == place.space && (place.space != MemorySpace::Local || ofLane) &&
         change.address < place.address + place.bytes && place.address < change.address + change.bytes.size();
}

void WriterSearch::changeByUser(const Change &change) {
  if (!isChangedBy(change))
    return;
  last.emplace();
  last->tick = timeline.tickOfVisit();
  last->byUser = true;
}

} // namespace leno::dbg
