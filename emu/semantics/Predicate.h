//===- Predicate.h - Predicate set and vote [S1] --------------------------===//
// xSETP.cmp.bop Pu, Pv, a, b, {!}Pp: t = a cmp b; Pu = t bop Pp and
// Pv = !t bop Pp, from the old predicates. A set operation gives t alone;
// combining and writing are the binder's. One whose modifiers have BF sets a
// register to t bop Pp: 0 or 0xFFFFFFFF, with .BF 0.0f or 1.0f.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/semantics/Float.h"
#include "emu/semantics/Integer.h"

namespace leno::sem {

constexpr LaneMask combine(isa::BoolOp op, LaneMask x, LaneMask y) {
  switch (op) {
  case isa::BoolOp::AND:
    return x & y;
  case isa::BoolOp::OR:
    return x | y;
  case isa::BoolOp::XOR:
    return x ^ y;
  }
  return 0;
}

/// An integer or float comparison is a set of outcomes: bit 0 less, bit 1
/// equal, bit 2 greater, bit 3 unordered. The enums' values are these sets.
constexpr bool holds(unsigned outcomes, bool less, bool equal, bool greater, bool unordered) {
  return ((outcomes & 1) && less) || ((outcomes & 2) && equal) || ((outcomes & 4) && greater) ||
         ((outcomes & 8) && unordered);
}

/// A comparison of integers, signed or unsigned. `extended` continues one of longer numbers (CHOICE): after
/// IADD.CC RZ, a, -b of the words below it compares by a - b - !CF, equal only if that is 0 and ZF says the
/// words below are equal.
constexpr bool compared(isa::Cmp cmp, bool isUnsigned, bool extended, u32 a, u32 b, Flags old) {
  if (extended) {
    Result difference = addWithFlags(a, ~b, old.carry, true, old);
    const Flags &f = difference.flags;
    bool less = isUnsigned ? !f.carry : f.sign != f.overflow;
    return holds(unsigned(cmp), less, f.zero, !less && !f.zero, false);
  }
  bool less = isUnsigned ? a < b : s32(a) < s32(b);
  bool greater = isUnsigned ? a > b : s32(a) > s32(b);
  return holds(unsigned(cmp), less, a == b, greater, false);
}

/// ISETP sets predicates by the comparison, ISET a register.
struct ISETP {
  static constexpr bool lane(isa::ISETPMods m, u32 a, u32 b, Flags old) {
    return compared(m.cmp, m.u32, m.X, a, b, old);
  }
};
struct ISET {
  static constexpr bool lane(isa::ISETMods m, u32 a, u32 b, Flags old) {
    return compared(m.cmp, m.u32, m.X, a, b, old);
  }
};

/// FSETP: a NaN on either side makes the comparison unordered (IEEE 754).
struct FSETP {
  static bool lane(isa::FSETPMods m, f32 a, f32 b) {
    a = withSigns(a, m.negA, m.absA, m.FTZ);
    b = withSigns(b, m.negB, m.absB, m.FTZ);
    return holds(unsigned(m.cmp), a<b, a == b, a> b, a != a || b != b);
  }
};

/// Two destinations of a predicate operation, over all lanes.
struct PredicatePair {
  LaneMask u, v;
};

/// PSETP: Pu = (Pp bop0 Pq) bop1 Pr; Pv = (!Pp bop0 Pq) bop1 Pr [S1, its second form].
struct PSETP {
  static constexpr PredicatePair masks(isa::PSETPMods m, LaneMask p, LaneMask q, LaneMask r) {
    return {combine(m.bop1, combine(m.bop0, p, q), r), combine(m.bop1, combine(m.bop0, ~p, q), r)};
  }
};

/// VOTE: reduces a predicate over the executing lanes; the ballot has 0 for the others.
struct VOTE {
  struct Outcome {
    bool agreed;
    LaneMask ballot;
  };
  static constexpr Outcome vote(isa::VOTEMods m, LaneMask executing, LaneMask p) {
    LaneMask ballot = p & executing;
    bool all = ballot == executing, any = ballot != 0;
    switch (m.mode) {
    case isa::VoteMode::ALL:
      return {all, ballot};
    case isa::VoteMode::ANY:
      return {any, ballot};
    case isa::VoteMode::EQ:
      return {all || !any, ballot};
    }
    return {false, 0};
  }
};

} // namespace leno::sem
