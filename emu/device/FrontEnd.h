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

/// The front end at a moment.
struct FrontEndMoment {
  const Context *last = nullptr; ///< whose command it took last
  u64 switchCount = 0;
  u64 copyEngineFree = 0;
};

class FrontEnd : FrontEndMoment {
public:
  using Contexts = llvm::ArrayRef<std::unique_ptr<Context>>;

  /// `watchers`: of the grids that it makes.
  /// `memory`: from which it reads messages.
  FrontEnd(const MachineConfig &config, Semaphores &semaphores, Watchers &watchers, MemoryModels &memory)
      : config(config), semaphores(semaphores), watchers(watchers), memory(memory) {}

  /// What happens in cycle `now`: commands whose time has come take effect, one other is taken. `only`: the
  /// one context that has the machine, or null. True: something happened.
  bool step(Contexts contexts, const Context *only, u64 now);
  /// The next cycle after `now` in which step() has something to do; the largest number when it waits.
  u64 nextCycle(Contexts contexts, const Context *only, u64 now) const;
  /// The same, though it be only a poll for a message that may never come.
  u64 nextPoll(Contexts contexts) const;
  /// A launch that came in a message has ended.
  void reply(Context &context, u32 channel, u64 number, u64 now);

  /// The context has nothing to do, or waits for a semaphore with nothing else under way.
  bool isIdle(const Context &context) const;
  /// Cycles in which it took a command of another context than before.
  u64 switches() const { return switchCount; }
  /// Hears of each grid before it starts.
  std::function<void(GridRun &)> onLaunch;
  /// Gives a context its share of the machine.
  std::function<llvm::Error(Context &, const Share &)> onShare;

  // For Snapshot.
  const FrontEndMoment &moment() const { return *this; }
  void setMoment(const FrontEndMoment &moment) { static_cast<FrontEndMoment &>(*this) = moment; }

private:
  bool canTake(const Context &context) const;
  u64 cyclesOf(const Context &context, u64 now);
  void takeEffect(Context &context, u64 now);
  bool takeConstants(Context &context, const ConstantUpdate &update, u64 now);
  void begin(Context &context, u64 now);
  void awaitConstants(Context &context, u64 now);
  static void endWait(Context &context, u64 now);
  bool isDue(Context &context, u64 now) const;
  // Launches in messages (LaunchMessage.cpp).
  void beginReading(Context &context, u32 channel, u64 now);
  void readWord(Context &context, u64 now);
  bool readOn(Context &context, u64 now);
  bool onlyPolls(const Context &context) const;
  MemoryAnswer access(Context &context, u64 address, MemoryAccess::Kind kind, u64 now);
  llvm::Expected<std::unique_ptr<GridRun>> launchOfMessage(Context &context, const Launch &launch,
                                                           std::shared_ptr<const Program> &code);
  llvm::Error apply(Context &, const ConstantUpdate &, u64 now);
  llvm::Error apply(Context &, const CopyToDevice &, u64 now);
  llvm::Error apply(Context &, const CopyToHost &, u64 now);
  llvm::Error apply(Context &, const CopyOnDevice &, u64 now);
  llvm::Error apply(Context &, const Launch &, u64 now);
  llvm::Error apply(Context &, const SemaphoreRelease &, u64 now);
  llvm::Error apply(Context &, const SemaphoreAcquire &, u64 now);
  llvm::Error apply(Context &, const SyncToken &, u64 now);
  llvm::Error apply(Context &, const Share &, u64 now);
  llvm::Error apply(Context &, const NotBefore &, u64 now);

  const MachineConfig &config;
  Semaphores &semaphores;
  Watchers &watchers;
  MemoryModels &memory;
};

} // namespace leno
