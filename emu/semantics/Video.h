//===- Video.h - Arithmetic on bytes and halves ---------------------------===//
// Architecture.md 4, video family: parts of sources, a result of as many bits as
// it needs, saturation, then a merge or a second operation (PTX: the scalar
// video instructions). Compares as S1 has them.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/semantics/Predicate.h"

namespace leno::sem {

/// The chosen part of a word as an exact number: sign- or zero-extended.
constexpr s64 partOf(isa::SubWord part, u32 word) {
  unsigned kind = unsigned(part) % 7; // word, two halves, four bytes; then the same unsigned
  unsigned bits = kind == 0 ? 32 : kind < 3 ? 16 : 8;
  unsigned position = kind == 0 ? 0 : kind < 3 ? (kind - 1) * 16 : (kind - 3) * 8;
  u32 top = word << (32 - bits - position);
  return unsigned(part) < 7 ? s64(s32(top) >> (32 - bits)) : s64(top >> (32 - bits));
}

constexpr s64 clamped(s64 x, unsigned bits, bool isUnsigned) {
  s64 low = isUnsigned ? 0 : -(s64(1) << (bits - 1)), high = low + (s64(1) << bits) - 1;
  return x < low ? low : x > high ? high : x;
}

/// What becomes of a result t: .SAT to the destination's range, then it stands alone, is combined with c, or
/// takes the place of a part of c.
template <class M> constexpr u32 videoResult(M m, s64 t, u32 c) {
  unsigned post = unsigned(m.post);
  bool half = m.post == isa::VideoThen::H0 || m.post == isa::VideoThen::H1;
  bool merges = post >= unsigned(isa::VideoThen::H0);
  unsigned bits = !merges ? 32 : half ? 16 : 8;
  if (m.SAT)
    t = clamped(t, bits, m.u32);
  u32 w = u32(t);
  if (merges) {
    unsigned position =
        half ? (post - unsigned(isa::VideoThen::H0)) * 16 : (post - unsigned(isa::VideoThen::B0)) * 8;
    u32 field = (~u32(0) >> (32 - bits)) << position;
    return (w << position & field) | (c & ~field);
  }
  bool less = m.u32 ? w < c : s32(w) < s32(c);
  switch (m.post) {
  case isa::VideoThen::ADD:
    return w + c;
  case isa::VideoThen::MIN:
    return less ? w : c;
  case isa::VideoThen::MAX:
    return less ? c : w;
  default:
    return w;
  }
}

struct VADD {
  static constexpr u32 lane(isa::VADDMods m, u32 a, u32 b, u32 c) {
    return videoResult(m, partOf(m.partA, a) + partOf(m.partB, b), c);
  }
};
struct VSUB {
  static constexpr u32 lane(isa::VSUBMods m, u32 a, u32 b, u32 c) {
    return videoResult(m, partOf(m.partA, a) - partOf(m.partB, b), c);
  }
};
struct VABSDIFF {
  static constexpr u32 lane(isa::VABSDIFFMods m, u32 a, u32 b, u32 c) {
    s64 difference = partOf(m.partA, a) - partOf(m.partB, b);
    return videoResult(m, difference < 0 ? -difference : difference, c);
  }
};
struct VMIN {
  static constexpr u32 lane(isa::VMINMods m, u32 a, u32 b, u32 c) {
    s64 x = partOf(m.partA, a), y = partOf(m.partB, b);
    return videoResult(m, x < y ? x : y, c);
  }
};
struct VMAX {
  static constexpr u32 lane(isa::VMAXMods m, u32 a, u32 b, u32 c) {
    s64 x = partOf(m.partA, a), y = partOf(m.partB, b);
    return videoResult(m, x < y ? y : x, c);
  }
};

/// The amount of a video shift: its part without a sign, at most 32, or (.W) modulo 32.
template <class M> constexpr unsigned videoAmount(M m, u32 b) {
  isa::SubWord part = unsigned(m.partB) < 7 ? isa::SubWord(unsigned(m.partB) + 7) : m.partB;
  s64 amount = partOf(part, b);
  return m.W ? unsigned(amount & 31) : amount < 32 ? unsigned(amount) : 32;
}

struct VSHL {
  static constexpr u32 lane(isa::VSHLMods m, u32 a, u32 b, u32 c) {
    s64 x = partOf(m.partA, a);
    unsigned amount = videoAmount(m, b);
    // By 32 every number but 0 leaves the range of any destination: its sign is enough, and 64 bits hold it.
    x = amount < 32 ? x : s64(x > 0) - s64(x < 0);
    return videoResult(m, x << amount, c);
  }
};
struct VSHR {
  static constexpr u32 lane(isa::VSHRMods m, u32 a, u32 b, u32 c) {
    return videoResult(m, partOf(m.partA, a) >> videoAmount(m, b), c);
  }
};

/// VMAD: ±a * b ± c (+ 1), scaled down, saturated; exact in 128 bits.
struct VMAD {
  static constexpr u32 lane(isa::VMADMods m, u32 a, u32 b, u32 c) {
    bool isSigned = unsigned(m.partA) < 7 || unsigned(m.partB) < 7 || m.negA;
    __int128 product = __int128(partOf(m.partA, a)) * partOf(m.partB, b);
    __int128 addend = isSigned ? s64(s32(c)) : s64(c);
    __int128 sum = (m.negA ? -product : product) + (m.negC ? -addend : addend) + m.PO;
    sum >>= m.scale == isa::VideoScale::SHR15 ? 15 : m.scale == isa::VideoScale::SHR7 ? 7 : 0;
    if (!m.SAT)
      return u32(sum);
    // Whatever 34 bits cannot hold is out of both ranges.
    s64 near = sum > (s64(1) << 33) ? s64(1) << 33 : sum < -(s64(1) << 33) ? -(s64(1) << 33) : s64(sum);
    return u32(clamped(near, 32, !isSigned && !m.negC));
  }
};

/// VSETP sets predicates by the comparison of parts, extended to 33 bits signed [S1]; VSET a register.
template <class M> constexpr bool partsCompare(M m, u32 a, u32 b) {
  s64 x = partOf(m.partA, a), y = partOf(m.partB, b);
  return holds(unsigned(m.cmp), x<y, x == y, x> y, false);
}
struct VSETP {
  static constexpr bool lane(isa::VSETPMods m, u32 a, u32 b) { return partsCompare(m, a, b); }
};
struct VSET {
  static constexpr bool lane(isa::VSETMods m, u32 a, u32 b) { return partsCompare(m, a, b); }
};

} // namespace leno::sem
