// Ticks that can be gone to, and bookmarks of them.
#include "dbg/Interrupt.h"
#include "dbg/Session.h"
#include "emu/sm/Cta.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace leno::dbg {

namespace {

class AtTick : public HistoryVisitor {
public:
  AtTick(const Timeline &timeline, u64 tick) : timeline(timeline), tick(tick) {}
  void instruction(const Warp &warp, const Op &op, LaneMask) override {
    if (timeline.tickOfVisit() == tick)
      found = Footstep::of(tick, warp, warp.addressOf(op));
  }
  std::optional<Footstep> found;

private:
  const Timeline &timeline;
  u64 tick;
};

} // namespace

std::optional<Footstep> Session::whoExecutesAt(u64 tick) {
  AtTick at(*history, tick);
  Timeline::Excursion trip(*history);
  trip.visit(tick + 1, at);
  return at.found;
}

Expected<StopEvent> Session::goToTick(u64 tick) {
  beginMove();
  u64 now = history->now();
  if (tick < now) {
    std::optional<Footstep> step = whoExecutesAt(tick);
    if (interruptRequested())
      return interrupted();
    if (step)
      theFocus.moveTo(step->whose);
    return goTo(tick);
  }
  if (tick > now && (current == SessionState::Finished || current == SessionState::Trapped))
    return createStringError(formatv("the launch ended at tick {0}: there is no tick {1}", now, tick));
  theStops.clear();
  bool waitsForNothing =
      none_of(theStops.breakpoints().all(), [](const Breakpoint &point) { return point.enabled; });
  while (history->now() < tick) {
    if (waitsForNothing)
      history->leapTowards(tick - 1); // the last tick is executed: it may be the end
    if (std::optional<StopEvent> event = afterTurns(history->run(std::min(slice, tick - history->now()))))
      return stopped(*event);
  }
  if (Warp *warp = theFocus.warp())
    theFocus.moveTo(*warp);
  else
    theFocus.moveToContext(theFocus.position().context);
  return stopped({StopEvent::Step});
}

//===--- Checks -----------------------------------------------------------===//

Error Session::setCheck(const checks::CheckRow &row, bool on) {
  Checks &checks = theStops.checks();
  if (!on || checks.isOn(row) || !history || history->now() == 0) {
    on ? checks.add(row) : checks.remove(row);
    return Error::success();
  }
  bool isDone;
  {
    Stops::Unwatched quiet(theStops);
    isDone = history->tellPast([&] { checks.add(row); }, [&] { checks.remove(row); });
  }
  return isDone ? Error::success() : interrupted();
}

Error Session::setChecksFor(Caught event) {
  Expected<std::vector<const checks::CheckRow *>> rows =
      checks::checksNamed(event == Caught::Finding ? "all" : nameOf(event));
  if (!rows)
    return rows.takeError();
  for (const checks::CheckRow *row : *rows)
    if (Error error = setCheck(*row, true))
      return error;
  return Error::success();
}

//===--- Bookmarks --------------------------------------------------------===//

Session::Bookmark *Session::bookmark(StringRef which) {
  unsigned id = 0;
  bool isNumber = !which.getAsInteger(10, id);
  auto found =
      find_if(marks, [&](const Bookmark &mark) { return isNumber ? mark.id == id : mark.name == which; });
  return found == marks.end() ? nullptr : &*found;
}

Session::Bookmark &Session::addBookmark(StringRef name, std::string place) {
  Bookmark *mark = name.empty() ? nullptr : bookmark(name);
  if (!mark) {
    unsigned id = marks.empty() ? 1 : marks.back().id + 1;
    marks.push_back({id, name.str(), 0, {}, ""});
    mark = &marks.back();
  }
  mark->tick = history->now();
  mark->where = theFocus.position();
  mark->place = std::move(place);
  return *mark;
}

Expected<StopEvent> Session::goTo(const Bookmark &mark) {
  LanePosition there = mark.where;
  Expected<StopEvent> event = goToTick(mark.tick);
  if (!event || history->now() != mark.tick)
    return event;
  LanePosition before = theFocus.position();
  theFocus.moveTo(there);
  if (!theFocus.warp())
    theFocus.moveTo(before);
  return event;
}

} // namespace leno::dbg
