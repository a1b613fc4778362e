#include "dbg/StepsBack.h"
#include "dbg/Interrupt.h"
#include "emu/sm/Cta.h"
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
  return {tick, WarpPosition::of(warp), pc, callsOf(warp)};
}

namespace {

/// Where one warp stood.
class Recorder : public HistoryVisitor {
public:
  Recorder(const Timeline &timeline, const WarpPosition &whose, std::vector<Footstep> &steps)
      : timeline(timeline), whose(whose), steps(steps) {}
  void instruction(const Warp &warp, const Op &op, LaneMask) override {
    if (WarpPosition::of(warp) == whose)
      steps.push_back(Footstep::of(timeline.tickOfVisit(), warp, warp.addressOf(op)));
  }

private:
  const Timeline &timeline;
  const WarpPosition &whose;
  std::vector<Footstep> &steps;
};

} // namespace

std::optional<u64> StepsBack::executed(const Footstep &step) const {
  const Warp *warp = findWarp(machine, step.whose);
  return warp ? std::optional(warp->instructions) : std::nullopt;
}

void StepsBack::look(const Footstep &here) {
  window.clear();
  Recorder recorder(timeline, here.whose, window);
  first = trip.visit(first, recorder);
  if (!window.empty() || first == 0 || interruptRequested())
    return;
  // Others have executed for long: its own count tells where to look.
  auto found = trip.lastChange(first, [&] { return executed(here); });
  first = found ? found->second : 0;
  trip.startAnew();
  if (found)
    first = trip.visit(first, recorder);
}

std::optional<Footstep> StepsBack::before(const Footstep &here) {
  auto jump = llvm::partition_point(jumps, [&](const Jump &j) { return j.to < here.tick; });
  if (jump != jumps.end() && jump->ledTo(here))
    return jump->from;
  // From where on the window is of use; a jump may have led out of it.
  if (!whose || !whose->isOf(here) || here.tick < first) {
    whose = here;
    first = here.tick;
    window.clear();
    trip.startAnew();
  }
  for (;;) {
    auto end = llvm::partition_point(window, [&](const Footstep &s) { return s.tick < here.tick; });
    if (end != window.begin())
      return *std::prev(end);
    if (first == 0 || interruptRequested())
      return std::nullopt;
    look(here);
  }
}

} // namespace leno::dbg
