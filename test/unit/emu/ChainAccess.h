// What the tests of memory's models share: a machine with time, and a warp that accesses memory.
#pragma once
#include "emu/memory/MemoryChain.h"

namespace leno::test {

/// Two SMs with the cycle model.
inline MachineConfig timedMachine() {
  MachineConfig config;
  config.sm.count = 2;
  config.timing.model = MachineConfig::Timing::Cycles;
  return config;
}

/// Lane i at `base + i * stride`, four bytes. When the warp goes on.
inline u64 access(MemoryChain &chain, unsigned sm, MemoryAccess::Kind kind, u64 base, u64 stride, u64 cycle,
                  isa::LoadCache cache = isa::LoadCache::CA, LaneMask lanes = allLanes) {
  u64 addresses[laneCount];
  for (unsigned lane = 0; lane < laneCount; ++lane)
    addresses[lane] = base + lane * stride;
  WarpClock clock;
  clock.issue(cycle);
  chain.access(sm, {MemoryAccess::Space::Global, kind, 4, lanes, addresses, cache}, clock);
  return clock.now();
}

} // namespace leno::test
