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
    warp.cta().multiprocessor().setClock(now());
  }
  /// It has executed `count` instructions.
  void ran(Warp &warp, u64 count) {
    if (kind == Still || count == 0) // stopped before its instruction: the cycle is still its own
      return;
    warp.readyAt =
        std::max(warp.time().now() + 1, cycle + doneOfTurn + count); // pages are waited for in any case
    last = std::max(last, warp.readyAt);
    issued += count;
    issuedInCycle += count;
  }
  /// SMs with unfinished warps of the grid have passed so many cycles.
  void addSmCycles(u64 count) { smCycles += count; }
  /// The same of the cycles from this one to the next in which a warp is ready.
  void endCycle(u64 count) {
    idle += std::max(count, issuedInCycle) - issuedInCycle;
    issuedInCycle = 0;
  }
  /// With the cycle model only.
  std::optional<CycleCounts> counts() const {
    if (kind != Latencies)
      return std::nullopt;
    return CycleCounts{std::max(last, start) - start, issued, idle + std::max(smCycles, issued) - issued};
  }

private:
  Kind kind;
  u64 start, cycle = 0, doneOfTurn = 0, last = 0, issued = 0, issuedInCycle = 0, smCycles = 0, idle = 0;
};

} // namespace leno
