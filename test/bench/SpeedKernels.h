//===- SpeedKernels.h - The loops that `leno-bench speed` runs ------------===//
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace leno::bench {

/// A loop of a known number of instructions a turn, and what it must have computed, worked out by plain C++
/// one lane at a time: the kernel stores one word a thread.
struct SpeedKernel {
  std::string name;
  std::string what; ///< for people
  std::string source;
  unsigned instructionsPerTurn;
  /// Lane `lane`'s result after `turns`.
  uint32_t (*reference)(uint32_t lane, uint32_t turns);
};

const std::vector<SpeedKernel> &speedKernels();

} // namespace leno::bench
