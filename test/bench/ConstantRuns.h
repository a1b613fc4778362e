//===- ConstantRuns.h - Launches and updates of their constants [S2] ------===//
#pragma once

#include "asm/Executable.h"
#include "emu/Machine.h"
#include "emu/program/Program.h"

namespace leno::bench {

/// Launches of a few CTAs of a warp each, and an update of constants before each. (A launch's own, c[0], are
/// another in any case.)
struct ConstantLoad {
  unsigned launches, ctas, wordsOfUpdate;
};

struct ConstantFigures {
  u64 cycles = 0, ctas = 0;
  u64 drains = 0;             ///< updates that waited until nothing ran
  std::array<u64, 5> waits{}; ///< cycles in which an update waited, by ConstantEvent::Wait
  u64 idleForUpdates = 0;     ///< cycles of inactive SMs meanwhile
  u64 busy = 0;               ///< cycles of active SMs
  u64 hits = 0, reads = 0, copied = 0, backupReads = 0, lockStalls = 0;
  u64 waitOf(ConstantEvent::Wait cause) const { return waits[size_t(cause)]; }
  double throughput() const { return double(ctas) * 1000 / double(cycles); }
};

/// The kernel of all of them: a CTA reads 20 to 210 of 512 constants, in an order of its own, and adds them
/// up.
class ConstantRuns {
public:
  static llvm::Expected<std::unique_ptr<ConstantRuns>> create();
  /// On a machine of `sms` SMs that run one CTA each, with launches that overlap. Fails when a CTA has read
  /// another version of a constant than stood at its launch.
  llvm::Expected<ConstantFigures> run(const ConstantLoad &load, u64 protocol, unsigned sms) const;

private:
  ConstantRuns(Executable executable, const Engine &engine);

  Executable executable;
  const Engine &engine;
  Program program;
};

} // namespace leno::bench
