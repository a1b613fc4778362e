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

Expected<Context *> Machine::createContext(ContextSpec spec, Device *joining) {
  if (settings.contexts.allocation == Config::Static) {
    std::vector<ContextDemand> demand = demands();
    demand.push_back({.asked = spec.sms});
    if (staticSplit(demand, unsigned(slots.size())).empty())
      return createStringError(formatv(
          "there is no SM left for context {0}: of {1} SMs the {2} contexts before it have all; raise "
          "sm.count, ask for fewer, or let contexts.allocation be dynamic",
          spec.name.empty() ? std::to_string(all.size()) : "'" + spec.name + "'", slots.size(),
          count_if(all, [](const auto &context) { return !context->retired; })));
  }
  bool isModelled = MemoryChain::setting(settings);
  if (isModelled && memorySide.empty())
    memorySide = MemoryChain::memorySide(settings);
  MemoryModels *side = isModelled ? &memorySide : nullptr;
  u32 number = u32(all.size());
  if (joining) {
    joining->join(number, side);
    all.push_back(std::make_unique<Context>(*joining, std::move(spec)));
  } else {
    all.push_back(std::make_unique<Context>(number, std::move(spec), settings, engine, frames, side));
  }
  if (isModelled)
    all.back()->count.memory = MemoryChain(settings, nullptr, 0, &memorySide).counts();
  if (ConstantUnit *unit = all.back()->constantUnit())
    unit->beginShared();
  for (Observer *observer : hostObservers)
    all.back()->device().addObserver(*observer);
  wasActive.push_back(false);
  wasFaulted.push_back(false);
  if (settings.contexts.allocation == Config::Static)
    grant(staticSplit(demands(), unsigned(slots.size())));
  changed = true;
  return all.back().get();
}

Error Machine::submit(Context &context, Command command) {
  auto what = [&] {
    return context.name().empty() ? "context " + std::to_string(context.id())
                                  : "context '" + context.name() + "'";
  };
  if (!context.alive())
    return createStringError(
        formatv("{0} takes no more commands, it has ended: {1}", what(), context.failure));
  if (const auto *launch = std::get_if<Launch>(&command))
    if (Error error = GridRun::check(settings, *launch->program, launch->spec))
      return error;
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
  if (changed || told)
    wakeSms();
  return std::exchange(changed, false) || told;
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

bool Machine::endLoneCycle() {
  u64 next = never, busy = 0;
  for (const Slot &slot : slots) {
    if (next > now + 1)
      next = std::min(
          next, std::max(slot.quietUntil > now ? slot.quietUntil : slot.part->readyFrom(now + 1), now + 1));
    busy += slot.part->hasUnfinishedWarps();
  }
  if (next == never)
    return false;
  lone->time().endCycle(busy * (next - now));
  now = next;
  nextSlot = 0;
  return true;
}

bool Machine::idle() const {
  return all_of(all, [](const auto &context) { return isDone(*context); });
}

bool Machine::isDone(const Context &context) {
  return !context.alive() || (!context.run && !context.takenUntil && context.commands.empty());
}

u64 Machine::nextCycle() const {
  u64 next = decoder.nextCycle(all, isShared() ? nullptr : only, now);
  bool working = false;
  for (const Slot &slot : slots) {
    if (slot.state != Slot::Ready)
      next = std::min(next, std::max(slot.busyUntil, now + 1));
    else if (slot.part)
      if (u64 ready = slot.quietUntil > now ? slot.quietUntil : slot.part->readyFrom(); ready != never)
        next = std::min(next, std::max({ready, slot.busyUntil, now + 1}));
    working |= slot.part != nullptr || slot.state != Slot::Ready;
  }
  // Time alone changes nothing where nobody works or waits for an SM.
  for (const auto &context : all) {
    working |= context->isBlocked;
    if (context->faultedUntil > now)
      next = std::min(next, context->faultedUntil);
  }
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
    context->count.runCycles += context->run ? cycles : 0;
    context->count.blockedCycles += context->isBlocked ? cycles : 0;
    context->blockedInWindow += context->isBlocked ? cycles : 0;
  }
  for (const Slot &slot : slots) {
    if (!slot.holder)
      continue;
    slot.holder->count.smCycles += cycles;
    slot.holder->count.switchCycles += slot.state != Slot::Ready ? cycles : 0;
    if (slot.state == Slot::Ready && slot.part && slot.part->hasUnfinishedWarps())
      slot.holder->run->time().addSmCycles(cycles);
  }
}

//===--- Work -------------------------------------------------------------===//

void Machine::distribute() {
  for (const auto &context : all) {
    context->isBlocked = false;
    if (!context->run)
      continue;
    // S4: a mapping is over all SMs of the context, ready or not. Saved state is older than any CTA that is
    // not out yet, and comes first.
    bool holdBack = !context->saved.empty() || (context->faultedUntil > now && othersCanRun(*context));
    std::vector<StreamingMultiprocessor *> ready;
    for (Slot &slot : slots)
      if (slot.owner == context.get()) {
        bool takes = slot.holder == context.get() && slot.state == Slot::Ready && !slot.rotates && !holdBack;
        ready.push_back(takes ? slot.part : nullptr);
        if (takes && slot.part)
          slot.part->setClock(now); // it may have been idle
      }
    bool first = context->run->ctasStarted() == 0;
    if (!ready.empty())
      context->run->handOut(ready);
    if (first && context->run->ctasStarted() > 0) {
      context->records.back().started = now;
      tell({.kind = DeviceEvent::GridStarts, .context = context->id()});
    }
    context->isBlocked = context->run->hasCtasToHandOut() || !context->saved.empty();
  }
}

void Machine::endGrid(Context &context) {
  context.run->tellCounts();
  if (context.run->trap() || context.run->finished()) // else a later command of its context has failed
    context.run->end();
  LaunchRecord &record = context.records.back();
  record.ended = now;
  record.instructions = context.run->instructions();
  record.trapped = context.run->trap().has_value();
  tell({.kind = DeviceEvent::GridEnds, .context = context.id()});
  if (context.whenEnded)
    context.whenEnded(*context.run);
  if (record.trapped && context.failure.empty()) { // CTAs of it have ended by faults of their own
    context.fault = context.run->trap();
    context.failure = context.fault->str();
  }
  context.count.memory = context.memoryCounts();
  forget(context);
  if (!context.alive())
    tellEnd(context);
}

/// The context's grid is no more.
void Machine::forget(Context &context) {
  for (Slot &slot : slots)
    if (slot.holder == &context) {
      slot.part = nullptr;
      slot.state = Slot::Ready;
      slot.busyUntil = std::min(slot.busyUntil, now);
      slot.drains = slot.rotates = false;
    }
  if (unsettled == &context)
    unsettled = nullptr;
  if (current.warp && &current.warp->grid() == context.run.get())
    current = {};
  context.saved.clear();
  context.isBlocked = false;
  context.faultedUntil = 0;
  context.whenEnded = nullptr;
  if (context.run)
    context.run->release();
  context.run.reset();
  changed = true;
}

/// Architecture.md 10: other contexts go on.
void Machine::endContext(Context &context, std::string why) {
  context.failure = std::move(why);
  context.takenUntil.reset();
  if (context.run) {
    context.fault = context.run->trap();
    endGrid(context);
    return;
  }
  tellEnd(context);
}

void Machine::tellEnd(Context &context) {
  context.commands.clear();
  context.endIsTold = true;
  changed = true;
  tell({.kind = DeviceEvent::ContextEnds, .context = context.id()});
}

void Machine::kill(Context &context, std::string why) {
  if (!context.alive())
    return;
  if (context.run) {
    context.run->tellCounts();
    context.run->kill(why);
  }
  endContext(context, context.run ? context.run->trap()->str() : std::move(why));
}

void Machine::retire(Context &context) {
  kill(context, "the host has no more use for it");
  context.retired = true;
  while (!context.memory().allocations().empty())
    cantFail(context.memory().release(context.memory().allocations().begin()->first), "it is the first one");
  if (settings.contexts.allocation == Config::Static)
    grant(staticSplit(demands(), unsigned(slots.size())));
}

u64 Machine::watchdogOf(const Context &context) const {
  u64 limit = context.spec.watchdog ? context.spec.watchdog : settings.contexts.watchdog;
  return limit && context.run && context.records.back().started ? *context.records.back().started + limit : 0;
}

void Machine::watch() {
  for (const auto &context : all)
    if (u64 limit = watchdogOf(*context); limit && now >= limit)
      kill(*context, formatv("the grid has taken {0} cycles, its limit, and has not ended",
                             limit - *context->records.back().started));
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
