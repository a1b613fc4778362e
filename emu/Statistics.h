//===- Statistics.h - Counts of a launch ----------------------------------===//
#pragma once
#include "emu/Observer.h"
#include "emu/Op.h"
#include <array>

namespace leno {

/// An observer that counts; the same launch always gives the same counts.
class Statistics : public Observer {
public:
  u64 warpInstructions = 0;
  u64 laneOperations = 0; ///< lanes that executed, over all instructions
  std::array<u64, size_t(Semantic::count)> bySemantic{};
  u64 branches = 0, divergences = 0, reconvergences = 0;
  u64 discards = 0; ///< lanes that KIL ended
  u64 pushes = 0, pops = 0;
  size_t deepestStack = 0;
  std::array<u64, 4> loads{}, stores{}, atomics{}; ///< warp accesses by MemoryAccess::Space
  u64 bytesLoaded = 0, bytesStored = 0;            ///< global memory
  u64 barrierArrivals = 0;
  u64 ctas = 0, warps = 0;

  /// Lanes that executed, of those there were: 0 to 1.
  double laneUse() const {
    return warpInstructions ? double(laneOperations) / (double(warpInstructions) * laneCount) : 0;
  }

  void ctaStart(const Cta &) override { ++ctas; }
  void warpStart(const Warp &) override { ++warps; }
  void instructionDone(const Warp &warp, const Op &op, LaneMask executing) override;
  void memory(const Warp &warp, const MemoryAccess &access) override;
  void divergence(const Warp &, LaneMask, LaneMask) override { ++divergences; }
  void reconvergence(const Warp &, const Token &, LaneMask) override { ++reconvergences; }
  void push(const Warp &warp, const Token &, const StackAccess &) override;
  void pop(const Warp &, const Token &, const StackAccess &) override { ++pops; }
  void barrierArrive(const Warp &, unsigned) override { ++barrierArrivals; }
};

} // namespace leno
