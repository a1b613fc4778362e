#include "dbg/WarpText.h"
#include "dbg/Text.h"
#include "dbg/source/Program.h"
#include "emu/launch/GridRun.h"
#include "emu/program/OpFacts.h"
#include "emu/sm/Cta.h"
#include "emu/sm/StreamingMultiprocessor.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace leno::dbg {

/// ", waits for warps 1,2": who has not arrived.
static std::string missingAt(const Cta &cta, unsigned number) {
  const Barrier &barrier = cta.barrier(number);
  if (unsigned needed = barrier.warpsNeeded())
    return formatv(", waits for {0} more",
                   plural(needed - unsigned(__builtin_popcountll(barrier.arrived())), "warp"));
  std::string warps;
  unsigned count = 0;
  for (const Warp *warp : cta.warps())
    if (!warp->exited() && !(barrier.arrived() >> warp->index() & 1)) {
      warps += (warps.empty() ? "" : ",") + std::to_string(warp->index());
      ++count;
    }
  return formatv(", waits for warp{0} {1}", count == 1 ? "" : "s", warps);
}

std::vector<CallFrame> callFrames(const Warp &warp, const source::Program *source) {
  std::vector<CallFrame> frames = {{warp.pcBytes(), warp.pcBytes(), warp.active}};
  const DivergenceStack &stack = warp.divergence();
  for (size_t i = stack.depth(); i-- > 0;)
    if (Token token = stack.at(i); token.type == TokenType::Call) {
      // PRET names a place to return to that is behind no call.
      const Op *before = token.pc ? warp.grid().opAt(token.pc - 1) : nullptr;
      bool isCall = before && flowOf(before->semantic) == isa::Flow::Call;
      frames.push_back({u64(token.pc - isCall) * 8, u64(token.pc) * 8, token.mask});
    }
  std::vector<CallFrame> all;
  for (size_t level = 0; level < frames.size(); ++level) {
    CallFrame frame = frames[level];
    frame.level = level;
    size_t before = all.size();
    for (const source::Scope *function : source ? source->functionsAt(frame.at) : std::vector<const source::Scope *>()) {
      frame.function = function;
      all.push_back(frame);
    }
    if (all.size() == before)
      all.push_back(frame);
  }
  return all;
}

std::optional<SourceLine> lineOf(ArrayRef<CallFrame> frames, size_t number, const Executable &program) {
  const CallFrame &frame = frames[number];
  if (number && frames[number - 1].level == frame.level && frames[number - 1].function)
    return frames[number - 1].function->calledAt;
  return program.line(frame.at);
}

std::string describeState(const Warp &warp) {
  switch (warp.status) {
  case WarpStatus::AtBarrier:
    for (unsigned barrier = 0; barrier < Cta::barrierCount; ++barrier)
      if (warp.cta().waiting(barrier) >> warp.index() & 1)
        return formatv("at barrier {0}{1}", barrier, missingAt(warp.cta(), barrier));
    return "at a barrier";
  case WarpStatus::Exited:
    return "exited";
  case WarpStatus::Trapped:
    return "trapped";
  case WarpStatus::AwaitsConstants:
    return "waiting for constants";
  case WarpStatus::Ready:
  case WarpStatus::Breakpoint:
  case WarpStatus::NeedsClock:
    break;
  }
  if (warp.readyAt > warp.multiprocessor().clock() + 1)
    return formatv("waits {0}until cycle {1}",
                   warp.fetchWait    ? "for its instruction "
                   : warp.resultWait ? "for a result "
                                     : "",
                   warp.readyAt);
  return "running";
}

std::vector<LaneMask> lanesWaitingFor(const Warp &warp) {
  const DivergenceStack &stack = warp.divergence();
  std::vector<LaneMask> result(stack.depth());
  LaneMask left = stack.live() & ~warp.active;
  LaneMask joined = left & ~(stack.lanesWaiting(Reason::Brk) | stack.lanesWaiting(Reason::Cont) |
                             stack.lanesWaiting(Reason::Ret));
  for (size_t i = stack.depth(); i-- > 0;) {
    Token token = stack.at(i);
    Reason reason = reasonOf(token.type);
    LaneMask candidates = reason == Reason::None ? joined : stack.lanesWaiting(reason);
    result[i] = token.mask & candidates & left;
    left &= ~result[i];
  }
  return result;
}

LaneState describeLane(const Warp &warp, unsigned lane) {
  LaneMask bit = LaneMask(1) << lane;
  if (!(warp.lanesLaunched() & bit))
    return {"no thread", ""};
  if (warp.active & bit) {
    // Of a warp that trapped, only the lanes at fault did.
    const std::optional<Trap> &trap = warp.grid().trap();
    bool atFault = warp.status == WarpStatus::Trapped && trap && (trap->lanes & bit);
    bool waits = warp.status == WarpStatus::AtBarrier;
    return {"active", atFault || waits ? describeState(warp) : ""};
  }
  const DivergenceStack &stack = warp.divergence();
  Reason reason = stack.reasonOfLane(lane);
  if (reason == Reason::Exit)
    return {"exited", stack.killed() & bit ? "KIL" : reasonName(reason)};
  std::vector<LaneMask> waiting = lanesWaitingFor(warp);
  for (size_t i = waiting.size(); i-- > 0;)
    if (waiting[i] & bit) {
      const char *type = tokenTypeName(stack.at(i).type);
      return reason == Reason::None
                 ? LaneState{"inactive", formatv("{0} entry {1}", type, i)}
                 : LaneState{"waiting", formatv("{0}, {1} entry {2}", reasonName(reason), type, i)};
    }
  return {reason == Reason::None ? "inactive" : "waiting", reason == Reason::None ? "" : reasonName(reason)};
}

} // namespace leno::dbg
