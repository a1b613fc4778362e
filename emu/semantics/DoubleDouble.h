//===- DoubleDouble.h - About 105 bits from pairs of doubles --------------===//
// For the few arguments whose correctly rounded result 53 bits do not decide.
// Plain IEEE additions and products, rounded to nearest: the same on every
// host, with or without fused multiply-add (T. J. Dekker, 1971).
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/warp/Lanes.h"

namespace leno::sem {

/// The unevaluated sum high + low, where low is at most half of high's last place.
struct DoubleDouble {
  f64 high, low = 0;
};

/// a + b exactly, for |a| >= |b| or a = 0.
constexpr DoubleDouble orderedSum(f64 a, f64 b) {
  f64 sum = a + b;
  return {sum, b - (sum - a)};
}
/// a + b exactly.
constexpr DoubleDouble exactSum(f64 a, f64 b) {
  f64 sum = a + b, part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}
/// a * b exactly, away from overflow and underflow.
constexpr DoubleDouble exactProduct(f64 a, f64 b) {
  f64 bigA = a * 0x8000001p0, bigB = b * 0x8000001p0;
  f64 highA = bigA - (bigA - a), lowA = a - highA;
  f64 highB = bigB - (bigB - b), lowB = b - highB;
  f64 product = a * b;
  return {product, ((highA * highB - product) + highA * lowB + lowA * highB) + lowA * lowB};
}

constexpr DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  DoubleDouble high = exactSum(a.high, b.high), low = exactSum(a.low, b.low);
  DoubleDouble sum = orderedSum(high.high, high.low + low.high);
  return orderedSum(sum.high, sum.low + low.low);
}
constexpr DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  DoubleDouble product = exactProduct(a.high, b.high);
  return orderedSum(product.high, product.low + (a.high * b.low + a.low * b.high));
}
constexpr DoubleDouble operator/(DoubleDouble a, f64 b) {
  f64 quotient = a.high / b;
  DoubleDouble product = exactProduct(quotient, b);
  return orderedSum(quotient, (((a.high - product.high) - product.low) + a.low) / b);
}
constexpr DoubleDouble operator-(DoubleDouble a) { return {-a.high, -a.low}; }

/// The single nearest to the sum. The low part survives as an odd last bit of the high one, so that the
/// conversion to 24 bits or fewer rounds as if all bits were there.
inline f32 rounded(DoubleDouble x) {
  u64 bits = __builtin_bit_cast(u64, x.high);
  if (x.low != 0 && !(bits & 1))
    bits = (x.low < 0) == (x.high < 0) ? bits + 1 : bits - 1;
  return f32(__builtin_bit_cast(f64, bits));
}

} // namespace leno::sem
