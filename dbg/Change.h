//===- Change.h - What a user changes in the machine ----------------------===//
#pragma once

#include "dbg/LaneContext.h"
#include "dbg/WarpPosition.h"
#include <vector>

namespace leno::dbg {

/// One write of `set` to what is a warp's, or in its context's memory, or to its context's share: it can be made again on a machine that
/// went back.
struct Change : WarpPosition {
  enum Kind : u8 { Register, Predicate, FlagBits, Memory, Pc, Priority, Sms, Last = Sms } kind;
  unsigned lane = 0;
  unsigned number = 0; ///< of the register, predicate or Flag
  u32 value = 0;       ///< the register's, the whole mask, or Priority, Sms: the context's
  MemorySpace space = MemorySpace::Global;
  u64 address = 0; ///< of memory, or Pc: the byte address of the instruction
  std::vector<uint8_t> bytes{};

  /// The places were checked when it was made first.
  void apply(Machine &machine) const;
  /// Of Priority and Sms.
  Share share() const;
};

LaneMask &flagOf(Warp &warp, Flag flag);

} // namespace leno::dbg
