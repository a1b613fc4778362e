//===- Op.h - A predecoded operation --------------------------------------===//
// Decoding is paid once. Every source of a computing instruction is a row of
// the warp's frame, be it a register, RZ, an immediate or a constant, so there
// is one handler for an operation and none for its operand forms.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/warp/Lanes.h"

namespace leno {

struct WarpState;
struct Op;

/// Executes `op` and returns what runs next; null when the warp stops (its
/// status says why, and its pc where it goes on).
using Handler = const Op *(*)(WarpState & warp, const Op &op);

/// Which semantic a record of TableGen names; one enumerator per struct of namespace sem.
enum class Semantic : uint8_t {
#define LENO_SEMANTIC(name) name,
#include "isa/LenoSemantics.def"
  count
};
const char *semanticName(Semantic semantic);

/// Where rows stand in a frame, in rows from R0. The registers go up from 0;
/// below them zero rows (what RZ reads: four, for 128-bit operands), sink rows
/// (where RZ writes go) and then the program's immediates and constants.
namespace frame {
inline constexpr int zeroRow = -4;
inline constexpr int sinkRow = -8;
inline constexpr int firstPoolRow = -9; ///< pool row k is firstPoolRow - k
} // namespace frame

inline constexpr u8 allWarps = 255; ///< Op::extra of a barrier that waits for all of the CTA

inline constexpr unsigned truePredicate = 7; ///< PT: reads as all ones
inline constexpr unsigned sinkPredicate = 8; ///< where writes to PT go

/// What is done for an operation while those that execute are counted (OperationCounts.h).
enum class Counting : u8 {
  WithOthers,    ///< nothing: it counts as its stretch and its group do
  Guard,         ///< the first of a group: what passes its guard is counted,
  GuardIfItEnds, ///< when it has not stopped instead
  Branch,        ///< one that goes to its target or on, unless it diverges
  Each           ///< looked at when it has executed: it may jump or change the active lanes
};

struct alignas(64) Op {
  enum Flag : u8 {
    popSync = 1,    ///< .S: the executing lanes join afterwards
    wideBase = 2,   ///< the base of the address is a 64-bit pair
    breakpoint = 4, ///< the debugger wants to stop before this operation
    setSync =
        16, ///< .SSY: SYNC with the join is pushed first; `b` is the join, in operations from the next one
    hasTarget = 8, ///< `immediate` leads to a place in the program
    alone = 32,    ///< it goes on to the next operation, touches its warp's own state only, cannot trap
    steers =
        64, ///< the same, but what it meets decides: it may jump, use the stack, trap, exit, or access memory
    readsConstants = 128, ///< with constants.model=caches: a source is c[b][o]
  };

  Handler fn = nullptr;    ///< what the loop calls: `inner`, or a wrapper of it; of a launch (LaunchCode.h)
  Handler inner = nullptr; ///< the operation itself
  s32 d = 0, a = 0, b = 0, c = 0; ///< byte offsets of rows from R0's row
  s64 immediate = 0;      ///< target in operations from the next one, address of a BRX or JMX, address
                          ///< offset, number
  u8 mods[8] = {};        ///< the isa::XMods of the semantic
  LaneMask guardFlip = 0; ///< all ones when the guard is negated
  u8 guard = truePredicate;
  u8 u = sinkPredicate, v = sinkPredicate;                    ///< destination predicates
  u8 p = truePredicate, q = truePredicate, r = truePredicate; ///< source predicates
  u8 flips = 0;                                               ///< bits 0, 1, 2: p, q, r negated
  u8 flags = 0;
  Semantic semantic = Semantic::NOP;
  Counting counting = Counting::WithOthers;
  u8 extra = 0; ///< special register, constant bank, or warps a barrier waits for (0: row c counts threads)
};
static_assert(sizeof(Op) == 64);

} // namespace leno
