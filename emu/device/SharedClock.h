//===- SharedClock.h - A grid's time on a device that others use too ------===//
// Architecture.md 11. The device run says in which cycle a warp issues; with the
// cycle model an instruction takes a cycle and what it waits for, without it a
// turn takes as many cycles as it has instructions.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/Scheduler.h"

namespace leno {

class SharedClock final : public Scheduler {
public:
  SharedClock(bool latencies, u64 start) : latencies(latencies), start(start) {}

  /// `done`: instructions of the turn that are executed already, where it comes in pieces.
  void setCycle(u64 now, u64 done = 0) {
    cycle = now;
    doneOfTurn = done;
  }
  /// SMs with unfinished warps of the grid have passed so many cycles.
  void addSmCycles(u64 count) { smCycles += count; }

  Turn next(Multiprocessors) override { return {nullptr, 0}; }
  void issue(Warp &warp) override {
    if (doneOfTurn == 0)
      warp.time().issue(cycle);
    warp.cta().multiprocessor().setClock(cycle + doneOfTurn);
  }
  void ran(Warp &warp, u64 count) override {
    if (count == 0)
      return;
    warp.readyAt =
        std::max(warp.time().now() + 1, cycle + doneOfTurn + count); // pages are waited for in any case
    last = std::max(last, warp.readyAt);
    issued += count;
  }
  std::optional<CycleCounts> counts() const override {
    if (!latencies)
      return std::nullopt;
    return CycleCounts{std::max(last, start) - start, issued, std::max(smCycles, issued) - issued};
  }
  std::unique_ptr<Scheduler> clone() const override { return std::make_unique<SharedClock>(*this); }

private:
  bool latencies;
  u64 start, cycle = 0, doneOfTurn = 0, last = 0, issued = 0, smCycles = 0;
};

} // namespace leno
