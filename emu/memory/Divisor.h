//===- Divisor.h - A divisor that is mostly a power of two ----------------===//
#pragma once
#include "emu/warp/Lanes.h"

namespace leno {

/// Sizes of caches are chosen once and divided by at each access; a shift takes a tenth of a division.
class Divisor {
public:
  explicit Divisor(u64 value)
      : value(value), shift(value && !(value & (value - 1)) ? unsigned(__builtin_ctzll(value)) : 64) {}

  operator u64() const { return value; }
  u64 quotient(u64 number) const { return shift < 64 ? number >> shift : number / value; }
  u64 remainder(u64 number) const { return shift < 64 ? number & (value - 1) : number % value; }

private:
  u64 value;
  unsigned shift; ///< 64: not a power of two
};

} // namespace leno
