//===- DeviceSteps.cpp - A device's run, in pieces or as a whole ------------===//
// A cycle: what happens to contexts, then a turn of each SM, then time goes
// on. Each turn can be taken in parts, and what comes of a warp's end can wait:
// who looks at a stopped device still finds the warps that ended something.
//===----------------------------------------------------------------------===//
#include "emu/device/DeviceRun.h"
#include "emu/device/SharedClock.h"
#include "isa/FloatEnvironment.h"
#include <algorithm>
#include <limits>
#include <utility>

using namespace leno;

constexpr u64 never = std::numeric_limits<u64>::max();

DeviceStop DeviceRun::run(u64 until, llvm::function_ref<bool()> enough) {
  return runOn(until, never, enough);
}

DeviceStop DeviceRun::runMoments(u64 count) {
  return runOn(never, passed + std::min(count, never - passed), {});
}

DeviceStop DeviceRun::runOn(u64 until, u64 last, llvm::function_ref<bool()> enough) {
  FloatScope floats;
  Warp *ran = nullptr;
  for (;;) {
    if (std::exchange(stopRequested, false))
      return {DeviceStop::Requested, ran};
    if (passed == last)
      return {DeviceStop::Budget, ran};
    if (unsettled) {
      settle();
    } else if (!begun) {
      if (now >= until)
        return {DeviceStop::Cycle};
      if (enough && enough())
        return {DeviceStop::Enough};
      if (beginCycle())
        endMoment();
    } else if (nextSlot < slots.size()) {
      if (!chooseTurn())
        continue;
      ran = current.warp;
      if (std::optional<DeviceStop> stop = turnOf(slots[nextSlot], last - passed))
        return *stop;
    } else if (!endCycle(until)) {
      return {idle() ? DeviceStop::Idle : DeviceStop::Stuck, ran};
    }
  }
}

void DeviceRun::advanceTo(const Position &position) {
  while (now != position.cycle || begun != position.begun || nextSlot != position.slot) {
    bool goesOn = begun ? nextSlot < slots.size() ? !chooseTurn() : endCycle(never) : !beginCycle();
    LENO_ASSERT(goesOn && now <= position.cycle, "the past does not happen again as it did");
  }
  if (position.chosen && !current.warp) // it has stopped at a breakpoint, where its turn begins
    chooseTurn();
}

/// True: something happened.
bool DeviceRun::beginCycle() {
  begun = true;
  nextSlot = 0;
  told = false;
  if (decoder.step(all, isShared() ? nullptr : only, now))
    changed = true;
  for (const auto &context : all)
    if (!context->alive() && !context->endIsTold) // a command of it could not be done
      endContext(*context, context->failure);
  serveFaults();
  watch();
  if (now >= windowEnds)
    endWindow();
  if (now >= sliceEnds)
    endTimeSlice();
  if (changed)
    noticeChanges();
  moveSlots();
  if (changed)
    distribute();
  return std::exchange(changed, false) || told;
}

/// On to the next cycle in which there is something to do. False: there is none to come.
bool DeviceRun::endCycle(u64 until) {
  begun = false;
  u64 next = nextCycle();
  if (next == never && !changed)
    return false;
  next = std::min(until, changed ? now + 1 : next);
  account(next - now);
  now = next;
  return true;
}

/// Whose turn it is on the next SM. False: nobody's, or it is over; then comes the SM after it.
bool DeviceRun::chooseTurn() {
  const Slot &slot = slots[nextSlot];
  bool latencies = settings.timing.model == MachineConfig::Timing::Cycles;
  if (!current.warp && slot.state == Slot::Ready && slot.busyUntil <= now && slot.part)
    current = {slot.part->nextReady(now), 0, latencies ? 1 : settings.scheduler.quantum};
  if (current.warp && current.left > 0 && current.warp->status == WarpStatus::Ready)
    return true;
  current = {};
  ++nextSlot;
  return false;
}

/// Begins the turn of an SM, or goes on with it.
std::optional<DeviceStop> DeviceRun::turnOf(Slot &slot, u64 most) {
  Context &context = *slot.holder;
  Warp &warp = *current.warp;
  context.clock->setCycle(now, current.done);
  u64 before = context.run->instructions();
  GridRun::Turned turned = context.run->turnOf(warp, std::min(current.left, most));
  u64 count = context.run->instructions() - before;
  executed(context, count, true);
  if (count > 0 && settings.timing.model == MachineConfig::Timing::Off)
    slot.busyUntil = now + current.done;
  stopRequested |= context.run->takeStopRequest();
  switch (turned) {
  case GridRun::Turned::Ran:
    break;
  case GridRun::Turned::Breakpoint:
    return DeviceStop{DeviceStop::Breakpoint, &warp};
  case GridRun::Turned::CtaFinished:
    unsettled = &context;
    break;
  case GridRun::Turned::Trapped:
    unsettled = &context;
    if (context.run->debuggerAttached())
      return DeviceStop{DeviceStop::Trapped, &warp};
    break;
  }
  return std::nullopt;
}

void DeviceRun::executed(Context &context, u64 count, bool inTurn) {
  passed += count;
  context.count.instructions += count;
  if (inTurn) {
    current.done += count;
    current.left -= std::min(count, current.left);
  }
  noteFaults(context);
}

void DeviceRun::settle() {
  Context &context = *std::exchange(unsettled, nullptr);
  if (context.run->isHalted()) {
    endContext(context, context.run->trap()->str());
  } else {
    changed = true;
    if (context.run->retireFinished())
      endGrid(context);
  }
  endMoment();
}

/// One that is no instruction.
void DeviceRun::endMoment() {
  ++passed;
  if (onMoment)
    onMoment();
  for (const auto &context : all)
    if (context->run)
      stopRequested |= context->run->takeStopRequest();
}

//===--- One warp alone ---------------------------------------------------===//

Stop DeviceRun::step(Warp &warp) {
  LENO_ASSERT(!unsettled, "a step before what came of the one before is settled");
  Context &context = *all[warp.grid().device().contextId()];
  auto slot = std::find_if(slots.begin(), slots.end(), [&](const Slot &s) {
    return s.state == Slot::Ready && s.part == &warp.cta().multiprocessor();
  });
  if (slot == slots.end())
    return {StopReason::Waiting, &warp};
  bool inTurn = current.warp == &warp;
  // A debugger may step a warp before it is ready.
  context.clock->setCycle(inTurn ? now : std::max(now, warp.readyAt), inTurn ? current.done : 0);
  u64 before = context.run->instructions();
  Stop stop = context.run->step(warp);
  executed(context, context.run->instructions() - before, inTurn);
  if (context.run->hasFinishedCtas() || context.run->isHalted())
    unsettled = &context;
  if (std::exchange(stopRequested, false) && stop.reason == StopReason::Budget)
    stop.reason = StopReason::Requested;
  return stop;
}

const Context *DeviceRun::trapped() const {
  return unsettled && unsettled->run->isHalted() ? unsettled : nullptr;
}

bool DeviceRun::isOnChip(const Warp &warp) const {
  const Context &context = *all[warp.grid().device().contextId()];
  return context.run.get() == &warp.grid() && !context.saved.holds(warp.cta().multiprocessor());
}
