//===- Special.h - MUFU, the special functions ----------------------------===//
// Architecture.md 4, special function: the correctly rounded value, then .FTZ and
// .SAT; the same bits on every host and in every engine.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/semantics/Transcendental.h"

namespace leno::sem {

/// MUFU: d = function(b). RCP64H and RSQ64H take and give the upper word of a double.
struct MUFU {
  static u32 lane(isa::MUFUMods m, u32, u32 b) {
    if (m.function == isa::MufuFunction::RCP64H || m.function == isa::MufuFunction::RSQ64H)
      return upperWord(m, b);
    f32 x = argument(m, 0, b);
    return bitsOf(finished(value(m.function, x), m.FTZ, m.SAT));
  }

  /// Lanes are no vectors then.
  static constexpr bool isLong(isa::MUFUMods m) {
    return m.function == isa::MufuFunction::EX2 || m.function == isa::MufuFunction::LG2 ||
           m.function == isa::MufuFunction::SIN || m.function == isa::MufuFunction::COS;
  }

  // RSQ where a host has estimates of it: what it is of, the result of a number above zero, and that of
  // others.
  static bool isRoot(isa::MUFUMods m) { return m.function == isa::MufuFunction::RSQ; }
  static f32 argument(isa::MUFUMods m, u32, u32 b) { return withSigns(floatOf(b), m.negB, m.absB, m.FTZ); }
  static bool isUsual(f32 x) { return bitsOf(x) - 1 < 0x7f7fffff; }
  static u32 root(isa::MUFUMods m, f32 x, f32 estimate) {
    f32 y = reciprocalRoot(x, estimate);
    return bitsOf(m.SAT ? finished(y, m.FTZ, m.SAT) : y);
  }
  static u32 rootOfOther(isa::MUFUMods m, f32 x) { return bitsOf(finished(unusualRoot(x), m.FTZ, m.SAT)); }

private:
  static f32 unusualRoot(f32 x) {
    return x == 0 ? floatOf(bitsOf(x) | 0x7f800000) : bitsOf(x) == 0x7f800000 ? 0.0f : floatOf(canonicalNan);
  }
  static f32 value(isa::MufuFunction function, f32 x) {
    bool isInfinite = (bitsOf(x) & 0x7fffffff) == 0x7f800000;
    f32 nan = floatOf(canonicalNan);
    switch (function) {
    case isa::MufuFunction::RCP:
      return 1.0f / x;
    case isa::MufuFunction::SQRT:
      // Told by its bits: of "x < 0 ? NaN : root of x" LLVM leaves the root alone, whose NaN is the host's (on AArch64).
      return bitsOf(x) <= 0x7f800000 || bitsOf(x) == 0x80000000 ? __builtin_elementwise_sqrt(x) : nan;
    case isa::MufuFunction::RSQ:
      return isUsual(x) ? reciprocalRoot(x) : unusualRoot(x);
    case isa::MufuFunction::EX2:
      return x != x ? nan : isInfinite ? (x > 0 ? x : 0.0f) : exponential2(x);
    case isa::MufuFunction::LG2:
      return x == 0 ? -__builtin_inff() : x > 0 ? (isInfinite ? x : logarithm2(x)) : nan;
    case isa::MufuFunction::SIN:
      return x != x || isInfinite ? nan : circular(x, 0);
    case isa::MufuFunction::COS:
      return x != x || isInfinite ? nan : circular(x, 1);
    default:
      return nan;
    }
  }
  static u32 upperWord(isa::MUFUMods m, u32 b) {
    f64 x = withSigns(doubleOf(u64(b) << 32), m.negB, m.absB);
    bool isSimple = m.function == isa::MufuFunction::RCP64H || !(x > 0) || x == __builtin_inf();
    f64 y = m.function == isa::MufuFunction::RCP64H ? 1.0 / x
            : isSimple ? 1.0 / __builtin_elementwise_sqrt(x) // a zero, infinity, NaN
                       : reciprocalRoot(x);
    if (m.SAT)
      y = y > 0.0 ? (y < 1.0 ? y : 1.0) : 0.0;
    return u32(bitsOf(finished(y)) >> 32);
  }
};

} // namespace leno::sem
