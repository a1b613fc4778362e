//===- StructuredProgram.h - Random programs and one lane at a time -------===//
// A little structured language, written down three times: as a tree, as
// assembly for the machine, and as plain recursion over one lane, which knows
// no masks and no stacks. A lane has a sum, a stream of pseudo-random bits,
// fuel for recursion, and words of memory of its own.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/warp/Lanes.h"
#include <array>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace leno::test {

struct Statement {
  enum Kind {
    Mix,     ///< the sum changes, in one of several ways
    Guarded, ///< one way where a predicate holds, another where not
    Load,    ///< a word of the program's table, or of the lane's own memory, into the sum
    Store,   ///< the sum into a word of the lane's own memory
    If,
    Switch, ///< four ways
    Loop,
    Break,
    Continue,
    Call,    ///< a function after this one: `function`
    Recurse, ///< the function it stands in, while there is fuel
    Return,
    Exit,
    count
  } kind = Mix;
  u32 value = 0; ///< what a condition looks at, which form is emitted, which constant
  unsigned function = 0;
  std::vector<std::vector<Statement>> bodies; ///< If: two, Switch: four, Loop: one

  /// Half of the loops have a pre-break, a quarter also a pre-continue; the others end by a backward branch
  /// and leave an entry for each turn that lanes leave them.
  bool hasBreak() const { return value >> 4 & 1; }
  bool hasContinue() const { return (value >> 4 & 3) == 3; }
};
using Block = std::vector<Statement>;

struct StructuredProgram {
  u32 seed = 0;
  unsigned threads = 32;
  std::vector<Block> functions; ///< 0: the kernel

  /// Statements stand that deep in others in the kernel, and one less in what it calls; of depth 1 they are
  /// small.
  static StructuredProgram random(u32 seed, unsigned depth = 4);
  size_t statements() const;
  /// Assembly with a kernel `test`, parameters `ptr table`, `ptr out`.
  /// Of a grid: threads are numbered through all CTAs.
  std::string assembly(bool isOfGrid = false) const;
  std::vector<u32> table() const;
};

inline constexpr unsigned tableWords = 64;
/// Of a lane: sum, bits, fuel, one unused, its memory, then room for the counters of callers.
inline constexpr unsigned laneWords = 512, resultWords = 12, firstMemoryWord = 4, memoryWords = 8;
using LaneResult = std::array<u32, resultWords>;

/// What thread `thread` leaves behind, run by itself.
LaneResult runAlone(const StructuredProgram &program, u32 thread);

/// The smallest program reached from `program` by leaving things out that still `fails`.
StructuredProgram shrink(StructuredProgram program,
                         const std::function<bool(const StructuredProgram &)> &fails);

} // namespace leno::test
