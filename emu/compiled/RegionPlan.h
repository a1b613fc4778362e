//===- RegionPlan.h - What of a program is compiled together --------------===//
#pragma once
#include "emu/compiled/CompiledCode.h"
#include "emu/observe/Observer.h"
#include "emu/program/Program.h"
#include <atomic>

namespace leno::compiled {

/// A copy all of whose bytes can be compared: those that are no field's are zero.
void copyOp(Op &to, const Op &from);

/// The operations that a kernel can come to from its entry, indirect branches apart, the nearest first and at
/// most so many: what is beyond is interpreted. They are compiled in parts, as a compiler's time grows faster
/// than what it is given.
struct RegionPlan {
  static constexpr size_t mostOperations = 2048;
  static inline std::atomic<u32> usualOfPart = 256; ///< tests want small ones
  /// What is run as a group is one part, and has less; no block is longer.
  static constexpr size_t mostOfWhole = 400;
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
    u32 mostOfPart = usualOfPart;
    bool isCounted() const { return watched & Observer::Counts; }
    bool operator==(const Guess &) const = default;
  };
  RegionPlan(const Program &program, u64 entry, Warps warps, const Guess &guess);
  /// Nothing of it would execute.
  bool isEmpty() const;

  std::vector<Operation> operations; ///< by index
  std::vector<u32> parts;            ///< the first operation of each, and one behind the last
  std::vector<PoolWord> pool;
  std::vector<StackShape> stacks; ///< the empty one first
  Warps warps;
  Guess guess;
  u32 entry;        ///< of the kernel, an index in the program
  u32 counters = 0; ///< of all operations,
  u16 windows = 0;  ///< and Windows
  size_t partCount() const { return parts.size() - 1; }
  llvm::ArrayRef<Operation> part(size_t number) const {
    return llvm::ArrayRef(operations).slice(parts[number], parts[number + 1] - parts[number]);
  }
  /// The same machine code would be made of that part, or of all.
  bool hasSame(size_t part, const RegionPlan &other) const;
  bool isSame(const RegionPlan &other) const;

private:
  bool isAlike(const RegionPlan &other) const;
  void divide();
  void chooseAccesses(const Program &program, const Guess &guess);
  void judgeTogether(const Program &program);
  void placeCounters(const Program &program);
  llvm::SmallVector<u32, 2> behind(u32 number) const;
  std::vector<bool> comeTo(std::vector<bool> those) const;
  void findTurns();
};

} // namespace leno::compiled
