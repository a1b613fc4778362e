// A past that was saved is executed again.
#include "dbg/Interrupt.h"
#include "dbg/Session.h"
#include "dbg/Text.h"
#include "emu/sm/Cta.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace leno::dbg {

//===--- Timeline ---------------------------------------------------------===//

Timeline::Past Timeline::past() const {
  Past result;
  for (Stretch stretch : stretches) {
    // What was taken back is in `changes` still.
    if (stretch.kind == Stretch::ChangeByUser) {
      result.changes.push_back(changes[stretch.change]);
      stretch.change = result.changes.size() - 1;
    }
    result.stretches.push_back(stretch);
  }
  return result;
}

static Error impossible() {
  return createStringError("what was executed cannot be executed again: the file is not of this program");
}

/// Whether a change, which comes from a file, can be made.
static bool fits(const Change &change, const Machine &machine) {
  if (change.context >= machine.contexts().size())
    return false;
  if (change.kind == Change::Memory && change.space == MemorySpace::Global)
    return machine.device(change.context)
        .memory()
        .find(change.address, std::max<size_t>(change.bytes.size(), 1));
  if (change.kind == Change::Priority || change.kind == Change::Sms)
    return !errorToBool(machine.checkShare(*machine.contexts()[change.context], change.share()));
  const Warp *whose = findWarp(machine, change);
  if (!whose || change.lane >= laneCount)
    return false;
  const Warp &warp = *whose;
  auto inside = [&](u64 size) {
    return change.address <= size && change.bytes.size() <= size - change.address;
  };
  switch (change.kind) {
  case Change::Priority:
  case Change::Sms:
    break;
  case Change::Pc:
    return change.address % 8 == 0 && change.address / 8 < warp.grid().size() && !warp.exited();
  case Change::Register:
    return change.number < warp.registers();
  case Change::Predicate:
    return change.number < truePredicate;
  case Change::FlagBits:
    return change.number <= unsigned(Flag::Zero);
  case Change::Memory:
    return change.space == MemorySpace::Shared  ? inside(warp.cta().shared().size())
           : change.space == MemorySpace::Local ? inside(warp.local.size)
                                                : false;
  }
  return false;
}

static Error stopped() { return createStringError("interrupted"); }

Error Timeline::repeat(const Past &past, function_ref<bool()> goesOn) {
  constexpr u64 slice = 1 << 20; // ticks between two questions
  for (const Stretch &stretch : past.stretches) {
    if (stretch.count == 0 || stretch.count > ~present)
      return impossible();
    u64 end = present + stretch.count;
    switch (stretch.kind) {
    case Stretch::Turns:
      for (unsigned vain = 0; present < end;) {
        if (!goesOn())
          return stopped();
        u64 before = present;
        Stop stop = run(std::min(end - present, slice));
        if (stop.reason == StopReason::Breakpoint)
          stop.warp->stepOver = true; // a BPT, told already
        vain = present == before ? vain + 1 : 0;
        if (vain > 1)
          return impossible();
      }
      break;
    case Stretch::Steps:
      while (present < end) {
        if (present % (slice / 16) == 0 && !goesOn())
          return stopped();
        u64 before = present;
        if (stretch.whose.context >= machine.contexts().size() || !machine.advanceTo(stretch.from))
          return impossible();
        Warp *warp = findWarp(machine, stretch.whose);
        if (!warp || warp->exited())
          return impossible();
        step(*warp);
        if (present != before + 1)
          return impossible();
      }
      break;
    case Stretch::ChangeByUser:
      if (stretch.count != 1 || stretch.change >= past.changes.size() ||
          !fits(past.changes[stretch.change], machine))
        return impossible();
      perform(past.changes[stretch.change]);
      break;
    }
  }
  return Error::success();
}

//===--- Session ----------------------------------------------------------===//

Session::Moment Session::moment() const {
  Moment result{current, last, theFocus.position(), {}, jumps, theFocus.userValues(), {}, marks};
  if (history) {
    result.past = history->past();
    if (const Context *trapped = machine->trapped())
      result.trap = trapped->grid()->trap();
  }
  return result;
}

Error Session::repeatEnd(const Moment &saved) {
  Stop stop;
  const std::optional<Trap> &trap = saved.trap;
  if (saved.state == SessionState::Finished)
    stop = history->run(1);
  else {
    // Who waits for others has trapped in the turns; any other fault is one of an instruction.
    Warp *faulty =
        trap ? findWarp(*machine, {trap->cta, trap->warp, saved.where.context, saved.where.launch}) : nullptr;
    bool inTurns = !trap || trap->kind == TrapKind::Timeout || trap->kind == TrapKind::BarrierDeadlock;
    stop = inTurns || !faulty ? history->run(1) : history->step(*faulty);
  }
  bool wanted = saved.state == SessionState::Finished
                    ? stop.reason == StopReason::Finished || stop.reason == StopReason::Stuck
                    : stop.reason == StopReason::Trapped;
  return wanted ? Error::success() : impossible();
}

Error Session::repeat(const Moment &saved, function_ref<bool()> goesOn) {
  if (saved.state == SessionState::NotStarted)
    return Error::success();
  if (saved.where.context >= work->contextCount() || work->launches(saved.where.context).empty())
    return impossible();
  if (Error error = restart())
    return error;
  if (Error error = history->repeat(saved.past, goesOn))
    return error;
  theFocus.moveTo(saved.where);
  if (saved.state != SessionState::Stopped || saved.trap)
    if (Error error = repeatEnd(saved))
      return error;
  if (isAlone() && saved.state == SessionState::Stopped && !theFocus.warp())
    return impossible();
  if (Warp *warp = theFocus.warp())
    warp->stepOver = true; // the user sees where it stands
  jumps = saved.jumps;
  theFocus.userValues() = saved.user;
  marks = saved.marks;
  current = saved.state;
  last = saved.last;
  return Error::success();
}

// A grid has its limit from its launch: the launch is made again, and executed again up to here.
Error Session::setInstructionLimit(u64 most) {
  if (theFocus.gridIfAny() && theFocus.grid().instructions() > most)
    return createStringError(
        formatv("{0} have been executed already", plural(theFocus.grid().instructions(), "instruction")));
  work->setMaximumInstructions(
      most, theFocus.position().context,
      size_t(&theFocus.launch() - work->launches(theFocus.position().context).data()));
  if (current == SessionState::NotStarted) {
    Error error = work->restart();
    if (!error)
      theStops.arm();
    return error;
  }
  Moment here = moment();
  if (here.trap && here.trap->kind == TrapKind::Timeout) {
    here.state = SessionState::Stopped;
    here.trap.reset();
    here.last = StopEvent{StopEvent::Step};
  }
  InterruptsIgnored toTheEnd;
  Breakpoints kept = std::exchange(theStops.breakpoints(), {});
  Error error = repeat(here, [] { return true; });
  theStops.breakpoints() = std::move(kept);
  theStops.arm();
  return error;
}

} // namespace leno::dbg
