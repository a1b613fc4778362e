#include "runtime/checks/SyncCheck.h"
#include "emu/launch/GridRun.h"
#include "emu/sm/Cta.h"
#include "llvm/Support/FormatVariadic.h"

using namespace leno;
using namespace leno::checks;
using llvm::formatv;

static unsigned lowest(LaneMask lanes) { return unsigned(__builtin_ctz(lanes)); }

SyncCheck::CtaKey SyncCheck::keyOf(const Cta &cta) {
  const GridRun &grid = cta.grid();
  return {{grid.device().contextId(), grid.gridId()}, grid.linear(cta.index())};
}

void SyncCheck::tell(const char *kind, std::string text, const CtaKey &cta, Action first,
                     std::optional<Action> second, const Lock *lock) {
  if (findings.counts(kind, first.pc, second ? second->pc : 0))
    return;
  Finding finding;
  finding.check = "sync";
  finding.kind = kind;
  finding.text = std::move(text);
  finding.context = cta.first.first;
  finding.launch = cta.first.second;
  finding.first = std::move(first);
  finding.second = std::move(second);
  if (lock) {
    finding.space = std::get<1>(*lock) ? MemorySpace::Shared : MemorySpace::Global;
    finding.address = std::get<2>(*lock);
    finding.bytes = 4;
  }
  findings.add(std::move(finding));
}

SyncCheck::Place SyncCheck::placeOf(const Warp &warp, const Op &op, LaneMask lanes) {
  return {warp.addressOf(op), warp.index(), lanes};
}

Action SyncCheck::Place::action(const char *what, const Cta &cta) const {
  Action action;
  action.what = what;
  action.pc = pc;
  action.cta = cta.index();
  action.warp = warp;
  action.lanes = lanes;
  return action;
}

void SyncCheck::gridEnd(const GridRun &grid) {
  shortCuts.clear();
  GridKey key{grid.device().contextId(), grid.gridId()};
  std::erase_if(ctas, [&](const auto &one) { return one.first.first == key; });
  std::erase_if(starving, [&](const auto &one) { return one.first.first == key; });
  std::erase_if(holders, [&](const auto &one) { return std::get<0>(one.second.lane).first == key; });
  // Lanes of other launches may take the same locks; those of this one no more.
  std::erase_if(order, [&](const auto &one) { return std::get<0>(one.first) == key.first; });
}

//===--- Barriers ---------------------------------------------------------===//

void SyncCheck::barrierArrive(const Warp &warp, const Op &op, unsigned barrier, BarrierOperation operation) {
  LaneMask lanes = warp.executing(op), missing = warp.divergence().live() & ~lanes;
  Meeting &meeting = stateOf(warp.cta()).at(barrier);
  meeting.arrived |= u64(1) << warp.index();
  meeting.waits |= operation != BarrierOperation::Arrive;
  meeting.countsAll = op.extra == allWarps;
  meeting.last = placeOf(warp, op, lanes);
  if (missing)
    tell("divergent-barrier",
         formatv("lanes {0:x8} of the warp arrive at barrier {1} without lanes {2:x8}", lanes, barrier,
                 missing),
         keyOf(warp.cta()), meeting.last.action("barrier", warp.cta()));
}

void SyncCheck::nobodyWaits(const Cta &cta, unsigned barrier, const Meeting &meeting) {
  tell("arrival-without-wait", formatv("a warp arrives at barrier {0}, and nobody waits there", barrier),
       keyOf(cta), meeting.last.action("barrier", cta));
}

void SyncCheck::barrierRelease(const Cta &cta, unsigned barrier) {
  CtaState &state = stateOf(cta);
  Meeting meeting = std::exchange(state.at(barrier), {});
  if (!meeting.waits)
    nobodyWaits(cta, barrier, meeting);
  if (!meeting.waits || !meeting.countsAll)
    return;
  for (const Place &exit : state.exits)
    if (exit.lanes && !(meeting.arrived >> exit.warp & 1)) {
      tell("barrier-missed",
           formatv("barrier {0} goes on without warp {1}, which has exited and never arrived", barrier,
                   exit.warp),
           keyOf(cta), meeting.last.action("barrier", cta), exit.action("exit", cta));
      return;
    }
}

void SyncCheck::warpExit(const Warp &warp) {
  auto &exits = stateOf(warp.cta()).exits;
  exits.resize(warp.cta().warps().size());
  exits[warp.index()] = placeOf(warp, *warp.pc, warp.lanesLaunched());
}

void SyncCheck::ctaEnd(const Cta &cta) {
  shortCuts.erase(&cta);
  CtaKey key = keyOf(cta);
  if (auto found = ctas.find(key); found != ctas.end()) {
    if (llvm::all_of(cta.warps(), [](const Warp *warp) { return warp->exited(); }))
      for (const auto &[barrier, meeting] : llvm::enumerate(found->second.meetings))
        if (meeting.arrived && !meeting.waits)
          nobodyWaits(cta, unsigned(barrier), meeting);
    ctas.erase(found);
  }
  auto isOfIt = [&](const Lock &lock) { return std::get<1>(lock) == key; };
  std::erase_if(holders,
                [&](const auto &one) { return isOfIt(one.first) || std::get<0>(one.second.lane) == key; });
  std::erase_if(order, [&](const auto &one) { return isOfIt(one.first); });
}

//===--- Locks ------------------------------------------------------------===//

SyncCheck::Lock SyncCheck::lockOf(const Warp &warp, MemorySpace space, u64 address) const {
  CtaKey cta = keyOf(warp.cta());
  return {cta.first.first, space == MemorySpace::Shared ? std::optional(cta) : std::nullopt, address};
}

void SyncCheck::lock(const Warp &warp, const Op &op, const LockAccess &access) {
  for (LaneMask left = access.taken; left; left &= left - 1)
    takes(warp, op, access, lowest(left));
  for (LaneMask left = access.lanes & ~access.taken; left; left &= left - 1)
    fails(warp, op, access, lowest(left));
}

/// A step on the way from one lock to another by which lanes have taken locks, the first or another lane's
/// than `by`; null: there is no such way.
const SyncCheck::Step *SyncCheck::wayBack(const Lock &from, const Lock &to, const Lane &by) const {
  std::vector<std::pair<Lock, const Step *>> open{{from, nullptr}};
  std::set<std::pair<Lock, bool>> seen;
  while (!open.empty()) {
    auto [at, others] = open.back();
    open.pop_back();
    if (!seen.insert({at, others != nullptr}).second)
      continue;
    if (at == to && others)
      return others;
    auto next = order.find(at);
    if (next == order.end())
      continue;
    for (const auto &[inner, steps] : next->second)
      for (const Step &step : steps)
        open.push_back({inner, others || step.lane == by ? others : &step});
  }
  return nullptr;
}

void SyncCheck::takes(const Warp &warp, const Op &op, const LockAccess &access, unsigned lane) {
  Lane who{keyOf(warp.cta()), warp.index(), lane};
  Action action = actionOf(warp, op, "lock", LaneMask(1) << lane);
  std::vector<std::pair<Lock, Action>> outer;
  if (warp.locksHeld > access.bytes / 4)
    for (const auto &[lock, holder] : holders)
      if (holder.lane == who)
        outer.push_back({lock, holder.action});
  for (unsigned byte = 0; byte < access.bytes; byte += 4) {
    Lock inner = lockOf(warp, access.space, access.addresses[lane] + byte);
    for (const auto &[lock, since] : outer) {
      if (const Step *other = wayBack(inner, lock, who))
        tell("lock-order",
             formatv("a lane takes the lock of {0:x} of {1} memory while it holds another, and another lane "
                     "takes them the other way round",
                     access.addresses[lane] + byte, nameOf(access.space)),
             std::get<0>(who), action, other->inner, &inner);
      std::vector<Step> &steps = order[lock][inner];
      if (steps.size() < 2 && llvm::none_of(steps, [&](const Step &step) { return step.lane == who; }))
        steps.push_back({who, since, action});
    }
    holders[inner] = {who, action};
  }
}

void SyncCheck::fails(const Warp &warp, const Op &op, const LockAccess &access, unsigned lane) {
  Lane who{keyOf(warp.cta()), warp.index(), lane};
  for (unsigned byte = 0; byte < access.bytes; byte += 4) {
    Lock lock = lockOf(warp, access.space, access.addresses[lane] + byte);
    auto found = holders.find(lock);
    if (found == holders.end())
      continue;
    Holder &holder = found->second;
    auto [cta, itsWarp, itsLane] = holder.lane;
    Action action = actionOf(warp, op, "lock", LaneMask(1) << lane);
    if (holder.lane == who) {
      tell("lock-taken-twice",
           formatv("lane {0} tries to take the lock of {1:x} of {2} memory, which it holds", lane,
                   access.addresses[lane] + byte, nameOf(access.space)),
           cta, action, holder.action, &lock);
      return;
    }
    // It is not among those that run, so that it cannot give the lock back before they go on.
    bool waits = cta == std::get<0>(who) && itsWarp == warp.index() && !(warp.active >> itsLane & 1);
    if (waits && ++holder.failures == patience) {
      starving.insert({cta, warp.index()});
      tell("simt-livelock",
           formatv("lane {0} tries without end to take the lock of {1:x} of {2} memory: lane {3} of its own "
                   "warp holds it, and waits until lane {0} leaves the loop",
                   lane, access.addresses[lane] + byte, nameOf(access.space), itsLane),
           cta, action, holder.action, &lock);
    }
    return;
  }
}

void SyncCheck::unlock(const Warp &warp, const Op &, const LockAccess &access) {
  for (LaneMask left = access.lanes; left; left &= left - 1)
    for (unsigned byte = 0; byte < access.bytes; byte += 4)
      holders.erase(lockOf(warp, access.space, access.addresses[lowest(left)] + byte));
}

//===--- Lanes that wait for lanes of their own warp ------------------------===//

// Atomics of lanes that others of their warp wait for, which find the same each time.
void SyncCheck::memory(const Warp &warp, const Op &op, const MemoryAccess &access) {
  if (op.semantic == Semantic::RED) // of which nobody learns anything
    return;
  auto &spins = stateOf(warp.cta()).spins;
  if (spins.size() <= warp.index())
    spins.resize(warp.cta().warps().size());
  Spin &spin = spins[warp.index()];
  Place here = placeOf(warp, op, access.lanes);
  if (spin.place.pc != here.pc && spin.times && spin.place.lanes == warp.active)
    return; // another one in its loop
  if (spin.place.pc != here.pc)
    spin.seen = 0;
  if (access.lanes == allLanes)
    std::copy_n(access.addresses, laneCount, spin.addresses.begin());
  else
    for (LaneMask left = access.lanes; left; left &= left - 1)
      spin.addresses[lowest(left)] = access.addresses[lowest(left)];
  spin.seen |= access.lanes;
  LaneMask waiting = warp.divergence().live() & ~warp.active;
  bool isSame = spin.place.pc == here.pc && spin.place.lanes == warp.active;
  spin.place = {here.pc, here.warp, warp.active};
  if (!waiting) {
    spin.times = 0;
    return;
  }
  u64 address = access.addresses[lowest(access.lanes)];
  std::optional<u64> value = valueAt(warp, access.space, address, 4);
  spin.times = isSame && value == spin.value ? spin.times + 1 : 1;
  spin.value = value.value_or(0);
  if (spin.times != patience)
    return;
  for (LaneMask left = waiting & spin.seen; left; left &= left - 1) {
    unsigned holder = lowest(left);
    if (spin.addresses[holder] != address)
      continue;
    Action action = actionOf(warp, op, "atomic", access.lanes), other = action;
    other.lanes = LaneMask(1) << holder;
    Lock word = lockOf(warp, access.space, address);
    starving.insert({keyOf(warp.cta()), warp.index()});
    tell("simt-livelock",
         formatv("lanes {0:x8} try without end to change the word at {1:x} of {2} memory: lane {3} of their "
                 "own warp has done so, and waits until they leave the loop",
                 access.lanes, address, nameOf(access.space), holder),
         keyOf(warp.cta()), action, other, &word);
    return;
  }
}

// Where a warp could run as a whole, the others may have waited for it.
void SyncCheck::watchdog(const GridRun &grid, const Trap &trap) {
  std::vector<const Warp *> parted;
  for (const Cta *cta : grid.residentCtas())
    for (const Warp *warp : cta->warps()) {
      bool trapped = cta->index() == trap.cta && warp->index() == trap.warp;
      if (warp->exited() || !warp->pc || (warp->status != WarpStatus::Ready && !trapped))
        continue;
      if (!(warp->divergence().live() & ~warp->active))
        return;
      parted.push_back(warp);
    }
  for (const Warp *warp : parted) {
    LaneMask waiting = warp->divergence().live() & ~warp->active;
    if (!starving.count({keyOf(warp->cta()), warp->index()}))
      tell(
          "simt-livelock",
          formatv("lanes {0:x8} ran here to the end of the watchdog: lanes {1:x8} of their own warp wait for "
                  "them, and no other warp could run",
                  warp->active, waiting),
          keyOf(warp->cta()), actionOf(*warp, *warp->pc, "loop", warp->active));
  }
}

void SyncCheck::trap(const GridRun &grid, const Trap &trap) {
  if (trap.kind == TrapKind::Timeout)
    watchdog(grid, trap);
  const Op *op = trap.pc / 8 < grid.size() ? grid.opAt(trap.pc / 8) : nullptr;
  bool isBarrier = op && llvm::StringRef(semanticName(op->semantic)).starts_with("BAR");
  const char *kind = trap.kind == TrapKind::BarrierDeadlock               ? "barrier-deadlock"
                     : isBarrier && trap.kind == TrapKind::Divergent      ? "divergent-barrier"
                     : isBarrier && trap.kind == TrapKind::IllegalOperand ? "barrier-mismatch"
                                                                          : nullptr;
  if (kind) {
    Action action;
    action.what = isBarrier ? "barrier" : "wait";
    action.pc = trap.pc;
    action.cta = trap.cta;
    action.warp = trap.warp;
    action.lanes = trap.lanes;
    action.calls = trap.calls;
    tell(kind, trap.detail, {{grid.device().contextId(), grid.gridId()}, grid.linear(trap.cta)},
         std::move(action));
  }
  if (trap.kind != TrapKind::LockHeldAtExit)
    return;
  for (const auto &[lock, holder] : holders) {
    if (std::get<0>(holder.lane).first != GridKey{grid.device().contextId(), grid.gridId()} ||
        holder.action.cta != trap.cta || holder.action.warp != trap.warp ||
        !(holder.action.lanes & trap.lanes))
      continue;
    Action exit = holder.action;
    exit.what = "exit";
    exit.pc = trap.pc;
    tell("lock-held-at-exit",
         formatv("a lane exits with the lock of {0:x} of {1} memory", std::get<2>(lock),
                 nameOf(std::get<1>(lock) ? MemorySpace::Shared : MemorySpace::Global)),
         std::get<0>(holder.lane), exit, holder.action, &lock);
  }
}
