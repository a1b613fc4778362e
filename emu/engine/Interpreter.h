//===- Interpreter.h - The tier that calls one handler after the other ----===//
#pragma once
#include "emu/engine/Tier.h"
#include "emu/program/Op.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace leno {

class Interpreter final : public Tier {
public:
  Ran run(Warp &warp, u64 budget) override;
  /// One instruction, where nobody watches any.
  static Ran runOne(Warp &warp);
  /// Up to `budget` of them and up to an operation that `isEnd`, but for the first one, where nobody watches
  /// instructions.
  Ran runUntil(Warp &warp, u64 budget, llvm::function_ref<bool(const Op *)> isEnd);
};

} // namespace leno
