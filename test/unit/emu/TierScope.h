// Which tier runs what a test launches, and in what pieces.
#pragma once
#include "emu/compiled/RegionPlan.h"
#include "emu/compiled/TierChoice.h"
#include "emu/launch/GridRun.h"
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

/// Launches that begin while it lives have code in parts of so many operations at most.
class PartScope {
public:
  explicit PartScope(u32 most) : before(compiled::RegionPlan::usualOfPart.exchange(most)) {}
  ~PartScope() { compiled::RegionPlan::usualOfPart = before; }
  PartScope(const PartScope &) = delete;
  PartScope &operator=(const PartScope &) = delete;

private:
  const u32 before;
};

/// Warps that have become resident while it lives stay so for that many instructions.
class ResidentScope {
public:
  explicit ResidentScope(u64 most) : before(GridRun::usuallyResident.exchange(most)) {}
  ~ResidentScope() { GridRun::usuallyResident = before; }
  ResidentScope(const ResidentScope &) = delete;
  ResidentScope &operator=(const ResidentScope &) = delete;

private:
  const u64 before;
};

} // namespace leno::test
