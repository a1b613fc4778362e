//===- WarpPast.h - A warp as it was before the last move -----------------===//
// So that a view can mark what a step has changed.
//===----------------------------------------------------------------------===//
#pragma once

#include "dbg/WarpContext.h"
#include "emu/sm/Cta.h"

namespace leno::dbg {

/// Registers, predicates and flags: what a step changes in a warp itself.
class WarpPast {
public:
  explicit WarpPast(const Warp &warp)
      : grid(&warp.grid()), cta(warp.cta().index()), index(warp.index()), active(warp.active),
        codes(warp.codes) {
    std::copy(std::begin(warp.predicates), std::end(warp.predicates), predicates);
    for (unsigned reg = 0; reg < warp.registers(); ++reg)
      for (unsigned lane = 0; lane < laneCount; ++lane)
        registers.push_back(warp.readRegister(reg, lane));
  }
  bool isOf(const Warp &warp) const {
    return &warp.grid() == grid && warp.cta().index() == cta && warp.index() == index;
  }

private:
  friend class PastContext;
  const GridRun *grid; ///< compared only
  Dim3 cta;
  unsigned index;
  LaneMask active;
  LaneMask predicates[std::extent_v<decltype(WarpState::predicates)>];
  ConditionCodes codes;
  std::vector<u32> registers; ///< a row of lanes each
};

/// The same warp as it was; memory and the rest as they are now.
class PastContext : public WarpContext {
public:
  PastContext(const LaunchInFocus &launch, Warp *warp, unsigned lane, UserValues &user, Timeline *timeline,
              const WarpPast &past)
      : WarpContext(launch, warp, lane, user, timeline), past(past) {}

  llvm::Expected<LaneMask> activeMask() const override { return past.active; }
  llvm::Expected<u32> readRegister(unsigned reg, unsigned lane) const override {
    llvm::Expected<u32> now = WarpContext::readRegister(reg, lane);
    if (now && size_t(reg) * laneCount < past.registers.size())
      return past.registers[size_t(reg) * laneCount + lane];
    return now;
  }
  llvm::Expected<LaneMask> readPredicate(unsigned predicate) const override {
    return past.predicates[predicate];
  }
  llvm::Expected<LaneMask> readFlag(Flag flag) const override {
    switch (flag) {
    case Flag::Overflow:
      return past.codes.overflow;
    case Flag::Carry:
      return past.codes.carry;
    case Flag::Sign:
      return past.codes.sign;
    case Flag::Zero:
      break;
    }
    return past.codes.zero;
  }

private:
  const WarpPast &past;
};

} // namespace leno::dbg
