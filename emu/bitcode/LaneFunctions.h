//===- LaneFunctions.h - Every semantic as a function of one lane ---------===//
// Meaning is written once: the functions of emu/semantics
// are compiled to LLVM bitcode too (emu/Semantics.bc in the build directory),
// `leno_lane_NAME` for each semantic that computes, so that compiled code can
// link and inline the very source that the engines run.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/WarpState.h"

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

enum class Shape : u8 {
  None, ///< acts on the warp or on memory: no function of values
  Word,
  Pair,       ///< `value`
  Test,       ///< u, v: bit 0 of each
  Masks,      ///< u, v: of the whole warp
  Select,     ///< R2P: the bits of `value` that `select` has
  SourceLane, ///< SHFL: `value` is the lane read, or -1
  Vote,       ///< `value` the ballot, bit 0 of u whether they agree
  Atomic,     ///< `value`: what memory holds then
};

struct Outcome {
  Shape shape;
  bool hasFlags; ///< codes, bit 0 of each: written with .CC
  u64 value;
  LaneMask u, v;
  u32 select;
  ConditionCodes codes;
};

using Function = void (*)(const Operands *, Outcome *);

} // namespace leno::lanes
