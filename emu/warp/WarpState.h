//===- WarpState.h - What handlers see of a warp --------------------------===//
// Plain data, no member functions: this header is compiled into every engine,
// each built for another vector width, and must leave no inline function
// behind that the linker could take from the wrong one.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/program/Op.h"

#ifndef LENO_OBSERVERS
#define LENO_OBSERVERS 1
#endif

namespace leno {

/// Observers can be told what warps do. False only where what that costs when nobody asks is measured
/// (leno-bench speed --costs).
inline constexpr bool canBeWatched = LENO_OBSERVERS;

/// A stretch of guest memory with exact byte bounds and its bytes on the host.
struct MemoryWindow {
  u64 base;
  u64 size;
  unsigned char *host;
};

/// Local memory is interleaved by lane (CHOICE): a word of all lanes is one row, so that a warp whose lanes
/// access the same local address touches consecutive bytes. Where the byte at `address` of a lane stands.
static constexpr u64 localOffset(unsigned lane, u32 address) {
  return u64(address >> 2) * rowBytes + lane * 4 + (address & 3);
}

/// All lanes' of a warp, of so many bytes a lane: whole rows.
static constexpr u64 localBytesOf(u64 laneBytes) { return (laneBytes + 3) / 4 * rowBytes; }

/// The condition codes [S1], one mask each.
struct ConditionCodes {
  LaneMask overflow, carry, sign, zero;
};

enum class WarpStatus : u8 {
  Ready,
  AtBarrier,
  Exited,
  Trapped,
  Breakpoint,     ///< stopped before the operation at pc
  NeedsClock,     ///< an S2R wants the SM's cycle counter brought up to date
  AwaitsConstants ///< before the operation at pc: its SM's L1 of constants has no room yet
};

/// How a warp arrives at a barrier (Architecture.md 4): it waits, goes on, or waits for a reduction.
enum class BarrierOperation : u8 { Sync, Arrive, Popc, And, Or };

struct WarpState {
  unsigned char *frame;   ///< R0's row
  LaneMask active;        ///< Architecture.md 5: A
  LaneMask predicates[9]; ///< P0..P6, PT (all ones), the sink
  ConditionCodes codes;
  MemoryWindow global;           ///< the allocation hit last; size 0: none yet
  MemoryWindow otherGlobal;      ///< the one before it
  MemoryWindow shared;           ///< the CTA's
  MemoryWindow local;            ///< each lane's: base 0, bytes of one lane, interleaved (localOffset)
  const MemoryWindow *constants; ///< c[0..15]
  const Op *pc;                  ///< where the warp goes on when it is not running
  WarpStatus status;
  bool stackWatched;   ///< what happens to its stack is told
  bool memoryWatched;  ///< each access to memory,
  bool genericWatched; ///< or those of LD and ST at least,
  bool atomicsWatched; ///< or atomics
  bool memoryModelled; ///< each access to global and local memory goes to the models (MemoryChain.h)
  bool sharesMemory;   ///< other host threads access global memory, too
  bool clockIsFresh;
  u64 clock;
};

} // namespace leno
