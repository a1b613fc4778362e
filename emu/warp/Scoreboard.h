//===- Scoreboard.h - When the registers of a warp are there --------------===//
// With units.model=scoreboard (emu/sm/Units.h). Values are written at once, so
// that results cannot depend on it: these are times.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/StateHash.h"
#include "emu/program/OpNeeds.h"
#include <algorithm>
#include <array>
#include <vector>

namespace leno {

/// When a warp's registers and its state are there.
class Scoreboard {
public:
  void reset(unsigned registers) {
    ofRegisters.assign(registers, 0);
    ofState = {};
    last = 0;
  }
  /// The cycle from which an operation finds all that it reads, and can write.
  u64 readyFrom(const OpNeeds &needs) const {
    u64 cycle = latest(needs.written);
    for (unsigned i = 0; i < needs.reads; ++i)
      cycle = std::max(cycle, latest(needs.read[i]));
    for (unsigned left = needs.stateRead | needs.stateWritten; left; left &= left - 1)
      cycle = std::max(cycle, ofState[unsigned(__builtin_ctz(left))]);
    return cycle;
  }
  /// And all there is.
  u64 readyFrom() const { return last; }
  /// An operation's results come in that cycle.
  void write(const OpNeeds &needs, u64 cycle) {
    for (unsigned i = 0; i < needs.written.count; ++i)
      if (size_t reg = needs.written.first + i; reg < ofRegisters.size())
        ofRegisters[reg] = cycle;
    for (unsigned left = needs.stateWritten; left; left &= left - 1)
      ofState[unsigned(__builtin_ctz(left))] = cycle;
    last = std::max(last, cycle);
  }
  void addTo(StateHash &hash) const {
    hash.all(ofRegisters);
    hash.all(ofState);
  }

private:
  u64 latest(OpNeeds::Registers registers) const {
    u64 cycle = 0;
    for (unsigned i = 0; i < registers.count; ++i)
      if (size_t reg = registers.first + i; reg < ofRegisters.size())
        cycle = std::max(cycle, ofRegisters[reg]);
    return cycle;
  }

  std::vector<u64> ofRegisters; ///< empty: not modelled
  std::array<u64, 12> ofState{};
  u64 last = 0;
};

} // namespace leno
