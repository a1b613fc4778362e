//===- Logic.h - Bitwise operations and moves -----------------------------===//
// Architecture.md 4, integer (LOP), move and predicate use (SEL).
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/semantics/Flags.h"
#include "isa/Modifiers.h"

namespace leno::sem {

/// LOP, LOP32I: a op b, each source inverted or not; .pass gives b.
struct LOP {
  static constexpr u32 lane(isa::LOPMods m, u32 a, u32 b) {
    u32 x = a ^ (0 - u32(m.invA)), y = b ^ (0 - u32(m.invB));
    switch (m.op) {
    case isa::LogicOp::AND:
      return x & y;
    case isa::LogicOp::OR:
      return x | y;
    case isa::LogicOp::XOR:
      return x ^ y;
    case isa::LogicOp::PASS:
      return y;
    }
    return 0;
  }
};

/// LOP3: bit i of the result is bit {a_i, b_i, c_i} of the table.
struct LOP3 {
  static constexpr u32 lane(isa::LOP3Mods m, u32 a, u32 b, u32 c) {
    u32 result = 0;
#pragma clang loop unroll(full)
    for (unsigned row = 0; row < 8; ++row) // the minterms whose table bit is set
      result |= (0 - u32(m.table >> row & 1)) & (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
    return result;
  }
};

/// MOV, MOV32I: d = b.
struct MOV {
  static constexpr u32 lane(isa::MOVMods, u32, u32 b) { return b; }
};
struct MOV32I {
  static constexpr u32 lane(isa::MOV32IMods, u32, u32 b) { return b; }
};

/// SEL: a where the predicate is true, else b [S1].
struct SEL {
  static constexpr u32 lane(isa::SELMods, u32 a, u32 b, bool p) { return p ? a : b; }
};

} // namespace leno::sem
