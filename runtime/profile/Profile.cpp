#include "runtime/profile/Profile.h"

#include "emu/launch/GridRun.h"
#include "emu/memory/L1Cache.h"
#include "emu/program/OpFacts.h"
#include "isa/Modifiers.h"
#include "runtime/profile/Footprint.h"
#include <cstring>

namespace leno::profile {

Observer::Interests Profile::interests() const {
  Interests all = Life | Counts | GenericMemory;
  if (settings.memory)
    all |= Memory | Constants;
  return settings.cycles ? all | Instructions | Stack | Barriers : all;
}

//===--- Parts of a grid --------------------------------------------------===//

template <class T> static void addEach(std::vector<T> &to, std::vector<T> &from, auto add) {
  if (to.size() < from.size())
    to.resize(from.size());
  for (size_t i = 0; i < from.size(); ++i)
    add(to[i], std::exchange(from[i], T()));
}

void Profile::merge(Observer &other) {
  auto &part = static_cast<Profile &>(other);
  part.settle();
  auto addPiece = [](Piece &to, const Piece &from) {
    to.ctas += from.ctas;
    to.instructions += from.instructions;
  };
  addEach(byWord, part.byWord, [](CountRow &to, const CountRow &from) { to += from; });
  addEach(pieces, part.pieces, addPiece);
  addEach(bySm, part.bySm, addPiece);
  ctasOfPiece = std::max(ctasOfPiece, part.ctasOfPiece);
}

void Profile::gridStart(const GridRun &run) {
  grid = &run;
  byWord.resize(run.size() + 1);
  const u64 ctas = run.launch().grid.count();
  ctasOfPiece = (ctas + mostPieces - 1) / mostPieces;
  pieces.resize((ctas + ctasOfPiece - 1) / ctasOfPiece);
  if (settings.bySm)
    bySm.resize(run.device().config().sm.count);
  attributed.resize(run.device().config().sm.count);
}

/// Of a grid that a fault has ended, CTAs stand in their midst.
void Profile::gridEnd(const GridRun &run) {
  settle();
  for (const Cta *cta : run.residentCtas())
    if (!cta->finished())
      addCta(run.linear(cta->index()), cta->multiprocessor().index(), cta->warps());
}

void Profile::ctaEnd(const Cta &cta) {
  settle();
  ended = Ended{cta.grid().linear(cta.index()), cta.multiprocessor().index(), cta.warps().vec()};
}

/// Nothing runs, or another turn, and the warps have not begun anew.
void Profile::settle() {
  if (ended)
    addCta(ended->linear, ended->sm, ended->warps);
  ended.reset();
}

void Profile::addCta(u64 linear, unsigned sm, llvm::ArrayRef<Warp *> warps) {
  Piece &piece = pieces[linear / ctasOfPiece];
  u64 instructions = 0;
  for (const Warp *warp : warps)
    instructions += warp->instructions;
  auto add = [&](Piece &to) { ++to.ctas, to.instructions += instructions; };
  add(piece);
  if (settings.bySm)
    add(bySm[sm]);
}

//===--- What executes ----------------------------------------------------===//

CountRow &Profile::at(const Warp &warp, const Op &op) { return byWord[warp.grid().indexOf(op)]; }

/// Which side it goes to is told by its guard alone.
static bool isPlainBranch(const Op &op) {
  auto testsNothing = [&](auto mods) {
    std::memcpy(&mods, op.mods, sizeof(mods));
    return mods.test == isa::CCTest::T;
  };
  return (op.semantic == Semantic::BRA && testsNothing(isa::BRAMods{})) ||
         (op.semantic == Semantic::JMP && testsNothing(isa::JMPMods{}));
}

void Profile::executed(const Op &op, const OperationCount &count) {
  CountRow &counts = byWord[count.number];
  counts[Count::Warps] += count.times;
  counts[Count::Lanes] += count.lanes;
  if (isPlainBranch(op)) {
    counts[Count::Taken] += count.accesses - count.stack.divergences;
    counts[Count::NotTaken] += count.times - count.accesses;
  }
  counts[Count::Divergences] += count.stack.divergences;
  counts[Count::Reconvergences] += count.stack.reconvergences;
  counts[Count::Pushes] += count.stack.pushed();
  counts[Count::Pops] += count.stack.popped();
  counts[Count::Spilled] += count.stack.spills.entries;
  counts[Count::Restored] += count.stack.restores.entries;
  counts[Count::StackWait] += count.stack.stallCycles;
  const isa::Facts facts = factsOf(op);
  if (facts.flow == isa::Flow::Barrier)
    counts[Count::BarrierArrivals] += count.accesses;
  // Where generic accesses go is known when they do.
  if (const auto known = facts.memory; known && known->space != MemorySpace::Generic)
    addRequests(counts, known->space, count.accesses, known->bytes * count.lanes);
}

//===--- Memory -----------------------------------------------------------===//

void Profile::addRequests(CountRow &counts, MemorySpace space, u64 times, u64 bytes) const {
  switch (space) {
  case MemorySpace::Shared:
    counts[Count::SharedRequests] += times;
    counts[Count::SharedBytes] += bytes;
    return;
  case MemorySpace::Constant:
    counts[Count::ConstantRequests] += times;
    return;
  default:
    counts[Count::Requests] += times;
    counts[Count::Bytes] += bytes;
  }
}

void Profile::memory(const Warp &warp, const Op &op, const MemoryAccess &access) {
  CountRow &counts = at(warp, op);
  if (op.semantic == Semantic::LD || op.semantic == Semantic::ST)
    addRequests(counts, access.space, 1, u64(access.bytes) * unsigned(__builtin_popcount(access.lanes)));
  if (!settings.memory)
    return;
  if (access.space == MemorySpace::Shared) {
    const BankUse use = bankUseOf(access);
    counts[Count::SharedPasses] += use.passes;
    counts[Count::BankConflicts] += use.conflicts;
  } else if (access.space != MemorySpace::Constant) {
    const Footprint footprint = footprintOf(access);
    counts[Count::Sectors] += footprint.sectors;
    counts[Count::Lines] += footprint.lines;
    if (warp.grid().memoryChain())
      addCaches(counts, warp, access.space);
  }
}

/// The models have served the access before it is told: what they have counted since the last one is its.
void Profile::addCaches(CountRow &counts, const Warp &warp, MemorySpace space) {
  const MemoryChain &chain = *std::as_const(warp.grid()).memoryChain();
  const unsigned sm = warp.multiprocessor().index();
  const bool isLocal = space == MemorySpace::Local;
  const MemoryChain::Counts &now = chain.sm(sm, isLocal ? MemoryRequest::Local : MemoryRequest::Global);
  Attributed &before = attributed[sm][isLocal];
  const u64 requests = now.requests - before.l2Requests, hits = now.hits - before.l2Hits;
  counts[Count::L2Hits] += hits;
  counts[Count::L2Misses] += requests - hits;
  if (settings.cycles)
    addWait(warp, counts, Count::MemoryWait, now.waitCycles - before.waited);
  before.l2Requests = now.requests, before.l2Hits = now.hits, before.waited = now.waitCycles;
  if (const u64 *l1 = chain.rowOf<L1Cache>(sm)) { // which both go through
    Attributed &all = attributed[sm][0];
    const u64 hits = l1[L1Cache::ReadHits], misses = l1[L1Cache::ReadMisses];
    counts[Count::L1Hits] += hits - all.l1Hits;
    counts[Count::L1Misses] += misses - all.l1Misses;
    all.l1Hits = hits, all.l1Misses = misses;
  }
}

void Profile::constantAccess(const Warp &warp, const Op &op, const ConstantAccess &access) {
  CountRow &counts = at(warp, op);
  switch (access.source) {
  case ConstantSource::L1:
    ++counts[Count::ConstantL1];
    return;
  case ConstantSource::L2:
    ++counts[Count::ConstantL2];
    return;
  case ConstantSource::Memory:
    ++counts[Count::ConstantMemory];
    return;
  case ConstantSource::Stalled:
    return;
  }
}

//===--- Cycles -----------------------------------------------------------===//

static u64 clockOf(const Cta &cta) { return cta.multiprocessor().clock(); }

void Profile::warpStart(const Warp &warp) { last.erase(&warp); }

/// Now it is known how long the instruction before has kept the warp.
void Profile::instruction(const Warp &warp, const Op &op, LaneMask) {
  const u64 now = clockOf(warp.cta());
  auto [found, isFirst] = last.try_emplace(&warp);
  Last &before = found->second;
  if (!isFirst && now > before.issued) {
    CountRow &counts = byWord[before.word];
    const u64 ready = std::clamp(warp.readyAt, before.issued + 1, now);
    const u64 released = std::clamp(before.released, ready, now);
    u64 own = ready - before.issued - 1;
    const u64 fetched = std::min(own, warp.fetchWait);
    counts[Count::FetchWait] += fetched;
    own -= fetched;
    const u64 results = std::min(own, warp.resultWait);
    at(warp, op)[Count::ResultWait] += results;
    own -= results;
    counts[Count::OtherWait] += own - std::min(own, before.told);
    counts[Count::BarrierWait] += released - ready;
    counts[Count::TurnWait] += now - released;
  }
  before = {warp.grid().indexOf(op), now};
}

void Profile::addWait(const Warp &warp, CountRow &counts, Count reason, u64 cycles) {
  counts[reason] += cycles;
  if (auto found = last.find(&warp); found != last.end())
    found->second.told += cycles;
}

void Profile::stackWait(const Warp &warp, const Op &, u64 cycles) {
  if (auto found = last.find(&warp); found != last.end())
    found->second.told += cycles;
}

void Profile::barrierArrive(const Warp &warp, const Op &, unsigned barrier, BarrierOperation operation) {
  if (auto found = last.find(&warp); found != last.end() && operation != BarrierOperation::Arrive)
    found->second.barrier = barrier;
}

void Profile::barrierRelease(const Cta &cta, unsigned barrier) {
  for (const Warp *warp : cta.warps())
    if (auto found = last.find(warp); found != last.end() && found->second.barrier == barrier) {
      found->second.released = clockOf(cta);
      found->second.barrier.reset();
    }
}

} // namespace leno::profile
