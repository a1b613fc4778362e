//===- Statistics.h - Counts of a launch ----------------------------------===//
#pragma once
#include "emu/launch/GridClock.h"
#include "emu/observe/Observers.h"
#include "emu/program/Op.h"
#include <array>

namespace leno {

/// What the divergence stacks did at one instruction.
struct StackEvents {
  u64 pushes = 0, pops = 0, divergences = 0, reconvergences = 0;
  u64 spilled = 0, restored = 0; ///< entries
  u64 stallCycles = 0;
  StackEvents &operator+=(const StackEvents &other);
  bool operator==(const StackEvents &) const = default;
};

/// An observer that counts; the same launch always gives the same counts.
class Statistics : public ValueObserver<Statistics> {
public:
  u64 warpInstructions = 0;
  u64 laneOperations = 0; ///< lanes that executed, over all instructions
  std::array<u64, size_t(Semantic::count)> bySemantic{};
  u64 branches = 0, divergences = 0, reconvergences = 0;
  u64 discards = 0; ///< lanes that KIL ended
  u64 pushes = 0, pops = 0;
  std::array<u64, 5> pushesByType{}, popsByType{}; ///< by TokenType
  u64 popsOnChip = 0; ///< of entries that were on chip, and not still on their way
  size_t deepestStack = 0;
  StackCounters::Transfers spills, restores;
  u64 stackWaits = 0, stackStallCycles = 0;
  std::vector<StackEvents> stackByWord; ///< of each instruction, by its number in the program
  u64 stackBitsOnChip = 0;              ///< that each warp's stack takes
  std::optional<CycleCounts> cycles;    ///< with the cycle model, once the grid has ended
  /// Warp accesses by MemoryAccess::Space. One whose instruction then traps (.S with an empty stack) counts
  /// only of LD and ST, which count as they happen; all others as their instructions.
  std::array<u64, 4> loads{}, stores{}, atomics{};
  u64 bytesLoaded = 0, bytesStored = 0; ///< global memory
  u64 barrierArrivals = 0;
  u64 ctas = 0, warps = 0;
  Occupancy occupancy{}; ///< how many of its CTAs an SM holds at once, and what limits them
  double warpsInUse = 0; ///< of an SM's, then: 0 to 1

  /// Lanes that executed, of those there were: 0 to 1.
  double laneUse() const {
    return warpInstructions ? double(laneOperations) / (double(warpInstructions) * laneCount) : 0;
  }

  /// The counts of two parts of a grid together.
  Statistics &operator+=(const Statistics &other);

  void gridStart(const GridRun &run) override;
  void gridEnd(const GridRun &run) override;
  void ctaStart(const Cta &) override { ++ctas; }
  void warpStart(const Warp &) override { ++warps; }
  Interests interests() const override {
    return Life | Counts | GenericMemory | Divergence | Stack | Barriers;
  }
  void executed(const Op &op, const OperationCount &count) override;
  void memory(const Warp &warp, const Op &op, const MemoryAccess &access) override;
  void divergence(const Warp &warp, const Op &op, LaneMask taken, LaneMask notTaken) override;
  void reconvergence(const Warp &warp, const Op &op, const Token &token, LaneMask lanes) override;
  void push(const Warp &warp, const Op &op, const Token &token, const StackAccess &access) override;
  void pop(const Warp &warp, const Op &op, const Token &token, const StackAccess &access) override;
  void stackTransfer(const Warp &warp, const Op &op, const StackTransfer &transfer) override;
  void stackWait(const Warp &warp, const Op &op, u64 cycles) override;
  void barrierArrive(const Warp &, const Op &, unsigned, BarrierOperation) override { ++barrierArrivals; }

private:
  void access(MemoryAccess::Space space, MemoryAccess::Kind kind, u64 times, u64 bytes);
  StackEvents &at(const Warp &warp, const Op &op);
};

} // namespace leno
