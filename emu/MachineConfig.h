//===- MachineConfig.h - The machine's sizes and limits as plain values ---===//
// What an emulator is built from. The keys users type, their limits and their
// documentation are rows of MachineKey.h; the defaults are the initializers here.
//===----------------------------------------------------------------------===//
#pragma once

#include "emu/constants/ConstantCacheConfig.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>

namespace leno {

struct MachineKey;

struct MachineConfig {
  struct Sm {
    uint64_t count = 4;
    uint64_t warps = 32; // CHOICE: a CTA of 1,024 threads fits; S0, S4: G = 24 thread groups an SM
    uint64_t ctas = 8;
    uint64_t sharedBytes = 49152;
    uint64_t registers = 262144; // 32-bit ones: 32 warps of 32 lanes with 256 each
  } sm;
  struct Warp {
    uint64_t stackDepth = 1024;  // S0: the driver's nesting limit; past it STACK_OVERFLOW (Architecture.md 5)
    uint64_t localBytes = 65536; // of each lane
  } warp;
  struct Barrier {
    enum Divergent : uint64_t { Trap, Count };
    uint64_t divergent = Trap; // lanes that arrive without the warp's others trap, or count as the warp
  } barrier;
  /// Where a warp's stack entries are, and S0's stack cache (emu/warp/StackCache.h).
  struct Stack {
    enum Model : uint64_t { Chip, Cache, Memory };
    enum Policy : uint64_t { Threshold, SetBoundary };
    enum Flags : uint64_t { PerEntry, PerSet };
    enum Direction : uint64_t { Up, Down };
    uint64_t model = Chip;
    uint64_t entries = 16;       // on chip, for each warp
    uint64_t setEntries = 4;     // S0: a thread set is 256 bits, one transaction
    uint64_t policy = Threshold; // when to spill and to restore
    uint64_t flags = PerEntry;   // S0: valid and dirty for each entry, or for each set
    uint64_t direction = Up;     // S0: head + 1 or - 1
    static constexpr uint64_t byEntries = 1024; // a threshold that follows from `entries`
    uint64_t spillThreshold = byEntries; // more dirty entries than this are a reason to spill; or half of them
    uint64_t restoreThreshold = byEntries; // more invalid ones are a reason to restore; or a quarter
    uint64_t moveEntries = 4;              // S0: N, moved at once under the threshold policy
    uint64_t setsAhead = 1; // S0's "next set" of the set-boundary policy; more look further
    enum Restored : uint64_t { Clean, Dirty };
    uint64_t restored = Clean; // S0: a restore may clear the dirty flags

    uint64_t spillAbove() const { return spillThreshold == byEntries ? entries / 2 : spillThreshold; }
    uint64_t restoreAbove() const { return restoreThreshold == byEntries ? entries / 4 : restoreThreshold; }
    static llvm::ArrayRef<MachineKey> keys();
    /// Fails, naming the key, when the sizes make no cache.
    llvm::Error check() const;
  } stack;
  struct Timing {
    enum Model : uint64_t { Off, Cycles };
    uint64_t model = Off;
    uint64_t memoryLatency = 250; // S3's T
    uint64_t memoryInterval = 4;  // cycles between the starts of two transactions of an SM
    uint64_t postedWrites = 0;
  } timing;
  /// An SM's units [S1], by isa::Unit (emu/sm/Units.h).
  struct Units {
    enum Model : uint64_t { None, Scoreboard };
    uint64_t model = None;
    struct Unit {
      uint64_t count = 1;
      uint64_t interval = 1;
      uint64_t latency = 1;
    };
    static constexpr size_t kindCount = 5;
    Unit kinds[kindCount];

    static llvm::ArrayRef<MachineKey> keys();
    /// Fails, naming the key, where `whole` has no clock.
    llvm::Error check(const MachineConfig &whole) const;
  } units;
  struct Memory {
    uint64_t bytes = uint64_t(1) << 30;
  } memory;
  /// An SM's L1 of data (emu/memory/L1Cache.h).
  struct L1 {
    enum Model : uint64_t { None, Cache };
    uint64_t model = None;
    uint64_t bytes = 16384; // of an SM
    uint64_t lineBytes = 128;
    uint64_t ways = 4;
    uint64_t latency = 10;

    static llvm::ArrayRef<MachineKey> keys();
    llvm::Error check() const;
  } l1;
  /// An SM's translation lookaside buffer (emu/memory/Tlb.h).
  struct Tlb {
    enum Model : uint64_t { None, Buffer };
    uint64_t model = None;
    uint64_t entries = 64; // of an SM
    uint64_t ways = 4;
    uint64_t latency = 1;

    static llvm::ArrayRef<MachineKey> keys();
    llvm::Error check() const;
  } tlb;
  /// A cache of what is only read, of an SM or of a cluster of them (emu/memory/ClusterCache.h).
  struct ClusterCache {
    enum Model : uint64_t { None, Cache };
    uint64_t model = None;
    uint64_t bytes;
    uint64_t lineBytes = 128;
    uint64_t ways;
    uint64_t latency;
    uint64_t sms; // that share one

    static llvm::ArrayRef<MachineKey> keys();
  };
  ClusterCache icache{.bytes = 8192, .ways = 4, .latency = 1, .sms = 1};
  ClusterCache l15{.bytes = 32768, .ways = 8, .latency = 20, .sms = 2};
  llvm::Error checkClusterCaches() const;
  /// S3's slices behind a grid's global accesses (emu/memory/L2Slices.h).
  struct L2 {
    enum Model : uint64_t { Off, Slices };
    uint64_t model = Off;
    uint64_t slices = 4;
    uint64_t bytes = 131072; // of a slice
    uint64_t lineBytes = 128;
    uint64_t ways = 16;
    uint64_t latency = 50; // S3: a fifth of a memory access
    uint64_t interval = 1; // cycles between two requests to a slice

    static llvm::ArrayRef<MachineKey> keys();
    llvm::Error check() const;
  } l2;
  /// S3's CPU: the link to it, its cache and its memory (emu/memory/HostSide.h).
  struct Host {
    enum Model : uint64_t { Off, Clock };
    uint64_t model = Off;
    uint64_t link = 250; // S3: another processor's takes T more
    uint64_t linkInterval = 1;
    uint64_t memoryLatency = 250; // S3's T
    uint64_t cacheLatency = 50;   // and a fifth of it
    uint64_t cacheBytes = 262144;
    uint64_t cacheWays = 16;
    uint64_t pollInterval = 0;

    static llvm::ArrayRef<MachineKey> keys();
    /// Fails, naming the key, where `whole` has no clock, or the sizes make no cache.
    llvm::Error check(const MachineConfig &whole) const;
  } host;
  /// S2's caches between launches and their constants (emu/constants/ConstantUnit.h).
  struct Constants {
    enum Model : uint64_t { None, Caches };
    uint64_t model = None;
    ConstantCacheConfig caches;
    ConstantLatencies latencies;

    static llvm::ArrayRef<MachineKey> keys();
  } constants;
  struct Scheduler {
    uint64_t quantum = 1000; // warp instructions of one turn
  } scheduler;

  /// The front end and the driver, when several contexts share the machine (emu/device).
  struct Device {
    uint64_t launchCycles = 100; // from decoding a launch until its first CTA can go out
    uint64_t copyBytes = 16;     // that a memory copy moves in a cycle
    uint64_t faultCycles = 5000; // until the driver has mapped a page
  } device;
  /// S4: how contexts share the SMs.
  struct Contexts {
    enum Allocation : uint64_t { One, Static, Dynamic };
    enum Switch : uint64_t { Drain, Save, Partial };
    enum Room : uint64_t { Shared, Divided };
    enum Issue : uint64_t { InTurn, WhenBlocked };
    uint64_t allocation = Dynamic;
    uint64_t perSm = 1;         // contexts whose state an SM holds at once
    uint64_t room = Shared;     // of an SM among them: as there is some, or an equal part for each
    uint64_t issue = InTurn;    // from one to the next in each cycle, or when all warps of one are blocked
    uint64_t switching = Save;  // how an SM changes hands
    uint64_t drainCycles = 1000; // Partial: that it drains before the rest is saved
    uint64_t storageBytes = 32; // that an SM and its context storage exchange in a cycle
    uint64_t window = 2000;     // cycles over which blocked cycles are counted
    uint64_t threshold = 500;   // more blocked than the least blocked by this many: a slice moves
    uint64_t timeSlice = 20000; // cycles; 0: a slice never expires
    uint64_t watchdog = 0;      // cycles of a grid; 0: no limit
  } contexts;

  /// Fails, naming the key, when a size makes no machine.
  llvm::Error check() const;
  /// Of a part of an SM that contexts.room=divided gives to each of contexts.perSm contexts.
  Sm partOfSm() const {
    return {sm.count, sm.warps / contexts.perSm, sm.ctas / contexts.perSm, sm.sharedBytes / contexts.perSm,
            sm.registers / contexts.perSm};
  }
};

} // namespace leno
