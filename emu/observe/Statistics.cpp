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
  if (facts.flow == isa::Flow::Barrier)
    barrierArrivals += count.accesses;
  stack += count.stack;
  if (count.number >=
      stackByWord.size()) // a part of a grid that has given away what it gathered, in its midst
    stackByWord.resize(count.number + 1);
  stackByWord[count.number] += count.stack;
  // Where generic accesses go is known when they do.
  if (const auto &known = facts.memory; known && known->space != MemorySpace::Generic) {
    Kind kind = known->isAtomic ? Kind::Atomic : known->writes ? Kind::Store : Kind::Load;
    access(known->space, kind, count.accesses, known->bytes * count.lanes);
  }
}

void Statistics::progressed(const Progress &progress) {
  ctas += progress.ctas;
  warps += progress.warps;
  deepestStack = std::max(deepestStack, progress.deepestStack);
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

Statistics &Statistics::operator+=(const Statistics &other) {
  for (u64 Statistics::*count :
       {&Statistics::warpInstructions, &Statistics::laneOperations, &Statistics::branches,
        &Statistics::discards, &Statistics::bytesLoaded, &Statistics::bytesStored,
        &Statistics::barrierArrivals, &Statistics::ctas, &Statistics::warps})
    this->*count += other.*count;
  addEach(bySemantic, other.bySemantic);
  addEach(loads, other.loads);
  addEach(stores, other.stores);
  addEach(atomics, other.atomics);
  stack += other.stack;
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
