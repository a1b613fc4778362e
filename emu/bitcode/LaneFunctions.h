//===- LaneFunctions.h - Every semantic as a function of one lane ---------===//
// Meaning is written once: the functions of emu/semantics
// are compiled to LLVM bitcode too (emu/Semantics.bc in the build directory),
// `leno_lane_NAME` for each semantic that computes, so that compiled code can
// link and inline the very source that the engines run.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/warp/WarpState.h"

namespace leno::lanes {

/// What a semantic may take; each reads what it needs.
struct Operands {
  u8 mods[8];       ///< its isa::XMods
  u64 a, b, c;      ///< words in the low half. An atomic: the old value, its operand, what a swap puts there
  LaneMask p, q, r; ///< functions of a lane read bit 0, of a warp all
  ConditionCodes codes; ///< likewise
  u32 predicateWord;    ///< P2R
  LaneMask executing;   ///< VOTE
  u32 lane;             ///< SHFL
};

/// What it gives, by its shape (semantics/Shape.h) and what its function returns.
struct Outcome {
  u64 value;     ///< a word, a pair, the bits for the predicates that `select` names, the lane read or -1, a
                 ///< ballot, what memory holds then
  LaneMask u, v; ///< a test: bit 0 of each; of masks: of the whole warp; a vote: bit 0 of u
  u32 select;    ///< R2P
  ConditionCodes codes; ///< bit 0 of each: written with .CC
};

using Function = void (*)(const Operands *, Outcome *);

} // namespace leno::lanes
