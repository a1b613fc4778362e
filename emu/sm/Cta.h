//===- Cta.h - Warps that share memory and barriers -----------------------===//
// S4, Architecture.md 9: a CTA runs on one SM, all its warps at once.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/sm/Barrier.h"
#include "emu/sm/LockTable.h"
#include "emu/warp/Warp.h"
#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace leno {

class StreamingMultiprocessor;

class alignas(hostLines) Cta {
public:
  static constexpr unsigned barrierCount = 16;
  /// A warp arrives there with all lanes, and waits for all of its CTA's.
  static bool isPlainBarrier(const Op &op);

  Cta(GridRun &run, StreamingMultiprocessor &sm) : run(run), sm(sm) {}
  /// Becomes the CTA `index`, whatever it was before.
  void start(Dim3 index, llvm::ArrayRef<Warp *> warps, u32 sharedBytes);
  /// The same, but its warps run one after the other at one place (WholeWarps.h), which starts them.
  void startAt(Warp &place, Dim3 index, unsigned warps, u32 sharedBytes);
  struct Lent {
    unsigned number; ///< of the warp whose place it is
    u64 live;        ///< the warps (a bit each) that have not exited
    bool isAtWork;   ///< that warp is in the middle of its work
  };
  /// It goes on like others: its live warps start, but one that is at work.
  void spread(llvm::ArrayRef<Warp *> warps, const Lent &lent);
  /// The inverse, of warps whose state somebody keeps, none of which holds a lock.
  void gather(Warp &place);
  /// A warp has arrived with all its lanes at a barrier that is not complete, of all of the CTA, and waits.
  void hasArrived(Warp &warp, const Op &op);

  GridRun &grid() const { return run; }
  StreamingMultiprocessor &multiprocessor() const { return sm; }
  Dim3 index() const { return position; }
  llvm::ArrayRef<Warp *> warps() const { return members; }
  llvm::MutableArrayRef<unsigned char> shared() { return {sharedStart(), sharedSize}; }
  MemoryWindow sharedWindow() { return {0, sharedSize, sharedStart()}; }
  /// Lock flags of shared memory.
  LockTable &locks() { return sharedLocks; }
  /// No warp changes shared memory before they all have come to a barrier: `reader`, whose next operation is
  /// `op`, can read it before its turn.
  bool sharedIsStill(const Warp &reader, const Op &op);
  bool finished() const { return abandoned || !liveWarps; }
  /// One of its warps cannot go on: none of the others does.
  void abandon();

  /// The warps (a bit each) that wait at a barrier.
  u64 waiting(unsigned barrier) const { return barriers[barrier].waiting(); }
  /// Whether some warp waits at any.
  bool hasWaiting() const;

  const Barrier &barrier(unsigned number) const { return barriers[number]; }
  /// A warp arrives, which the barrier does not refuse. False: the CTA can never go on (deadlock).
  bool arrive(Warp &warp, const Op &op, unsigned barrier, const Barrier::Arrival &arrival);
  /// A warp's lanes have all exited. False: those left can never go on.
  bool warpExited(Warp &warp);
  /// Which warps a deadlock waits for, and where they are.
  std::string describeDeadlock() const;

  // For Snapshot.
  struct Saved;
  void save(Saved &saved, const Saved *before, const std::shared_ptr<u64> &meter);
  static std::unique_ptr<Cta> restored(const Saved &saved);

private:
  Cta(const Cta &) = default;
  void begin(Dim3 index, size_t warps, u32 sharedBytes);
  void resetBarriers();
  void releaseIfComplete(unsigned barrier);
  /// Whether some warp is left to run, or none to wait; looks first at those that come after one.
  bool canGoOn(const Warp &after) const;
  unsigned char *sharedStart() { return reinterpret_cast<unsigned char *>(sharedRows.data()); }

  GridRun &run;
  StreamingMultiprocessor &sm;
  Dim3 position{};
  std::vector<Warp *> members;
  std::vector<Row> sharedRows; // rows for their alignment
  u64 sharedSize = 0;
  LockTable sharedLocks;
  Barrier barriers[barrierCount];
  u32 barriersMet = 0; ///< a bit for each that a warp has arrived at
  u64 liveWarps = 0;   ///< a bit for each that has not exited
  bool abandoned = false;
  bool isStill = false; ///< sharedIsStill; until a barrier is complete
};

} // namespace leno
