//===- RegionPlan.h - What of a program is compiled together --------------===//
#pragma once
#include "emu/compiled/CompiledCode.h"
#include "emu/observe/Observer.h"
#include "emu/program/Program.h"

namespace leno::compiled {

/// A copy all of whose bytes can be compared: those that are no field's are zero.
void copyOp(Op &to, const Op &from);

/// The operations that a kernel can come to from its entry, indirect branches apart, the nearest first and at
/// most so many: what is beyond is interpreted.
struct RegionPlan {
  static constexpr size_t mostOperations = 400;
  /// A block with accesses, or one that counts, has so many at most.
  static constexpr size_t mostSeen = 32;

  /// What is thought of accesses, and asked of code.
  struct Guess {
    bool hasWideRows = true;    ///< the warps' lanes are side by side in x
    std::vector<u32> irregular; ///< accesses by index in the program whose lanes do not lie in one way
    std::vector<u32> near;      ///< and those of them whose lanes are near to each other
    /// What somebody hears of, or the machine models: what it is about is interpreted, but for counts.
    Observer::Interests watched = 0;
    /// What depends on no lane's place and no memory is one word for all lanes where code is entered.
    bool sharesWords = true;
    bool isCounted() const { return watched & Observer::Counts; }
    bool operator==(const Guess &) const = default;
  };
  RegionPlan(const Program &program, u64 entry, Warps warps, const Guess &guess);
  /// Nothing of it would execute.
  bool isEmpty() const;

  std::vector<Operation> operations; ///< by index
  std::vector<PoolWord> pool;
  std::vector<StackShape> stacks; ///< the empty one first
  Warps warps;
  Guess guess;
  u32 entry; ///< Region::entry
  u32 counters = 0; ///< of all operations
  /// The same machine code would be made of both.
  bool isSame(const RegionPlan &other) const;

private:
  void chooseAccesses(const Program &program, const Guess &guess);
  void judgeTogether(const Program &program);
  void placeCounters(const Program &program);
};

} // namespace leno::compiled
