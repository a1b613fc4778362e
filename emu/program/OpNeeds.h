//===- OpNeeds.h - What an operation takes of an SM, and waits for --------===//
#pragma once
#include "emu/warp/Lanes.h"
#include "isa/FactNames.h"

namespace leno {

/// Registers that it reads and writes, and state as bits (isa/gen/facts.py): predicates from 0 on, codes from
/// 8 on.
struct OpNeeds {
  struct Registers {
    u8 first = 0, count = 0;
  };
  Registers written, read[4];
  u16 stateRead = 0, stateWritten = 0;
  u8 reads = 0; ///< of `read` that are used
  isa::Unit unit = isa::Unit::None;
};

} // namespace leno
