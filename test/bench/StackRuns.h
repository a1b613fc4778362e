//===- StackRuns.h - A stack kernel made ready, and its runs --------------===//
#pragma once

#include "test/bench/StackKernels.h"

#include "asm/Executable.h"
#include "emu/Machine.h"

#include <map>
#include <memory>

namespace leno::bench {

/// What one run, with the right results, has cost.
struct StackRun {
  CycleCounts cycles; ///< with the cycle model
  StackCounters stack;
  u64 onChipBits; ///< of one warp's stack
  u64 instructions;
  double seconds;
};

/// Two configurations that take turns, so that a busy host slows both.
struct SpeedPair {
  double first, second; ///< warp instructions a second, the best of each
  double ratio;         ///< second / first: the median over the pairs of runs
};

class LoadedStackKernel {
public:
  static llvm::Expected<std::unique_ptr<LoadedStackKernel>> create(const StackKernel &kernel, bool quick);

  const StackKernel &kernel() const { return theKernel; }
  /// One CTA of `warps` warps. Fails when a thread's result is not the reference's.
  llvm::Expected<StackRun> run(const MachineConfig &config, u64 warps);
  llvm::Expected<SpeedPair> compare(const MachineConfig &first, const MachineConfig &second, u64 warps,
                                    double seconds);

private:
  /// What a run of so many threads reads and has to compute.
  struct Expectation {
    std::vector<uint32_t> data, results;
  };
  LoadedStackKernel(const StackKernel &kernel, Executable executable, const Engine &engine, uint32_t size);
  const Expectation &expectationOf(u32 threads);

  const StackKernel &theKernel;
  Executable executable;
  const Engine &engine;
  Program program;
  uint32_t size;
  std::map<u32, Expectation> expectations;
};

} // namespace leno::bench
