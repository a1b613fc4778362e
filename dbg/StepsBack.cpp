#include "dbg/StepsBack.h"
#include "dbg/Interrupt.h"
#include "emu/Cta.h"
#include "llvm/ADT/STLExtras.h"

namespace leno::dbg {

size_t callsOf(const Warp &warp) {
  const DivergenceStack &stack = warp.divergence();
  size_t calls = 0;
  for (size_t i = 0; i < stack.depth(); ++i)
    calls += stack.at(i).type == TokenType::Call;
  return calls;
}

Footstep Footstep::of(u64 tick, const Warp &warp, u64 pc) {
  const GridRun &grid = warp.grid();
  return {tick, warp.cta().index(),          warp.index(), pc, callsOf(warp), grid.device().contextId(),
          grid.gridId()};
}

namespace {

class Recorder : public HistoryVisitor {
public:
  Recorder(const Timeline &timeline, std::vector<Footstep> &steps) : timeline(timeline), steps(steps) {}
  void instruction(const Warp &warp, const Op &op, LaneMask) override {
    steps.push_back(Footstep::of(timeline.tickOfVisit(), warp, warp.addressOf(op)));
  }

private:
  const Timeline &timeline;
  std::vector<Footstep> &steps;
};

} // namespace

std::optional<Footstep> StepsBack::before(const Footstep &here) {
  auto jump = llvm::partition_point(jumps, [&](const Jump &j) { return j.to < here.tick; });
  if (jump != jumps.end() && jump->ledTo(here))
    return jump->from;
  // From where on the window is of use; a jump may have led out of it.
  if (first == ~u64(0) || here.tick < first) {
    first = here.tick;
    window.clear();
  }
  for (;;) {
    auto end = llvm::partition_point(window, [&](const Footstep &s) { return s.tick < here.tick; });
    while (end != window.begin())
      if ((--end)->isOf(here))
        return *end;
    if (first == 0 || interruptRequested())
      return std::nullopt;
    window.clear();
    Recorder recorder(timeline, window);
    first = trip.visit(first, recorder);
  }
}

} // namespace leno::dbg
