// How much a random test tries: the usual, or a multiple of it in the long mode (test/run --long).
#pragma once

#include <cstdio>
#include <cstdlib>

namespace leno::test {

/// `usual` times LENO_TEST_EFFORT, which is 1 when it is not set.
inline unsigned effort(unsigned usual) {
  const char *factor = std::getenv("LENO_TEST_EFFORT");
  unsigned times = factor ? unsigned(std::strtoul(factor, nullptr, 10)) : 1;
  return usual * (times ? times : 1);
}

/// Whether this process tries that seed: of part k of n, which LENO_TEST_PART names as k/n, every nth.
inline bool isOurs(unsigned seed) {
  unsigned part = 0, parts = 1;
  if (const char *named = std::getenv("LENO_TEST_PART"))
    if (std::sscanf(named, "%u/%u", &part, &parts) != 2 || part >= parts) {
      std::fprintf(stderr, "LENO_TEST_PART is '%s', not k/n with k below n, as 0/2\n", named);
      std::exit(1);
    }
  return seed % parts == part;
}

} // namespace leno::test
