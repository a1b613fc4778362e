#include "dbg/Session.h"
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
  case StopEvent::Trapped: // other contexts go on
    current = isAlone() ? SessionState::Trapped : SessionState::Stopped;
    break;
  default:
    current = SessionState::Stopped;
    break;
  }
  tellProblems(event);
  for (unsigned id : event.breakpoints)
    if (Breakpoint *breakpoint = points.find(id)) {
      if (breakpoint->stopsLeft && --breakpoint->stopsLeft == 0)
        breakpoint->enabled = false;
      if (breakpoint->temporary)
        points.remove(id);
    }
  armBreakpoints();
  last = event;
  return event;
}

StopEvent Session::trapped(Warp *warp) {
  if (warp)
    focusOn(*warp);
  // The lane to look at is one of those at fault.
  if (const std::optional<Trap> &trap = this->trap(); trap && trap->lanes && !(trap->lanes >> where.lane & 1))
    where.lane = unsigned(__builtin_ctz(trap->lanes));
  StopEvent event{StopEvent::Trapped};
  for (Breakpoint &point : points.all())
    if (point.enabled && point.kind == Breakpoint::Catch && point.caught == Caught::Trap &&
        (!point.condition || !warp || conditionHolds(point, *warp))) {
      ++point.hits;
      event.breakpoints.push_back(point.id);
    }
  return stopped(event);
}

StopEvent Session::finished() { return stopped({StopEvent::Finished}); }

void Session::focusOn(const Warp &warp) {
  where.context = warp.grid().device().contextId();
  where.launch = warp.grid().gridId();
  where.cta = warp.cta().index();
  where.warp = warp.index();
  // A lane that runs says more than one that waits.
  if (warp.active && !(warp.active >> where.lane & 1))
    where.lane = unsigned(__builtin_ctz(warp.active));
}

void Session::armBreakpoints() {
  if (inThePast)
    return;
  work->run().setBreakpoints([this](const GridRun &grid) { return placesIn(grid); });
  if (monitor)
    watch(monitor->isNeeded());
}

void Session::watch(bool on) {
  if (on != watching)
    on ? machine->addObserver(*monitor) : machine->removeObserver(*monitor);
  watching = on;
}

bool Session::instructionUses(const Place &place, u64 pc, bool writes) const {
  llvm::MCInst inst;
  GridRun *run = work->run().grid(place.context, place.launch);
  ArrayRef<u64> code = (run ? launchOf(*run) : launchOf(place.context)).executable.code();
  if (pc % 8 != 0 || pc / 8 >= code.size() || !decoder.decode(code[pc / 8], inst))
    return false;
  Effects effects = decoder.effectsOf(inst);
  if (place.kind == Place::Predicate)
    return effects.touches(firstPredicate + place.number, writes);
  if (place.kind == Place::FlagBit) // dbg::Flag counts from the other end
    return effects.touches(flagsCell, writes, uint8_t(overflowFlag >> place.number));
  if (place.kind != Place::Register)
    return false;
  for (unsigned number = place.number; number < place.number + place.words; ++number)
    if (effects.touches(number, writes))
      return true;
  return false;
}

Expected<std::shared_ptr<const Expression>> Session::readCondition(StringRef text) {
  Expected<Expression> parsed = Expression::parse(text.trim());
  if (!parsed)
    return parsed.takeError();
  if (Error error = parsed->checkNames(context()))
    return std::move(error);
  return std::make_shared<const Expression>(std::move(*parsed));
}

Session::Verdict Session::judge(const Breakpoint &point, Warp &warp) {
  Expected<LaneMask> lanes = point.condition->lanesWhereTrue(contextOf(&warp, where.lane));
  if (lanes)
    return {*lanes != 0, *lanes};
  std::string why;
  handleAllErrors(
      lanes.takeError(), [&](const TextError &error) { why = error.message; },
      [&](const ErrorInfoBase &error) { why = error.message(); });
  return {!point.conditionFailed, std::nullopt, why};
}

bool Session::conditionHolds(const Breakpoint &point, Warp &warp) {
  Verdict verdict = judge(point, warp);
  if (verdict.holds && !verdict.problem.empty())
    problems[point.id] = verdict.problem;
  return verdict.holds;
}

void Session::tellProblems(StopEvent &event) {
  for (unsigned id : event.breakpoints) {
    auto found = problems.find(id);
    Breakpoint *point = points.find(id);
    if (found == problems.end() || !point)
      continue;
    point->conditionFailed = true;
    event.problems.push_back(formatv("the condition of {0} {1}, {2}, cannot be computed: {3}\n  it stops for "
                                     "that this once; `condition {1} EXPRESSION` gives it another",
                                     point->kind == Breakpoint::Code ? "breakpoint" : point->kindName(), id,
                                     point->condition->text(), found->second));
  }
  problems.clear();
}

std::optional<StopEvent> Session::monitorStop() {
  std::optional<Monitor::Met> met = monitor->take();
  if (!met)
    return std::nullopt;
  StopEvent event{StopEvent::Watch};
  Warp *by = met->ofContext ? nullptr : findWarp(*machine, met->context, met->launch, met->cta, met->index);
  for (const Monitor::Met::One &one : met->all) {
    Breakpoint *point = points.find(one.id);
    if (!point)
      continue;
    ++point->hits;
    if (point->ignore && point->ignore--)
      continue;
    if (point->passes && by && point->passes(*point, *by))
      continue;
    event.addBreakpoint(one.id);
    event.details.push_back(one.what);
  }
  if (event.breakpoints.empty())
    return std::nullopt;
  focusOn(*met);
  return event;
}

void Session::focusOn(const Monitor::Met &met) {
  if (met.ofContext)
    return focusOnContext(met.context);
  where.context = met.context;
  where.launch = met.launch;
  where.cta = met.cta;
  where.warp = met.index;
  if (Warp *warp = focusedWarp())
    focusOn(*warp);
}

std::optional<StopEvent> Session::breakpointsMet(Warp &warp, u64 pc) {
  StopEvent event{StopEvent::Breakpoint};
  for (Breakpoint &breakpoint : points.all()) {
    if (!breakpoint.enabled || !breakpoint.covers(pc) || !isIn(breakpoint, warp))
      continue;
    if (breakpoint.condition) {
      Verdict verdict = judge(breakpoint, warp);
      if (!verdict.holds)
        continue;
      if (verdict.lanes)
        event.lanesMet = *verdict.lanes | event.lanesMet.value_or(0);
      else
        problems[breakpoint.id] = verdict.problem;
    }
    event.breakpoints.push_back(breakpoint.id);
  }
  return event.breakpoints.empty() ? std::nullopt : std::optional(event);
}

std::optional<StopEvent> Session::breakpointAt(Warp &warp) {
  std::optional<StopEvent> event = breakpointsMet(warp, warp.pcBytes());
  if (!event)
    return std::nullopt;
  llvm::erase_if(event->breakpoints, [&](unsigned id) {
    Breakpoint &point = *points.find(id);
    ++point.hits;
    if (point.ignore)
      return point.ignore-- != 0;
    return point.passes && point.passes(point, warp);
  });
  if (event->breakpoints.empty())
    return std::nullopt;
  warp.stepOver = true; // told: the next run goes on from here
  focusOn(warp);
  if (event->lanesMet && !(*event->lanesMet >> where.lane & 1))
    where.lane = unsigned(__builtin_ctz(*event->lanesMet));
  return event;
}

//===--- Running ----------------------------------------------------------===//

Expected<StopEvent> Session::start() {
  if (Error error = restart())
    return std::move(error);
  StopEvent event = stopped(isAlone() ? StopEvent{StopEvent::Start} : runToFirstGrid());
  if (Warp *warp = focusedWarp(); warp && event.kind == StopEvent::Start)
    warp->stepOver = true; // the user sees where it stands
  return event;
}

Error Session::restart() {
  // What refers to the old machine goes before it.
  monitor.reset();
  history.reset();
  machine = nullptr;
  if (current != SessionState::NotStarted)
    if (Error error = work->restart())
      return error;
  startMachine();
  where = {.context = where.context};
  current = SessionState::Stopped;
  return Error::success();
}

/// One that has executed nothing.
void Session::startMachine() {
  machine = &work->run();
  machine->setDebugger(true);
  machine->start();
  monitor.emplace(
      *machine, points,
      Monitor::Questions{[this](const Place &place, u64 pc) { return instructionUses(place, pc, false); },
                         [this](const Breakpoint &point, const Warp *warp) {
                           history->setInside(warp);
                           bool holds = conditionHolds(point, const_cast<Warp &>(*warp));
                           history->setInside(nullptr);
                           return holds;
                         },
                         [this](const DeviceEvent &event) { return describe(event); }});
  watching = false;
  armBreakpoints();
  history.emplace(*machine);
  jumps.clear();
  before.reset();
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
    return finished();
  case StopReason::Trapped:
    return trapped(stop.warp);
  case StopReason::Breakpoint: {
    if (std::optional<StopEvent> event = breakpointAt(*stop.warp))
      return event;
    // A breakpoint whose condition is not met, or the BPT before this instruction.
    u64 pc = stop.warp->pcBytes();
    bool isHere = isArmed(*stop.warp, pc);
    bool isAfterBpt = pc >= 8 && stop.warp->grid().opAt(pc / 8 - 1)->semantic == Semantic::BPT;
    stop.warp->stepOver = isHere;
    if (isHere && !isAfterBpt)
      break;
    focusOn(*stop.warp);
    return afterBpt(*stop.warp);
  }
  case StopReason::Requested:
    if (std::optional<StopEvent> event = monitorStop())
      return event;
    break;
  default: // its budget has passed
    break;
  }
  if (!interruptRequested())
    return std::nullopt;
  clearInterrupt();
  if (stop.warp)
    focusOn(*stop.warp);
  return StopEvent{StopEvent::Interrupted};
}

StopEvent Session::runOn() {
  monitor->lookAgain();
  monitor->take();
  for (;;)
    if (std::optional<StopEvent> event = afterTurns(history->run(slice)))
      return stopped(*event);
}

StopEvent Session::resume() {
  beginMove();
  return runOn();
}

std::optional<StopEvent> Session::ctasCaughtAtStart() {
  StopEvent event{StopEvent::Watch};
  for (Breakpoint &point : points.all()) {
    if (!point.enabled || point.kind != Breakpoint::Catch || point.caught != Caught::CtaStart)
      continue;
    for (Cta *cta : gridIfAny() ? grid().residentCtas() : std::vector<Cta *>())
      if (!point.condition || conditionHolds(point, *cta->warps()[0])) {
        ++point.hits;
        if (point.ignore && point.ignore--)
          continue;
        event.addBreakpoint(point.id);
        event.details.push_back("cta " + describeIndex(cta->index()) + " starts");
      }
  }
  return event.breakpoints.empty() ? std::nullopt : std::optional(event);
}

Expected<StopEvent> Session::run() {
  if (!isAlone()) {
    if (Error error = restart())
      return std::move(error);
    clearInterrupt();
    return runOn();
  }
  Expected<StopEvent> started = start();
  if (!started)
    return started;
  if (std::optional<StopEvent> event = ctasCaughtAtStart())
    return stopped(*event);
  if (Warp *warp = focusedWarp())
    warp->stepOver = false; // nobody has seen it
  return resume();
}

Expected<StopEvent> Session::jump(u64 address) {
  if (Error error = context().setPc(address))
    return std::move(error);
  focusedWarp()->stepOver = false;
  return resume();
}

//===--- The state before a move ------------------------------------------===//

void Session::beginMove() {
  clearInterrupt();
  before.reset();
  if (Warp *warp = focusedWarp())
    before.emplace(*warp);
}

const WarpPast *Session::past() const {
  Warp *warp = focusedWarp();
  return warp && before && before->isOf(*warp) ? &*before : nullptr;
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
  event.exited = where;
  const Warp *gone = focusedWarp();
  event.killed = gone && gone->exited() && gone->pc->semantic == Semantic::KIL;
  Warp *next = nullptr;
  if (Cta *cta = gridIfAny() ? grid().findCta(where.cta) : nullptr)
    next = firstLiveWarp(cta->warps(), where.warp);
  if (!next) {
    // The CTA is over: the machine may hand out another one in its place.
    if (isAlone() && grid().finished())
      return runOn();
    history->settle();
    if (std::optional<StopEvent> event = monitorStop())
      return *event;
    for (Cta *cta : gridIfAny() ? grid().residentCtas() : std::vector<Cta *>())
      if (!next && machine->isOnChip(*cta->warps()[0]))
        next = firstLiveWarp(cta->warps(), unsigned(cta->warps().size()) - 1);
  }
  if (next)
    focusOn(*next);
  return event;
}

std::optional<StopEvent> Session::releaseFromBarrier(Warp &warp) {
  for (;;) {
    bool moved = false;
    for (Warp *other : warp.cta().warps()) {
      for (unsigned i = 0; i < barrierQuantum && other != &warp && other->status == WarpStatus::Ready; ++i) {
        if (!other->stepOver && isArmed(*other, other->pcBytes()))
          if (std::optional<StopEvent> event = breakpointAt(*other))
            return event;
        Stop stop = history->step(*other);
        moved = true;
        if (stop.reason == StopReason::Trapped)
          return trapped(stop.warp);
        other->stepOver = false; // what it stands before was not told
        if (stop.reason == StopReason::Requested)
          if (std::optional<StopEvent> event = monitorStop())
            return event;
        if (stop.reason == StopReason::Breakpoint) {
          focusOn(*other);
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
  monitor->lookAgain();
  std::optional<StopEvent> event = mode == Stepping::AllWarps ? stepAmongAll() : stepFocused();
  // What a step back could not find out by itself.
  Footstep to = footstep();
  bool moved = !(from.cta == where.cta) || from.warp != where.warp || from.context != to.context ||
               from.launch != to.launch;
  if (history->now() > from.tick && (moved || history->now() != from.tick + 1))
    jumps.push_back({from, history->now(), where.cta, where.warp, to.context, to.launch});
  return event;
}

std::optional<StopEvent> Session::stepFocused() {
  Warp *warp = focusedWarp();
  LENO_ASSERT(warp, "a step without a warp in focus");
  if (warp->exited())
    return afterExit();
  if (warp->status == WarpStatus::AtBarrier)
    if (std::optional<StopEvent> event = releaseFromBarrier(*warp))
      return event;
  Stop stop = history->step(*warp);
  while (!isAlone() && stop.reason == StopReason::Waiting) { // its SM is being restored
    if (std::optional<StopEvent> event = afterTurns(history->run(1)))
      return event;
    if (focusedWarp() != warp)
      return StopEvent{StopEvent::Step};
    stop = history->step(*warp);
  }
  if (stop.reason == StopReason::Trapped)
    return trapped(stop.warp);
  if (stop.reason == StopReason::Requested)
    if (std::optional<StopEvent> event = monitorStop())
      return event;
  if (warp->exited())
    return afterExit();
  if (warp->status == WarpStatus::AtBarrier)
    if (std::optional<StopEvent> event = releaseFromBarrier(*warp))
      return event;
  focusOn(*warp);
  if (isArmed(*warp, warp->pcBytes()))
    if (std::optional<StopEvent> event = breakpointAt(*warp))
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
    Warp *warp = focusedWarp();
    LENO_ASSERT(warp, "a step that ended nothing lost its warp");
    if (done(*warp))
      return std::nullopt;
  }
}

// A call pushes one entry; it has returned when the stack is as it was. The warp may also leave it by exiting
// or by a trap, which end every step.
std::optional<StopEvent> Session::stepOverCall(bool overCalls) {
  Warp *warp = focusedWarp();
  bool calls = overCalls && warp && flowOf(warp->pc->semantic) == isa::Flow::Call;
  size_t depth = warp ? warp->divergence().depth() : 0;
  if (std::optional<StopEvent> event = stepOnce())
    return event;
  warp = focusedWarp();
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
    Warp *warp = focusedWarp();
    std::optional<SourceLine> before = warp ? executable().line(warp->pcBytes()) : std::nullopt;
    for (;;) {
      u64 from = warp ? warp->pcBytes() : 0;
      if (std::optional<StopEvent> event = stepOverCall(overCalls))
        return stopped(*event);
      warp = focusedWarp();
      std::optional<SourceLine> after = executable().line(warp->pcBytes());
      bool sameLine = before && after && before->line == after->line && before->file == after->file;
      if (!sameLine || warp->pcBytes() <= from)
        break;
    }
  }
  return stopped({StopEvent::Step});
}

} // namespace leno::dbg
