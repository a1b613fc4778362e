#include "Operands.h"

namespace leno::test {

std::vector<u64> edges(const Format &format) {
  u64 fraction = u64(1) << format.fraction, one = format.one();
  std::vector<u64> positive = {0,
                               1,
                               2,
                               3,
                               fraction / 2,
                               fraction / 2 + 1,
                               fraction - 1,
                               fraction,
                               fraction + 1,
                               one - fraction,
                               one - 1,
                               one,
                               one + 1,
                               one + fraction / 2,
                               one + fraction - 1,
                               one + fraction,
                               one + fraction * format.fraction,
                               one + fraction * (format.fraction + 1) + 1,
                               one - fraction * (format.fraction + 1),
                               one - fraction * (format.fraction + 2),
                               one - fraction * (format.fraction + 1) + 1,
                               format.infinity() - fraction,
                               format.infinity() - 1,
                               format.infinity(),
                               format.infinity() + 1,
                               format.infinity() + fraction / 2,
                               format.canonicalNan()};
  std::vector<u64> all = positive;
  for (u64 x : positive)
    all.push_back(x | format.sign());
  return all;
}

u64 Patterns::significand() {
  u64 mask = (u64(1) << format.fraction) - 1, bits = random() & mask;
  unsigned cut = unsigned(random() % (format.fraction + 1));
  switch (random() % 4) {
  case 0: // few bits
    return bits & ~((u64(1) << cut) - 1);
  case 1: // ones to the end
    return bits | ((u64(1) << cut) - 1);
  case 2: // one bit, and perhaps the last
    return ((u64(1) << cut) | (random() & 1)) & mask;
  default:
    return bits;
  }
}

u64 Patterns::next() {
  u64 exponents = format.infinity() >> format.fraction, sign = random() & 1 ? format.sign() : 0;
  switch (random() % 16) {
  case 0:
    return borders[random() % borders.size()];
  case 1:
  case 2:
    return random() & (format.sign() | format.canonicalNan());
  case 3:
    return sign | significand(); // subnormal
  case 4:
    centre = random() % exponents;
    [[fallthrough]];
  default:
    u64 distance = random() % (2 * format.fraction + 8), exponent = centre + distance;
    exponent = random() & 1 ? centre + distance % 8 : exponent;
    return sign | (exponent % exponents) << format.fraction | significand();
  }
}

} // namespace leno::test
