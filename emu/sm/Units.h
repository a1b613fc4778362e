//===- Units.h - Who executes, and when results are there [S1] ------------===//
// With units.model=scoreboard an SM has units of several kinds. An instruction
// takes a unit of its kind when it issues, and the unit the next one after
// units.KIND.interval cycles. What it writes is there after units.KIND.latency
// cycles, or when memory answers. Until then its warp goes on: who reads it, or
// writes it again, waits.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/MachineConfig.h"
#include "emu/StateHash.h"
#include "isa/FactNames.h"
#include <algorithm>
#include <array>
#include <vector>

namespace leno {

/// The units of an SM.
class Units {
public:
  explicit Units(const MachineConfig::Units &config) {
    for (size_t kind = 0; kind < MachineConfig::Units::kindCount; ++kind) {
      intervals[kind] = config.kinds[kind].interval;
      freeFrom[kind].resize(config.kinds[kind].count);
    }
  }
  /// The cycle from which one of the kind can take an instruction.
  u64 readyFrom(isa::Unit kind) const {
    return kind == isa::Unit::None ? 0 : *std::ranges::min_element(freeFrom[size_t(kind)]);
  }
  void take(isa::Unit kind, u64 cycle) {
    if (kind != isa::Unit::None)
      *std::ranges::min_element(freeFrom[size_t(kind)]) = cycle + intervals[size_t(kind)];
  }
  void addTo(StateHash &hash) const {
    for (const auto &units : freeFrom)
      hash.all(units);
  }

private:
  std::array<u64, MachineConfig::Units::kindCount> intervals;
  std::array<std::vector<u64>, MachineConfig::Units::kindCount> freeFrom; ///< of each unit of a kind
};

} // namespace leno
