//===- Bits.h - Shifts, bit fields and bytes ------------------------------===//
// Architecture.md 4, integer family. Fields and bytes that do not exist are
// avoided by masks, not branches: the loops over lanes become vectors.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/semantics/Flags.h"
#include "isa/Modifiers.h"

namespace leno::sem {

/// SHL: amounts of 32 and more give 0; .W takes the amount modulo 32.
struct SHL {
  static constexpr u32 lane(isa::SHLMods m, u32 a, u32 b) { return m.W || b < 32 ? a << (b & 31) : 0; }
};

/// SHR: arithmetic, or logical with .u32. Amounts of 32 and more leave the sign, or 0; .W as SHL.
struct SHR {
  static constexpr u32 lane(isa::SHRMods m, u32 a, u32 b) {
    if (m.u32)
      return m.W || b < 32 ? a >> (b & 31) : 0;
    u32 amount = m.W ? b & 31 : b < 31 ? b : 31;
    return u32(s32(a) >> amount);
  }
};

/// x << amount and x >> amount with nothing left from 32 on.
constexpr u32 shiftedLeft(u32 x, u32 amount) { return amount < 32 ? x << amount : 0; }
constexpr u32 shiftedRight(u32 x, u32 amount) { return amount < 32 ? x >> amount : 0; }

/// SHF: the high word of c:a shifted left, or the low word of it shifted right, by 32 at most; .W as SHL.
struct SHF {
  static constexpr u32 lane(isa::SHFMods m, u32 a, u32 b, u32 c) {
    u32 amount = m.W ? b & 31 : b < 32 ? b : 32;
    return m.dir == isa::Direction::L ? shiftedLeft(c, amount) | shiftedRight(a, 32 - amount)
                                      : shiftedRight(a, amount) | shiftedLeft(c, 32 - amount);
  }
};

/// The lowest `length` bits set; 32 and more set all.
constexpr u32 lowBits(u32 length) { return length < 32 ? (u32(1) << length) - 1 : ~u32(0); }
/// BFE: the field of a that b's low two bytes tell (position, length), sign-extended or (.u32) not. A field
/// that reaches past bit 31 is filled from there on like one that ends in it.
struct BFE {
  static constexpr u32 lane(isa::BFEMods m, u32 a, u32 b) {
    u32 position = b & 255, length = b >> 8 & 255;
    u32 field = shiftedRight(a, position) & lowBits(length);
    u32 top =
        position + length < 32 ? position + length - 1 : 31; // wraps when both are 0: then length decides
    bool sign = !m.u32 && length != 0 && (a >> (top & 31) & 1);
    // From the field's length on, or from where a ended.
    u32 filled = lowBits(length) & shiftedRight(~u32(0), position);
    return sign ? field | ~filled : field;
  }
};

/// BFI: c with a's low bits in the field that b's low two bytes tell (position, length).
struct BFI {
  static constexpr u32 lane(isa::BFIMods, u32 a, u32 b, u32 c) {
    u32 position = b & 255, field = shiftedLeft(lowBits(b >> 8 & 255), position);
    return (shiftedLeft(a, position) & field) | (c & ~field);
  }
};

/// BREV: the bits in the other order: bits of pairs, nibbles, bytes, then the bytes themselves change places.
struct BREV {
  static constexpr u32 lane(isa::BREVMods, u32, u32 b) {
    b = (b >> 1 & 0x55555555) | (b & 0x55555555) << 1;
    b = (b >> 2 & 0x33333333) | (b & 0x33333333) << 2;
    b = (b >> 4 & 0x0f0f0f0f) | (b & 0x0f0f0f0f) << 4;
    b = (b >> 8 & 0x00ff00ff) | (b & 0x00ff00ff) << 8;
    return b >> 16 | b << 16;
  }
};

/// POPC: the number of ones.
struct POPC {
  static constexpr u32 lane(isa::POPCMods m, u32, u32 b) {
    return u32(__builtin_popcount(b ^ (0 - u32(m.invB))));
  }
};

/// FLO: the highest one, or of a signed number the highest bit that differs from the sign; .SH tells it as
/// the shift that brings it to bit 31. None: all ones.
struct FLO {
  static constexpr u32 lane(isa::FLOMods m, u32, u32 b) {
    u32 x = b ^ (0 - u32(m.invB));
    u32 word = m.u32 ? x : x ^ u32(s32(x) >> 31);
    u32 zeros = u32(__builtin_clz(word | 1));
    return word == 0 ? ~u32(0) : m.SH ? zeros : 31 - zeros;
  }
};

/// PRMT: four of the eight bytes of c:a, each chosen by a nibble of b or by a mode.
struct PRMT {
  static constexpr u32 lane(isa::PRMTMods m, u32 a, u32 b, u32 c) {
    u32 result = 0;
#pragma clang loop unroll(full)
    for (u32 k = 0; k < 4; ++k) {
      u32 nibble = chosen(m.mode, b, k);
      u32 byte = (nibble & 4 ? c : a) >> (nibble & 3) * 8 & 255;
      byte = nibble & 8 ? 0 - (byte >> 7) & 255 : byte;
      result |= byte << k * 8;
    }
    return result;
  }

private:
  /// The byte of c:a that goes to byte k; bit 3 asks for its sign instead.
  static constexpr u32 chosen(isa::Permute mode, u32 selector, u32 k) {
    u32 s = selector & 3;
    switch (mode) {
    case isa::Permute::IDX:
      return selector >> k * 4 & 15;
    case isa::Permute::F4E:
      return s + k;
    case isa::Permute::B4E:
      return (s - k) & 7;
    case isa::Permute::RC8:
      return s;
    case isa::Permute::ECL:
      return s > k ? s : k;
    case isa::Permute::ECR:
      return s < k ? s : k;
    case isa::Permute::RC16:
      return (s & 1) * 2 + (k & 1);
    }
    return 0;
  }
};

} // namespace leno::sem
