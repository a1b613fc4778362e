//===- OpFacts.h - What an operation does, from the records ---------------===//
#pragma once
#include "emu/program/Op.h"
#include "isa/Facts.h"

namespace leno {

isa::Facts factsOf(const Op &op);
isa::Flow flowOf(Semantic semantic);

/// What BRA and JMP say beside their guard.
struct BranchMods {
  bool isUniform;  ///< .U promises it
  bool testsFlags; ///< the condition codes decide, too
};
/// Of one of these two.
BranchMods branchModsOf(const Op &op);

} // namespace leno
