#include "emu/Statistics.h"
#include "emu/GridRun.h"
#include <algorithm>

using namespace leno;

static unsigned countOf(LaneMask lanes) { return unsigned(__builtin_popcount(lanes)); }

void Statistics::instructionDone(const Warp &, const Op &op, LaneMask executing) {
  ++warpInstructions;
  laneOperations += countOf(executing);
  ++bySemantic[size_t(op.semantic)];
  branches += op.semantic == Semantic::BRA || op.semantic == Semantic::JMP || op.semantic == Semantic::BRX ||
              op.semantic == Semantic::JMX;
  discards += op.semantic == Semantic::KIL ? countOf(executing) : 0;
}

void Statistics::memory(const Warp &, const MemoryAccess &access) {
  using Kind = MemoryAccess::Kind;
  ++(access.kind == Kind::Load ? loads : access.kind == Kind::Store ? stores : atomics)[size_t(access.space)];
  if (access.space != MemoryAccess::Space::Global)
    return;
  u64 bytes = u64(access.bytes) * countOf(access.lanes);
  if (access.kind != Kind::Store)
    bytesLoaded += bytes;
  if (access.kind != Kind::Load)
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

void Statistics::gridStart(const GridRun &run) { stackByWord.resize(run.size() + 1); }

void Statistics::gridEnd(const GridRun &run) {
  stackBitsOnChip = run.stackBitsOnChip();
  cycles = run.cycleCounts();
}

/// While someone observes, a warp's pc is the instruction that executes.
StackEvents &Statistics::at(const Warp &warp) { return stackByWord[warp.pcBytes() / 8]; }

void Statistics::divergence(const Warp &warp, LaneMask, LaneMask) {
  ++divergences;
  ++at(warp).divergences;
}

void Statistics::reconvergence(const Warp &warp, const Token &, LaneMask) {
  ++reconvergences;
  ++at(warp).reconvergences;
}

void Statistics::push(const Warp &warp, const Token &token, const StackAccess &access) {
  ++pushes;
  ++pushesByType[size_t(token.type)];
  ++at(warp).pushes;
  deepestStack = std::max(deepestStack, access.entry + 1);
}

void Statistics::pop(const Warp &warp, const Token &token, const StackAccess &access) {
  ++pops;
  ++popsByType[size_t(token.type)];
  ++at(warp).pops;
  popsOnChip += access.place == EntryPlace::Chip || access.place == EntryPlace::ChipAndMemory;
}

void Statistics::stackTransfer(const Warp &warp, const StackTransfer &transfer) {
  (transfer.isRestore ? restores : spills) += {1, transfer.transactions, transfer.count};
  (transfer.isRestore ? at(warp).restored : at(warp).spilled) += transfer.count;
}

void Statistics::stackWait(const Warp &warp, u64 waited) {
  ++stackWaits;
  stackStallCycles += waited;
  at(warp).stallCycles += waited;
}
