//===- Interpreter.h - The tier that calls one handler after the other ----===//
#pragma once
#include "emu/engine/Tier.h"
#include "emu/program/Op.h"

namespace leno {

class Interpreter final : public Tier {
public:
  Ran run(Warp &warp, u64 budget) override;
  /// One instruction, where nobody watches any.
  static Ran runOne(Warp &warp);
  /// Operations that a run goes up to, by index in the program: for warps all of whose lanes are active, and for
  /// others. Null: at once.
  struct Ends {
    const Op *first;
    const u8 *full, *any;
  };
  /// Up to `budget` of them and up to an end, but for the first one, where nobody watches instructions.
  Ran runUntil(Warp &warp, u64 budget, const Ends &ends);
};

} // namespace leno
