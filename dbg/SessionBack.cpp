// The session's ways back in time.
#include "dbg/Interrupt.h"
#include "dbg/Session.h"
#include "dbg/source/Steps.h"
#include "emu/sm/Cta.h"
#include <functional>

using namespace llvm;

namespace leno::dbg {

Footstep Session::footstep() const {
  if (Warp *warp = theFocus.warp())
    return Footstep::of(history->now(), *warp, warp->pcBytes());
  WarpPosition nowhere = theFocus.position();
  nowhere.launch = theFocus.gridIfAny() ? theFocus.grid().gridId() : 0;
  return {history->now(), nowhere};
}

StopEvent Session::goTo(u64 tick) {
  {
    Stops::Unwatched quiet(theStops);
    history->goTo(tick);
  }
  theStops.lookAgain();
  while (!jumps.empty() && jumps.back().to > tick)
    jumps.pop_back();
  if (Warp *warp = theFocus.warp()) {
    warp->stepOver = true; // the user sees where it stands
    theFocus.moveTo(*warp);
  } else
    theFocus.moveToContext(theFocus.position().context);
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
  theFocus.moveTo(at.whose);
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
  Stops::Unwatched quiet(theStops);
  Footstep at = here(count);
  // Of contexts, the step that ended the last CTA of one leads back by itself.
  bool byJump = !isAlone() && !jumps.empty() && jumps.back().ledTo(at);
  if (!theFocus.warp() && count > 0 && !byJump) {
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
  std::optional<SourceLine> line = theFocus.executable().line(later.pc),
                            other = theFocus.executable().line(earlier.pc);
  return line && other && line->line == other->line && line->file == other->file;
}

Expected<StopEvent> Session::reverseLines(u64 count, bool overCalls) {
  beginMove();
  if (!theFocus.warp())
    return reverseInstructions(1, overCalls);
  Stops::Unwatched quiet(theStops);
  Footstep at = here(count);
  {
    StepsBack steps(*history, *machine, jumps);
    for (std::optional<Footstep> next; count > 0 && (next = stepBack(steps, at, overCalls)); --count) {
      const OwnCode own(theFocus, at.pc, overCalls);
      at = *next;
      while (own.passes(at.pc) && (next = stepBack(steps, at, overCalls)))
        at = *next;
      // On to where the line began: the mirror image of stepLines.
      for (Footstep earlier = at; (next = stepBack(steps, earlier, overCalls));) {
        earlier = *next;
        if (own.passes(earlier.pc))
          continue;
        if (!continuesLine(earlier, at))
          break;
        at = earlier;
      }
    }
  }
  return arrive(at, count == 0);
}

Expected<StopEvent> Session::reverseFinish() {
  beginMove();
  u64 count = 1;
  Footstep from = here(count);
  // To where a function that was taken in begins.
  if (theFocus.warp()) {
    std::vector<CallFrame> frames = theFocus.callFrames();
    const CallFrame &frame = frames[std::min(theFocus.frame, frames.size() - 1)];
    if (frame.function && frame.function->kind == source::Scope::Inlined && frame.level == 0) {
      Stops::Unwatched quiet(theStops);
      Footstep at = from;
      bool isOut = false;
      {
        StepsBack steps(*history, *machine, jumps);
        for (std::optional<Footstep> next; !isOut && at.isOf(from) && (next = steps.before(at));) {
          at = *next;
          isOut = at.calls < from.calls ||
                  (at.calls == from.calls &&
                   !is_contained(theFocus.source().functionsAt(at.pc), frame.function));
        }
      }
      return arrive(at, isOut);
    }
  }
  if (!theFocus.warp() || from.calls == 0)
    return createStringError("the warp is in no call: there is no caller to go back to");
  Stops::Unwatched quiet(theStops);
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
  Stops::Unwatched quiet(theStops);
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

Expected<StopEvent> Session::reverseContinue() {
  beginMove();
  // A stop in this very moment is where we are.
  std::optional<Stops::Past> found = theStops.lastBefore(history->now(), *history);
  if (interruptRequested())
    return interrupted();
  if (!found)
    return goTo(0);
  theFocus.moveTo(found->by);
  goTo(found->tick);
  theFocus.chooseLane(found->event.lanesMet.value_or(0));
  return stopped(found->event);
}

//===--- Writers ----------------------------------------------------------===//

Expected<std::optional<Writer>> Session::whoWrote(Place place) {
  clearInterrupt();
  place = theFocus.own(place);
  Stops::Unwatched quiet(theStops);
  std::vector<bool> writers(theFocus.executable().code().size());
  for (size_t i = 0; i < writers.size(); ++i)
    writers[i] = theCode.uses(place, i * 8, true);
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
