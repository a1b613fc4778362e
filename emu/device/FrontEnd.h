//===- FrontEnd.h - Decodes the contexts' pushbuffers [S4, S2] ------------===//
// S4's host interface and front end method decoder: units that "maintain
// state for all of the active contexts", so that they go from one context to
// another in a cycle. One command is taken each cycle: of the highest
// priority that has one, in turn among equals. What a command takes longer,
// only its own context waits for.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/device/Context.h"

namespace leno {

class FrontEnd {
public:
  using Contexts = llvm::ArrayRef<std::unique_ptr<Context>>;

  FrontEnd(const MachineConfig &config, Semaphores &semaphores) : config(config), semaphores(semaphores) {}

  /// What happens in cycle `now`: commands whose time has come take effect, one other is taken. `only`: the
  /// one context that has the machine, or null. True: something happened.
  bool step(Contexts contexts, const Context *only, u64 now);
  /// The next cycle after `now` in which step() has something to do; the largest number when it waits.
  u64 nextCycle(Contexts contexts, const Context *only, u64 now) const;

  /// The context has nothing to do, or waits for a semaphore with nothing else under way.
  bool isIdle(const Context &context) const;
  /// Cycles in which it took a command of another context than before.
  u64 switches() const { return switchCount; }

private:
  bool canTake(const Context &context) const;
  u64 cyclesOf(const Context &context, u64 now);
  void takeEffect(Context &context, u64 now);
  llvm::Error apply(Context &, ConstantUpdate &, u64 now);
  llvm::Error apply(Context &, CopyToDevice &, u64 now);
  llvm::Error apply(Context &, CopyToHost &, u64 now);
  llvm::Error apply(Context &, CopyOnDevice &, u64 now);
  llvm::Error apply(Context &, Launch &, u64 now);
  llvm::Error apply(Context &, SemaphoreRelease &, u64 now);
  llvm::Error apply(Context &, SemaphoreAcquire &, u64 now);
  llvm::Error apply(Context &, SyncToken &, u64 now);

  const MachineConfig &config;
  Semaphores &semaphores;
  const Context *last = nullptr;
  u64 switchCount = 0;
  u64 copyEngineFree = 0;
};

} // namespace leno
