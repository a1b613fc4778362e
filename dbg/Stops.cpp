#include "dbg/Stops.h"
#include "dbg/Interrupt.h"
#include "dbg/StopWords.h"
#include "dbg/Text.h"
#include "emu/sm/Cta.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace leno::dbg {

//===--- Arming -----------------------------------------------------------===//

bool Stops::isIn(const Breakpoint &point, const GridRun &grid) const {
  return !point.program || ((point.everywhere || point.context == grid.device().contextId()) &&
                            point.program == focus.prepared().launchOf(grid).executable);
}

bool Stops::isArmed(const Warp &warp, u64 pc) const {
  return any_of(points.all(), [&](const Breakpoint &point) {
    return point.enabled && point.covers(pc) && isIn(point, warp.grid());
  });
}

void Stops::arm() {
  if (inThePast)
    return;
  focus.machine().setBreakpoints([this](const GridRun &grid) {
    std::set<u64> places;
    for (const Breakpoint &point : points.all())
      if (point.enabled && isIn(point, grid))
        places.insert(point.location.addresses.begin(), point.location.addresses.end());
    return places;
  });
  if (monitor)
    watch(monitor->isNeeded());
}

void Stops::watch(bool on) {
  if (on != watching)
    on ? focus.machine().addObserver(*monitor) : focus.machine().removeObserver(*monitor);
  watching = on;
}

void Stops::attach(Timeline &history) {
  monitor.emplace(
      focus.machine(), points,
      Monitor::Questions{[this](const Place &place, u64 pc) { return code.uses(place, pc, false); },
                         [this, &history](const Breakpoint &point, const Warp *warp) {
                           history.setInside(warp);
                           bool holds = conditionHolds(point, const_cast<Warp &>(*warp));
                           history.setInside(nullptr);
                           return holds;
                         },
                         [this](const DeviceEvent &event) { return sentenceOf(event, focus); },
                         [this] { return theChecks.found(); }});
  theChecks.attach([this](const checks::Finding &finding) {
    if (watching || monitor->isSearching())
      monitor->finding(finding);
  });
  arm();
}

void Stops::detach() {
  theChecks.detach();
  if (monitor)
    watch(false);
  monitor.reset();
}

std::optional<std::pair<u32, size_t>> Stops::launchThatRuns(const Breakpoint &point) const {
  const runtime::Prepared &work = focus.prepared();
  for (u32 context = 0; context < work.contextCount(); ++context)
    for (size_t i = 0; i < work.launches(context).size(); ++i)
      if (work.launches(context)[i].executable == point.program &&
          (point.everywhere || context == point.context))
        return std::pair(context, i);
  return std::nullopt;
}

//===--- Conditions -------------------------------------------------------===//

Expected<std::shared_ptr<const Expression>> Stops::readCondition(StringRef text, bool isHere) {
  Expected<Expression> parsed = Expression::parse(text.trim());
  if (!parsed)
    return parsed.takeError();
  if (isHere)
    if (Error error = parsed->checkNames(focus.context()))
      return std::move(error);
  return std::make_shared<const Expression>(std::move(*parsed));
}

Stops::Verdict Stops::judge(const Breakpoint &point, Warp &warp) {
  Expected<LaneMask> lanes = point.condition->lanesWhereTrue(focus.contextOf(&warp, focus.position().lane));
  if (lanes)
    return {*lanes != 0, *lanes};
  std::string why;
  handleAllErrors(
      lanes.takeError(), [&](const TextError &error) { why = error.message; },
      [&](const ErrorInfoBase &error) { why = error.message(); });
  return {!point.conditionFailed, std::nullopt, why};
}

bool Stops::conditionHolds(const Breakpoint &point, Warp &warp) {
  Verdict verdict = judge(point, warp);
  if (verdict.holds && !verdict.problem.empty())
    problems[point.id] = verdict.problem;
  return verdict.holds;
}

void Stops::told(StopEvent &event) {
  for (unsigned id : event.breakpoints) {
    auto problem = problems.find(id);
    Breakpoint *point = points.find(id);
    if (!point)
      continue;
    if (problem != problems.end()) {
      point->conditionFailed = true;
      event.problems.push_back(
          formatv("the condition of {0} {1}, {2}, cannot be computed: {3}\n  it stops for "
                  "that this once; `condition {1} EXPRESSION` gives it another",
                  point->kind == Breakpoint::Code ? "breakpoint" : point->kindName(), id,
                  point->condition->text(), problem->second));
    }
    if (point->stopsLeft && --point->stopsLeft == 0)
      point->enabled = false;
    if (point->temporary)
      points.remove(id);
  }
  problems.clear();
  arm();
}

//===--- Forwards ---------------------------------------------------------===//

bool Stops::counts(Breakpoint &point) {
  ++point.hits;
  return !point.ignore || !point.ignore--;
}

std::optional<StopEvent> Stops::met(Warp &warp, u64 pc) {
  StopEvent event{StopEvent::Breakpoint};
  for (Breakpoint &point : points.all()) {
    if (!point.enabled || !point.covers(pc) || !isIn(point, warp.grid()))
      continue;
    if (point.condition) {
      Verdict verdict = judge(point, warp);
      if (!verdict.holds)
        continue;
      if (verdict.lanes)
        event.lanesMet = *verdict.lanes | event.lanesMet.value_or(0);
      else
        problems[point.id] = verdict.problem;
    }
    event.breakpoints.push_back(point.id);
  }
  return event.breakpoints.empty() ? std::nullopt : std::optional(event);
}

std::optional<StopEvent> Stops::at(Warp &warp) {
  std::optional<StopEvent> event = met(warp, warp.pcBytes());
  if (!event)
    return std::nullopt;
  erase_if(event->breakpoints, [&](unsigned id) {
    Breakpoint &point = *points.find(id);
    return !counts(point) || (point.passes && point.passes(point, warp));
  });
  if (event->breakpoints.empty())
    return std::nullopt;
  warp.stepOver = true; // told: the next run goes on from here
  focus.moveTo(warp);
  focus.chooseLane(event->lanesMet.value_or(0));
  return event;
}

std::optional<StopEvent> Stops::ofMonitor() {
  std::optional<Monitor::Met> met = monitor->take();
  if (!met)
    return std::nullopt;
  StopEvent event{StopEvent::Watch};
  Warp *by = met->ofContext ? nullptr : findWarp(focus.machine(), met->by);
  for (const Monitor::Met::One &one : met->all) {
    Breakpoint *point = points.find(one.id);
    if (!point || !counts(*point) || (point->passes && by && point->passes(*point, *by)))
      continue;
    event.addBreakpoint(one.id);
    event.details.push_back(one.what);
  }
  if (event.breakpoints.empty())
    return std::nullopt;
  if (met->ofContext)
    focus.moveToContext(met->by.context);
  else {
    focus.moveTo(met->by);
    if (Warp *warp = focus.warp())
      focus.moveTo(*warp);
  }
  return event;
}

std::optional<StopEvent> Stops::ctasAtStart() {
  StopEvent event{StopEvent::Watch};
  for (Breakpoint &point : points.all()) {
    if (!point.enabled || point.kind != Breakpoint::Catch || point.caught != Caught::CtaStart)
      continue;
    for (Cta *cta : focus.gridIfAny() ? focus.grid().residentCtas() : std::vector<Cta *>())
      if ((!point.condition || conditionHolds(point, *cta->warps()[0])) && counts(point)) {
        event.addBreakpoint(point.id);
        event.details.push_back("cta " + describeIndex(cta->index()) + " starts");
      }
  }
  return event.breakpoints.empty() ? std::nullopt : std::optional(event);
}

std::vector<unsigned> Stops::ofTrap(Warp *warp) {
  std::vector<unsigned> found;
  for (Breakpoint &point : points.all())
    if (point.enabled && point.kind == Breakpoint::Catch && point.caught == Caught::Trap &&
        (!point.condition || !warp || conditionHolds(point, *warp))) {
      ++point.hits;
      found.push_back(point.id);
    }
  return found;
}

//===--- Backwards --------------------------------------------------------===//

namespace {

/// The last moment of a stretch in which running would have stopped.
class StopFinder : public HistoryVisitor {
public:
  using Met = std::function<std::optional<StopEvent>(Warp &, u64 pc)>;
  /// Stops from the tick `end` on do not count.
  StopFinder(const Timeline &timeline, u64 end, Met met)
      : timeline(timeline), end(end), met(std::move(met)) {}

  std::optional<Stops::Past> last;

  void instruction(const Warp &warp, const Op &op, LaneMask) override {
    if (!(op.flags & Op::breakpoint)) // asked first, of every instruction: it costs nothing
      return;
    // The door is for those who look; a condition does no more, but its context can write too.
    if (std::optional<StopEvent> event = met(const_cast<Warp &>(warp), warp.addressOf(op)))
      last = {*event, timeline.tickOfVisit(), WarpPosition::of(warp)};
  }
  void instructionDone(const Warp &warp, const Op &op, LaneMask lanes) override {
    if (op.semantic == Semantic::BPT && lanes && timeline.tickOfVisit() + 1 < end)
      last = {{.kind = StopEvent::BreakInstruction, .code = unsigned(op.immediate)},
              timeline.tickOfVisit() + 1,
              WarpPosition::of(warp)};
  }

private:
  const Timeline &timeline;
  u64 end;
  Met met;
};

} // namespace

std::optional<Stops::Past> Stops::lastBefore(u64 now, Timeline &history) {
  StopFinder finder(history, now, [&](Warp &warp, u64 pc) {
    std::optional<StopEvent> event = met(warp, pc);
    if (event)
      erase_if(event->breakpoints, [&](unsigned id) { return points.find(id)->neverStops; });
    return event && event->breakpoints.empty() ? std::nullopt : event;
  });
  monitor->searchBefore(now, history);
  {
    Unwatched quiet(*this);
    std::vector<HistoryVisitor *> visitors = {&finder};
    if (monitor->isNeeded())
      visitors.push_back(&*monitor);
    Timeline::Excursion trip(history);
    for (u64 end = now; end > 0 && !finder.last && !monitor->found() && !interruptRequested();) {
      monitor->lookAgain();
      end = trip.visit(end, visitors);
    }
  }
  std::optional<Monitor::Met> met = monitor->take();
  monitor->stopGrid();
  if (!met || (finder.last && finder.last->tick >= met->tick))
    return finder.last;
  StopEvent event{StopEvent::Watch};
  for (const Monitor::Met::One &one : met->all) {
    event.addBreakpoint(one.id);
    event.details.push_back(one.what);
  }
  return Past{std::move(event), met->tick, met->by};
}

} // namespace leno::dbg
