//===- ContextRuns.h - Contexts with work, run together -------------------===//
#pragma once

#include "asm/Executable.h"
#include "emu/Machine.h"
#include "emu/program/Program.h"

namespace leno::bench {

/// What one context has to do: `launches` grids one after the other.
struct ContextJob {
  std::string name;
  u32 launches = 1, ctas = 1, warps = 1, steps = 1; ///< of a grid, of a CTA, of a thread
  int priority = 0;
  u64 sms = 0;     ///< its part of a static split
  u64 arrival = 0; ///< the cycle in which it is submitted
};

struct ContextOutcome {
  std::string name;
  u64 arrival, started, ended; ///< cycles; `started`: its first CTA
  ContextCounts counts;

  u64 startLatency() const { return started - arrival; }
  u64 cycles() const { return ended - arrival; }
  /// Warp instructions a cycle while it was there.
  double throughput() const { return double(counts.instructions) / double(cycles()); }
};

struct ContextsOutcome {
  u64 cycles = 0; ///< until all were done
  u64 frontEndSwitches = 0;
  std::vector<ContextOutcome> contexts;
  u64 sum(u64 ContextCounts::*member) const {
    u64 total = 0;
    for (const ContextOutcome &context : contexts)
      total += context.counts.*member;
    return total;
  }
};

/// The kernel of all jobs: each thread walks `steps` steps of a linear congruence.
class ContextRuns {
public:
  static llvm::Expected<std::unique_ptr<ContextRuns>> create();
  /// Fails when a thread's result is not the reference's.
  llvm::Expected<ContextsOutcome> run(const MachineConfig &config, llvm::ArrayRef<ContextJob> jobs) const;
  /// What an SM full of CTAs of so many warps has to save: bytes.
  static u64 fullState(const MachineConfig &config, u32 warps, unsigned registers);
  unsigned registers() const { return executable.kernels().front().registers; }

private:
  ContextRuns(Executable executable, const Engine &engine);

  Executable executable;
  const Engine &engine;
  Program program;
};

} // namespace leno::bench
