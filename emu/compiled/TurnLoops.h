//===- TurnLoops.h - Turns of a CTA's warps in one loop -------------------===//
#pragma once
#include "emu/compiled/CompiledCode.h"
#include "llvm/IR/Module.h"

namespace leno::compiled {

inline constexpr const char turnsPrefix[] = "leno_turns";

/// Adds a TurnsEntry to the module, of loops around copies of the region's function, one for each leader that
/// turns begin at; null where there is none.
llvm::Function *addTurnLoops(llvm::Module &module, const Region &region);

} // namespace leno::compiled
