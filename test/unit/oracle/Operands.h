//===- Operands.h - Floats that are hard to round -------------------------===//
#pragma once
#include "../Effort.h"
#include "Reference.h"
#include <algorithm>
#include <random>
#include <vector>

namespace leno::test {

/// How many tuples of operands a case tries: a million, and a hundred million in the long mode (test/run
/// --long).
inline unsigned tupleCount() {
  constexpr unsigned usual = 1'000'000;
  return effort(1) < 64 ? effort(usual) : std::max(effort(usual), 100 * usual);
}

/// Patterns at and beside every border of the format: zeros, subnormals, powers of two, ties, the largest,
/// infinity, NaNs.
std::vector<u64> edges(const Format &format);

/// Random patterns: any bits, subnormals, exponents near a common one, and significands of few or all bits,
/// whose sums and products are ties or one beside them.
class Patterns {
public:
  Patterns(const Format &format, u64 seed) : format(format), borders(edges(format)), random(seed) {}
  /// The next pattern; `centre` moves now and then, so that consecutive ones meet.
  u64 next();
  u64 below(u64 bound) { return random() % bound; }

private:
  u64 significand();

  const Format &format;
  std::vector<u64> borders;
  std::mt19937_64 random;
  u64 centre = 0;
};

} // namespace leno::test
