//===- GridClock.h - The time that passes for a grid ----------------------===//
// Architecture.md 11. The machine says in which cycle a warp issues. With the cycle
// model an instruction takes a cycle and what it waits for. Without it nothing
// takes time; where several contexts share the machine, a turn takes as many
// cycles as it has instructions.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/sm/Cta.h"
#include "emu/sm/StreamingMultiprocessor.h"
#include <algorithm>

namespace leno {

/// What the cycle model counts of a grid. A cycle of an SM that has warps is either issued or idle.
struct CycleCounts {
  u64 cycles = 0; ///< from the grid's start to its end
  u64 issued = 0; ///< warp instructions
  u64 idle = 0;   ///< cycles in which an SM had unfinished warps and none of them was ready, over all SMs
};

class GridClock {
public:
  enum Kind : u8 { Still, Turns, Latencies };
  explicit GridClock(Kind kind = Still, u64 start = 0) : kind(kind), start(start) {}

  /// `done`: instructions of the turn that are executed already, where it comes in pieces.
  void setCycle(u64 now, u64 done) {
    cycle = now;
    doneOfTurn = done;
  }
  u64 now() const { return cycle + doneOfTurn; }
  /// A warp is about to execute.
  void issue(Warp &warp) const {
    if (kind == Still)
      return;
    if (doneOfTurn == 0)
      warp.time().issue(cycle);
    warp.multiprocessor().setClock(now());
  }
  /// It has executed `count` instructions.
  void ran(Warp &warp, u64 count) {
    if (kind == Still || count == 0) // stopped before its instruction: the cycle is still its own
      return;
    warp.readyAt =
        std::max(warp.time().now() + 1, cycle + doneOfTurn + count); // pages are waited for in any case
    last = std::max(last, warp.readyAt);
    issued += count;
  }
  bool isStill() const { return kind == Still; }
  bool countsCycles() const { return kind == Latencies; }
  /// SMs with unfinished warps of the grid have passed so many cycles.
  void addSmCycles(u64 count) { smCycles += count; }

  // Of a launch alone, whose SMs go through the cycles together.
  /// So many SMs have unfinished warps as the cycle begins.
  void begin(u64 busy) { busySms = busy; }
  /// In the cycle that has not ended yet.
  void issuedNow(u64 count) { ofThisCycle += count; }
  /// This cycle and those in which nobody is ready are over. `busy`: SMs that have unfinished warps now.
  void endCycle(u64 cycles, u64 busy) {
    smCycles += busySms + (cycles - 1) * busy;
    busySms = busy;
    ofThisCycle = 0;
  }
  /// Turns that an SM passes on its own; fewer than none: it takes them back.
  void passed(s64 turns) { issued += u64(turns); }
  /// Up to this cycle, `isNow`: one of them in the cycle that has not ended yet.
  void passedUntil(u64 end, bool isNow) {
    last = std::max(last, end);
    ofThisCycle += isNow;
  }

  /// With the cycle model only.
  std::optional<CycleCounts> counts() const {
    if (kind != Latencies)
      return std::nullopt;
    const u64 inCycles = issued - ofThisCycle;
    return CycleCounts{std::max(last, start) - start, issued, std::max(smCycles, inCycles) - inCycles};
  }

private:
  Kind kind;
  u64 start, cycle = 0, doneOfTurn = 0, last = 0, issued = 0, ofThisCycle = 0, smCycles = 0, busySms = 0;
};

} // namespace leno
