//===- Observer.h - The one door for those who watch ----------------------===//
// The core never knows who watches: debugger, trace, statistics and checkers
// derive from Observer, and say which kinds of events they want. Only what
// somebody has asked for costs anything (Observers.md).
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/constants/ConstantCacheConfig.h"
#include "emu/device/DeviceEvent.h"
#include "emu/memory/HostEvent.h"
#include "emu/memory/MemoryAccess.h"
#include "emu/warp/DivergenceStack.h"
#include <memory>

namespace leno {

class Cta;
class GridRun;
class Warp;
struct ConstantEvent;
struct Op;
struct OperationCount;
struct Progress;
enum class BarrierOperation : u8;

/// A push or pop of the divergence stack.
struct StackAccess {
  size_t entry; ///< its number, 0 the oldest
  /// Push: where the entry is afterwards. Pop: where it was before.
  EntryPlace place;
};

/// Lanes that try to take the locks of their addresses [S1], or give them back.
struct LockAccess {
  MemorySpace space;    ///< global or shared
  unsigned bytes;       ///< of each lane: 4, or 8 for two flags
  LaneMask lanes;       ///< that try, or give back
  LaneMask taken;       ///< of these, those that have them now; the others have failed
  const u64 *addresses; ///< 32 of them, as in MemoryAccess
};

class Observer {
public:
  /// Kinds of events, a bit each; behind them which they are.
  enum Interest : unsigned {
    Life = 1 << 0,          ///< ctaStart, ctaEnd, warpStart, warpExit, and Grids
    Instructions = 1 << 1,  ///< instruction
    Results = 1 << 2,       ///< instructionDone
    Counts = 1 << 3,        ///< executed, progressed
    Memory = 1 << 4,        ///< memory
    GenericMemory = 1 << 5, ///< memory, of LD and ST alone: only they tell where they went
    Constants = 1 << 6,     ///< constantAccess, constantEvent
    Divergence = 1 << 7,    ///< divergence, reconvergence
    Stack = 1 << 8,         ///< push, pop, stackTransfer, stackWait
    Barriers = 1 << 9,      ///< barrierArrive, barrierRelease
    Locks = 1 << 10,        ///< lock, unlock
    Fences = 1 << 11,       ///< fence
    Host = 1 << 12,         ///< host
    Contexts = 1 << 13,     ///< deviceEvent, tickPassed
    Atomics = 1 << 14,      ///< memory, of atomics and reductions alone
    Grids = 1 << 15,        ///< gridStart, gridEnd, trap
  };
  using Interests = unsigned;
  static constexpr Interests everything = (1 << 16) - 1;
  /// Who wants no others looks at no warp between its turns.
  static constexpr Interests withinTurns = Grids | Counts | GenericMemory;
  /// Either: a stop asked for comes after the instruction.
  static constexpr Interests eachInstruction = Instructions | Results;

  virtual ~Observer() = default;
  /// Asked when it is added. Counts alone of all kinds are not told one by one.
  virtual Interests interests() const { return everything & ~Counts; }

  //===--- A tool with a state ----------------------------------------------===//
  // Observers.h has all three for tools that are values.

  /// An empty one of its kind, to watch a part of a grid on another host thread; null: it must see all events
  /// in one order, and the grid runs on one thread.
  virtual std::unique_ptr<Observer> clone() const { return nullptr; }
  /// Takes what a clone has gathered, which goes on from nothing. Parts come in their order, again and again.
  virtual void merge(Observer &part) {}
  /// What it knows now, for a snapshot of the machine; null: nothing that going back in time should undo, and
  /// it hears of the past again when that is executed again.
  virtual std::unique_ptr<Observer> save() const { return nullptr; }
  /// Knows no more and no less than when `saved` was.
  virtual void restore(const Observer &saved) {}

  //===--- Events of a grid --------------------------------------------------===//
  // `op` is the operation that does it (OpFacts.h tells what else it does, Warp::addressOf where it is).

  virtual void gridStart(const GridRun &) {}
  virtual void gridEnd(const GridRun &) {}
  virtual void ctaStart(const Cta &) {}
  /// Its last warp has exited, or a fault has ended it.
  virtual void ctaEnd(const Cta &) {}
  virtual void warpStart(const Warp &) {}
  virtual void warpExit(const Warp &) {}
  virtual void trap(const GridRun &, const Trap &) {}
  /// `executing`: active lanes whose guard is true.
  virtual void instruction(const Warp &, const Op &op, LaneMask executing) {}
  virtual void instructionDone(const Warp &, const Op &op, LaneMask executing) {}
  /// Whenever the grid stops or ends: what each operation has done since,
  virtual void executed(const Op &op, const OperationCount &) {}
  /// and behind these the grid.
  virtual void progressed(const Progress &) {}
  virtual void memory(const Warp &, const Op &op, const MemoryAccess &) {}
  /// With constants.model=caches: a word that the operation reads, by operand or LDC.
  virtual void constantAccess(const Warp &, const Op &op, const ConstantAccess &) {}
  virtual void divergence(const Warp &, const Op &op, LaneMask taken, LaneMask notTaken) {}
  virtual void reconvergence(const Warp &, const Op &op, const Token &, LaneMask lanes) {}
  virtual void push(const Warp &, const Op &op, const Token &, const StackAccess &) {}
  virtual void pop(const Warp &, const Op &op, const Token &, const StackAccess &) {}
  /// A spill or restore begins.
  virtual void stackTransfer(const Warp &, const Op &op, const StackTransfer &) {}
  /// An access to the stack waits for entries under way.
  virtual void stackWait(const Warp &, const Op &op, u64 cycles) {}
  /// It waits, goes on, or waits for a reduction: BAR's SYNC, ARV and RED.
  virtual void barrierArrive(const Warp &, const Op &op, unsigned barrier, BarrierOperation) {}
  virtual void barrierRelease(const Cta &, unsigned barrier) {}
  /// LDLK, LDSLK: before its data move.
  virtual void lock(const Warp &, const Op &op, const LockAccess &) {}
  /// STUL, STSUL: the same.
  virtual void unlock(const Warp &, const Op &op, const LockAccess &) {}
  /// MEMBAR, of at least one lane.
  virtual void fence(const Warp &, const Op &op, LaneMask lanes) {}

  //===--- Events of a device or machine (Device::addObserver, Machine::addObserver) ---===//

  virtual void host(const HostEvent &) {}
  /// With constants.model=caches, of a machine: what the protocol has done about versions.
  virtual void constantEvent(const ConstantEvent &) {}
  /// In the middle of the tick that it belongs to.
  virtual void deviceEvent(const DeviceEvent &) {}
  /// One that is no instruction: CTAs that had finished have made room for others, or something has happened
  /// to contexts.
  virtual void tickPassed() {}
};

} // namespace leno
