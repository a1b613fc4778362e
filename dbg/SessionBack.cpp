// The session's ways back in time.
#include "dbg/Interrupt.h"
#include "dbg/Session.h"
#include "emu/sm/Cta.h"
#include <functional>

using namespace llvm;

namespace leno::dbg {

Footstep Session::footstep() const {
  if (Warp *warp = focusedWarp())
    return Footstep::of(history->now(), *warp, warp->pcBytes());
  Footstep nowhere{history->now(), where.cta, where.warp};
  nowhere.context = where.context;
  nowhere.launch = gridIfAny() ? grid().gridId() : 0;
  return nowhere;
}

class Session::Unwatched {
public:
  explicit Unwatched(Session &session) : session(session) {
    session.watch(false);
    ++session.inThePast;
  }
  ~Unwatched() {
    if (--session.inThePast == 0)
      session.armBreakpoints();
  }
  Unwatched(const Unwatched &) = delete;
  Unwatched &operator=(const Unwatched &) = delete;

private:
  Session &session;
};

StopEvent Session::goTo(u64 tick) {
  {
    Unwatched quiet(*this);
    history->goTo(tick);
  }
  monitor->lookAgain();
  while (!jumps.empty() && jumps.back().to > tick)
    jumps.pop_back();
  if (Warp *warp = focusedWarp()) {
    warp->stepOver = true; // the user sees where it stands
    focusOn(*warp);
  } else
    focusOnContext(where.context);
  return stopped({tick == 0 ? StopEvent::HistoryStart : StopEvent::Step});
}

Error interrupted() {
  clearInterrupt();
  return createStringError("interrupted: nothing has changed");
}

Expected<StopEvent> Session::arrive(const Footstep &at, bool complete) {
  if (interruptRequested())
    return interrupted();
  if (!complete && at.tick == history->now())
    return createStringError("the warp has executed nothing yet: there is no step to take back; "
                             "`reverse-continue` goes back with all warps");
  where.context = at.context;
  where.launch = at.launch;
  where.cta = at.cta;
  where.warp = at.warp;
  goTo(at.tick);
  return stopped({complete ? StopEvent::Step : StopEvent::WarpStart});
}

/// Where `count` steps back begin.
Footstep Session::here(u64 &count) {
  Footstep from = footstep();
  if (machine->trapped())
    --count; // the step that trapped: it executed nothing, and is taken back by itself
  else
    from.tick = history->beforeLastChanges(); // they go with the step before
  return from;
}

//===--- Steps ------------------------------------------------------------===//

namespace {

/// Before the instruction that led to `here`, or before the call whose return did.
std::optional<Footstep> stepBack(StepsBack &steps, const Footstep &here, bool overCalls) {
  std::optional<Footstep> at = steps.before(here);
  while (overCalls && at && at->isOf(here) && at->calls > here.calls)
    at = steps.before(*at);
  return at;
}

/// Who executed last, whichever warp it was.
class LastStep : public HistoryVisitor {
public:
  explicit LastStep(const Timeline &timeline) : timeline(timeline) {}
  void instruction(const Warp &warp, const Op &op, LaneMask) override {
    last = Footstep::of(timeline.tickOfVisit(), warp, warp.addressOf(op));
  }
  std::optional<Footstep> last;

private:
  const Timeline &timeline;
};

} // namespace

Expected<StopEvent> Session::reverseInstructions(u64 count, bool overCalls) {
  beginMove();
  Unwatched quiet(*this);
  Footstep at = here(count);
  // Of contexts, the step that ended the last CTA of one leads back by itself.
  bool byJump = !isAlone() && !jumps.empty() && jumps.back().ledTo(at);
  if (!focusedWarp() && count > 0 && !byJump) {
    LastStep last(*history);
    Timeline::Excursion trip(*history);
    for (u64 end = history->now(); end > 0 && !last.last && !interruptRequested();)
      end = trip.visit(end, last);
    at = last.last.value_or(at);
    count -= last.last.has_value();
  }
  {
    StepsBack steps(*history, *machine, jumps);
    for (std::optional<Footstep> next; count > 0 && (next = stepBack(steps, at, overCalls)); --count)
      at = *next;
  }
  return arrive(at, count == 0);
}

/// A jump back within a line begins it anew.
bool Session::continuesLine(const Footstep &earlier, const Footstep &later) const {
  if (!earlier.isOf(later) || later.pc <= earlier.pc)
    return false;
  std::optional<SourceLine> line = executable().line(later.pc), other = executable().line(earlier.pc);
  return line && other && line->line == other->line && line->file == other->file;
}

Expected<StopEvent> Session::reverseLines(u64 count, bool overCalls) {
  beginMove();
  if (!focusedWarp())
    return reverseInstructions(1, overCalls);
  Unwatched quiet(*this);
  Footstep at = here(count);
  {
    StepsBack steps(*history, *machine, jumps);
    for (std::optional<Footstep> next; count > 0 && (next = stepBack(steps, at, overCalls)); --count) {
      at = *next;
      // On to where the line began: the mirror image of stepLines.
      while ((next = stepBack(steps, at, overCalls)) && continuesLine(*next, at))
        at = *next;
    }
  }
  return arrive(at, count == 0);
}

Expected<StopEvent> Session::reverseFinish() {
  beginMove();
  u64 count = 1;
  Footstep from = here(count);
  if (!focusedWarp() || from.calls == 0)
    return createStringError("the warp is in no call: there is no caller to go back to");
  Unwatched quiet(*this);
  Footstep at = from;
  {
    StepsBack steps(*history, *machine, jumps);
    std::optional<Footstep> next;
    while (at.isOf(from) && at.calls >= from.calls && (next = steps.before(at)))
      at = *next;
  }
  return arrive(at, at.calls < from.calls);
}

Expected<StopEvent> Session::reverseUntil(ArrayRef<u64> addresses) {
  beginMove();
  u64 count = 1;
  Footstep from = here(count), at = from;
  Unwatched quiet(*this);
  bool found = false;
  {
    StepsBack steps(*history, *machine, jumps);
    std::optional<Footstep> next;
    while (at.isOf(from) && !found && (next = steps.before(at))) {
      at = *next;
      found = at.isOf(from) && is_contained(addresses, at.pc);
    }
  }
  return arrive(at, found);
}

//===--- Stops ------------------------------------------------------------===//

namespace {

/// The last moment of a stretch in which running would have stopped.
class StopFinder : public HistoryVisitor {
public:
  using Met = std::function<std::optional<StopEvent>(Warp &, u64 pc)>;
  /// Stops from the tick `end` on do not count.
  StopFinder(const Timeline &timeline, u64 end, std::function<bool(const Warp &, u64 pc)> isPlace, Met met)
      : timeline(timeline), end(end), isPlace(std::move(isPlace)), met(std::move(met)) {}

  struct Found {
    StopEvent event;
    u64 tick;
    Dim3 cta{0, 0, 0};
    unsigned warp = 0;
    u32 context = 0, launch = 0;
  };
  std::optional<Found> last;

  void instruction(const Warp &warp, const Op &op, LaneMask) override {
    if (!(op.flags & Op::breakpoint)) // asked first, of every instruction: it costs nothing
      return;
    u64 pc = warp.addressOf(op);
    if (!isPlace(warp, pc))
      return;
    // The door is for those who look; a condition does no more, but its context can write too.
    if (std::optional<StopEvent> event = met(const_cast<Warp &>(warp), pc))
      last = {*event,       timeline.tickOfVisit(),           warp.cta().index(),
              warp.index(), warp.grid().device().contextId(), warp.grid().gridId()};
  }
  void instructionDone(const Warp &warp, const Op &op, LaneMask lanes) override {
    if (op.semantic == Semantic::BPT && lanes && timeline.tickOfVisit() + 1 < end)
      last = {{.kind = StopEvent::BreakInstruction, .code = unsigned(op.immediate)},
              timeline.tickOfVisit() + 1,
              warp.cta().index(),
              warp.index(),
              warp.grid().device().contextId(),
              warp.grid().gridId()};
  }

private:
  const Timeline &timeline;
  u64 end;
  std::function<bool(const Warp &, u64)> isPlace;
  Met met;
};

} // namespace

Expected<StopEvent> Session::reverseContinue() {
  beginMove();
  // A stop in this very moment is where we are.
  u64 now = history->now();
  auto isPlace = [&](const Warp &warp, u64 pc) { return isArmed(warp, pc); };
  StopFinder finder(*history, now, isPlace, [&](Warp &warp, u64 pc) {
    std::optional<StopEvent> event = breakpointsMet(warp, pc);
    if (event)
      erase_if(event->breakpoints, [&](unsigned id) { return points.find(id)->neverStops; });
    return event && event->breakpoints.empty() ? std::nullopt : event;
  });
  monitor->searchBefore(now, *history);
  {
    Unwatched quiet(*this);
    std::vector<HistoryVisitor *> visitors = {&finder};
    if (monitor->isNeeded())
      visitors.push_back(&*monitor);
    Timeline::Excursion trip(*history);
    for (u64 end = now; end > 0 && !finder.last && !monitor->found() && !interruptRequested();) {
      monitor->lookAgain();
      end = trip.visit(end, visitors);
    }
  }
  std::optional<Monitor::Met> met = monitor->take();
  monitor->stopGrid();
  if (interruptRequested())
    return interrupted();
  if (met && (!finder.last || met->tick > finder.last->tick)) {
    where.context = met->context;
    where.launch = met->launch;
    where.cta = met->cta;
    where.warp = met->index;
    goTo(met->tick);
    StopEvent event{StopEvent::Watch};
    for (const Monitor::Met::One &one : met->all) {
      event.addBreakpoint(one.id);
      event.details.push_back(one.what);
    }
    return stopped(event);
  }
  if (!finder.last)
    return goTo(0);
  StopFinder::Found found = *finder.last;
  where.context = found.context;
  where.launch = found.launch;
  where.cta = found.cta;
  where.warp = found.warp;
  goTo(found.tick);
  if (found.event.lanesMet && !(*found.event.lanesMet >> where.lane & 1))
    where.lane = unsigned(__builtin_ctz(*found.event.lanesMet));
  return stopped(found.event);
}

//===--- Writers ----------------------------------------------------------===//

Place Session::inFocus(Place place) const {
  place.cta = where.cta;
  place.warp = where.warp;
  place.context = where.context;
  place.launch = !isAlone() && gridIfAny() ? grid().gridId() : 0;
  return place;
}

Expected<std::optional<Writer>> Session::whoWrote(Place place) {
  clearInterrupt();
  place = inFocus(place);
  Unwatched quiet(*this);
  std::vector<bool> writers(executable().code().size());
  for (size_t i = 0; i < writers.size(); ++i)
    writers[i] = instructionUses(place, i * 8, true);
  WriterSearch search(*history, *machine, place, [&](u64 pc) { return writers[pc / 8]; });
  {
    Timeline::Excursion trip(*history);
    for (u64 end = history->now(); end > 0 && !search.last && !interruptRequested();)
      end = trip.visit(end, search);
  }
  if (interruptRequested())
    return interrupted();
  return search.last;
}

} // namespace leno::dbg
