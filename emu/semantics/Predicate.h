//===- Predicate.h - Predicates, flags, votes, lane exchange [S1] ---------===//
// xSETP.cmp.bop Pu, Pv, a, b, {!}Pp: t = a cmp b; Pu = t bop Pp and
// Pv = !t bop Pp, from the old predicates. A set operation gives t alone;
// combining and writing are the binder's. One whose modifiers have BF sets a
// register to t bop Pp: 0 or 0xFFFFFFFF, with .BF 0.0f or 1.0f.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/semantics/Double.h"
#include "emu/semantics/Float.h"
#include "emu/semantics/Integer.h"
#include "emu/warp/WarpState.h"

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

/// The tests of floats: a NaN on either side makes the comparison unordered (IEEE 754).
template <class M> bool floatTest(M m, f32 a, f32 b) {
  a = withSigns(a, m.negA, m.absA, m.FTZ);
  b = withSigns(b, m.negB, m.absB, m.FTZ);
  return holds(unsigned(m.cmp), a<b, a == b, a> b, a != a || b != b);
}
template <class M> bool floatTest(M m, f64 a, f64 b) {
  a = withSigns(a, m.negA, m.absA);
  b = withSigns(b, m.negB, m.absB);
  return holds(unsigned(m.cmp), a<b, a == b, a> b, a != a || b != b);
}
struct FSETP {
  static bool lane(isa::FSETPMods m, f32 a, f32 b) { return floatTest(m, a, b); }
};
struct FSET {
  static bool lane(isa::FSETMods m, f32 a, f32 b) { return floatTest(m, a, b); }
};
struct DSETP {
  static bool lane(isa::DSETPMods m, f64 a, f64 b) { return floatTest(m, a, b); }
};
struct DSET {
  static bool lane(isa::DSETMods m, f64 a, f64 b) { return floatTest(m, a, b); }
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

/// PSET: the first of them into a register.
struct PSET {
  static constexpr PredicatePair masks(isa::PSETMods m, LaneMask p, LaneMask q, LaneMask r) {
    return {combine(m.bop1, combine(m.bop0, p, q), r), 0};
  }
};

/// The lanes whose flags pass a test. CHOICE: ZF and SF together say unordered, so that every state of the
/// flags is exactly one of the outcomes that a comparison has.
constexpr LaneMask passing(isa::CCTest test, const ConditionCodes &codes) {
  LaneMask zero = codes.zero, differ = codes.sign ^ codes.overflow;
  switch (test) {
  case isa::CCTest::LO:
    return ~codes.carry;
  case isa::CCTest::LS:
    return ~codes.carry | zero;
  case isa::CCTest::HI:
    return codes.carry & ~zero;
  case isa::CCTest::HS:
    return codes.carry;
  case isa::CCTest::OF:
    return codes.overflow;
  case isa::CCTest::NOF:
    return ~codes.overflow;
  case isa::CCTest::SF:
    return codes.sign;
  case isa::CCTest::NSF:
    return ~codes.sign;
  default: // the set of outcomes that it lacks (Modifiers.td)
    break;
  }
  auto unless = [&](unsigned outcome) { return unsigned(test) & outcome ? 0 : allLanes; };
  return (unless(1) & ~zero & differ) | (unless(2) & zero & ~codes.sign) | (unless(4) & ~zero & ~differ) |
         (unless(8) & zero & codes.sign);
}

/// CSETP, CSET: t = the flags pass the test.
struct CSETP {
  static constexpr PredicatePair masks(isa::CSETPMods m, LaneMask p, const ConditionCodes &codes) {
    LaneMask t = passing(m.test, codes);
    return {combine(m.bop, t, p), combine(m.bop, ~t, p)};
  }
};
struct CSET {
  static constexpr PredicatePair masks(isa::CSETMods m, LaneMask p, const ConditionCodes &codes) {
    return {combine(m.bop, passing(m.test, codes), p), 0};
  }
};

/// The 16-bit predicate register (Architecture.md 2, CHOICE): P0..P6 in bits 0-6, ZF SF CF OF in bits 8-11,
/// the rest is zero.
struct PredicateWord {
  u32 bits;
};
/// Bits of it to be written, and their values.
struct PredicateWrite {
  u32 select, values;
};

/// P2R: a copy of a, in one half the predicate register where the mask b selects it.
struct P2R {
  static constexpr u32 lane(isa::P2RMods m, u32 a, u32 b, PredicateWord word) {
    u32 shift = m.hi ? 16 : 0, selected = (b & 0xffff) << shift;
    return (a & ~selected) | (word.bits << shift & selected);
  }
};
/// R2P: the bits of the predicate register that the mask b selects, from a half of a.
struct R2P {
  static constexpr PredicateWrite lane(isa::R2PMods m, u32 a, u32 b) { return {b, m.hi ? a >> 16 : a}; }
};

/// SHFL: which lane a lane reads, or -1 when that is out of its range (PTX: shfl).
struct SHFL {
  static constexpr s32 sourceLane(isa::SHFLMods m, s32 lane, u32 b, u32 c) {
    s32 distance = s32(b & 31), clamp = s32(c & 31), segment = s32(c >> 8 & 31);
    s32 lowest = lane & segment, limit = lowest | (clamp & ~segment);
    switch (m.mode) {
    case isa::ShflMode::IDX: {
      s32 j = lowest | (distance & ~segment);
      return j <= limit ? j : -1;
    }
    case isa::ShflMode::UP:
      return lane - distance >= limit ? lane - distance : -1;
    case isa::ShflMode::DOWN:
      return lane + distance <= limit ? lane + distance : -1;
    case isa::ShflMode::BFLY:
      return (lane ^ distance) <= limit ? lane ^ distance : -1;
    }
    return -1;
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
