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

Cta &StreamingMultiprocessor::start(Dim3 ctaIndex, const CtaNeeds &needs) {
  SmallVector<Warp *, 32> members;
  for (unsigned i = 0; i < needs.warps; ++i) {
    if (freeWarps.empty()) {
      if (made == warps.size())
        warps.push_back(std::make_unique<Warp>(run, *this, unsigned(made)));
      freeWarps.push_back(warps[made++].get());
    }
    members.push_back(freeWarps.back());
    freeWarps.pop_back();
  }
  running.insert(running.end(), members.begin(), members.end());
  taken = taken + needs;
  if (spareCtas.empty())
    spareCtas.push_back(std::make_unique<Cta>(run, *this));
  ctas.push_back(std::move(spareCtas.back()));
  spareCtas.pop_back();
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
  for (auto &cta : ctas) {
    if (!cta->finished())
      continue;
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
  std::erase(ctas, nullptr);
}

void StreamingMultiprocessor::release() {
  for (size_t i = 0; constants && i < ctas.size(); ++i)
    constants->retire(own, cycles);
  ctas.clear();
}

StackCounters StreamingMultiprocessor::stackCounters() const {
  StackCounters sum;
  for (size_t i = 0; i < made; ++i)
    sum += warps[i]->tokens().counters();
  return sum;
}

u64 StreamingMultiprocessor::issuesFrom(const Warp &warp) const {
  if (!units || !warp.pc)
    return warp.readyAt;
  return std::max(warp.readyAt, usedUnits().readyFrom(run.program().needs(run.indexOf(*warp.pc)).unit));
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
