// Which tier runs what a test launches.
#pragma once
#include "emu/compiled/TierChoice.h"
#include <cstdlib>
#include <string>

namespace leno::test {

/// The tier of launches that are made while it lives.
class TierScope {
public:
  explicit TierScope(const char *tier) {
    if (const char *named = std::getenv(tierVariable))
      before = named;
    setenv(tierVariable, tier, 1);
  }
  ~TierScope() { setenv(tierVariable, before.c_str(), 1); }
  TierScope(const TierScope &) = delete;
  TierScope &operator=(const TierScope &) = delete;

private:
  std::string before;
};

} // namespace leno::test
