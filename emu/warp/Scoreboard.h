//===- Scoreboard.h - When the registers of a warp are there --------------===//
// With units.model=scoreboard (emu/sm/Units.h). Values are written at once, so
// that results cannot depend on it: these are times.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/StateHash.h"
#include "emu/program/OpNeeds.h"
#include <algorithm>
#include <vector>

namespace leno {

/// When a warp's registers and its state are there.
class Scoreboard {
public:
  void reset(unsigned registers) { times.assign(registers + states + 1, 0); }
  /// The cycle from which an operation finds all that it reads, and can write.
  u64 readyFrom(const OpNeeds &needs) const {
    u64 cycle = 0;
    auto wait = [&](u64 time) { cycle = std::max(cycle, time); };
    eachRegister(times, needs.written, wait);
    for (unsigned i = 0; i < needs.reads; ++i)
      eachRegister(times, needs.read[i], wait);
    eachState(times, needs.stateRead | needs.stateWritten, wait);
    return cycle;
  }
  /// And all there is.
  u64 readyFrom() const { return times.back(); }
  /// An operation's results come in that cycle.
  void write(const OpNeeds &needs, u64 cycle) {
    auto set = [&](u64 &time) { time = cycle; };
    eachRegister(times, needs.written, set);
    eachState(times, needs.stateWritten, set);
    times.back() = std::max(times.back(), cycle);
  }
  void addTo(StateHash &hash) const { hash.all(times); }

private:
  static constexpr size_t states = 12;
  /// Those that are there: a program may name others, which read as nothing.
  template <class Times, class Each>
  static void eachRegister(Times &times, OpNeeds::Registers registers, const Each &each) {
    size_t end = std::min<size_t>(registers.first + registers.count, times.size() - states - 1);
    for (size_t reg = registers.first; reg < end; ++reg)
      each(times[reg]);
  }
  template <class Times, class Each> static void eachState(Times &times, unsigned bits, const Each &each) {
    for (; bits; bits &= bits - 1)
      each(times[times.size() - states - 1 + unsigned(__builtin_ctz(bits))]);
  }

  std::vector<u64> times; ///< of registers, of state, of the last; empty: not modelled
};

} // namespace leno
