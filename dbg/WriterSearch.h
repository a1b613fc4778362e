//===- WriterSearch.h - Who wrote that? -----------------------------------===//
#pragma once

#include "dbg/Place.h"
#include "dbg/Timeline.h"
#include <functional>

namespace leno::dbg {

/// A write to a place: also one that left it as it was.
struct Writer {
  u64 tick = 0; ///< before it
  bool byUser = false;
  WarpPosition by;
  u64 pc = 0;
  LaneMask lanes = 0; ///< of registers: of the place; of memory: those that wrote
  Place::Bits before{}, after{};
};

/// Keeps the last write to a place in a stretch of the past.
class WriterSearch : public HistoryVisitor {
public:
  /// `writes`: whether the instruction at an address names the place's register or predicate as a
  /// destination.
  WriterSearch(const Timeline &timeline, const Machine &machine, Place place,
               std::function<bool(u64 pc)> writes)
      : timeline(timeline), machine(machine), place(std::move(place)), writes(std::move(writes)) {}

  std::optional<Writer> last;

  void instruction(const Warp &warp, const Op &op, LaneMask executing) override;
  void memory(const Warp &warp, const Op &, const MemoryAccess &access) override;
  void instructionDone(const Warp &warp, const Op &op, LaneMask executing) override;
  void changeByUser(const Change &change) override;

private:
  bool isChangedBy(const Change &change) const;

  const Timeline &timeline;
  const Machine &machine;
  Place place;
  std::function<bool(u64)> writes;
  Place::Bits before;  ///< the instruction that executes now
  LaneMask wrote = 0;  ///< it is known to
  bool looked = false; ///< `before` is of it
};

} // namespace leno::dbg
