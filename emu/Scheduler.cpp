#include "emu/Scheduler.h"
#include <limits>

using namespace leno;

std::unique_ptr<Scheduler> Scheduler::create(const MachineConfig &config) {
  if (config.timing.model == MachineConfig::Timing::Cycles)
    return std::make_unique<CycleScheduler>();
  return std::make_unique<TurnScheduler>(config.scheduler.quantum);
}

//===--- Turns ------------------------------------------------------------===//

Scheduler::Turn TurnScheduler::next(Multiprocessors sms) {
  if (current.warp && current.warp->status == WarpStatus::Ready && current.instructions > 0)
    return current;
  current = {nullptr, quantum};
  for (size_t tried = 0; tried < sms.size() && !current.warp; ++tried) {
    current.warp = sms[smTurn]->nextReady(std::numeric_limits<u64>::max());
    if (++smTurn == sms.size())
      smTurn = 0;
  }
  return current;
}

void TurnScheduler::ran(Warp &warp, u64 count) {
  if (&warp == current.warp)
    current.instructions -= std::min(count, current.instructions);
}

//===--- Cycles -----------------------------------------------------------===//

Scheduler::Turn CycleScheduler::next(Multiprocessors sms) {
  if (current && current->status == WarpStatus::Ready)
    return {current, 1};
  quietUntil.resize(sms.size());
  do {
    for (; smTurn < sms.size(); ++smTurn) {
      if (quietUntil[smTurn] > cycle)
        continue;
      if ((current = sms[smTurn]->nextReady(cycle)))
        return {current, 1};
      quietUntil[smTurn] = sms[smTurn]->readyFrom();
    }
  } while (endCycle(sms));
  return {nullptr, 0};
}

/// On to the next cycle in which some warp is ready. False: there is none to come.
bool CycleScheduler::endCycle(Multiprocessors sms) {
  u64 next = std::numeric_limits<u64>::max(), busy = 0;
  for (size_t i = 0; i < sms.size(); ++i) {
    if (next > cycle + 1) {
      u64 ready = quietUntil[i] > cycle ? quietUntil[i] : sms[i]->readyFrom(cycle + 1);
      next = std::min(next, std::max(ready, cycle + 1));
    }
    busy += sms[i]->hasUnfinishedWarps();
  }
  if (next == std::numeric_limits<u64>::max())
    return false;
  total.idle += std::max(busy * (next - cycle), issuedInCycle) - issuedInCycle;
  cycle = next;
  smTurn = 0;
  issuedInCycle = 0;
  return true;
}

void CycleScheduler::issue(Warp &warp) {
  if (&warp != current)
    warpsChanged();
  // A debugger may step a warp before it is ready.
  cycle = std::max(cycle, warp.readyAt);
  warp.time().issue(cycle);
  warp.cta().multiprocessor().setClock(cycle);
}

void CycleScheduler::ran(Warp &warp, u64 count) {
  if (count == 0) // stopped before its instruction: the cycle is still its own
    return;
  warp.readyAt = warp.time().now() + 1;
  total.cycles = std::max(total.cycles, warp.readyAt);
  total.issued += count;
  issuedInCycle += count;
  if (&warp == current)
    ++smTurn;
  current = nullptr;
}

std::optional<CycleCounts> CycleScheduler::counts() const { return total; }
