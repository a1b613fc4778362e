#include "dbg/Session.h"
#include "dbg/source/Steps.h"
#include "asm/support/Assert.h"
#include "dbg/Interrupt.h"
#include "dbg/Text.h"
#include "emu/program/OpFacts.h"
#include "emu/sm/Cta.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace leno::dbg {

//===--- Stops ------------------------------------------------------------===//

StopEvent Session::stopped(StopEvent event) {
  switch (event.kind) {
  case StopEvent::Finished:
    current = SessionState::Finished;
    break;
  case StopEvent::ProgramEnded: // its last launch stays in focus
    break;
  case StopEvent::Trapped: // other contexts go on
    current = isAlone() ? SessionState::Trapped : SessionState::Stopped;
    break;
  default:
    current = SessionState::Stopped;
    break;
  }
  theStops.told(event);
  last = event;
  return event;
}

StopEvent Session::trapped(Warp *warp) {
  if (warp)
    theFocus.moveTo(*warp);
  // The lane to look at is one of those at fault.
  if (const std::optional<Trap> &trap = theFocus.trap())
    theFocus.chooseLane(trap->lanes);
  return stopped({StopEvent::Trapped, theStops.ofTrap(warp)});
}

//===--- Running ----------------------------------------------------------===//

namespace {

/// Stops when a context's first CTA is out.
class GridStart : public HistoryVisitor {
public:
  GridStart(Machine &machine, u32 context) : machine(machine), context(context) {
    machine.addObserver(*this);
  }
  ~GridStart() override { machine.removeObserver(*this); }
  GridStart(const GridStart &) = delete;
  GridStart &operator=(const GridStart &) = delete;

  bool seen = false;
  void deviceEvent(const DeviceEvent &event) override {
    if (event.kind != DeviceEvent::GridStarts || event.context != context)
      return;
    seen = true;
    machine.requestStop();
  }

private:
  Machine &machine;
  u32 context;
};

} // namespace

/// The others run meanwhile, and may stop first.
StopEvent Session::runToFirstGrid() {
  clearInterrupt();
  theStops.lookAgain();
  GridStart start(*machine, theFocus.position().context);
  for (;;) {
    std::optional<StopEvent> event = afterTurns(history->run(slice));
    if (event)
      return *event;
    if (start.seen) {
      theFocus.moveToContext(theFocus.position().context);
      return {StopEvent::Start};
    }
  }
}

Expected<StopEvent> Session::start() {
  if (theProgram) {
    if (Error error = startProgram())
      return std::move(error);
    return runLaunches(/*stopsAtStart=*/true);
  }
  if (Error error = restart())
    return std::move(error);
  StopEvent event = stopped(isAlone() ? StopEvent{StopEvent::Start} : runToFirstGrid());
  if (Warp *warp = theFocus.warp(); warp && event.kind == StopEvent::Start)
    warp->stepOver = true; // the user sees where it stands
  return event;
}

Error Session::restart() {
  // What refers to the old machine goes before it.
  theStops.detach();
  theFocus.setTimeline(nullptr);
  history.reset();
  machine = nullptr;
  if (current != SessionState::NotStarted)
    if (Error error = work->restart())
      return error;
  startMachine();
  theFocus.moveTo(LanePosition{{.context = theFocus.position().context}});
  current = SessionState::Stopped;
  return Error::success();
}

/// One that has executed nothing.
void Session::startMachine() {
  machine = &work->run();
  machine->setDebugger(true);
  machine->start();
  history.emplace(*machine);
  theFocus.setTimeline(&*history);
  theStops.attach(*history);
  jumps.clear();
  theFocus.forgetPast();
}

StopEvent Session::afterBpt(const Warp &warp) {
  StopEvent event{StopEvent::BreakInstruction};
  u64 words = warp.pcBytes() / 8;
  if (const Op *op = words > 0 ? warp.grid().opAt(words - 1) : nullptr; op && op->semantic == Semantic::BPT)
    event.code = unsigned(op->immediate);
  return event;
}

std::optional<StopEvent> Session::afterTurns(const Stop &stop) {
  switch (stop.reason) {
  case StopReason::Finished:
  case StopReason::Stuck:
    return stopped({StopEvent::Finished});
  case StopReason::Trapped:
    return trapped(stop.warp);
  case StopReason::Breakpoint: {
    if (std::optional<StopEvent> event = theStops.at(*stop.warp))
      return event;
    // A breakpoint whose condition is not met, or the BPT before this instruction.
    u64 pc = stop.warp->pcBytes();
    bool isHere = theStops.isArmed(*stop.warp, pc);
    bool isAfterBpt = pc >= 8 && stop.warp->grid().opAt(pc / 8 - 1)->semantic == Semantic::BPT;
    stop.warp->stepOver = isHere;
    if (isHere && !isAfterBpt)
      break;
    theFocus.moveTo(*stop.warp);
    return afterBpt(*stop.warp);
  }
  case StopReason::Requested:
    if (std::optional<StopEvent> event = theStops.ofMonitor())
      return event;
    break;
  default: // its budget has passed
    break;
  }
  if (!interruptRequested())
    return std::nullopt;
  clearInterrupt();
  if (stop.warp)
    theFocus.moveTo(*stop.warp);
  return StopEvent{StopEvent::Interrupted};
}

StopEvent Session::runOn() {
  theStops.clear();
  for (;;)
    if (std::optional<StopEvent> event = afterTurns(history->run(slice)))
      return stopped(*event);
}

StopEvent Session::resume() {
  beginMove();
  if (!theProgram || !canContinue())
    return runOn();
  if (current == SessionState::Stopped) {
    StopEvent event = runOn();
    if (event.kind != StopEvent::Finished || isEarlierLaunch() || !theProgram->runs())
      return event;
  }
  return runLaunches(/*stopsAtStart=*/false);
}

Expected<StopEvent> Session::run() {
  if (!isAlone()) {
    if (Error error = restart())
      return std::move(error);
    clearInterrupt();
    return runOn();
  }
  if (theProgram) {
    if (Error error = startProgram())
      return std::move(error);
    return runLaunches(/*stopsAtStart=*/false);
  }
  Expected<StopEvent> started = start();
  if (!started)
    return started;
  clearInterrupt();
  return runFromStart();
}

/// From the first instruction of a launch alone, which nobody has seen.
StopEvent Session::runFromStart() {
  if (std::optional<StopEvent> event = theStops.ctasAtStart())
    return stopped(*event);
  if (Warp *warp = theFocus.warp())
    warp->stepOver = false; // nobody has seen it
  theFocus.keepPast();
  return runOn();
}

Expected<StopEvent> Session::jump(u64 address) {
  if (Error error = theFocus.context().setPc(address))
    return std::move(error);
  theFocus.warp()->stepOver = false;
  return resume();
}

//===--- The state before a move ------------------------------------------===//

void Session::beginMove() {
  clearInterrupt();
  theFocus.keepPast();
}

//===--- Stepping ---------------------------------------------------------===//

static Warp *firstLiveWarp(ArrayRef<Warp *> warps, unsigned after) {
  for (size_t i = 1; i <= warps.size(); ++i)
    if (Warp *warp = warps[(after + i) % warps.size()]; !warp->exited())
      return warp;
  return nullptr;
}

StopEvent Session::afterExit() {
  StopEvent event{StopEvent::WarpExited};
  event.exited = theFocus.position();
  const Warp *gone = theFocus.warp();
  event.killed = gone && gone->exited() && gone->pc->semantic == Semantic::KIL;
  Warp *next = nullptr;
  if (Cta *cta = theFocus.gridIfAny() ? theFocus.grid().findCta(theFocus.position().cta) : nullptr)
    next = firstLiveWarp(cta->warps(), theFocus.position().warp);
  if (!next) {
    // The CTA is over: the machine may hand out another one in its place.
    if (isAlone() && theFocus.grid().finished())
      return runOn();
    history->settle();
    if (std::optional<StopEvent> event = theStops.ofMonitor())
      return *event;
    for (Cta *cta : theFocus.gridIfAny() ? theFocus.grid().residentCtas() : std::vector<Cta *>())
      if (!next && theFocus.isOnChip(*cta))
        next = firstLiveWarp(cta->warps(), unsigned(cta->warps().size()) - 1);
  }
  if (next)
    theFocus.moveTo(*next);
  return event;
}

std::optional<StopEvent> Session::releaseFromBarrier(Warp &warp) {
  for (;;) {
    bool moved = false;
    for (Warp *other : warp.cta().warps()) {
      for (unsigned i = 0; i < barrierQuantum && other != &warp && other->status == WarpStatus::Ready; ++i) {
        if (!other->stepOver && theStops.isArmed(*other, other->pcBytes()))
          if (std::optional<StopEvent> event = theStops.at(*other))
            return event;
        Stop stop = history->step(*other);
        moved = true;
        if (stop.reason == StopReason::Trapped)
          return trapped(stop.warp);
        other->stepOver = false; // what it stands before was not told
        if (stop.reason == StopReason::Requested)
          if (std::optional<StopEvent> event = theStops.ofMonitor())
            return event;
        if (stop.reason == StopReason::Breakpoint) {
          theFocus.moveTo(*other);
          return afterBpt(*other);
        }
        if (warp.status != WarpStatus::AtBarrier)
          return std::nullopt;
      }
    }
    // A barrier that nobody can complete has trapped already; Ctrl-C ends a wait for a warp that never comes.
    if (!moved || interruptRequested()) {
      clearInterrupt();
      return StopEvent{StopEvent::Interrupted};
    }
  }
}

std::optional<StopEvent> Session::stepOnce() {
  Footstep from = footstep();
  theStops.lookAgain();
  std::optional<StopEvent> event = mode == Stepping::AllWarps ? stepAmongAll() : stepFocused();
  // What a step back could not find out by itself.
  Footstep to = footstep();
  if (history->now() > from.tick && (!to.isOf(from) || history->now() != from.tick + 1))
    jumps.push_back({from, history->now(), to.whose});
  return event;
}

std::optional<StopEvent> Session::stepFocused() {
  Warp *warp = theFocus.warp();
  LENO_ASSERT(warp, "a step without a warp in focus");
  if (warp->exited())
    return afterExit();
  if (warp->status == WarpStatus::AtBarrier)
    if (std::optional<StopEvent> event = releaseFromBarrier(*warp))
      return event;
  Stop stop = history->step(*warp);
  while (stop.reason == StopReason::Waiting) { // its SM is being restored
    if (std::optional<StopEvent> event = afterTurns(history->run(1)))
      return event;
    if (theFocus.warp() != warp)
      return StopEvent{StopEvent::Step};
    stop = history->step(*warp);
  }
  if (stop.reason == StopReason::Trapped)
    return trapped(stop.warp);
  if (stop.reason == StopReason::Requested)
    if (std::optional<StopEvent> event = theStops.ofMonitor())
      return event;
  if (warp->exited())
    return afterExit();
  if (warp->status == WarpStatus::AtBarrier)
    if (std::optional<StopEvent> event = releaseFromBarrier(*warp))
      return event;
  theFocus.moveTo(*warp);
  if (theStops.isArmed(*warp, warp->pcBytes()))
    if (std::optional<StopEvent> event = theStops.at(*warp))
      return event;
  if (stop.reason == StopReason::Breakpoint)
    return afterBpt(*warp);
  if (interruptRequested()) {
    clearInterrupt();
    return StopEvent{StopEvent::Interrupted};
  }
  return std::nullopt;
}

std::optional<StopEvent> Session::stepUntil(function_ref<bool(Warp &)> done) {
  for (;;) {
    if (std::optional<StopEvent> event = stepOnce())
      return event;
    Warp *warp = theFocus.warp();
    LENO_ASSERT(warp, "a step that ended nothing lost its warp");
    if (done(*warp))
      return std::nullopt;
  }
}

// A call pushes one entry; it has returned when the stack is as it was. The warp may also leave it by exiting
// or by a trap, which end every step.
std::optional<StopEvent> Session::stepOverCall(bool overCalls) {
  Warp *warp = theFocus.warp();
  bool calls = overCalls && warp && flowOf(warp->pc->semantic) == isa::Flow::Call;
  size_t depth = warp ? warp->divergence().depth() : 0;
  if (std::optional<StopEvent> event = stepOnce())
    return event;
  warp = theFocus.warp();
  if (!calls || warp->divergence().depth() <= depth)
    return std::nullopt;
  return stepUntil([&](Warp &w) { return w.divergence().depth() <= depth; });
}

StopEvent Session::stepInstructions(u64 count, bool overCalls) {
  beginMove();
  for (u64 i = 0; i < count; ++i)
    if (std::optional<StopEvent> event = stepOverCall(overCalls))
      return stopped(*event);
  return stopped({StopEvent::Step});
}

StopEvent Session::stepLines(u64 count, bool overCalls) {
  beginMove();
  for (u64 i = 0; i < count; ++i) {
    Warp *warp = theFocus.warp();
    std::optional<SourceLine> before = warp ? theFocus.executable().line(warp->pcBytes()) : std::nullopt;
    const OwnCode own(theFocus, warp ? warp->pcBytes() : 0, overCalls);
    for (;;) {
      u64 from = warp ? warp->pcBytes() : 0;
      if (std::optional<StopEvent> event = stepOverCall(overCalls))
        return stopped(*event);
      warp = theFocus.warp();
      if (own.passes(warp->pcBytes()))
        continue;
      std::optional<SourceLine> after = theFocus.executable().line(warp->pcBytes());
      bool sameLine = before && after && before->line == after->line && before->file == after->file;
      if (!sameLine || warp->pcBytes() <= from)
        break;
    }
  }
  return stopped({StopEvent::Step});
}

} // namespace leno::dbg
