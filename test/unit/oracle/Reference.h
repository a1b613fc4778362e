//===- Reference.h - IEEE 754 results by MPFR -----------------------------===//
// Nothing here is shared with the emulator: formats, rounding and subnormals
// are MPFR's, flushing and saturation are a few comparisons of patterns.
#pragma once
#define MPFR_USE_INTMAX_T
#include "emu/warp/Lanes.h"
#include "isa/Modifiers.h"
#include <cstdint> // before mpfr.h, for its intmax_t functions
#include <mpfr.h>

namespace leno::test {

struct Format {
  unsigned bits, fraction; ///< of the pattern, and of its fraction field
  int least, most;         ///< MPFR's exponents of the least subnormal and the largest finite number
  u64 sign() const { return u64(1) << (bits - 1); }
  u64 infinity() const { return sign() - (u64(1) << fraction); }
  u64 canonicalNan() const { return sign() - 1; }
  u64 one() const;
  bool isNan(u64 x) const { return (x & ~sign()) > infinity(); }
  bool isSubnormal(u64 x) const { return (x & infinity()) == 0 && (x & ~sign()) != 0; }
  u64 flushed(u64 x) const { return isSubnormal(x) ? x & sign() : x; }
  /// To 0..1, NaN to +0.
  u64 saturated(u64 x) const { return isNan(x) || x & sign() ? 0 : x > one() ? one() : x; }
};
inline constexpr Format half{16, 10, -23, 16}, single{32, 23, -148, 128}, doubled{64, 52, -1073, 1024};
const Format &formatOf(isa::FloatFormat);

/// A number of MPFR with room for the exact value of any operand.
class Number {
public:
  explicit Number(unsigned precision = 53) { mpfr_init2(value, precision); }
  ~Number() { mpfr_clear(value); }
  Number(const Number &) = delete;
  Number &operator=(const Number &) = delete;
  operator mpfr_ptr() { return value; }
  void set(u64 pattern, const Format &format);

private:
  mpfr_t value;
};

mpfr_rnd_t modeOf(isa::Round);

/// A result in a format: hand `number()` to a function of MPFR, and its ternary value to `pattern`.
class Result {
public:
  explicit Result(const Format &format) : format(format), value(format.fraction + 1) {}
  mpfr_ptr number() { return value; }
  /// The pattern of what was rounded; every NaN is the canonical one.
  u64 pattern(int ternary, isa::Round mode);

private:
  const Format &format;
  Number value;
};

} // namespace leno::test
