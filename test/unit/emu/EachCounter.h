//===- EachCounter.h - Counts told one by one -----------------------------===//
// What Statistics gets from stretches of operations, here from every
// instruction and every access as it is told.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/launch/GridRun.h"
#include "emu/observe/Statistics.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "gtest/gtest.h"
#include <optional>
#include <utility>

namespace leno::test {

class EachCounter final : public Observer {
public:
  void instructionDone(const Warp &, const Op &op, LaneMask executing) override {
    ++instructions;
    lanes += unsigned(__builtin_popcount(executing));
    ++bySemantic[size_t(op.semantic)];
    if (op.semantic == Semantic::KIL)
      discards += unsigned(__builtin_popcount(executing));
    if (std::optional<MemoryAccess> access = std::exchange(begun, std::nullopt))
      count(*access);
  }
  // As Statistics.h has it: LD and ST count at once, others when the instruction has ended (LDS.S may trap
  // after its access).
  void memory(const Warp &, const Op &op, const MemoryAccess &access) override {
    if (op.semantic == Semantic::LD || op.semantic == Semantic::ST)
      count(access);
    else
      begun = access;
  }
  void trap(const GridRun &, const Trap &) override { begun.reset(); }
  void expectSame(const Statistics &counted, const std::string &where) const {
    EXPECT_EQ(counted.warpInstructions, instructions) << where;
    EXPECT_EQ(counted.laneOperations, lanes) << where;
    EXPECT_EQ(counted.discards, discards) << where;
    EXPECT_TRUE(counted.bySemantic == bySemantic) << where;
    EXPECT_EQ(counted.loads, loads) << where;
    EXPECT_EQ(counted.stores, stores) << where;
    EXPECT_EQ(counted.atomics, atomics) << where;
    EXPECT_EQ(counted.bytesLoaded, bytesLoaded) << where;
    EXPECT_EQ(counted.bytesStored, bytesStored) << where;
  }

private:
  void count(const MemoryAccess &access) {
    using Kind = MemoryAccess::Kind;
    ++(access.kind == Kind::Load    ? loads
       : access.kind == Kind::Store ? stores
                                    : atomics)[size_t(access.space)];
    u64 bytes = u64(access.bytes) * unsigned(__builtin_popcount(access.lanes));
    if (access.space == MemoryAccess::Space::Global) {
      bytesLoaded += access.kind == Kind::Store ? 0 : bytes;
      bytesStored += access.kind == Kind::Load ? 0 : bytes;
    }
  }

  std::optional<MemoryAccess> begun;
  u64 instructions = 0, lanes = 0, discards = 0, bytesLoaded = 0, bytesStored = 0;
  std::array<u64, size_t(Semantic::count)> bySemantic{};
  std::array<u64, 4> loads{}, stores{}, atomics{};
};

/// Counts by stretches, alone and beside the counts one by one, are these. `run` makes a launch again each
/// time, attaches the observers that it is given and lets it end.
inline void expectCountsAsOneByOne(llvm::function_ref<void(llvm::ArrayRef<Observer *>)> run,
                                   const std::string &where) {
  Statistics alone, beside;
  EachCounter each;
  run({&alone});
  run({&beside, &each});
  each.expectSame(alone, where);
  each.expectSame(beside, "beside, " + where);
}

} // namespace leno::test
