//===- Warp.h - Thirty-two lanes, one PC, one mask, one stack -------------===//
// Architecture.md 2 and 5. Handlers see the WarpState part; the rest of the
// machine and those who watch use this class.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/observe/OperationCounts.h"
#include "emu/warp/AheadLog.h"
#include "emu/warp/DivergenceStack.h"
#include "emu/warp/Scoreboard.h"
#include "emu/warp/WarpState.h"
#include <memory>

namespace leno {

class Barrier;
class Cta;
class GridRun;
class StreamingMultiprocessor;

/// A warp at a moment, but for its registers, local memory and stack: a snapshot copies it whole, so that
/// what is added here is never forgotten there.
class WarpMoment : public WarpState {
public:
  // What each turn looks at first.
  u64 readyAt = 0;       ///< the cycle model: it can issue from this cycle on
  unsigned ahead = 0;    ///< operations that have executed already, but whose turns are to come (RunAhead.h)
  unsigned past = 0;     ///< the same of compiled code, which goes on past the end of a turn (CompiledTier.h)
  bool stepOver = false; ///< the stop at `pc` was told already: execute it despite a breakpoint
  u64 instructions = 0;  ///< executed since start

protected:
  WarpClock ownTime;

public:
  unsigned locksHeld = 0;        ///< lock flags that its lanes hold
  u64 fetchWait = 0;             ///< of these cycles, those for the instruction at `pc` alone,
  u64 resultWait = 0;            ///< and those for what it reads or writes again
  Scoreboard scoreboard;         ///< with units.model only
  const Op *barrierOp = nullptr; ///< AtBarrier: the instruction that waits,
  LaneMask barrierLanes = 0;     ///< and the lanes that execute it
  AheadLog aheadLog;             ///< of those that have executed ahead

protected:
  unsigned number = 0;
  LaneMask launched = 0;
  bool usedBefore = false; ///< by another CTA
};

/// Warps of different host threads share no lines of the host's caches: hence the alignment, here and
/// elsewhere.
class alignas(hostLines) Warp final : public WarpMoment, private StackListener {
public:
  /// A warp's place number `place` on a multiprocessor, for any CTA of `run`.
  Warp(GridRun &run, StreamingMultiprocessor &sm, unsigned place);
  Warp(const Warp &) = delete;
  Warp &operator=(const Warp &) = delete;

  /// Becomes warp `index` of `cta`: registers, predicates and codes are zero (CHOICE), lanes past the block's
  /// last thread never run. `registers`: a frame with those that it has instead, as it goes on in.
  void start(Cta &cta, unsigned index, unsigned char *registers = nullptr);
  /// The same of another warp of that CTA, or one like it, where all but the number is as start() left it.
  void startAgain(unsigned index) { number = index; }

  Cta &cta() const { return *home; }
  StreamingMultiprocessor &multiprocessor() const { return sm; }
  GridRun &grid() const { return run; }
  unsigned index() const { return number; }
  DivergenceStack &divergence() { return stack; }
  const DivergenceStack &divergence() const { return stack; }
  const TokenStorage &tokens() const { return *storage; }
  /// What its stack has done, in its turns.
  StackCounters stackCounters() const {
    return ahead ? aheadLog.countersBefore(ahead, storage->counters()) : storage->counters();
  }
  WarpClock &time() { return ownTime; }

  /// The operation whose turn is next: at `pc`, or one before it where the warp is ahead.
  const Op &nextInTurn() const { return ahead ? aheadLog.operation(ahead).op : *pc; }
  /// The active lanes when it comes.
  LaneMask activeInTurn() const { return ahead ? aheadLog.operation(ahead).active : active; }
  /// Byte address of the operation whose turn is next.
  u64 pcBytes() const { return addressOf(nextInTurn()); }
  u64 addressOf(const Op &op) const;
  LaneMask lanesLaunched() const { return launched; }
  /// Index of a lane's thread in its CTA.
  Dim3 thread(unsigned lane) const;
  bool exited() const { return status == WarpStatus::Exited; }
  /// Registers that exist in the frame; others read as nothing.
  unsigned registers() const { return registerCount; }
  /// The byte at `address` of a lane's local memory, on the host; `address` is below local.size.
  unsigned char *localByte(unsigned lane, u64 address) const {
    return local.host + localOffset(lane, u32(address));
  }
  u32 readRegister(unsigned reg, unsigned lane) const;
  void writeRegister(unsigned reg, unsigned lane, u32 value);
  bool readPredicate(unsigned predicate, unsigned lane) const { return predicates[predicate] >> lane & 1; }
  void writePredicate(unsigned predicate, unsigned lane, bool value);
  /// Active lanes whose guard for `op` is true.
  LaneMask executing(const Op &op) const { return active & (predicates[op.guard] ^ op.guardFlip); }

  /// The barrier it waits at is complete: it is ready again, and has the reduction's result.
  void passBarrier(const Barrier &barrier);

  /// Says that the warp traps at `op`; the grid keeps the trap. Returns null, what a handler that traps
  /// returns.
  const Op *trap(const Op &op, TrapKind kind, LaneMask lanes, std::string detail,
                 std::optional<u64> address = std::nullopt, std::vector<CallSite> calls = {});

  // For Snapshot.
  struct Saved;
  void save(Saved &saved, const Saved *before, const std::shared_ptr<u64> &meter) const;
  /// `home`: the warp's CTA; null when it is in none.
  void restore(const Saved &saved, Cta *home);
  /// As before its first start but for what start() sets.
  void renew();
  /// Tells what those who watch the grid want.
  void setWatched();

  /// It has stopped at `op`, which has not executed, and not behind it.
  bool stoppedBefore(const Op &op) const {
    return status == WarpStatus::Trapped || status == WarpStatus::NeedsClock ||
           status == WarpStatus::AwaitsConstants || (status == WarpStatus::Breakpoint && pc == &op);
  }

  // While operations are counted.
  void beginStretch(const Op &first);
  /// Before pc. Nothing where there is none.
  void endStretch();
  CountedStretch stretch; ///< goes on from turn to turn until somebody wants the counts

  std::vector<DivergenceStack::Popped> popped; ///< for service::leave, which tells of them

  /// It has its turn soon: what a turn looks at,
  void prefetch() const {
    const char *begin = reinterpret_cast<const char *>(static_cast<const WarpState *>(this));
    for (size_t offset = 0; offset < sizeof(WarpState) + 128; offset += 64)
      __builtin_prefetch(begin + offset);
  }
  /// and the rows of its operation.
  void prefetchRows() const {
    if (!pc || ahead)
      return;
    for (s32 row : {pc->a, pc->b, pc->d}) {
      __builtin_prefetch(frame + row);
      __builtin_prefetch(frame + row + 64);
    }
  }

private:
  void stackTransfer(const StackTransfer &transfer) override;
  void stackWait(u64 cycles) override;

  GridRun &run;
  StreamingMultiprocessor &sm;
  Cta *home = nullptr;
  unsigned registerCount;
  StackRegion region; ///< the memory of its place for what is spilled
  std::unique_ptr<TokenStorage> storage;
  DivergenceStack stack;
};

} // namespace leno
