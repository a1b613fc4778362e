// How much a random test tries: the usual, or a multiple of it in the long mode (test/run --long).
#pragma once

#include <cstdlib>

namespace leno::test {

/// `usual` times LENO_TEST_EFFORT, which is 1 when it is not set.
inline unsigned effort(unsigned usual) {
  const char *factor = std::getenv("LENO_TEST_EFFORT");
  unsigned times = factor ? unsigned(std::strtoul(factor, nullptr, 10)) : 1;
  return usual * (times ? times : 1);
}

} // namespace leno::test
