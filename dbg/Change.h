//===- Change.h - What a user changes in the machine ----------------------===//
#pragma once

#include "dbg/LaneContext.h"
#include "emu/Machine.h"
#include <vector>

namespace leno::dbg {

/// One write of `set`, kept by position, so that it can be made again on a machine that went back.
struct Change {
  enum Kind : u8 { Register, Predicate, FlagBits, Memory, Pc, Last = Pc } kind;
  // Whose it is; of global memory, nobody's.
  Dim3 cta{0, 0, 0};
  unsigned warp = 0, lane = 0;
  unsigned number = 0; ///< of the register, predicate or Flag
  u32 value = 0;       ///< the register's, or the whole mask
  MemorySpace space = MemorySpace::Global;
  u64 address = 0; ///< of memory, or Pc: the byte address of the instruction
  std::vector<uint8_t> bytes{};
  u32 context = 0;
  u32 launch = 0; ///< of it, by GridRun::gridId(); 0: any

  /// The places were checked when it was made first.
  void apply(Machine &machine) const;
};

LaneMask &flagOf(Warp &warp, Flag flag);
/// The warp of a CTA of the context's grid, be it in context storage or not; null: it does not run.
Warp *findWarp(const Machine &machine, u32 context, u32 launch, Dim3 cta, unsigned warp);

} // namespace leno::dbg
