#include "dbg/Timeline.h"
#include "asm/support/Assert.h"
#include "dbg/Interrupt.h"
#include "emu/sm/Cta.h"
#include "emu/sm/StreamingMultiprocessor.h"
#include "llvm/ADT/STLExtras.h"
#include <ctime>

namespace leno::dbg {

/// What this thread has had of the processor: what others do on a busy machine costs no checkpoints.
static double secondsNow() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + double(time.tv_nsec) * 1e-9;
}

Timeline::Timeline(Machine &machine) : machine(machine) { keep(0, 0); }

//===--- Forward ----------------------------------------------------------===//

void Timeline::append(Stretch stretch) {
  known = machine.ticks();
  stretch.first = present;
  if (stretch.count == 0)
    return;
  present += stretch.count;
  if (stretch.kind == Stretch::Turns) {
    auto passed = llvm::partition_point(left, [&](const Checkpoint &c) { return c.tick <= present; });
    std::move(left.begin(), passed, std::back_inserter(checkpoints));
    left.erase(left.begin(), passed);
  }
  if (stretch.kind != Stretch::Turns || present >= leftUntil)
    forgetAhead();
  if (!stretches.empty()) {
    Stretch &last = stretches.back();
    bool continues =
        stretch.kind == last.kind &&
        (stretch.kind == Stretch::Turns ||
         (stretch.kind == Stretch::Steps && stretch.whose == last.whose && stretch.from == last.from));
    if (continues) {
      last.count += stretch.count;
      return;
    }
  }
  stretches.push_back(stretch);
}

Stop Timeline::run(u64 budget) {
  for (u64 toGo = budget;;) {
    u64 before = machine.ticks(), due = checkpoints.back().tick + interval;
    u64 piece = std::min(toGo, due > present ? due - present : 1);
    double start = secondsNow();
    Stop stop = machine.run(piece);
    u64 count = machine.ticks() - before;
    secondsOfTurns += secondsNow() - start;
    ticksOfTurns += count;
    append({Stretch::Turns, 0, count});
    keepWhenDue();
    toGo -= count;
    if (stop.reason != StopReason::Budget)
      held.insert(present >> 20);
    if (stop.reason != StopReason::Budget || toGo == 0)
      return stop;
  }
}

// A turn counts its instructions when it ends; while somebody listens the warp's clock tells how many they
// are.
void Timeline::setInside(const Warp *warp) {
  ahead = 0;
  if (!warp)
    return;
  u64 turn = warp->multiprocessor().clock();
  ahead = 1 + (!visiting && warp->clockIsFresh && warp->clock > turn ? warp->clock - turn : 0);
}

Stop Timeline::step(Warp &warp) {
  WarpPosition whose = WarpPosition::of(warp); // the CTA may be gone afterwards
  if (settle())
    machine.requestStop(); // after the step
  Machine::Position from = machine.position();
  u64 before = machine.ticks();
  Stop stop = machine.step(warp);
  append({Stretch::Steps, 0, machine.ticks() - before, 0, whose, from});
  keepWhenDue();
  return stop;
}

bool Timeline::settle() {
  u64 before = machine.ticks();
  bool requested = false;
  while (machine.mustSettle()) // a stop that was asked for before comes first
    requested |= machine.run(1).reason == StopReason::Requested;
  append({Stretch::Turns, 0, machine.ticks() - before});
  return requested;
}

void Timeline::perform(Change change) {
  change.apply(machine);
  changes.push_back(std::move(change));
  append({Stretch::ChangeByUser, 0, 1, changes.size() - 1});
}

u64 Timeline::beforeLastChanges() const {
  u64 tick = present;
  for (auto s = stretches.rbegin(); s != stretches.rend() && s->kind == Stretch::ChangeByUser; ++s)
    tick = s->first;
  return tick;
}

//===--- Checkpoints ------------------------------------------------------===//

void Timeline::keepWhenDue() {
  if (present < checkpoints.back().tick + interval || machine.trapped())
    return;
  keep(present, present);
  // Few ticks tell nothing of the speed.
  if (ticksOfTurns >= shortest / 2)
    secondsATick = secondsOfTurns / double(ticksOfTurns);
  secondsOfTurns = 0;
  ticksOfTurns = 0;
  // A twentieth of the time, at most, goes into them.
  if (secondsATick > 0)
    interval = std::clamp(u64(20 * secondsASnapshot / secondsATick), shortest, u64(1) << 32);
}

void Timeline::keep(u64 tick, u64 target) {
  auto after = llvm::partition_point(checkpoints, [&](const Checkpoint &c) { return c.tick < tick; });
  if (after != checkpoints.end() && after->tick == tick)
    return;
  const Snapshot *before = after == checkpoints.begin() ? nullptr : std::prev(after)->snapshot.get();
  double start = secondsNow();
  std::unique_ptr<Snapshot> snapshot = machine.snapshot(before, meter);
  secondsASnapshot = secondsNow() - start;
  ++done.snapshots;
  checkpoints.insert(after, {tick, std::move(snapshot)});
  thinOut(target);
}

// Who listens makes execution about eight times as slow, and where checkpoints stand close less of it is
// listened to.
u64 Timeline::finest() const {
  if (secondsATick <= 0)
    return shortest;
  return std::clamp(u64(secondsASnapshot / secondsATick / 8), shortest, shortest << 8);
}

void Timeline::restore(const Snapshot &moment) {
  ++done.restores;
  machine.restore(moment);
}

void Timeline::dropOne(std::vector<Checkpoint> &from, llvm::function_ref<double(u64 tick)> weight) {
  size_t least = 0;
  double leastGap = 0;
  for (size_t i = 1; i < from.size(); ++i) {
    u64 tick = from[i].tick, next = i + 1 < from.size() ? from[i + 1].tick : tick;
    double gap = double(next - from[i - 1].tick) / weight(tick);
    if (least == 0 || gap < leastGap) {
      least = i;
      leastGap = gap;
    }
  }
  from.erase(from.begin() + ptrdiff_t(least));
}

// Those that were left ahead stand evenly: nobody knows where the user goes. They go before the others.
void Timeline::thinOut(u64 target) {
  while (left.size() > 1 && (left.size() > mostCheckpoints || *meter > mostBytes))
    dropOne(left, [](u64) { return 1.0; });
  while (checkpoints.size() > 2 && (checkpoints.size() > mostCheckpoints || *meter > mostBytes))
    dropOne(checkpoints, [&](u64 tick) {
      return double(tick > target ? tick - target : target - tick) + double(shortest);
    });
}

const Timeline::Checkpoint &Timeline::nearest(u64 tick) const {
  return *std::prev(llvm::partition_point(checkpoints, [&](const Checkpoint &c) { return c.tick <= tick; }));
}

//===--- Executing again --------------------------------------------------===//

/// Keeps the tick for a visitor, which is to stand before it among the observers.
class Timeline::TickCounter : public HistoryVisitor {
public:
  explicit TickCounter(u64 &ticks) : ticks(ticks) {}
  void instructionDone(const Warp &, const Op &, LaneMask) override { ++ticks; }
  void tickPassed() override { ++ticks; }

private:
  u64 &ticks;
};

void Timeline::replayStretch(const Stretch &stretch, u64 count, llvm::ArrayRef<HistoryVisitor *> visitors) {
  u64 last = machine.ticks() + count;
  switch (stretch.kind) {
  case Stretch::Turns:
    while (machine.ticks() < last) {
      Stop stop = machine.run(last - machine.ticks());
      LENO_ASSERT(stop.reason == StopReason::Budget || stop.reason == StopReason::Breakpoint ||
                      stop.reason == StopReason::Trapped, // and its context was left to end
                  "the past does not happen again as it did");
      // Breakpoints were told when they were met.
      if (stop.reason == StopReason::Breakpoint)
        stop.warp->stepOver = true;
    }
    break;
  case Stretch::Steps:
    if (!machine.advanceTo(stretch.from))
      LENO_ASSERT(false, "the past does not happen again as it did");
    for (; machine.ticks() < last;) {
      Warp *warp = findWarp(machine, stretch.whose);
      LENO_ASSERT(warp, "a step of the past is to be made again where its warp does not run");
      u64 before = machine.ticks();
      machine.step(*warp);
      LENO_ASSERT(machine.ticks() == before + 1, "a step of the past does not happen again");
    }
    break;
  case Stretch::ChangeByUser:
    for (HistoryVisitor *visitor : visitors)
      visitor->changeByUser(changes[stretch.change]);
    changes[stretch.change].apply(machine);
    break;
  }
}

bool Timeline::replay(u64 from, u64 to, llvm::ArrayRef<HistoryVisitor *> visitors) {
  // Ticks between two looks for Ctrl-C; visitors may have conditions to compute at each.
  const u64 slice = visitors.empty() ? 1 << 20 : 1 << 15;
  TickCounter counter(cursor);
  cursor = from;
  visiting = !visitors.empty();
  for (HistoryVisitor *visitor : visitors)
    machine.addObserver(*visitor);
  if (!visitors.empty())
    machine.addObserver(counter); // after them: they hear of an instruction at the tick before it
  bool goesOn = true;
  auto next = llvm::partition_point(stretches, [&](const Stretch &s) { return s.end() <= from; });
  for (u64 at = from; at < to && goesOn; goesOn = !interruptRequested()) {
    u64 until = std::min({next->end(), to, at + slice});
    replayStretch(*next, until - at, visitors);
    done.ticks += until - at;
    cursor = at = until;
    if (onProgress)
      onProgress(at);
    if (at == next->end())
      ++next;
  }
  for (HistoryVisitor *visitor : visitors)
    machine.removeObserver(*visitor);
  if (!visitors.empty())
    machine.removeObserver(counter);
  visiting = false;
  return goesOn;
}

bool Timeline::approach(u64 target, u64 gap) {
  u64 at = nearest(target).tick;
  restore(*nearest(target).snapshot);
  while (target - at > gap) {
    u64 middle = at + (target - at) / 2;
    if (!replay(at, middle))
      return false;
    at = middle;
    keep(at, target);
  }
  return replay(at, target);
}

void Timeline::goTo(u64 tick) {
  LENO_ASSERT(tick <= present, "back to a moment that is still to come");
  {
    // Short enough: what was asked for is done, Ctrl-C or not.
    InterruptsIgnored toTheEnd;
    approach(tick, finest());
  }
  // The stretch it is in leads on from there, and from its end what lay ahead of the present.
  auto within = llvm::partition_point(stretches, [&](const Stretch &s) { return s.end() <= tick; });
  bool leadsOn = within != stretches.end() && within->kind == Stretch::Turns;
  if (!leadsOn || within->end() != present)
    forgetAhead();
  if (leadsOn) {
    leftUntil = std::max(leftUntil, within->end());
    std::vector<Checkpoint> ahead;
    for (Checkpoint &c : checkpoints)
      if (c.tick > tick && c.tick <= within->end())
        ahead.push_back(std::move(c));
    std::move(left.begin(), left.end(), std::back_inserter(ahead));
    left = std::move(ahead);
    llvm::erase_if(checkpoints, [](const Checkpoint &c) { return !c.snapshot; });
  }
  present = tick;
  known = machine.ticks();
  while (!stretches.empty() && stretches.back().first >= tick)
    stretches.pop_back();
  if (!stretches.empty())
    stretches.back().count = std::min(stretches.back().count, tick - stretches.back().first);
  while (checkpoints.back().tick > tick)
    checkpoints.pop_back();
}

void Timeline::forgetAhead() {
  left.clear();
  leftUntil = 0;
}

void Timeline::leapTowards(u64 tick) {
  auto stop = held.lower_bound(present >> 20);
  if (stop != held.end())
    tick = std::min(tick, *stop << 20);
  auto beyond = llvm::partition_point(left, [&](const Checkpoint &c) { return c.tick <= tick; });
  if (beyond == left.begin() || tick <= present)
    return;
  const Checkpoint &to = *std::prev(beyond);
  u64 count = to.tick - present;
  restore(*to.snapshot);
  done.leapt += count;
  append({Stretch::Turns, 0, count}); // which makes them checkpoints of the past
  thinOut(present);
}

// Checkpoints know nothing of who comes: only the start is kept.
bool Timeline::tellPast(llvm::function_ref<void()> add, llvm::function_ref<void()> remove) {
  restore(*checkpoints.front().snapshot);
  checkpoints.resize(1);
  forgetAhead();
  add();
  if (approach(present, finest())) {
    known = machine.ticks();
    return true;
  }
  remove();
  InterruptsIgnored toTheEnd;
  approach(present, finest());
  known = machine.ticks();
  return false;
}

Timeline::Excursion::Excursion(Timeline &timeline)
    : timeline(timeline),
      back(timeline.machine.snapshot(timeline.checkpoints.back().snapshot.get(), timeline.meter)) {}

Timeline::Excursion::~Excursion() { timeline.restore(*back); }

u64 Timeline::Excursion::visit(u64 end, llvm::ArrayRef<HistoryVisitor *> visitors) {
  if (end == 0)
    return 0;
  reach = std::max(2 * reach, timeline.finest());
  u64 start = end > reach ? end - reach : 0;
  // Without anybody listening to where it begins, or a little before; then the last part again.
  if (start - timeline.nearest(start).tick > reach && !timeline.approach(start, reach))
    return end;
  const Checkpoint &from = timeline.nearest(start);
  u64 first = from.tick;
  timeline.restore(*from.snapshot);
  timeline.replay(first, end, visitors);
  return first;
}

std::optional<std::pair<u64, u64>> Timeline::Excursion::lastChange(u64 end, Sign sign) {
  while (end > 0) {
    const Checkpoint &from = timeline.nearest(end - 1);
    u64 first = from.tick;
    timeline.restore(*from.snapshot);
    bool existed = sign().has_value();
    if (auto found = lastChangeWithin(first, end, sign))
      return found;
    if (!existed || interruptRequested())
      break;
    end = first;
  }
  return std::nullopt;
}

/// From the machine's moment `low`. What changes and changes back within a piece is not seen: a sign is one
/// that only grows.
std::optional<std::pair<u64, u64>> Timeline::Excursion::lastChangeWithin(u64 low, u64 high, Sign sign) {
  constexpr u64 pieces = 16;
  for (;;) {
    u64 piece = std::max((high - low + pieces - 1) / pieces, timeline.finest());
    std::optional<u64> changed, before = sign();
    for (u64 at = low; at < high;) {
      u64 next = std::min(at + piece, high);
      if (!timeline.replay(at, next))
        return std::nullopt;
      std::optional<u64> now = sign();
      if (now != before)
        changed = at;
      before = now;
      at = next;
    }
    if (!changed)
      return std::nullopt;
    low = *changed;
    high = std::min(low + piece, high);
    if (piece == timeline.finest())
      return std::pair(low, high);
    if (!timeline.approach(low, piece))
      return std::nullopt;
  }
}

} // namespace leno::dbg
