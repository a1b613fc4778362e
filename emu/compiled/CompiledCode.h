//===- CompiledCode.h - Between the machine and the compiler --------------===//
// The compiler, with LLVM's code generator, is a library of its own that is
// loaded when something shall be compiled (CompilerLibrary.h). What passes
// between the two is plain data.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/warp/WarpState.h"
#include <cstddef>

namespace leno::compiled {

/// What compiled code does with an operation.
enum class Kind : u8 {
  Leaves,   ///< nothing: it returns before it, and the interpreter goes on
  Computes, ///< always executes
  Accesses, ///< executes, or else leaves
  Asks,     ///< has the machine give what a special register holds
  Idles,    ///< nothing, and executes
  Branches, ///< goes to its target or on; where lanes part, those that stay are pushed
  Pushes,   ///< an entry for its target, with the active lanes
  Calls,    ///< an entry for what follows it, and goes to its target
  TakesOut, ///< of the active lanes those that execute, with a reason or none; without others it unwinds
};

/// An entry of the divergence stack but for its mask, as far as it is known where code stands.
struct StackEntry {
  u8 type; ///< TokenType
  u32 pc;  ///< in words
  bool operator==(const StackEntry &) const = default;
};

/// The upper part of a warp's stack where an operation stands. Entries may be without lanes: then the warp
/// has none there. What is below it is the warp's own.
struct StackShape {
  static constexpr unsigned most = 8;
  u8 depth = 0;
  StackEntry entries[most] = {};
  bool operator==(const StackShape &) const = default;
};

/// How the addresses of an access lie to each other; of atomics in any way. Code for one way leaves where
/// they lie in another.
enum class Lanes : u8 { Any, One, Row };
/// Forms that an operation of the same modifiers has at most.
inline constexpr unsigned variants = 3;

/// Op::extra of a load of global memory whose next warp, in turns of their own later, reads what is behind
/// the row.
inline constexpr u8 fetchesAhead = 1;
/// Op::extra of a load that the same warp of CTA after CTA executes next: these mostly lie so far ahead, that
/// the host would wait for memory.
inline constexpr u8 fetchesFar = 4;
inline constexpr unsigned bytesFar = 16384;
/// Op::extra of a load of global or shared memory, of lanes in any way, that was seen with lanes near to each
/// other.
inline constexpr u8 liesNear = 2;

/// Accesses that execute together, from one base and of one form, are judged where the first one is. Loads
/// and stores need no `b` and `c`: an access has this there.
struct Judgement {
  static constexpr s32 before = -1; ///< `below`: one before it has judged this one, too
  s32 below = 0; ///< the first one: so many bytes in front of its own must be inside,
  s32 above = 0; ///< and so many behind them; others: how far it is from the first one
  static Judgement of(const Op &op) { return {op.b, op.c}; }
  void set(Op &op) const {
    op.b = below;
    op.c = above;
  }
  bool isMade() const { return below == before; }
  u64 reach() const { return u64(below) + u64(above); }
};

struct Operation {
  Op op;         ///< without its handlers; of an access with its Judgement
  u32 index = 0; ///< in the program
  u16 form = 0;  ///< of its semantic's forms (Forms.cpp)
  u16 stack = 0; ///< the stack's shape before it, in Region::stacks
  Kind kind = Kind::Leaves;
  u8 isLeader = 0;  ///< code is entered and joined here
  u8 tokenType = 0; ///< Pushes
  u8 reason = 0;    ///< TakesOut
  u16 window = noWindow; ///< Accesses of global memory: which Windows, that those of one pointer share
  static constexpr u16 noWindow = UINT16_MAX;
  Lanes lanes = Lanes::Any; ///< Accesses; Asks: of TID where lanes are side by side, a row or one for all
  bool parts = false; ///< Branches: lanes that stay are pushed; else all go, or code leaves
  /// Others than the warp's CTA can tell when it executes, or it is about the stack: code that is asked to
  /// (Kept::staysInCta) leaves before it.
  bool goesOut = false;
  /// Phases of the CTA's own begin at this leader, one after the other: their turns run in loops
  /// (TurnsEntry).
  bool beginsTurns = false;
  bool isBarrier = false; ///< of all the CTA's warps, where phases end
  // Of code that counts:
  bool countsGuard = false; ///< what passes its guard is counted here, for those that share it, too
  u32 counters = 0;         ///< the first of its counters
  /// A leader's: how often its block was begun, and with how many active lanes in all.
  u32 blockCounter() const { return counters; }
  /// How often lanes have passed its guard, and how many in all.
  u32 guardCounter() const { return counters + (isLeader ? 2 : 0); }
  /// How often Branches have pushed for .S, and lanes were parted; Pushes and Calls have pushed; TakesOut has
  /// resumed lanes, and then for each entry of the shape has popped it.
  u32 stackCounter() const { return guardCounter() + (countsGuard ? 2 : 0); }
  /// A leader's: the registers, a bit each, all of whose lanes are thought to hold one word. Code is left at
  /// once where they do not and it would need it.
  u64 shared[4] = {};
  /// Accesses: one before it has judged it, too.
  bool hasJudge() const { return kind == Kind::Accesses && Judgement::of(op).isMade(); }
  bool isShared(u32 row) const { return row < 256 && shared[row / 64] >> row % 64 & 1; }
  bool operator==(const Operation &other) const {
    return __builtin_memcmp(&op, &other.op, sizeof(Op)) == 0 && index == other.index && form == other.form &&
           __builtin_memcmp(shared, other.shared, sizeof(shared)) == 0 && stack == other.stack &&
           kind == other.kind && isLeader == other.isLeader && tokenType == other.tokenType &&
           reason == other.reason && window == other.window && lanes == other.lanes && parts == other.parts &&
           goesOut == other.goesOut && beginsTurns == other.beginsTurns && isBarrier == other.isBarrier &&
           countsGuard == other.countsGuard && counters == other.counters;
  }
};

inline bool endsBlock(Kind kind) {
  return kind == Kind::Branches || kind == Kind::Calls || kind == Kind::TakesOut;
}
/// Behind the last one of those that execute together from `first` on.
inline u32 endOfBlock(const Operation *all, u32 count, u32 first) {
  u32 end = first;
  while (end < count && all[end].kind != Kind::Leaves &&
         (end == first ||
          (!all[end].isLeader && all[end].index == all[end - 1].index + 1 && !endsBlock(all[end - 1].kind))))
    ++end;
  return end;
}

/// A row below the registers that holds one word in all lanes: known now, or when the code runs.
struct PoolWord {
  u8 isConstant;
  u32 value; ///< of what is known now
  bool operator==(const PoolWord &) const = default;
};

/// Which warps code is for. Full: all of their lanes are active, and where they part code leaves. Whole: the
/// same, and they begin with the kernel and end; a Group of them runs at once.
enum class Warps : u8 { Any, Full, Whole };

/// Operations in the order of their indexes. Those that follow each other in the program may be missing.
struct Region {
  Warps warps;
  bool isFull() const { return warps != Warps::Any; }
  const char *width; ///< the engine's name
  const Operation *operations;
  u32 count;
  const PoolWord *pool;
  u32 poolSize;
  const StackShape *stacks;
  u32 stackCount;
  u32 entry;        ///< the index of the kernel's first operation
  bool counts;      ///< its code counts
  bool sharesWords; ///< it may be left at once where it is entered
  bool tellsPlaces; ///< its code says which operation it is of, as source lines: the index in the program,
                    ///< from 1
};

/// What differs from warp to warp of a CTA: a WarpState begins with it.
struct WarpWords {
  unsigned char *frame;
  LaneMask active;
  LaneMask predicates[9];
  ConditionCodes codes;
};
static_assert(sizeof(WarpWords) == offsetof(WarpState, global) &&
              offsetof(WarpWords, active) == offsetof(WarpState, active) &&
              offsetof(WarpWords, predicates) == offsetof(WarpState, predicates) &&
              offsetof(WarpWords, codes) == offsetof(WarpState, codes));

/// The allocations that accesses of global memory were in last.
struct Windows {
  MemoryWindow last, before;
};

/// What code keeps of a warp beside its words.
struct Kept {
  WarpState *place;                 ///< whose other windows and constants it has, below the frame, too
  s64 left;                         ///< instructions that may execute
  u64 depth, deepest, pushes, pops; ///< of the whole stack; what was done since
  LaneMask masks[StackShape::most]; ///< of the entries of the shape
  LaneMask waiting[5];              ///< lanes by Reason
  u32 stack; ///< afterwards: the shape, or where all lanes have exited the index of that operation
  u64 behind; ///< afterwards: of the block that was left in its midst so many have not executed
  u32 prefersFull;                  ///< code leaves at a backward branch of all lanes
  /// Fills a row with what a special register of the place's warp holds; 0: there is no such register.
  u32 (*special)(WarpState *warp, u32 number, u32 *row);
  const u32 *threads; ///< rows of TID.X, TID.Y and TID.Z
  u32 cta[3];         ///< CTAID
  u32 sizes[6];       ///< NTID and NCTAID
  u32 number;         ///< of the warp in its CTA
  LaneMask launched;
  u32 frameBytes; ///< of the registers
  /// Nobody looks at the warp before its next turns. A block that nobody else can see the execution of may
  /// pass what is left, which then is below zero; and code returns `exited` where all lanes have: registers
  /// are as they were, or zero, and all else of the warp is as it was.
  u32 isUnseen;
  u32 staysInCta; ///< code for all lanes leaves before what `goesOut`
};
inline constexpr u32 exited = ~u32(1);
/// Set in the index of a leader: the code cannot be entered there with what lanes hold.
inline constexpr u32 refused = u32(1) << 31;

/// Executes operations of a warp from the leader of that number on (they count in the region's order), as
/// long as whole blocks fit into what is left. Returns the index of the operation that it stands before, or
/// `exited`; with `refused` where nothing has executed for that reason.
using Entry = u32 (*)(WarpWords *words, unsigned char *frame, u32 leader, Kept *kept, u64 *counters,
                      const Windows *windows);

/// CTAs of one size whose warps begin and end in one turn each, as far as is known: the first one's of each
/// have their turns, then the second ones'.
struct Group {
  struct Cta {
    u32 index[3];
    unsigned char *shared;
    u64 executed; ///< by its warps
  };
  Cta *ctas;
  const u32 *threads; ///< Kept::threads of the first warp; those of the next one follow
  u64 deepest;        ///< the stack, of all warps so far
  u64 most, turn;     ///< instructions that may execute, and of one turn: as many as operations, or more
  u32 count;          ///< of CTAs
  u32 warps;          ///< of each that run here
  u32 warp, cta;      ///< whose turn is next, or was the last one
};
/// The same for a group, all of whose warps run in one state and frame. `exited`: all turns that there is
/// room for have been. Else that is the turn in which code was left.
using GroupEntry = u32 (*)(WarpWords *words, unsigned char *frame, Group *group, Kept *kept, u64 *counters,
                           const Windows *windows);

/// A warp's turn in a phase of the CTA's own.
struct OwnTurn {
  WarpWords *words;
  u32 warp;         ///< its number
  u32 instructions; ///< afterwards: that it has executed
};
/// Those of the CTA's warps, one after the other.
struct OwnTurns {
  OwnTurn *const *turns;
  u32 count;
  u32 at, barrier;   ///< afterwards: what the last one has come to, as Entry returns it, and those before it
  u64 first, others; ///< instructions that these may execute
};
/// From that leader on, up to a turn that comes to no barrier or to another one than the first, or has
/// executed all that it may. Returns how many have been before that one, whose Kept::left is left. When it
/// begins, Kept::threads are those of the CTA's first warp.
using TurnsEntry = u32 (*)(OwnTurns *turns, u32 leader, Kept *kept, u64 *counters, const Windows *windows);

/// What the library has under the name "lenoCompiler". False: `message`, of `messageSize` bytes, says why
/// not. Any number of threads at once.
struct Compiler {
  u32 version; ///< Compiler::current of the machine it was built with
  /// The CodeImage of a region.
  bool (*image)(const Region &region, void (*take)(void *to, const char *image, size_t size), void *to,
                char *message, u32 messageSize);
  /// The host's assembly of a region that tells places, piece by piece: the index of the operation that a
  /// line is of, or ~0, and its text.
  bool (*list)(const Region &region, void (*line)(void *to, u32 index, const char *text, size_t size),
               void *to, char *message, u32 messageSize);

  /// Adds code to the dump for the host's perf.
  void (*tellPerf)(const char *name, const void *code, size_t size);

  static constexpr u32 current = 15;
};

} // namespace leno::compiled
