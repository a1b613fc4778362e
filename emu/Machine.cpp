//===- Machine.cpp - A run, in pieces or as a whole -----------------------===//
// With several contexts a cycle is what happens to them, then a turn of each
// SM, then time goes on. Each turn can be taken in parts, and what comes of a
// warp's end can wait: who looks at a stopped machine still finds the warps
// that ended something.
//===----------------------------------------------------------------------===//
#include "emu/Machine.h"
#include "asm/support/FloatEnvironment.h"
#include "emu/Snapshot.h"
#include "llvm/Support/Compiler.h"
#include <algorithm>
#include <limits>
#include <utility>

using namespace leno;
using namespace llvm;

constexpr u64 never = std::numeric_limits<u64>::max();

//===--- Making one -------------------------------------------------------===//

Machine::Machine(const MachineConfig &config, const Engine &engine, std::shared_ptr<PageFrames> frames)
    : MachineMoment{.slots = std::vector<Slot>(config.sm.count * config.contexts.perSm),
                    .hardware = std::vector<Sm>(config.sm.count),
                    .windowEnds = config.contexts.window,
                    .sliceEnds = config.contexts.timeSlice ? config.contexts.timeSlice : never},
      frames(std::move(frames)), settings(config), engine(engine), policy(Policy::Contexts),
      turnLength(config.timing.model == MachineConfig::Timing::Cycles ? 1 : config.scheduler.quantum),
      perSm(unsigned(config.contexts.perSm)), decoder(settings, allSemaphores, watchers, models.memorySide) {
  if (config.host.model)
    cpu.emplace(config);
  if (config.units.model != MachineConfig::Units::None)
    for (Sm &sm : hardware)
      sm.units.emplace(config.units);
  decoder.onLaunch = [this](GridRun &grid) { arm(grid); };
  decoder.onShare = [this](Context &context, const Share &wanted) { return share(context, wanted); };
}

Machine::Machine(Device &device, Policy policy)
    : MachineMoment{.slots = {}, .windowEnds = never, .sliceEnds = never, .begun = true},
      settings(device.config()), engine(device.engine()), policy(policy),
      turnLength(policy == Policy::Turns ? settings.scheduler.quantum : 1),
      decoder(settings, allSemaphores, watchers, models.memorySide) {
  all.push_back(std::make_unique<Context>(device));
}

Expected<std::unique_ptr<Machine>> Machine::create(Device &device, const Program &program,
                                                   const LaunchSpec &spec, const GridPart &part) {
  bool cycles = device.config().timing.model == MachineConfig::Timing::Cycles;
  std::unique_ptr<Machine> machine(new Machine(device, cycles ? Policy::Lockstep : Policy::Turns));
  Expected<std::unique_ptr<GridRun>> grid = GridRun::create(device, program, spec, machine->watchers, part);
  if (!grid)
    return grid.takeError();
  Context &context = *machine->all.front();
  machine->lone = grid->get();
  context.flights.push_back({std::move(*grid)});
  for (const auto &sm : machine->lone->sms())
    machine->slots.push_back({.owner = &context, .holder = &context, .part = sm.get()});
  return machine;
}

Machine::~Machine() {
  if (lone && hears)
    device().setConstantListener(nullptr);
  for (Observer *observer : hostObservers)
    for (const auto &context : all)
      context->device().removeObserver(*observer);
}

//===--- Those who watch --------------------------------------------------===//

void Machine::addObserver(Observer &observer) {
  LENO_ASSERT(canBeWatched, "the emulator was built without its doors for observers");
  watchers.observers.add(observer);
  if (observer.interests() & Observer::Host && !(lone && lone->isLaterPart())) {
    hostObservers.push_back(&observer);
    for (const auto &context : all)
      context->device().addObserver(observer);
  }
  for (const auto &context : all)
    for (const GridInFlight &grid : context->flights)
      grid.run->observersChanged();
  hearOfConstants();
}

/// Where launches alone share a device, only one that is watched.
void Machine::hearOfConstants() {
  bool wanted = false;
  watchers.observers.forEach(
      [&](Observer &observer) { wanted |= bool(observer.interests() & Observer::Constants); });
  if (lone && !lone->isLaterPart() && wanted != hears)
    device().setConstantListener(wanted ? this : nullptr);
  hears = wanted;
}

void Machine::constantEvent(const ConstantEvent &event) {
  watchers.observers.forEach([&](Observer &observer) {
    if (observer.interests() & Observer::Constants)
      observer.constantEvent(event);
  });
}

void Machine::removeObserver(Observer &observer) {
  watchers.observers.remove(observer);
  if (std::erase(hostObservers, &observer))
    for (const auto &context : all)
      context->device().removeObserver(observer);
  for (const auto &context : all)
    for (const GridInFlight &grid : context->flights)
      grid.run->observersChanged();
  hearOfConstants();
}

void Machine::setBreakpoints(std::function<std::set<u64>(const GridRun &)> wanted) {
  breakpoints = std::move(wanted);
  for (const auto &context : all)
    for (const GridInFlight &grid : context->flights)
      arm(*grid.run);
}

void Machine::arm(GridRun &grid) const {
  if (breakpoints)
    grid.setBreakpoints(breakpoints(grid));
}

void Machine::tell(DeviceEvent event) {
  event.cycle = now;
  told = true;
  if (onEvent)
    onEvent(event);
  watchers.observers.forEach([&](Observer &observer) {
    if (observer.interests() & Observer::Contexts)
      observer.deviceEvent(event);
  });
}

//===--- Whose turn it is -------------------------------------------------===//

/// Turns: `nextSm` is whose turn comes after this one.
bool Machine::chooseAmongSms() {
  if (current.warp && current.left > 0 && current.warp->status == WarpStatus::Ready)
    return true;
  current = {nullptr, 0, turnLength};
  for (size_t tried = 0; tried < slots.size() && !current.warp; ++tried) {
    current.warp = slots[nextSm].part->nextReady(never);
    if (++nextSm == slots.size())
      nextSm = 0;
  }
  return current.warp;
}

template <Machine::Policy policy> LLVM_ATTRIBUTE_ALWAYS_INLINE bool Machine::chooseFrom(Slot &slot) {
  if (slot.quietUntil > now)
    return false;
  if (Warp *ready = slot.part->nextReady(now)) [[likely]] {
    if (policy == Policy::Lockstep && ready->ahead && passTurns(slot, *ready))
      return false;
    current = {ready, 0, turnLength};
    return true;
  }
  slot.quietUntil = slot.part->readyFrom();
  return false;
}

/// An SM of a launch alone goes on to the next cycle that matters to anybody but itself.
bool Machine::passTurns(Slot &slot, Warp &first) {
  StreamingMultiprocessor &sm = *slot.part;
  if (!lone->passesTurns(sm, runEnds - passed))
    return false;
  slot.passedFrom = now;
  slot.passedUntil = slot.quietUntil = sm.passTurns(first, now);
  passed += slot.passedUntil - now;
  lone->passed(s64(slot.passedUntil - now));
  return true;
}

/// Of SMs that have passed turns in cycles to come: the machine stops in this one.
void Machine::takeBackTurns() {
  if (policy != Policy::Lockstep)
    return;
  for (size_t i = 0; i < slots.size(); ++i) {
    Slot &slot = slots[i];
    const u64 end = now + (i < nextSm);
    if (slot.passedUntil > end) {
      const u64 count = slot.passedUntil - end;
      slot.part->takeBack(count, end);
      slot.passedUntil = slot.quietUntil = end;
      passed -= count;
      lone->passed(-s64(count));
    }
    if (slot.passedUntil > slot.passedFrom)
      lone->time().passedUntil(slot.passedUntil, slot.passedFrom <= now && slot.passedUntil > now);
    slot.passedFrom = slot.passedUntil;
  }
}

/// S4: "a single context selected for processing each cycle": in turn, or as a virtual channel another one
/// when that of the last turn is blocked.
bool Machine::chooseAmongPlaces(size_t sm) {
  Sm &its = hardware[sm];
  if (its.turnUntil > now)
    return false;
  unsigned place = its.last;
  bool stays = settings.contexts.issue == MachineConfig::Contexts::WhenBlocked;
  for (unsigned tried = 0; tried < perSm; ++tried) {
    if ((!stays || tried > 0) && ++place == perSm)
      place = 0;
    Slot &slot = slots[sm * perSm + place];
    if (slot.busyUntil <= now && slot.state == Slot::Ready && slot.part &&
        chooseFrom<Policy::Contexts>(slot)) {
      its.last = place;
      return true;
    }
  }
  return false;
}

/// S4: a context is blocked also while "another context was executing using a shared processing slice".
void Machine::noteKeptWaiting(u64 until) {
  for (const Slot &slot : placesBeside(slots[nextSm * perSm]))
    if (slot.part && slot.state == Slot::Ready && slot.part != &current.warp->multiprocessor() &&
        slot.part->readyFrom(now) <= now)
      slot.holder->keptWaitingUntil = std::max(slot.holder->keptWaitingUntil, until);
}

/// By cycles: the next SM. False: it has nobody, or its turn is over; then comes the SM after it.
template <Machine::Policy policy> LLVM_ATTRIBUTE_ALWAYS_INLINE bool Machine::chooseOn(size_t sm) {
  if (policy == Policy::Lockstep && current.warp && current.done == 0 &&
      current.warp->status != WarpStatus::Ready)
    current = {}; // it did not use the cycle, and another one can
  if (!current.warp && (policy == Policy::Lockstep ? chooseFrom<policy>(slots[sm]) : chooseAmongPlaces(sm)))
    return true;
  if (current.warp && current.left > 0 && current.warp->status == WarpStatus::Ready)
    return true;
  current = {};
  ++nextSm;
  return false;
}

/// False: nobody's any more in this cycle.
template <Machine::Policy policy> LLVM_ATTRIBUTE_ALWAYS_INLINE bool Machine::chooseTurn() {
  if constexpr (policy == Policy::Turns)
    return chooseAmongSms();
  for (size_t sms = policy == Policy::Lockstep ? slots.size() : hardware.size(); nextSm < sms;)
    if (chooseOn<policy>(nextSm))
      return true;
  return false;
}

/// Begins the turn that was chosen, or goes on with it.
template <Machine::Policy policy> LLVM_ATTRIBUTE_ALWAYS_INLINE GridRun::Turned Machine::takeTurn(u64 most) {
  Warp &warp = *current.warp;
  GridRun &grid = policy == Policy::Contexts ? warp.grid() : *lone;
  if (policy == Policy::Lockstep && grid.isAtLimit()) [[unlikely]]
    takeBackTurns(); // those to come count, too
  grid.time().setCycle(now, current.done);
  u64 before = grid.instructions();
  GridRun::Turned turned = grid.turnOf(warp, std::min(current.left, most));
  u64 count = grid.instructions() - before;
  passed += count;
  if (policy == Policy::Lockstep && count > 0) { // its cycle is used
    grid.time().issuedNow(count);
    current = {};
    ++nextSm;
    return turned;
  }
  current.done += count;
  current.left -= std::min(count, current.left);
  if constexpr (policy == Policy::Contexts) {
    noteExecuted(contextOf(grid), count);
    warp.endStretch(); // it may be saved, and be others' in the meantime
    if (count > 0 && settings.timing.model == MachineConfig::Timing::Off)
      hardware[nextSm].turnUntil = now + current.done;
    if (count > 0 && perSm > 1)
      noteKeptWaiting(now + current.done);
  }
  return turned;
}

/// Turn after turn, until something comes of one or of those who watch it. False: it is nobody's turn any
/// more in this cycle.
template <Machine::Policy policy> bool Machine::takeTurns(u64 last, Warp *&ran, GridRun::Turned &turned) {
  do {
    if (!chooseTurn<policy>())
      return false;
    ran = current.warp;
    turned = takeTurn<policy>(last - passed);
  } while (turned == GridRun::Turned::Ran && passed != last && !watchers.stopRequested);
  return true;
}

bool Machine::takeTurns(u64 last, Warp *&ran, GridRun::Turned &turned) {
  switch (policy) {
  case Policy::Turns:
    return takeTurns<Policy::Turns>(last, ran, turned);
  case Policy::Lockstep:
    return takeTurns<Policy::Lockstep>(last, ran, turned);
  case Policy::Contexts:
    return takeTurns<Policy::Contexts>(last, ran, turned);
  }
}

/// Of warps that are not resident. Where the next one may be longer than this run, it is the next run's.
std::optional<Stop> Machine::takeWholeTurns(u64 last, Warp *&ran) {
  WholeTurns::Ran turns = lone->runWhole(last - passed);
  passed += turns.ticks;
  ran = turns.stays;
  nextSm = lone->turnsFrom().value_or(nextSm);
  if (!ran)
    return turns.ticks && lone->isWhole() && !lone->mayChange() ? std::optional(Stop{StopReason::Budget}) : std::nullopt;
  current = {ran, turns.ofTurn, turnLength - turns.ofTurn};
  GridRun::Turned turned = lone->endTurn(*ran);
  return turned == GridRun::Turned::Ran ? std::nullopt : afterTurn(*ran, turned);
}

/// Behind the end of a turn.
void Machine::goOnInPhases(Warp *&ran) {
  const bool isInTurn = current.left > 0 && current.warp->status == WarpStatus::Ready;
  if (isInTurn || !lone->enterPhases(nextSm))
    return;
  current = {};
  ran = nullptr;
}

/// For a debugger a moment of a launch alone is the same however it was come to: at a breakpoint the next
/// turn has been given out, so it is at other stops and before a step.
void Machine::chooseNext() {
  if (lone && watchers.debugger && !lone->hasFinishedCtas() && !lone->constantsMoved() && !lone->isHalted() &&
      !lone->isOver())
    while (!(policy == Policy::Turns ? chooseTurn<Policy::Turns>() : chooseTurn<Policy::Lockstep>()) &&
           endCycle(never))
      ;
}

/// The beginning is a stop, too.
bool Machine::start() {
  if (!lone || lone->hasBegun())
    return true;
  if (!lone->start())
    return false;
  lone->time().begin(busySms());
  chooseNext();
  return true;
}

/// Warps may be ready that were not.
void Machine::wakeSms() {
  for (Slot &slot : slots)
    slot.quietUntil = slot.passedUntil;
}

//===--- A run ------------------------------------------------------------===//

Stop Machine::run(u64 ticks) { return runOn(never, passed + std::min(ticks, never - passed), {}); }

Stop Machine::runUntil(u64 cycle, function_ref<bool()> enough) { return runOn(cycle, never, enough); }

Stop Machine::runOn(u64 until, u64 last, function_ref<bool()> enough) {
  FloatScope floats;
  if (!start())
    return {StopReason::Waiting};
  if (lone) {
    lone->takeWhenPatient();
    lone->seekPhases();
  }
  runEnds = last;
  auto toAStop = [&]() -> Stop {
    Warp *ran = nullptr;
    for (;;) {
      if (lone && lone->isHalted())
        return {StopReason::Trapped, lone->faulty()};
      if (std::exchange(watchers.stopRequested, false))
        return {StopReason::Requested, ran};
      // Before a turn is given out: a run in pieces goes the same way as a whole one.
      if (passed == last)
        return {StopReason::Budget, ran};
      if (hasToSettle()) {
        settleNow();
      } else if (lone && lone->isWhole()) {
        if (std::optional<Stop> stop = takeWholeTurns(last, ran))
          return *stop;
      } else if (!begun) {
        if (now >= until)
          return {StopReason::Cycle};
        if (enough && enough())
          return {StopReason::Enough};
        if (beginCycle())
          endMoment();
      } else if (GridRun::Turned turned; takeTurns(last, ran, turned)) {
        if (turned == GridRun::Turned::MayChange)
          goOnInPhases(ran);
        else if (turned != GridRun::Turned::Ran) [[unlikely]]
          if (std::optional<Stop> stop = afterTurn(*ran, turned))
            return *stop;
      } else if (!endCycle(until)) {
        return end(ran);
      }
    }
  };
  Stop stop = toAStop();
  takeBackTurns();
  for (const auto &context : all)
    for (const GridInFlight &grid : context->flights)
      grid.run->tellCounts();
  chooseNext();
  return stop;
}

/// No warp can run any more, and no cycle is to come in which anything happens.
Stop Machine::end(Warp *ran) {
  if (!lone)
    return {idle() ? StopReason::Finished : StopReason::Stuck, ran};
  if (!lone->end())
    return {StopReason::Waiting};
  return {lone->trap() ? StopReason::Trapped : StopReason::Finished};
}

bool Machine::advanceTo(const Position &position) {
  if (lone)
    return true;
  while (now != position.cycle || begun != position.begun || nextSm != position.sm) {
    bool goesOn = begun ? nextSm < hardware.size() ? !chooseOn<Policy::Contexts>(nextSm) : endCycle(never)
                        : !beginCycle();
    if (!goesOn || now > position.cycle)
      return false;
  }
  // It has stopped at a breakpoint, where its turn begins.
  if (position.chosen && !current.warp)
    return nextSm < hardware.size() && chooseOn<Policy::Contexts>(nextSm);
  return true;
}

//===--- A turn, and what comes of it -------------------------------------===//

std::optional<Stop> Machine::afterTurn(Warp &warp, GridRun::Turned turned) {
  if (turned == GridRun::Turned::Breakpoint)
    return Stop{StopReason::Breakpoint, &warp};
  bool trapped = turned == GridRun::Turned::Trapped;
  if (!lone)
    unsettled = &contextOf(warp.grid());
  if (trapped && (lone || watchers.debugger))
    return Stop{StopReason::Trapped, &warp};
  return std::nullopt;
}

void Machine::noteExecuted(Context &context, u64 count) {
  context.count.instructions += count;
  noteFaults(context);
}

/// What comes of CTAs that have ended comes before any turn.
bool Machine::hasToSettle() {
  if (!lone)
    return unsettled;
  if (lone->constantsMoved())
    lone->wakeForConstants();
  return lone->hasFinishedCtas();
}

// Only between turns: who looks at a stopped grid still finds the warps that ended it.
void Machine::settleNow() {
  if (policy != Policy::Turns)
    wakeSms();
  if (lone) {
    if (current.warp && current.warp->status != WarpStatus::Ready)
      current = {}; // its place may soon be another's, whose turn it is not
    lone->retireFinished();
    lone->handOut();
    if (!lone->finished())
      endMoment();
    return;
  }
  Context &context = *std::exchange(unsettled, nullptr);
  if (context.grid()->isHalted()) {
    endContext(context, context.grid()->trap()->str());
  } else {
    changed = true;
    retireFinished(context);
  }
  endMoment();
}

bool Machine::settle() {
  if (hasToSettle())
    settleNow();
  return lone ? !lone->finished() : !idle();
}

/// One that is no instruction.
void Machine::endMoment() {
  ++passed;
  watchers.observers.forEach([](Observer &observer) {
    if (observer.interests() & Observer::Contexts)
      observer.tickPassed();
  });
}

//===--- One warp alone ---------------------------------------------------===//

Stop Machine::step(Warp &warp) {
  FloatScope floats;
  LENO_ASSERT(!unsettled, "a step before what came of the one before is settled");
  if (!start())
    return {StopReason::Waiting, &warp};
  GridRun &grid = warp.grid();
  if (grid.isHalted())
    return {StopReason::Trapped, grid.faulty()};
  bool canExecute =
      warp.status == WarpStatus::Ready && !warp.cta().finished() && any_of(slots, [&](const Slot &slot) {
        return slot.state == Slot::Ready && slot.part == &warp.multiprocessor();
      });
  if (!canExecute)
    return {StopReason::Waiting, &warp};
  if (lone && lone->hasFinishedCtas())
    settleNow();
  chooseNext();
  // A debugger may step a warp before it is ready.
  bool inTurn = current.warp == &warp;
  u64 cycle = inTurn ? now : std::max(now, warp.multiprocessor().issuesFrom(warp));
  if (policy == Policy::Lockstep)
    now = cycle;
  wakeSms();
  grid.time().setCycle(cycle, inTurn && !lone ? current.done : 0);
  warp.stepOver = true;
  Context &context = contextOf(grid);
  u64 before = grid.instructions();
  GridRun::Turned turned = grid.turnOf(warp, 1);
  u64 count = grid.instructions() - before;
  passed += count;
  if (inTurn) {
    current.done += count;
    current.left -= std::min(count, current.left);
  }
  if (policy == Policy::Lockstep)
    grid.time().issuedNow(count);
  if (!lone)
    noteExecuted(context, count);
  grid.tellCounts();
  if (!lone && (grid.hasFinishedCtas() || grid.isHalted()))
    unsettled = &context;
  bool requested = std::exchange(watchers.stopRequested, false);
  chooseNext();
  warp.stepOver = true; // the caller sees where it stands
  switch (turned) {
  case GridRun::Turned::Trapped:
    return {StopReason::Trapped, &warp};
  case GridRun::Turned::Breakpoint:
    return {StopReason::Breakpoint, &warp};
  default:
    return {requested ? StopReason::Requested : StopReason::Budget, &warp};
  }
}

const Context *Machine::trapped() const {
  if (lone)
    return lone->trap() ? all.front().get() : nullptr;
  return unsettled && unsettled->grid()->isHalted() ? unsettled : nullptr;
}

bool Machine::isOnChip(const Warp &warp) const {
  const Context &context = contextOf(warp.grid());
  return context.grid(warp.grid().gridId()) == &warp.grid() && !context.saved.holds(warp.multiprocessor());
}

//===--- Snapshots --------------------------------------------------------===//

std::unique_ptr<Snapshot> Machine::snapshot(const Snapshot *before, const MemoryImage::Meter &meter) const {
  std::unique_ptr<Snapshot> saved(new Snapshot(*this));
  saved->tools = watchers.observers.save();
  saved->frontEnd = decoder.moment();
  saved->contexts.resize(all.size());
  for (size_t i = 0; i < all.size(); ++i) {
    const Context &context = *all[i];
    Snapshot::OfContext &to = saved->contexts[i];
    const Snapshot::OfContext *old = before ? &before->contexts[i] : nullptr;
    to.moment = context;
    for (const GridInFlight &grid : context.flights) {
      const GridRun::Saved *its = old ? old->of(grid.run.get()) : nullptr;
      grid.run->save(to.grids.emplace_back(), its, meter);
    }
    context.view.save(to.device, old ? &old->device : nullptr, meter);
  }
  return saved;
}

void Machine::restore(const Snapshot &saved) {
  LENO_ASSERT(saved.contexts.size() == all.size(), "a snapshot of a machine with other contexts");
  static_cast<MachineMoment &>(*this) = saved.moment;
  decoder.setMoment(saved.frontEnd);
  watchers.stopRequested = told = false;
  for (size_t i = 0; i < all.size(); ++i) {
    Context &context = *all[i];
    const Snapshot::OfContext &from = saved.contexts[i];
    std::vector<GridInFlight> before = context.flights;
    for (const GridInFlight &grid : before)
      if (!from.of(grid.run.get()))
        grid.run->forgetCtas();
    static_cast<ContextMoment &>(context) = from.moment;
    context.view.restore(from.device);
    for (const GridInFlight &grid : context.flights) {
      if (llvm::none_of(before, [&](const auto &one) { return one.run == grid.run; })) {
        grid.run->observersChanged(); // what watches may have changed since
        arm(*grid.run);
      }
      grid.run->restore(*from.of(grid.run.get()));
    }
  }
  watchers.observers.restore(saved.tools);
}
