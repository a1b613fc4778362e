//===- SlotMoves.cpp - SMs that change hands ------------------------------===//
// S4: "each core that switches from processing the old context to the new
// context will store the old context and restore the new context before
// accepting instructions for the new context", or "complete queued processing
// of the old context and begin processing the new context after the core is
// drained".
//===----------------------------------------------------------------------===//
#include "emu/Machine.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <limits>

using namespace leno;
using Config = MachineConfig::Contexts;

u64 Machine::storageCycles(u64 bytes) const {
  return std::max<u64>(1, llvm::divideCeil(bytes, settings.contexts.storageBytes));
}

//===--- Who shall have how many ------------------------------------------===//

std::vector<ContextDemand> Machine::demands() const {
  std::vector<ContextDemand> result;
  for (const auto &context : all) {
    ContextDemand demand{.active = !decoder.isIdle(*context),
                         .priority = context->priority(),
                         .asked = context->smsAsked(),
                         .blocked = context->blockedInWindow,
                         .sms = context->smsOwned,
                         .faulted = context->faultedUntil > now,
                         .retired = context->retired};
    for (const Slot &slot : slots)
      demand.occupied += slot.holder == context.get() && hasState(slot);
    result.push_back(demand);
  }
  return result;
}

bool Machine::othersCanRun(const Context &context) const {
  return settings.contexts.allocation == Config::Dynamic &&
         std::any_of(all.begin(), all.end(), [&](const auto &other) {
           return other.get() != &context && !decoder.isIdle(*other) && other->faultedUntil <= now;
         });
}

/// S4's context changing events, as far as they show in who has work.
void Machine::noticeChanges() {
  std::vector<ContextDemand> demand = demands();
  DeviceEvent::Why why = DeviceEvent::None;
  int highest = std::numeric_limits<int>::min();
  for (size_t i = 0; i < all.size(); ++i)
    if (wasActive[i] && demand[i].active)
      highest = std::max(highest, demand[i].priority);
  u32 who = 0;
  bool faulted = false;
  for (size_t i = 0; i < all.size(); ++i) {
    faulted |= demand[i].faulted;
    DeviceEvent::Why reason = DeviceEvent::None;
    if (demand[i].active && !wasActive[i])
      reason = demand[i].priority > highest ? DeviceEvent::PriorityArrives : DeviceEvent::ContextArrives;
    else if (!demand[i].active && wasActive[i])
      reason = DeviceEvent::ContextIdles;
    else if (demand[i].faulted != wasFaulted[i])
      reason = demand[i].faulted ? DeviceEvent::Fault : DeviceEvent::FaultServed;
    if (std::exchange(all[i]->shareChanged, false))
      reason = DeviceEvent::ShareChanges;
    if (reason > why) {
      why = reason;
      who = u32(i);
    }
    wasActive[i] = demand[i].active;
    wasFaulted[i] = demand[i].faulted;
  }
  if (why != DeviceEvent::None) {
    turn = 0;
    tell({.kind = DeviceEvent::ContextChange, .why = why, .context = who});
  }
  switch (settings.contexts.allocation) {
  case Config::Static:
    if (why == DeviceEvent::ShareChanges)
      grant(staticSplit(demand, slices()));
    break;
  case Config::One:
    chooseOne(false);
    break;
  default:
    // While a page is being mapped, each SM of the context that runs empty is one for others.
    if (why != DeviceEvent::None || faulted)
      grant(splitByPriority(demand, slices(), turn));
  }
}

void Machine::chooseOne(bool expired) {
  std::vector<ContextDemand> demand = demands();
  if (!expired && only && demand[only->id()].active)
    return;
  size_t first = only ? only->id() + 1 : 0;
  for (size_t i = 0; i < all.size(); ++i) {
    size_t next = (first + i) % all.size();
    if (!demand[next].active)
      continue;
    only = all[next].get();
    std::vector<unsigned> shares(all.size(), 0);
    shares[next] = slices().sms;
    grant(shares);
    return;
  }
}

bool Machine::ownsPlaceBeside(const Slot &slot, const Context &context) const {
  return llvm::any_of(placesBeside(slot), [&](const Slot &other) { return other.owner == &context; });
}

/// Another context goes to the place `slot`, on an SM where `context` has one, from an SM where it has none:
/// that place, or null. The other is one with the least state.
Machine::Slot *Machine::exchange(Slot &slot, Context &context) {
  Slot *from = nullptr;
  for (Slot &other : slots)
    if (other.owner && !ownsPlaceBeside(other, context) && !ownsPlaceBeside(slot, *other.owner) &&
        (!from || hasState(other) < hasState(*from)))
      from = &other;
  if (from)
    slot.owner = std::exchange(from->owner, nullptr);
  return from;
}

/// Changes as few owners as it can. A context gives up the places with the least state, and comes to SMs with
/// few other contexts first.
void Machine::grant(llvm::ArrayRef<unsigned> shares) {
  std::vector<unsigned> owned(all.size(), 0);
  for (const Slot &slot : slots)
    if (slot.owner)
      ++owned[slot.owner->id()];
  auto stateOf = [&](const Slot &slot) { // what a switch now would cost
    bool itsOwn = slot.holder == slot.owner && slot.part;
    return itsOwn ? 1 + slot.part->residentWarps() : 0;
  };
  for (const auto &context : all)
    for (unsigned &count = owned[context->id()]; count > shares[context->id()]; --count) {
      Slot *least = nullptr;
      for (Slot &slot : slots)
        if (slot.owner == context.get() && (!least || stateOf(slot) <= stateOf(*least)))
          least = &slot;
      least->owner = nullptr;
    }
  // An SM that still has a context's state is best given back to that one.
  auto give = [&](Slot &slot, Context &context) {
    slot.owner = &context;
    ++owned[context.id()];
  };
  for (bool again : {true, false})
    for (unsigned place = 0; place < perSm; ++place)
      for (size_t at = place; at < slots.size(); at += perSm) {
        Slot &slot = slots[at];
        if (slot.owner)
          continue;
        Context *next = nullptr;
        for (const auto &context : all)
          if (owned[context->id()] < shares[context->id()] && (!again || slot.holder == context.get()) &&
              (!next || context->priority() > next->priority()) && !ownsPlaceBeside(slot, *context))
            next = context.get();
        if (next)
          give(slot, *next);
      }
  // Places that are left are on SMs where those who shall have them have one already.
  for (const auto &context : all)
    for (Slot &slot : slots)
      if (owned[context->id()] < shares[context->id()] && !slot.owner)
        if (Slot *freed = exchange(slot, *context))
          give(*freed, *context);
  for (const auto &context : all)
    context->smsOwned = owned[context->id()];
  changed = true;
}

//===--- By time ----------------------------------------------------------===//

void Machine::endWindow() {
  windowEnds = now + settings.contexts.window;
  if (settings.contexts.allocation != Config::Dynamic)
    return;
  std::vector<ContextDemand> demand = demands();
  for (const auto &context : all)
    context->blockedInWindow = 0;
  // S4 measures while the contexts "are executed with the rebalanced slice allocation": not while SMs are
  // still changing hands.
  if (std::any_of(slots.begin(), slots.end(), [&](const Slot &slot) {
        return slot.state != Slot::Ready || (slot.holder != slot.owner && hasState(slot));
      }))
    return;
  std::optional<SliceMove> move = rebalance(demand, slices(), settings.contexts.threshold);
  if (!move)
    return;
  std::vector<unsigned> shares;
  for (const auto &context : all)
    shares.push_back(context->smsOwned);
  --shares[move->from];
  ++shares[move->to];
  ++all[move->from]->count.slicesLost;
  ++all[move->to]->count.slicesGained;
  tell({.kind = DeviceEvent::SliceMoved, .context = u32(move->to), .other = u32(move->from)});
  grant(shares);
}

void Machine::endTimeSlice() {
  sliceEnds = now + settings.contexts.timeSlice;
  // A slice is time to run: SMs that are switching, also those that are done with it in this very cycle, have
  // theirs yet to come.
  u64 switched = 0;
  for (const Slot &slot : slots)
    if (slot.state != Slot::Ready)
      switched = std::max({switched, slot.busyUntil, now});
  if (switched) {
    sliceEnds = switched + settings.contexts.timeSlice;
    return;
  }
  std::vector<ContextDemand> demand = demands();
  size_t active = size_t(std::count_if(demand.begin(), demand.end(), [](auto &d) { return d.active; }));
  bool turns = settings.contexts.allocation == Config::One
                   ? active > 1
                   : settings.contexts.allocation == Config::Dynamic && needsTurns(demand, slices());
  if (turns) {
    tell({.kind = DeviceEvent::ContextChange, .why = DeviceEvent::SliceExpires});
    ++turn;
    if (settings.contexts.allocation == Config::One)
      chooseOne(true);
    else
      grant(splitByPriority(demand, slices(), turn));
  }
  // Saved state of a context with fewer SMs than it has state for takes turns too: what is on an SM may wait
  // for what is not.
  for (const auto &context : all) {
    if (context->saved.empty())
      continue;
    Slot *longest = nullptr;
    for (Slot &slot : slots)
      if (slot.owner == context.get() && slot.holder == context.get() && slot.state == Slot::Ready &&
          hasState(slot) && (!longest || slot.since < longest->since))
        longest = &slot;
    if (longest)
      longest->rotates = true;
  }
  changed = true;
}

//===--- Leaving and entering ---------------------------------------------===//

u64 Machine::busyUntil(const Slot &slot) const {
  const Sm &sm = hardware[numberOf(slot)];
  bool hadTurn = &slots[numberOf(slot) * perSm + sm.last] == &slot;
  return std::max(slot.busyUntil, hadTurn ? sm.turnUntil : 0);
}

/// The end of a transfer to or from context storage; an SM has one way there.
u64 Machine::useStorage(const Slot &slot, u64 bytes) {
  u64 &until = hardware[numberOf(slot)].storageUntil;
  return until = std::max(until, now) + storageCycles(bytes);
}

/// Its warps are on the place's SM from now on.
void Machine::bringOn(Slot &slot, StreamingMultiprocessor &part) {
  slot.part = &part;
  Sm &sm = hardware[numberOf(slot)];
  part.moveTo(numberOf(slot), perSm > 1 ? &sm.port : nullptr, sm.units ? &*sm.units : nullptr);
}

void Machine::moveSlots() {
  for (Slot &slot : slots) {
    if (busyUntil(slot) > now)
      continue;
    if (slot.state != Slot::Ready) {
      if (slot.state == Slot::Saving) {
        slot.holder = nullptr;
        slot.part = nullptr;
      }
      slot.state = Slot::Ready;
      changed = true;
    }
    if (settings.contexts.switching == Config::Partial && slot.holder == slot.owner)
      slot.drains = false; // it has come back to whom it was
    bool savedWaits = slot.holder && slot.holder == slot.owner && !slot.holder->saved.empty();
    if (slot.holder && (slot.holder != slot.owner || slot.rotates || (savedWaits && !hasState(slot))))
      leave(slot);
    if (slot.owner && slot.state == Slot::Ready && !slot.part &&
        (!slot.holder || slot.holder == slot.owner) && slot.owner->youngest())
      enter(slot);
  }
  for (const auto &context : all)
    context->smsHeld = unsigned(
        std::count_if(slots.begin(), slots.end(), [&](const Slot &s) { return s.holder == context.get(); }));
}

/// The SM has, or will have, no state of its holder.
void Machine::leave(Slot &slot) {
  Context &context = *slot.holder;
  if (!hasState(slot)) {
    context.count.drains += slot.drains;
    slot.drains = slot.rotates = false;
    slot.holder = nullptr;
    slot.part = nullptr;
    return;
  }
  // S4: "drained or partially drained to minimize the amount of active context state that is unloaded".
  if (settings.contexts.switching == Config::Partial && slot.holder != slot.owner && !slot.drains)
    slot.drainsUntil = now + settings.contexts.drainCycles;
  bool drains = settings.contexts.switching == Config::Drain ||
                (settings.contexts.switching == Config::Partial && slot.holder != slot.owner &&
                 slot.drainsUntil > now);
  if (drains) {
    slot.rotates = false; // it would not come back before it ends
    if (!slot.drains && slot.holder != slot.owner)
      tell({.kind = DeviceEvent::SmDrains, .context = context.id(), .sm = numberOf(slot)});
    slot.drains = slot.holder != slot.owner;
    return;
  }
  u64 bytes = context.saved.store(*slot.part);
  slot.rotates = slot.drains = false;
  slot.state = Slot::Saving;
  slot.busyUntil = useStorage(slot, bytes + takeConstants(context, *slot.part));
  ++context.count.saves;
  context.count.savedBytes += bytes;
  tell({.kind = DeviceEvent::SmSaves, .context = context.id(), .sm = numberOf(slot), .amount = bytes});
}

/// State that waits in storage comes first; CTAs come later (distribute).
void Machine::enter(Slot &slot) {
  Context &context = *slot.owner;
  unsigned number = numberOf(slot);
  auto isBeingSaved = [&](const StreamingMultiprocessor *part) {
    return std::any_of(slots.begin(), slots.end(),
                       [&](const Slot &s) { return s.state == Slot::Saving && s.part == part; });
  };
  bool restores = !context.saved.empty();
  auto isHere = [&](const Slot &other) { return &other != &slot && other.holder == &context; };
  if (llvm::any_of(placesBeside(slot), isHere) ||
      (restores && !context.saved.next()->roomTaken().fitsIn(roomBeside(slot)))) {
    slot.holder = nullptr; // it is still leaving the SM by another place, or others leave it no room yet
    return;
  }
  StreamingMultiprocessor *part = restores ? nullptr : freePart(context, number);
  if (restores ? isBeingSaved(context.saved.next()) : !part) {
    slot.holder = nullptr; // what it shall have is still on its way to storage
    return;
  }
  changed = true;
  slot.holder = &context;
  slot.since = now;
  if (restores) {
    StreamingMultiprocessor *saved;
    u64 bytes = context.saved.restore(saved);
    bringOn(slot, *saved);
    slot.state = Slot::Restoring;
    slot.busyUntil = useStorage(slot, bytes + exchangeConstants(slot));
    ++context.count.restores;
    context.count.restoredBytes += bytes;
    tell({.kind = DeviceEvent::SmRestores, .context = context.id(), .sm = number, .amount = bytes});
    return;
  }
  bringOn(slot, *part);
  u64 bytes = exchangeConstants(slot);
  slot.busyUntil = bytes ? useStorage(slot, bytes) : now + 1;
  tell({.kind = DeviceEvent::SmGranted, .context = context.id(), .sm = number});
}

/// The SM's state leaves its L1. What nobody else has, locked words, goes with it: their bytes.
u64 Machine::takeConstants(Context &context, const StreamingMultiprocessor &part) {
  return context.constantUnit() ? leaveL1(context, part.identity()) : 0;
}

u64 Machine::leaveL1(Context &context, unsigned state) {
  u64 bytes = context.constantUnit()->leave(state, now) * 2 * sizeof(u32); // a word and which it is
  context.count.constantBytes += bytes;
  return bytes;
}

/// S2: the SM's L1 is for its new state from now on, or of several contexts' one that no other has. An SM
/// without work has had its L1 until now, whoever it was for. Returns the bytes that go to context storage
/// and come from there.
u64 Machine::exchangeConstants(const Slot &slot) {
  ConstantUnit *unit = slot.holder->constantUnit();
  unsigned place = numberOf(slot), state = slot.part->identity();
  if (!unit || unit->stateOn(place) == state)
    return 0;
  u64 bytes = unit->isPresent(state) ? leaveL1(*slot.holder, state) : 0; // on an SM that it has lost since
  auto isBeside = [&](const Context &context) {
    return llvm::any_of(placesBeside(slot), [&](const Slot &other) { return other.holder == &context; });
  };
  for (const auto &context : all)
    if (std::optional<unsigned> before = context->constantUnit()->stateOn(place);
        before && (context.get() == slot.holder || !isBeside(*context)))
      bytes += leaveL1(*context, *before);
  u64 brought = unit->come(state, place, now) * 2 * sizeof(u32);
  slot.holder->count.constantBytes += brought;
  return bytes + brought;
}

/// A part of the context's youngest grid, of whose number there is none on an SM or in storage, of any of its
/// grids: the one whose constants the SM's L1 has, else that of the SM's number, if it can be, and rather one
/// that no other L1 has constants of.
StreamingMultiprocessor *Machine::freePart(Context &context, unsigned number) const {
  auto isFree = [&](unsigned identity) {
    return !context.saved.holdsState(identity) && llvm::none_of(slots, [&](const Slot &slot) {
      return slot.part && slot.holder == &context && slot.part->identity() == identity;
    });
  };
  const ConstantUnit *unit = context.constantUnit();
  std::optional<unsigned> here = unit ? unit->stateOn(number) : std::nullopt;
  std::vector<unsigned> wanted = {here.value_or(number)};
  for (unsigned i = 0; i < slots.size(); ++i)
    wanted.push_back(i);
  for (bool elsewhere : {false, true})
    for (unsigned i : wanted)
      if (isFree(i) && (!unit || elsewhere || here == i || !unit->isPresent(i)))
        return context.youngest()->sms()[i].get();
  return nullptr;
}
