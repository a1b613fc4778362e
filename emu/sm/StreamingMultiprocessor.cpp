#include "emu/sm/StreamingMultiprocessor.h"
#include "emu/launch/GridRun.h"
#include <algorithm>
#include <limits>

using namespace leno;
using llvm::SmallVector;

Occupancy leno::occupancyOf(const MachineConfig::Sm &sm, const CtaNeeds &needs) {
  const std::pair<Occupancy::Limit, u64> limits[] = {
      {Occupancy::Warps, sm.warps / std::max(1u, needs.warps)},
      {Occupancy::Ctas, sm.ctas},
      {Occupancy::Registers, needs.registers ? sm.registers / needs.registers : sm.ctas},
      {Occupancy::SharedMemory, needs.sharedBytes ? sm.sharedBytes / needs.sharedBytes : sm.ctas},
  };
  auto least = std::min_element(std::begin(limits), std::end(limits),
                                [](const auto &a, const auto &b) { return a.second < b.second; });
  return {least->first, least->second, least->second * needs.warps};
}

const char *leno::limitName(Occupancy::Limit limit) {
  static constexpr const char *names[] = {"warps", "CTAs", "registers", "shared memory"};
  return names[limit];
}

Warp *StreamingMultiprocessor::takePlace() {
  if (freeWarps.empty()) {
    if (made == warps.size())
      warps.push_back(std::make_unique<Warp>(run, *this, unsigned(made)));
    return warps[made++].get();
  }
  Warp *place = freeWarps.back();
  freeWarps.pop_back();
  return place;
}

std::unique_ptr<Cta> StreamingMultiprocessor::spareCta() {
  if (spareCtas.empty())
    return std::make_unique<Cta>(run, *this);
  std::unique_ptr<Cta> spare = std::move(spareCtas.back());
  spareCtas.pop_back();
  return spare;
}

std::pair<std::unique_ptr<Cta>, Warp *> StreamingMultiprocessor::lend() { return {spareCta(), takePlace()}; }

void StreamingMultiprocessor::giveBack(std::unique_ptr<Cta> cta, Warp &place) {
  spareCtas.push_back(std::move(cta));
  freeWarps.push_back(&place);
}

Cta &StreamingMultiprocessor::adopt(std::unique_ptr<Cta> cta, Warp &place, const Cta::Lent &lent) {
  const CtaNeeds &needs = run.needs();
  SmallVector<Warp *, 32> members;
  for (unsigned i = 0; i < needs.warps; ++i) {
    members.push_back(i == lent.number ? &place : takePlace());
    if (lent.live >> i & 1)
      running.push_back(members.back());
  }
  taken = taken + needs;
  cta->spread(members, lent);
  ctas.push_back(std::move(cta));
  return *ctas.back();
}

std::unique_ptr<Cta> StreamingMultiprocessor::withdraw() {
  std::unique_ptr<Cta> cta = std::move(ctas.front());
  ctas.erase(ctas.begin());
  std::erase_if(running, [&](const Warp *warp) { return &warp->cta() == cta.get(); });
  taken = taken - run.needs();
  return cta;
}

Cta &StreamingMultiprocessor::start(Dim3 ctaIndex, const CtaNeeds &needs) {
  SmallVector<Warp *, 32> members;
  for (unsigned i = 0; i < needs.warps; ++i)
    members.push_back(takePlace());
  running.insert(running.end(), members.begin(), members.end());
  taken = taken + needs;
  ctas.push_back(spareCta());
  ctas.back()->start(ctaIndex, members, u32(needs.sharedBytes));
  if (constants) {
    constants->launchOn(own, cycles);
    for (Warp *warp : ctas.back()->warps())
      warp->readyAt = constants->readyFrom(own);
  }
  if (run.fetches())
    for (Warp *warp : ctas.back()->warps())
      run.fetch(*warp, std::max(cycles, run.time().now()));
  return *ctas.back();
}

void StreamingMultiprocessor::leaveTurns(const Warp &warp) {
  auto at = std::find(running.begin(), running.end(), &warp);
  if (at == running.end())
    return;
  turn -= turn > size_t(at - running.begin());
  running.erase(at);
}

void StreamingMultiprocessor::retireFinished() {
  auto isFinished = [](const auto &cta) { return cta->finished(); };
  auto kept = std::find_if(ctas.begin(), ctas.end(), isFinished); // mostly another SM's has finished
  for (auto at = kept; at != ctas.end(); ++at) {
    auto &cta = *at;
    if (!isFinished(cta)) {
      *kept++ = std::move(cta);
      continue;
    }
    for (const Warp *warp : cta->warps()) // of an abandoned one
      if (!warp->exited())
        leaveTurns(*warp);
    freeWarps.insert(freeWarps.end(), cta->warps().begin(), cta->warps().end());
    taken = taken - SmRoom(cta->warps().size(), 1, cta->shared().size(),
                           cta->warps().size() * laneCount * run.registers());
    if (constants)
      constants->retire(own, cycles);
    spareCtas.push_back(std::move(cta));
  }
  ctas.erase(kept, ctas.end());
}

void StreamingMultiprocessor::release() {
  for (size_t i = 0; constants && i < ctas.size(); ++i)
    constants->retire(own, cycles);
  ctas.clear();
}

StackCounters StreamingMultiprocessor::stackCounters() const {
  StackCounters sum;
  for (size_t i = 0; i < made; ++i)
    sum += warps[i]->stackCounters();
  return sum;
}

/// A warp that is ahead has had so many turns, the last one in the cycle before `end`.
static void pass(Warp &warp, unsigned turns, u64 end) {
  warp.ahead -= turns;
  warp.instructions += turns;
  warp.readyAt = end;
}

/// As many turns of all in order as the one that is the least ahead can pass, in one go.
u64 StreamingMultiprocessor::passRounds(u64 cycle) {
  unsigned rounds = mostAhead;
  for (const Warp *warp : running)
    rounds = warp->status == WarpStatus::Ready && warp->readyAt <= cycle ? std::min(rounds, warp->ahead) : 0;
  if (rounds == 0)
    return cycle;
  passed.push_back({0, rounds});
  u64 lastRound = cycle + u64(rounds - 1) * running.size();
  for (Warp *warp : running)
    pass(*warp, rounds, ++lastRound);
  return lastRound;
}

u64 StreamingMultiprocessor::passTurns(Warp &first, u64 cycle) {
  passed.clear();
  Warp *warp = &first;
  for (; warp && warp->ahead; warp = nextReady(cycle)) {
    passed.push_back({u32(turn - 1), 0});
    pass(*warp, 1, ++cycle);
    if (turn == running.size())
      cycle = passRounds(cycle);
  }
  turn -= warp != nullptr; // it is its turn
  setClock(cycle);
  return cycle;
}

u64 StreamingMultiprocessor::turnsAhead() const {
  u64 sum = 0;
  for (const Warp *warp : running)
    sum += warp->ahead;
  return sum;
}

void StreamingMultiprocessor::takeBack(u64 count, u64 end) {
  while (count > 0) {
    Passed last = passed.back();
    passed.pop_back();
    if (last.rounds > 0) { // the last round as turns
      if (last.rounds > 1)
        passed.push_back({0, last.rounds - 1});
      for (u32 place = 0; place < running.size(); ++place)
        passed.push_back({place, 0});
      continue;
    }
    Warp &warp = *running[last.place];
    ++warp.ahead;
    --warp.instructions;
    turn = last.place;
    warp.readyAt = end + --count; // in that cycle it had its turn, and has it again
  }
  setClock(end);
}

u64 StreamingMultiprocessor::issuesFrom(const Warp &warp) const {
  if (!units || !warp.pc)
    return warp.readyAt;
  return std::max(warp.readyAt,
                  usedUnits().readyFrom(run.program().needs(run.indexOf(warp.nextInTurn())).unit));
}

u64 StreamingMultiprocessor::readyFrom(u64 soon) const {
  u64 first = std::numeric_limits<u64>::max();
  auto look = [&](size_t from, size_t to) {
    for (size_t i = from; i < to && first > soon; ++i)
      if (running[i]->status == WarpStatus::Ready)
        first = std::min(first, issuesFrom(*running[i]));
  };
  look(std::min(turn, running.size()), running.size()); // whose turn it is next has waited longest
  look(0, std::min(turn, running.size()));
  return first;
}
