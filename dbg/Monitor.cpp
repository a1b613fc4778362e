#include "dbg/Monitor.h"
#include "dbg/Text.h"
#include "emu/sm/Cta.h"
#include "llvm/Support/FormatVariadic.h"

using llvm::formatv;

namespace leno::dbg {

bool Monitor::isNeeded() const {
  for (const Breakpoint &point : points.all())
    if (point.enabled && point.kind != Breakpoint::Code &&
        !(point.kind == Breakpoint::Catch && point.caught == Caught::Trap)) // traps stop anyway
      return true;
  return false;
}

void Monitor::lookAgain() { again = true; }

void Monitor::searchBefore(u64 end, const Timeline &history) {
  timeline = &history;
  limit = end;
  last.reset();
  earlier.clear();
  for (checks::NamedFinding &found : questions.findings())
    if (found.finding.second)
      earlier.push_back(std::move(found.finding));
}

//===--- Watched places ---------------------------------------------------===//

void Monitor::instruction(const Warp &warp, const Op &op, LaneMask) {
  touched.clear();
  started = false;
  meetEarlier(warp, op, nullptr);
  if (again) {
    values.clear();
    for (const Breakpoint &point : points.all())
      if (point.kind == Breakpoint::Watch)
        values[point.id] = point.place.read(machine);
    again = false;
  }
  for (const Breakpoint &point : points.all())
    if (point.kind == Breakpoint::Watch && point.enabled && point.access != WatchAccess::Write &&
        point.place.kind != Place::Memory && point.place.isOf(warp))
      if (LaneMask lanes = warp.executing(op) & point.place.lanes;
          lanes && questions.reads(point.place, warp.addressOf(op)))
        touched[point.id] |= lanes;
}

void Monitor::memory(const Warp &warp, const Op &op, const MemoryAccess &access) {
  meetEarlier(warp, op, &access);
  for (const Breakpoint &point : points.all()) {
    if (point.kind != Breakpoint::Watch || !point.enabled)
      continue;
    bool counts = access.kind == MemoryAccess::Kind::Store ? point.access == WatchAccess::Any
                                                           : point.access != WatchAccess::Write;
    if (counts)
      if (LaneMask lanes = point.place.lanesThatTouch(access, warp))
        touched[point.id] |= lanes;
  }
}

void Monitor::instructionDone(const Warp &warp, const Op &, LaneMask) {
  for (const Breakpoint &point : points.all()) {
    if (point.kind != Breakpoint::Watch || !point.enabled)
      continue;
    // What only its own warp can change need not be looked at when another one ran.
    if (point.place.kind != Place::Memory && !point.place.isOf(warp))
      continue;
    Place::Bits now = point.place.read(machine);
    Place::Bits before = std::exchange(values[point.id], now);
    bool changed = now && before && now != before;
    LaneMask lanes = touched.count(point.id) ? touched[point.id] : 0;
    if (changed && point.access != WatchAccess::Read)
      pending.push_back({point.id, point.text + ": " + point.place.describeChange(*before, *now)});
    else if (lanes)
      pending.push_back({point.id, formatv("{0} accessed by {1}", point.text, describeLanes(lanes)).str()});
  }
  tell(&warp, timeline ? timeline->tickOfVisit() + 1 : 0);
}

//===--- Caught events ----------------------------------------------------===//

void Monitor::caught(Caught event, const std::string &what) {
  for (const Breakpoint &point : points.all())
    if (point.enabled && point.kind == Breakpoint::Catch && point.caught == event)
      pending.push_back({point.id, what});
}

/// Of a check, and of any.
void Monitor::caught(const std::string &check, const std::string &what) {
  if (std::optional<Caught> event = caughtNamed(check))
    caught(*event, what);
  caught(Caught::Finding, what);
}

void Monitor::finding(const checks::Finding &finding) {
  caught(finding.check, finding.check + ": " + finding.text);
}

/// Backwards: the first of two places of a finding. `access`: null before the instruction.
void Monitor::meetEarlier(const Warp &warp, const Op &op, const MemoryAccess *access) {
  if (!timeline || earlier.empty())
    return;
  u64 pc = warp.addressOf(op);
  for (const checks::Finding &finding : earlier) {
    const checks::Action &action = *finding.second;
    bool isIt = pc == action.pc && warp.index() == action.warp && warp.cta().index() == action.cta &&
                warp.grid().device().contextId() == finding.context &&
                finding.space.has_value() == bool(access);
    LaneMask lanes = access ? 0 : warp.executing(op);
    for (LaneMask left = isIt && access && access->space == finding.space ? access->lanes : 0; left;
         left &= left - 1) {
      unsigned lane = unsigned(std::countr_zero(left));
      u64 address = access->addresses[lane];
      if (address < finding.address + finding.bytes && finding.address < address + access->bytes)
        lanes |= LaneMask(1) << lane;
    }
    if (isIt && lanes & action.lanes)
      caught(finding.check,
             formatv("{0}: the {1} before it, {2}", finding.check, action.what, describeLanes(lanes)));
  }
}

std::vector<Monitor::Met::One> Monitor::takePending(const Warp *warp) {
  std::vector<Met::One> met;
  for (Met::One &one : pending)
    for (const Breakpoint &point : points.all())
      if (point.id == one.id && (!point.condition || questions.holds(point, warp)))
        met.push_back(std::move(one));
  pending.clear();
  return met;
}

void Monitor::tell(const Warp *warp, u64 tick) {
  std::vector<Met::One> met = takePending(warp);
  if (met.empty() || (timeline && tick >= limit))
    return;
  if (!timeline) {
    machine.requestStop();
    if (last) // CTAs have started before this instruction
      met.insert(met.begin(), last->all.begin(), last->all.end());
  }
  last = Met{tick, WarpPosition::of(*warp), false, std::move(met)};
}

// CTAs start in a tick of their own.
void Monitor::warpStart(const Warp &warp) {
  if (warp.index() != 0)
    return;
  std::vector<Met::One> earlier = std::exchange(pending, {}); // of the instruction under way
  caught(Caught::CtaStart, "cta " + describeIndex(warp.cta().index()) + " starts");
  std::vector<Met::One> met = takePending(&warp);
  pending = std::move(earlier);
  u64 tick = timeline ? timeline->tickOfVisit() + 1 : 0;
  if (met.empty() || (timeline && tick >= limit))
    return;
  if (!timeline)
    machine.requestStop();
  if (!last || last->tick != tick || !started)
    last = Met{tick, WarpPosition::of(warp), false, std::move(met)};
  else // several start at once
    last->all.insert(last->all.end(), met.begin(), met.end());
  started = true;
}
void Monitor::ctaEnd(const Cta &cta) {
  caught(Caught::CtaEnd, "cta " + describeIndex(cta.index()) + " ends");
}
void Monitor::warpExit(const Warp &warp) {
  caught(Caught::Exit, formatv("warp {0} exits, {1}", warp.index(), describeLanes(warp.lanesLaunched())));
}

static std::vector<Caught> caughtBy(const DeviceEvent &event) {
  switch (event.kind) {
  case DeviceEvent::ContextChange:
  case DeviceEvent::SliceMoved:
    return {Caught::ContextChange};
  case DeviceEvent::SmGranted:
    return {Caught::ContextSwitch, Caught::SmGranted};
  case DeviceEvent::SmSaves:
    return {Caught::ContextSwitch, Caught::SmSaves};
  case DeviceEvent::SmRestores:
    return {Caught::ContextSwitch, Caught::SmRestores};
  case DeviceEvent::SmDrains:
    return {Caught::ContextSwitch};
  case DeviceEvent::GridStarts:
    return {Caught::GridStart};
  case DeviceEvent::GridEnds:
    return {Caught::GridEnd};
  case DeviceEvent::PageFault:
    return {Caught::PageFault};
  case DeviceEvent::MessageSent:
    return {Caught::Message};
  case DeviceEvent::ReplyTaken:
    return {Caught::Reply};
  case DeviceEvent::ContextEnds:
    break;
  }
  return {Caught::ContextEnd};
}

void Monitor::deviceEvent(const DeviceEvent &event) {
  std::vector<Met::One> met;
  for (Caught what : caughtBy(event))
    for (const Breakpoint &point : points.all())
      if (point.enabled && point.kind == Breakpoint::Catch && point.caught == what)
        met.push_back({point.id, questions.describe(event)});
  // A page fault is of the instruction that has just been executed; the others are of a tick of their own.
  u64 tick = timeline ? timeline->tickOfVisit() + (event.kind != DeviceEvent::PageFault) : 0;
  if (met.empty() || (timeline && tick >= limit))
    return;
  if (!timeline)
    machine.requestStop();
  if (last && last->tick == tick && last->ofContext)
    last->all.insert(last->all.end(), met.begin(), met.end()); // several in one cycle
  else
    last = Met{tick, {.context = event.context}, true, std::move(met)};
}

void Monitor::divergence(const Warp &, const Op &, LaneMask taken, LaneMask notTaken) {
  caught(Caught::Divergence,
         formatv("divergence: taken by {0}, not by {1}", describeLanes(taken), describeLanes(notTaken)));
}
void Monitor::reconvergence(const Warp &, const Op &, const Token &token, LaneMask lanes) {
  caught(Caught::Reconvergence, formatv("reconvergence: {0} go on from a {1} entry", describeLanes(lanes),
                                        tokenTypeName(token.type)));
}
void Monitor::push(const Warp &, const Op &, const Token &token, const StackAccess &access) {
  caught(Caught::Push, formatv("push of {0}, entry {1}, {2}", tokenTypeName(token.type), access.entry,
                               describeLanes(token.mask)));
}
void Monitor::pop(const Warp &, const Op &, const Token &token, const StackAccess &access) {
  caught(Caught::Pop, formatv("pop of {0}, entry {1}, {2}", tokenTypeName(token.type), access.entry,
                              describeLanes(token.mask)));
}
void Monitor::stackTransfer(const Warp &, const Op &, const StackTransfer &transfer) {
  caught(transfer.isRestore ? Caught::Restore : Caught::Spill,
         formatv("{0} of {1} from entry {2}", transfer.isRestore ? "restore" : "spill",
                 transfer.count == 1 ? "1 entry" : std::to_string(transfer.count) + " entries",
                 transfer.first));
}
void Monitor::barrierArrive(const Warp &warp, const Op &, unsigned barrier, BarrierOperation) {
  caught(Caught::Barrier, formatv("arrival at barrier {0}, {1}", barrier, describeLanes(warp.active)));
}
void Monitor::barrierRelease(const Cta &, unsigned barrier) {
  caught(Caught::Release, formatv("release of barrier {0}", barrier));
}

} // namespace leno::dbg
