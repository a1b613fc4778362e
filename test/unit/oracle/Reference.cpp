#include "Reference.h"
#include <bit>
#include <cmath>

namespace leno::test {

u64 Format::one() const { return (sign() >> 1) - (u64(1) << fraction); }

const Format &formatOf(isa::FloatFormat format) {
  switch (format) {
  case isa::FloatFormat::F16:
    return half;
  case isa::FloatFormat::F64:
    return doubled;
  default:
    return single;
  }
}

mpfr_rnd_t modeOf(isa::Round mode) {
  static const mpfr_rnd_t modes[] = {MPFR_RNDN, MPFR_RNDD, MPFR_RNDU, MPFR_RNDZ};
  return modes[unsigned(mode)];
}

void Number::set(u64 pattern, const Format &format) {
  if (format.bits == 64) {
    mpfr_set_d(value, std::bit_cast<double>(pattern), MPFR_RNDN);
    return;
  }
  if (format.bits == 32) {
    mpfr_set_flt(value, std::bit_cast<float>(u32(pattern)), MPFR_RNDN);
    return;
  }
  unsigned fraction = pattern & 0x3ff, exponent = pattern >> 10 & 31;
  bool isNegative = pattern & 0x8000;
  if (exponent == 31)
    fraction ? mpfr_set_nan(value) : mpfr_set_inf(value, isNegative ? -1 : 1);
  else {
    double x = exponent ? std::ldexp(1024 + fraction, int(exponent) - 25) : std::ldexp(fraction, -24);
    mpfr_set_d(value, isNegative ? -x : x, MPFR_RNDN);
  }
}

// MPFR's manual, mpfr_subnormalize: round in a wide range of exponents, then narrow it.
u64 Result::pattern(int ternary, isa::Round mode) {
  mpfr_exp_t least = mpfr_get_emin(), most = mpfr_get_emax();
  mpfr_set_emin(format.least);
  mpfr_set_emax(format.most);
  ternary = mpfr_check_range(value, ternary, modeOf(mode));
  mpfr_subnormalize(value, ternary, modeOf(mode));
  mpfr_set_emin(least);
  mpfr_set_emax(most);
  if (mpfr_nan_p(number()))
    return format.canonicalNan();
  double x = mpfr_get_d(value, MPFR_RNDN); // exact
  if (format.bits == 64)
    return std::bit_cast<u64>(x);
  if (format.bits == 32)
    return std::bit_cast<u32>(float(x));
  u64 sign = std::signbit(x) ? 0x8000 : 0;
  if (std::isinf(x))
    return sign | 0x7c00;
  if (x == 0)
    return sign;
  int exponent = std::ilogb(x);
  double scaled = std::fabs(x);
  return exponent < -14 ? sign | u64(std::ldexp(scaled, 24))
                        : sign | (u64(exponent + 14) * 1024 + u64(std::ldexp(scaled, 10 - exponent)));
}

} // namespace leno::test
