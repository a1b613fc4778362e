//===- LaunchCode.h - The operations of a launch, and who patches them ----===//
// A launch executes a copy of its program's operations. Who wants something
// else of some of them lays a patch on them. Patches lie over each other in a
// fixed order, so it does not matter when each is laid or taken away: an
// operation is always what the program's is with the patches of the moment.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/program/Program.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace leno {

class LaunchCode {
public:
  /// The lowest first.
  enum class Patch : u8 {
    HostThreads,   ///< what must be indivisible or ordered is so for other host threads too
    ToldFence,     ///< MEMBAR tells those who watch
    BadConstant,   ///< traps: a constant source is outside its bank
    ThroughCaches, ///< reads constants through their caches first (LaunchConstants.h), unless it traps
    Breakpoint,    ///< stops before it
  };

  /// `program` must live longer.
  explicit LaunchCode(const Program &program);

  /// Words of code; one operation more stands behind them and traps.
  size_t size() const { return operations.size() - 1; }
  llvm::ArrayRef<Op> ops() const { return operations; }
  const Op *at(u64 words) const { return &operations[words]; }
  size_t indexOf(const Op &op) const { return size_t(&op - operations.data()); }

  /// Lays the patch on those of the program's operations that `where` tells, and takes it from all others.
  void lay(Patch patch, llvm::function_ref<bool(const Op &)> where);
  void lay(Patch patch) {
    lay(patch, [](const Op &) { return true; });
  }
  void lift(Patch patch) {
    lay(patch, [](const Op &) { return false; });
  }
  /// The same for one operation.
  void set(Patch patch, size_t index, bool on);
  bool has(Patch patch, size_t index) const { return patches[index] & bit(patch); }
  /// From now on it is counted how often each executes, or no more: OperationCounts.h. Above all patches but
  /// breakpoints.
  void count(bool on);

  /// Another number after each change of what would run: who keeps something made from these operations
  /// knows by it that it is out of date.
  u64 generation() const { return changes; }

private:
  static constexpr u8 bit(Patch patch) { return u8(1 << unsigned(patch)); }
  bool put(Patch patch, size_t index, bool on);
  Handler forHostThreads(const Op &op) const;
  void renew(size_t index);
  void renewAll();

  const Program &program;
  std::vector<Op> operations;
  std::vector<u8> patches; ///< that lie on each
  bool isCounted = false;
  u64 changes = 0;
};

} // namespace leno
