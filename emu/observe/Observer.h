//===- Observer.h - The one door for those who watch ----------------------===//
// The core never knows who watches: debugger, trace,
// statistics and checkers derive from Observer. Without one, no event costs
// more than a test that is never true.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/constants/ConstantCacheConfig.h"
#include "emu/device/DeviceEvent.h"
#include "emu/memory/MemoryAccess.h"
#include "emu/warp/DivergenceStack.h"

namespace leno {

class Cta;
class GridRun;
class Warp;
struct Op;
struct OperationCount;

/// A push or pop of the divergence stack.
struct StackAccess {
  size_t entry; ///< its number, 0 the oldest
  /// Push: where the entry is afterwards. Pop: where it was before.
  EntryPlace place;
};

class Observer {
public:
  virtual ~Observer() = default;
  /// Whether it is told of each instruction, and of each access to memory. False: of neither, nor can it ask
  /// for a stop, but it costs little; accesses of LD and ST are still told, because nobody else knows where
  /// they went.
  virtual bool needsEach() const { return true; }
  /// Whether it is told, whenever the grid stops or ends, how often each operation has executed since.
  virtual bool needsCounts() const { return false; }
  virtual void executed(const Op &, const OperationCount &) {}
  virtual void gridStart(const GridRun &) {}
  virtual void gridEnd(const GridRun &) {}
  virtual void ctaStart(const Cta &) {}
  virtual void ctaEnd(const Cta &) {}
  virtual void warpStart(const Warp &) {}
  virtual void warpExit(const Warp &) {}
  /// `executing`: active lanes whose guard is true.
  virtual void instruction(const Warp &, const Op &, LaneMask executing) {}
  virtual void instructionDone(const Warp &, const Op &, LaneMask executing) {}
  virtual void memory(const Warp &, const MemoryAccess &) {}
  /// With constants.model=caches: a word that the instruction at hand reads, by operand or LDC.
  virtual void constantAccess(const Warp &, const ConstantAccess &) {}
  virtual void divergence(const Warp &, LaneMask taken, LaneMask notTaken) {}
  virtual void reconvergence(const Warp &, const Token &, LaneMask lanes) {}
  virtual void push(const Warp &, const Token &, const StackAccess &) {}
  virtual void pop(const Warp &, const Token &, const StackAccess &) {}
  /// A spill or restore begins.
  virtual void stackTransfer(const Warp &, const StackTransfer &) {}
  /// An access to the stack waits for entries under way.
  virtual void stackWait(const Warp &, u64 cycles) {}
  virtual void barrierArrive(const Warp &, unsigned barrier) {}
  virtual void barrierRelease(const Cta &, unsigned barrier) {}
  virtual void trap(const Trap &) {}
  // Of a machine (Machine::addObserver):
  /// In the middle of the moment that it belongs to.
  virtual void deviceEvent(const DeviceEvent &) {}
  /// One that is no instruction: CTAs that had finished have made room for others, or something has happened
  /// to contexts.
  virtual void momentPassed() {}
};

} // namespace leno
