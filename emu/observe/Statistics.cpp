#include "emu/observe/Statistics.h"
#include "emu/launch/GridRun.h"
#include "emu/program/OpFacts.h"
#include <algorithm>

using namespace leno;

using Kind = MemoryAccess::Kind;

void Statistics::executed(const Op &op, const OperationCount &count) {
  warpInstructions += count.times;
  laneOperations += count.lanes;
  bySemantic[size_t(op.semantic)] += count.times;
  isa::Facts facts = factsOf(op);
  if (facts.flow == isa::Flow::Branch || facts.flow == isa::Flow::Indirect)
    branches += count.times;
  if (op.semantic == Semantic::KIL)
    discards += count.lanes;
  // Where generic accesses go is known when they do.
  if (const auto &known = facts.memory; known && known->space != MemorySpace::Generic) {
    Kind kind = known->isAtomic ? Kind::Atomic : known->writes ? Kind::Store : Kind::Load;
    access(known->space, kind, count.accesses, known->bytes * count.lanes);
  }
}

// Of LD and ST alone.
void Statistics::memory(const Warp &, const Op &, const MemoryAccess &done) {
  access(done.space, done.kind, 1, u64(done.bytes) * unsigned(__builtin_popcount(done.lanes)));
}

void Statistics::access(MemoryAccess::Space space, Kind kind, u64 times, u64 bytes) {
  (kind == Kind::Load ? loads : kind == Kind::Store ? stores : atomics)[size_t(space)] += times;
  if (space != MemoryAccess::Space::Global)
    return;
  if (kind != Kind::Store)
    bytesLoaded += bytes;
  if (kind != Kind::Load)
    bytesStored += bytes;
}

template <class Counts> static void addEach(Counts &to, const Counts &from) {
  for (size_t i = 0; i < to.size(); ++i)
    to[i] += from[i];
}

Statistics &Statistics::operator+=(const Statistics &other) {
  for (u64 Statistics::*count :
       {&Statistics::warpInstructions, &Statistics::laneOperations, &Statistics::branches,
        &Statistics::divergences, &Statistics::reconvergences, &Statistics::discards, &Statistics::pushes,
        &Statistics::pops, &Statistics::popsOnChip, &Statistics::stackWaits, &Statistics::stackStallCycles,
        &Statistics::bytesLoaded, &Statistics::bytesStored, &Statistics::barrierArrivals, &Statistics::ctas,
        &Statistics::warps})
    this->*count += other.*count;
  addEach(bySemantic, other.bySemantic);
  addEach(pushesByType, other.pushesByType);
  addEach(popsByType, other.popsByType);
  addEach(loads, other.loads);
  addEach(stores, other.stores);
  addEach(atomics, other.atomics);
  spills += other.spills;
  restores += other.restores;
  deepestStack = std::max(deepestStack, other.deepestStack);
  stackBitsOnChip = std::max(stackBitsOnChip, other.stackBitsOnChip);
  if (other.warpsInUse > 0) {
    occupancy = other.occupancy;
    warpsInUse = other.warpsInUse;
  }
  stackByWord.resize(std::max(stackByWord.size(), other.stackByWord.size()));
  for (size_t i = 0; i < other.stackByWord.size(); ++i)
    stackByWord[i] += other.stackByWord[i];
  if (other.cycles)
    cycles = other.cycles; // of one part: cycles cannot be cut in parts
  return *this;
}

//===--- The stack, and where it is used ----------------------------------===//

StackEvents &StackEvents::operator+=(const StackEvents &other) {
  pushes += other.pushes;
  pops += other.pops;
  divergences += other.divergences;
  reconvergences += other.reconvergences;
  spilled += other.spilled;
  restored += other.restored;
  stallCycles += other.stallCycles;
  return *this;
}

void Statistics::gridStart(const GridRun &run) {
  stackByWord.resize(run.size() + 1);
  const MachineConfig::Sm &sm = run.device().config().sm;
  occupancy = occupancyOf(sm, {run.warpsPerCta(), run.launch().sharedBytes,
                               u64(run.warpsPerCta()) * laneCount * run.registers()});
  warpsInUse = double(occupancy.warps) / double(sm.warps);
}

void Statistics::gridEnd(const GridRun &run) {
  stackBitsOnChip = run.stackBitsOnChip();
  cycles = run.cycleCounts();
}

/// A part of a grid that has given away what it gathered begins anew in its midst.
StackEvents &Statistics::at(const Warp &warp, const Op &op) {
  size_t word = warp.addressOf(op) / 8;
  if (word >= stackByWord.size())
    stackByWord.resize(warp.grid().size() + 1);
  return stackByWord[word];
}

void Statistics::divergence(const Warp &warp, const Op &op, LaneMask, LaneMask) {
  ++divergences;
  ++at(warp, op).divergences;
}

void Statistics::reconvergence(const Warp &warp, const Op &op, const Token &, LaneMask) {
  ++reconvergences;
  ++at(warp, op).reconvergences;
}

void Statistics::push(const Warp &warp, const Op &op, const Token &token, const StackAccess &access) {
  ++pushes;
  ++pushesByType[size_t(token.type)];
  ++at(warp, op).pushes;
  deepestStack = std::max(deepestStack, access.entry + 1);
}

void Statistics::pop(const Warp &warp, const Op &op, const Token &token, const StackAccess &access) {
  ++pops;
  ++popsByType[size_t(token.type)];
  ++at(warp, op).pops;
  popsOnChip += access.place == EntryPlace::Chip || access.place == EntryPlace::ChipAndMemory;
}

void Statistics::stackTransfer(const Warp &warp, const Op &op, const StackTransfer &transfer) {
  (transfer.isRestore ? restores : spills) += {1, transfer.transactions, transfer.count};
  (transfer.isRestore ? at(warp, op).restored : at(warp, op).spilled) += transfer.count;
}

void Statistics::stackWait(const Warp &warp, const Op &op, u64 waited) {
  ++stackWaits;
  stackStallCycles += waited;
  at(warp, op).stallCycles += waited;
}
