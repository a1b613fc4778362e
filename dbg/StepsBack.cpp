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

namespace {

class Recorder : public HistoryVisitor {
public:
  Recorder(const Timeline &timeline, std::vector<Footstep> &steps) : timeline(timeline), steps(steps) {}
  void instruction(const Warp &warp, const Op &op, LaneMask) override {
    steps.push_back(
        {timeline.tickOfVisit(), warp.cta().index(), warp.index(), warp.addressOf(op), callsOf(warp)});
  }

private:
  const Timeline &timeline;
  std::vector<Footstep> &steps;
};

} // namespace

std::optional<Footstep> StepsBack::before(const Footstep &here) {
  auto jump = llvm::partition_point(jumps, [&](const Jump &j) { return j.to < here.tick; });
  if (jump != jumps.end() && jump->to == here.tick && here.isOf(jump->cta, jump->warp))
    return jump->from;
  // From where on the window is of use; a jump may have led out of it.
  if (first == ~u64(0) || here.tick < first) {
    first = here.tick;
    window.clear();
  }
  for (;;) {
    auto end = llvm::partition_point(window, [&](const Footstep &s) { return s.tick < here.tick; });
    while (end != window.begin())
      if ((--end)->isOf(here.cta, here.warp))
        return *end;
    if (first == 0 || interruptRequested())
      return std::nullopt;
    window.clear();
    Recorder recorder(timeline, window);
    first = trip.visit(first, recorder);
  }
}

} // namespace leno::dbg
