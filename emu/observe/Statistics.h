//===- Statistics.h - Counts of a launch ----------------------------------===//
#pragma once
#include "emu/launch/GridClock.h"
#include "emu/observe/Observers.h"
#include "emu/observe/OperationCounts.h"
#include "emu/program/Op.h"
#include <array>

namespace leno {

/// An observer that counts; the same launch always gives the same counts.
class Statistics : public ValueObserver<Statistics> {
public:
  u64 warpInstructions = 0;
  u64 laneOperations = 0; ///< lanes that executed, over all instructions
  std::array<u64, size_t(Semantic::count)> bySemantic{};
  u64 branches = 0;
  u64 discards = 0; ///< lanes that KIL ended
  StackEvents stack;
  std::vector<StackEvents> stackByWord; ///< of each instruction, by its number in the program
  size_t deepestStack = 0;
  u64 stackBitsOnChip = 0;              ///< that each warp's stack takes
  std::optional<CycleCounts> cycles;    ///< with the cycle model, once the grid has ended
  /// Warp accesses by MemoryAccess::Space. One whose instruction then traps (.S with an empty stack) counts
  /// only of LD and ST, which count as they happen; all others, and arrivals, as their instructions.
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
  Interests interests() const override { return Grids | Counts | GenericMemory; }
  void executed(const Op &op, const OperationCount &count) override;
  void progressed(const Progress &progress) override;
  void memory(const Warp &warp, const Op &op, const MemoryAccess &access) override;

private:
  void access(MemoryAccess::Space space, MemoryAccess::Kind kind, u64 times, u64 bytes);
};

} // namespace leno
