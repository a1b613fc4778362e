//===- Dot.h - Dot products of bytes and halves ---------------------------===//
// PTX: dp4a and dp2a, and a saturated sum (OpenCL: cl_khr_integer_dot_product).
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/semantics/Integer.h"

namespace leno::sem {

/// Part i of a word, of `bits` bits: sign- or zero-extended. A product of two of them, a half and a byte, has
/// 25 bits.
constexpr s32 packedPart(bool isUnsigned, unsigned bits, unsigned i, u32 word) {
  u32 top = word << (32 - bits * (i + 1));
  return isUnsigned ? s32(top >> (32 - bits)) : s32(top) >> (32 - bits);
}

/// A sum of products that 32 bits hold, plus c, which is unsigned when all parts are.
constexpr u32 dotResult(isa::MulSign sign, bool saturate, s32 sum, u32 c) {
  u32 total = u32(sum) + c;
  if (!saturate)
    return total;
  if (sign == isa::MulSign::U32)
    return total < c ? ~u32(0) : total;
  bool overflow = s32((u32(sum) ^ total) & (c ^ total)) < 0;
  return overflow ? u32(INT32_MAX) + (s32(c) < 0) : total;
}

/// IDP.4A: four bytes of a by four bytes of b.
struct IDP4A {
  static constexpr u32 lane(isa::IDP4AMods m, u32 a, u32 b, u32 c) {
    bool unsignedA = unsigned(m.sign) & 1, unsignedB = unsigned(m.sign) & 2;
    s32 sum = 0;
#pragma clang loop unroll(full)
    for (unsigned i = 0; i < 4; ++i)
      sum += packedPart(unsignedA, 8, i, a) * packedPart(unsignedB, 8, i, b);
    return dotResult(m.sign, m.SAT, sum, c);
  }
};

/// IDP.2A: two halves of a by the lower or (.HI) upper two bytes of b.
struct IDP2A {
  static constexpr u32 lane(isa::IDP2AMods m, u32 a, u32 b, u32 c) {
    bool unsignedA = unsigned(m.sign) & 1, unsignedB = unsigned(m.sign) & 2;
    s32 sum = 0;
#pragma clang loop unroll(full)
    for (unsigned i = 0; i < 2; ++i)
      sum += packedPart(unsignedA, 16, i, a) * packedPart(unsignedB, 8, i + 2 * m.HI, b);
    return dotResult(m.sign, m.SAT, sum, c);
  }
};

} // namespace leno::sem
