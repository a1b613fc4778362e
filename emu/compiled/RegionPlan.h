//===- RegionPlan.h - What of a program is compiled together --------------===//
#pragma once
#include "emu/compiled/CompiledCode.h"
#include "emu/program/Program.h"

namespace leno::compiled {

/// The operations that a kernel can come to from its entry, indirect branches apart, the nearest first and at
/// most so many: what is beyond is interpreted.
struct RegionPlan {
  static constexpr size_t mostOperations = 400;

  RegionPlan(const Program &program, u64 entry, bool isFull);
  /// Nothing of it would execute.
  bool isEmpty() const;

  std::vector<Operation> operations; ///< by index
  std::vector<PoolWord> pool;
  std::vector<StackShape> stacks; ///< the empty one first
  bool isFull;     ///< Region::isFull
  /// The same machine code would be made of both.
  bool isSame(const RegionPlan &other) const;
};

} // namespace leno::compiled
