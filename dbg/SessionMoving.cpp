// Where the session's steps lead: out of calls, loops and sides of branches, past lines, to places; and steps
// among all warps.
#include "dbg/Interrupt.h"
#include "dbg/Session.h"
#include "dbg/source/Steps.h"
#include "emu/sm/Cta.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace leno::dbg {

//===--- Among all warps --------------------------------------------------===//

namespace {

/// Stops the grid once a warp has executed an instruction, and when a barrier of its CTA lets warps go.
class OwnStep : public HistoryVisitor {
public:
  OwnStep(Machine &machine, const Warp &warp) : machine(machine), warp(warp) { machine.addObserver(*this); }
  ~OwnStep() override { machine.removeObserver(*this); }
  OwnStep(const OwnStep &) = delete;
  OwnStep &operator=(const OwnStep &) = delete;

  bool executed = false;

  void instructionDone(const Warp &by, const Op &, LaneMask) override {
    if (&by != &warp)
      return;
    executed = true;
    machine.requestStop();
  }
  void barrierRelease(const Cta &cta, unsigned) override {
    if (&cta == &warp.cta())
      machine.requestStop();
  }

private:
  Machine &machine;
  const Warp &warp;
};

} // namespace

std::optional<StopEvent> Session::stepAmongAll() {
  Warp *warp = theFocus.warp();
  LENO_ASSERT(warp, "a step without a warp in focus");
  if (warp->exited())
    return afterExit();
  warp->stepOver = true; // the user sees where it stands
  OwnStep own(*machine, *warp);
  const GridRun *run = &warp->grid();
  while (!own.executed || warp->status == WarpStatus::AtBarrier) {
    if (std::optional<StopEvent> event = afterTurns(history->run(slice)))
      return event;
    if (theFocus.gridIfAny() != run) { // its context has ended
      StopEvent event{StopEvent::WarpExited};
      event.exited = theFocus.position();
      return event;
    }
  }
  if (warp->exited())
    return afterExit();
  theFocus.moveTo(*warp);
  return theStops.isArmed(*warp, warp->pcBytes()) ? theStops.at(*warp) : std::nullopt;
}

//===--- To the end of something ------------------------------------------===//

static bool ends(Region region, TokenType type) {
  switch (region) {
  case Region::Call:
    return type == TokenType::Call;
  case Region::Loop:
    return type == TokenType::Brk;
  case Region::Side:
    return type == TokenType::Div || type == TokenType::Sync;
  case Region::Fork:
    break;
  }
  return type == TokenType::Sync;
}

static const char *absenceOf(Region region) {
  switch (region) {
  case Region::Call:
    return "the warp is in no call: there is nothing to finish";
  case Region::Loop:
    return "the warp is in no loop: its stack has no BRK entry";
  case Region::Side:
    return "the warp is in no side of a branch: its stack has no DIV or SYNC entry";
  case Region::Fork:
    break;
  }
  return "the warp has nowhere to reconverge: its stack has no SYNC entry; `finish loop` and `finish` leave "
         "a loop "
         "and a call";
}

Expected<StopEvent> Session::finish(Region region) {
  beginMove();
  const DivergenceStack &stack = theFocus.warp()->divergence();
  size_t index = stack.depth(), outwards = 0;
  if (region == Region::Call) { // the one that is looked at
    std::vector<CallFrame> frames = theFocus.callFrames();
    const CallFrame frame = frames[std::min(theFocus.frame, frames.size() - 1)];
    outwards = frame.level;
    if (frame.function && frame.function->kind == source::Scope::Inlined) {
      size_t calls = callsOf(*theFocus.warp()) - frame.level;
      std::optional<StopEvent> event = stepUntil([&](Warp &warp) {
        size_t now = callsOf(warp);
        return now < calls || (now == calls && !is_contained(theFocus.source().functionsAt(warp.pcBytes()),
                                                             frame.function));
      });
      return stopped(event.value_or(StopEvent{StopEvent::Step}));
    }
  }
  for (; index > 0; --index)
    if (ends(region, stack.at(index - 1).type) && outwards-- == 0)
      break;
  if (index == 0)
    return createStringError(absenceOf(region));
  // Its entry is number index - 1: it has gone when no more are left than below it.
  std::optional<StopEvent> event = stepUntil([&](Warp &warp) { return warp.divergence().depth() < index; });
  return stopped(event.value_or(StopEvent{StopEvent::Step}));
}

StopEvent Session::runUntil(ArrayRef<u64> addresses) {
  beginMove();
  std::optional<StopEvent> event =
      stepUntil([&](Warp &warp) { return is_contained(addresses, warp.pcBytes()); });
  return stopped(event.value_or(StopEvent{StopEvent::Step}));
}

StopEvent Session::runPastLine() {
  beginMove();
  Warp *start = theFocus.warp();
  u64 from = start->pcBytes();
  size_t calls = callsOf(*start);
  std::optional<SourceLine> line = theFocus.executable().line(from);
  const OwnCode own(theFocus, from, /*overCalls=*/true);
  std::optional<StopEvent> event = stepUntil([&](Warp &warp) {
    size_t now = callsOf(warp);
    if (now != calls)
      return now < calls;
    std::optional<SourceLine> here = theFocus.executable().line(warp.pcBytes());
    bool sameLine = line && here && here->line == line->line && here->file == line->file;
    return warp.pcBytes() > from && !sameLine && !own.passes(warp.pcBytes());
  });
  return stopped(event.value_or(StopEvent{StopEvent::Step}));
}

} // namespace leno::dbg
