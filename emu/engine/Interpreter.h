//===- Interpreter.h - The tier that calls one handler after the other ----===//
#pragma once
#include "emu/engine/Tier.h"

namespace leno {

class Interpreter final : public Tier {
public:
  Ran run(Warp &warp, u64 budget) override;
};

} // namespace leno
