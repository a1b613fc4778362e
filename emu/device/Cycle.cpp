//===- Cycle.cpp - What happens to contexts in a cycle ----------------------===//
// Before the turns of the SMs, and when time goes on after them.
//===----------------------------------------------------------------------===//
#include "emu/Machine.h"
#include "llvm/Support/FormatVariadic.h"
#include <limits>
#include <utility>

using namespace leno;
using namespace llvm;
using Config = MachineConfig::Contexts;

constexpr u64 never = std::numeric_limits<u64>::max();

//===--- Contexts and their streams ----------------------------------------===//

static std::string nameOf(const std::string &name, size_t number) {
  return "context " + (name.empty() ? std::to_string(number) : "'" + name + "'");
}

static std::string nameOf(const Context &context) { return nameOf(context.name(), context.id()); }

static std::string perContexts(unsigned perSm) {
  return perSm == 1 ? "" : formatv(" for {0} contexts each", perSm).str();
}

Expected<Context *> Machine::createContext(ContextSpec spec, Device *joining) {
  if (settings.contexts.allocation == Config::Static) {
    std::vector<ContextDemand> demand = demands();
    demand.push_back({.asked = spec.sms});
    if (staticSplit(demand, slices()).empty())
      return createStringError(
          formatv("there is no SM left for {0}: of {1} SMs{2} the {3} contexts before it have all; raise "
                  "sm.count, ask for fewer, or let contexts.allocation be dynamic",
                  nameOf(spec.name, all.size()), hardware.size(), perContexts(perSm),
                  count_if(all, [](const auto &context) { return !context->retired; })));
  }
  if (spec.stackDepth > settings.warp.stackDepth)
    return createStringError(
        formatv("{0} asks for stacks of {1} entries; a warp has room for {2}: raise warp.stackDepth",
                nameOf(spec.name, all.size()), spec.stackDepth, settings.warp.stackDepth));
  bool isModelled = MemoryChain::setting(settings);
  if (isModelled && models.memorySide.empty())
    models = MemoryChain::sharedModels(settings);
  SharedModels *shared = isModelled ? &models : nullptr;
  u32 number = u32(all.size());
  if (joining) {
    joining->join(number, shared);
    all.push_back(std::make_unique<Context>(*joining, std::move(spec)));
  } else {
    all.push_back(std::make_unique<Context>(number, std::move(spec), settings, engine, frames, shared));
  }
  if (isModelled)
    all.back()->count.memory = MemoryChain(settings, nullptr, 0, &models).counts();
  if (ConstantUnit *unit = all.back()->constantUnit())
    unit->beginShared();
  all.back()->device().setConstantListener(this);
  for (Observer *observer : hostObservers)
    all.back()->device().addObserver(*observer);
  wasActive.push_back(false);
  wasFaulted.push_back(false);
  if (settings.contexts.allocation == Config::Static)
    grant(staticSplit(demands(), slices()));
  changed = true;
  return all.back().get();
}

static Error checkLaunch(const MachineConfig &config, const Program &program, const LaunchSpec &spec) {
  if (Error error = GridRun::check(config, program, spec))
    return error;
  if (config.contexts.room != Config::Divided || config.contexts.perSm == 1)
    return Error::success();
  MachineConfig part = config;
  part.sm = config.partOfSm();
  part.contexts.perSm = 1;
  if (Error error = GridRun::check(part, program, spec))
    return createStringError(
        formatv("{0} (that is the part of a multiprocessor that contexts.room=divided gives "
                "to each of {1} contexts)",
                toString(std::move(error)), config.contexts.perSm));
  return Error::success();
}

Error Machine::submit(Context &context, Command command) {
  if (!context.alive())
    return createStringError(
        formatv("{0} takes no more commands, it has ended: {1}", nameOf(context), context.failure));
  if (const auto *launch = std::get_if<Launch>(&command)) {
    if (launch->channel && !cpu)
      return createStringError("a launch that comes in a message needs the host on the machine's clock: set "
                               "host.model=clock and timing.model=cycles");
    if (Error error = checkLaunch(settings, *launch->program, launch->spec))
      return error;
  }
  if (const auto *update = std::get_if<ConstantUpdate>(&command))
    if (Error error = ConstantBanks().write(update->bank, update->offset, update->bytes))
      return error;
  context.commands.push(std::move(command));
  changed = true;
  return Error::success();
}

//===--- A cycle ----------------------------------------------------------===//

/// True: something happened.
bool Machine::beginCycle() {
  begun = true;
  nextSm = 0;
  told = false;
  bool landed =
      cpu && cpu->step(now, {models.memorySide, all, [this](const DeviceEvent &event) { tell(event); }});
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
  if (changed || told)
    wakeSms();
  return std::exchange(changed, false) || told || landed;
}

/// On to the next cycle in which there is something to do. False: there is none to come.
bool Machine::endCycle(u64 until) {
  if (policy == Policy::Turns)
    return false;
  if (policy == Policy::Lockstep)
    return endLoneCycle();
  begun = false;
  u64 next = nextCycle();
  if (next == never && !changed)
    return false;
  next = std::min(until, changed ? now + 1 : next);
  account(next - now);
  now = next;
  return true;
}

/// Those with unfinished warps.
u64 Machine::busySms() const {
  return u64(count_if(slots, [](const Slot &slot) { return slot.part->hasUnfinishedWarps(); }));
}

bool Machine::endLoneCycle() {
  u64 next = never;
  for (const Slot &slot : slots)
    if (next > now + 1)
      next = std::min(
          next, std::max(slot.quietUntil > now ? slot.quietUntil : slot.part->readyFrom(now + 1), now + 1));
  if (next == never)
    return false;
  lone->time().endCycle(next - now, busySms());
  now = next;
  nextSm = 0;
  return true;
}

bool Machine::idle() const {
  return all_of(all, [](const auto &context) { return isDone(*context); }) && (!cpu || cpu->isIdle(all));
}

bool Machine::isDone(const Context &context) {
  return !context.isBusy();
}

u64 Machine::nextCycle() const {
  u64 next = decoder.nextCycle(all, isShared() ? nullptr : only, now);
  bool working = false;
  for (const Slot &slot : slots) {
    if (slot.drains && slot.drainsUntil > now)
      next = std::min(next, slot.drainsUntil);
    if (slot.state != Slot::Ready)
      next = std::min(next, std::max(slot.busyUntil, now + 1));
    else if (slot.part)
      if (u64 ready = slot.quietUntil > now ? slot.quietUntil : slot.part->readyFrom(); ready != never)
        next = std::min(next, std::max({ready, slot.busyUntil, hardware[numberOf(slot)].turnUntil, now + 1}));
    working |= slot.part != nullptr || slot.state != Slot::Ready;
  }
  // Time alone changes nothing where nobody works or waits for an SM.
  for (const auto &context : all) {
    working |= context->isBlocked;
    if (context->faultedUntil > now)
      next = std::min(next, context->faultedUntil);
  }
  if (cpu) // nobody but it can go on, and it waits for somebody else: nothing is to come
    next = std::min(next, cpu->nextCycle(all, working || next != never));
  if (working || next != never)
    next = std::min(next, std::max(decoder.nextPoll(all), now + 1));
  if (!working)
    return next;
  if (settings.contexts.allocation == Config::Dynamic)
    next = std::min(next, std::max(windowEnds, now + 1));
  for (const auto &context : all)
    if (u64 limit = watchdogOf(*context))
      next = std::min(next, std::max(limit, now + 1));
  return std::min(next, std::max(sliceEnds, now + 1));
}

void Machine::account(u64 cycles) {
  for (const auto &context : all) {
    context->count.runCycles += context->flights.empty() ? 0 : cycles;
    u64 waits = context->keptWaitingUntil > now ? std::min(context->keptWaitingUntil - now, cycles) : 0;
    u64 blocked = context->isBlocked ? cycles : waits;
    context->count.blockedCycles += blocked;
    context->blockedInWindow += blocked;
  }
  for (const Slot &slot : slots) {
    if (!slot.holder)
      continue;
    slot.holder->count.smCycles += cycles;
    slot.holder->count.switchCycles += slot.state != Slot::Ready ? cycles : 0;
    if (slot.state == Slot::Ready && slot.part && slot.part->hasUnfinishedWarps())
      slot.part->grid().time().addSmCycles(cycles);
  }
}

//===--- Work -------------------------------------------------------------===//

/// S2: an SM takes CTAs of a launch where it has none of an older one. False: it has.
bool Machine::giveTo(Slot &slot, GridRun &grid) {
  if (!slot.part || &slot.part->grid() == &grid)
    return true;
  if (hasState(slot))
    return false;
  if (grid.hasCtasToHandOut()) // the state's number stays, and with it the constants in the L1
    bringOn(slot, *grid.sms()[slot.part->identity()]);
  return true;
}

/// There is work of its owner for it that has not come to an SM yet.
bool Machine::wantsRoom(const Slot &slot) const {
  const Context *context = slot.owner;
  if (!context || !context->youngest())
    return false;
  const GridRun &grid = *context->youngest();
  return !context->saved.empty() ||
         (grid.hasBegun() && grid.hasCtasToHandOut() && context->faultedUntil <= now);
}

/// That the states on the SM's other places leave.
SmRoom Machine::roomBeside(const Slot &slot) const {
  SmRoom left = settings.sm;
  for (const Slot &other : placesBeside(slot))
    if (&other != &slot && other.part)
      left = left - other.part->roomTaken();
  return left;
}

/// CHOICE, where contexts share an SM's room: one alone has all of it. Where others have work for it too,
/// each has an equal part at most, and who has nothing there comes before all who have.
SmRoom Machine::roomFor(const Slot &slot, const CtaNeeds &needs) const {
  if (settings.contexts.room == Config::Divided)
    return settings.partOfSm();
  u64 sharers = 1;
  for (const Slot &other : placesBeside(slot))
    if (&other != &slot && wantsRoom(other)) {
      if (hasState(slot) && !hasState(other))
        return slot.part->roomTaken();
      ++sharers;
    }
  auto part = [&](u64 all, u64) { return all / sharers; };
  auto most = [](u64 a, u64 b) { return std::max(a, b); };
  auto least = [](u64 a, u64 b) { return std::min(a, b); };
  SmRoom equal = SmRoom(settings.sm).with({}, part);
  return (hasState(slot) ? equal : equal.with(needs, most)).with(roomBeside(slot), least);
}

void Machine::distribute() {
  for (const auto &context : all) {
    context->isBlocked = false;
    GridRun *grid = context->youngest();
    if (!grid)
      continue;
    // S4: a mapping is over all SMs of the context, ready or not. Saved state is older than any CTA that is
    // not out yet, and comes first.
    bool holdBack = !context->saved.empty() || !grid->hasBegun() ||
                    (context->faultedUntil > now && othersCanRun(*context));
    std::vector<StreamingMultiprocessor *> ready;
    for (Slot &slot : slots)
      if (slot.owner == context.get()) {
        bool takes = slot.holder == context.get() && slot.state == Slot::Ready && !slot.rotates &&
                     !holdBack && giveTo(slot, *grid);
        ready.push_back(takes ? slot.part : nullptr);
        if (takes && slot.part) {
          slot.part->setClock(now); // it may have been idle
          if (perSm > 1)
            slot.part->setRoom(roomFor(slot, grid->needs()));
        }
      }
    bool first = grid->ctasStarted() == 0;
    if (!ready.empty())
      grid->handOut(ready);
    if (first && grid->ctasStarted() > 0) {
      size_t record = context->flights.back().record;
      context->records[record].started = now;
      tell({.kind = DeviceEvent::GridStarts, .context = context->id(), .amount = record});
    }
    context->isBlocked = grid->hasCtasToHandOut() || !context->saved.empty();
  }
}

/// CTAs that have finished, and grids that have none left.
void Machine::retireFinished(Context &context) {
  for (const GridInFlight &grid : context.flights)
    if (grid.run->hasFinishedCtas())
      grid.run->retireFinished();
  for (const GridInFlight &grid : context.flights)
    if (grid.run->constantsMoved()) // warps of it may wait for what another's SM was done with
      grid.run->retireFinished();
  for (size_t i = 0; i < context.flights.size();)
    if (context.flights[i].run->isEmpty())
      endGrid(context, i);
    else
      ++i;
}

void Machine::endGrid(Context &context, size_t which) {
  GridInFlight grid = context.flights[which];
  if (cpu) // CHOICE: a grid ends when all that it has stored is there
    context.device().messages().landOfCores(context.memory());
  grid.run->tellCounts();
  if (grid.run->trap() || grid.run->finished()) // else something else has ended its context
    grid.run->end();
  LaunchRecord &record = context.records[grid.record];
  record.ended = now;
  record.instructions = grid.run->instructions();
  record.trapped = grid.run->trap().has_value();
  tell({.kind = DeviceEvent::GridEnds, .context = context.id(), .amount = grid.record});
  if (grid.whenEnded)
    grid.whenEnded(*grid.run);
  if (grid.message && !grid.run->trap())
    decoder.reply(context, grid.message->first, grid.message->second, now);
  if (const MemoryChain *chain = std::as_const(*grid.run).memoryChain())
    context.count.memory += chain->counts();
  context.count.units += grid.run->unitTables();
  std::optional<Trap> trap = grid.run->trap();
  forget(context, which);
  if (trap && context.alive()) { // CTAs of it have ended by faults of their own
    context.fault = trap;
    endContext(context, trap->str());
  }
}

/// The grid is no more.
void Machine::forget(Context &context, size_t which) {
  GridRun &grid = *context.flights[which].run;
  for (Slot &slot : slots)
    if (slot.holder == &context && (!slot.part || &slot.part->grid() == &grid)) {
      slot.part = nullptr;
      slot.state = Slot::Ready;
      slot.busyUntil = std::min(slot.busyUntil, now);
      if (Sm &sm = hardware[numberOf(slot)]; &slots[numberOf(slot) * perSm + sm.last] == &slot)
        sm.turnUntil = std::min(sm.turnUntil, now);
      slot.drains = slot.rotates = false;
    }
  if (current.warp && &current.warp->grid() == &grid)
    current = {};
  context.saved.forget(grid);
  grid.release();
  context.flights.erase(context.flights.begin() + ptrdiff_t(which));
  changed = true;
  if (!context.flights.empty())
    return;
  if (unsettled == &context)
    unsettled = nullptr;
  context.isBlocked = false;
  context.faultedUntil = context.keptWaitingUntil = 0;
}

/// Architecture.md 10: other contexts go on. What of it is in flight ends where it is.
void Machine::endContext(Context &context, std::string why) {
  context.failure = std::move(why);
  context.takenUntil.reset();
  if (GridRun *grid = context.grid(); grid && !context.fault)
    context.fault = grid->trap();
  while (!context.flights.empty())
    endGrid(context, 0);
  tellEnd(context);
}

void Machine::tellEnd(Context &context) {
  context.commands.clear();
  context.reading.isActive = false;
  context.endIsTold = true;
  changed = true;
  tell({.kind = DeviceEvent::ContextEnds, .context = context.id()});
}

void Machine::kill(Context &context, std::string why) {
  if (!context.alive())
    return;
  for (const GridInFlight &grid : context.flights) {
    grid.run->tellCounts();
    grid.run->kill(why);
  }
  endContext(context, context.grid() ? context.grid()->trap()->str() : std::move(why));
}

Error Machine::checkShare(const Context &context, const Share &wanted) const {
  if (!context.alive())
    return createStringError(formatv("{0} has ended: {1}", nameOf(context), context.failure));
  if (settings.contexts.allocation == Config::Static && wanted.sms) {
    std::vector<ContextDemand> demand = demands();
    demand[context.id()].asked = *wanted.sms;
    if (staticSplit(demand, slices()).empty())
      return createStringError(
          formatv("of {0} SMs{1} {2} cannot have {3}: each of the others needs what it asks for, or one",
                  hardware.size(), perContexts(perSm), nameOf(context), *wanted.sms));
  }
  return Error::success();
}

Error Machine::share(Context &context, const Share &wanted) {
  if (Error error = checkShare(context, wanted))
    return error;
  context.rank = wanted.priority.value_or(context.rank);
  context.asked = wanted.sms.value_or(context.asked);
  context.shareChanged = changed = true;
  return Error::success();
}

void Machine::retire(Context &context) {
  kill(context, "the host has no more use for it");
  context.retired = true;
  while (!context.memory().allocations().empty())
    cantFail(context.memory().release(context.memory().allocations().begin()->first), "it is the first one");
  if (settings.contexts.allocation == Config::Static)
    grant(staticSplit(demands(), slices()));
}

u64 Machine::watchdogOf(const Context &context) const {
  if (context.flights.empty()) // of several the oldest has started first
    return 0;
  const std::optional<u64> &started = context.records[context.flights.front().record].started;
  return started && context.cyclesAllowed() ? *started + context.cyclesAllowed() : 0;
}

void Machine::watch() {
  for (const auto &context : all)
    if (u64 limit = watchdogOf(*context); limit && now >= limit)
      kill(*context,
           formatv("the grid has taken {0} cycles, its limit, and has not ended", context->cyclesAllowed()));
}

/// S4: "an event that prevents the current context from processing".
void Machine::noteFaults(Context &context) {
  for (const AddressSpace::PageFault &fault : context.memory().takeFaults()) {
    context.faultedUntil = std::max(context.faultedUntil, fault.mappedAt);
    ++context.count.pageFaults;
    changed = true;
    tell({.kind = DeviceEvent::PageFault, .context = context.id(), .amount = fault.page});
  }
}

void Machine::serveFaults() {
  for (const auto &context : all)
    if (context->faultedUntil && context->faultedUntil <= now) {
      context->faultedUntil = 0;
      changed = true;
    }
}
