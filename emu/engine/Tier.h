//===- Tier.h - What executes a warp's operations -------------------------===//
// The seam between the machine, which gives warps their turns, and what makes
// operations happen. All tiers leave the same state behind after the same
// number of instructions. A tier that keeps something made from a launch's
// operations asks LaunchCode::generation() when a turn begins.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/warp/Lanes.h"
#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <vector>

namespace leno {

class OperationCounts;
class Warp;
namespace compiled {
struct Group;
struct OwnTurn;
struct WarpWords;
}

class Tier {
public:
  enum class Why : u8 {
    Budget,     ///< all that were asked for have executed
    Requested,  ///< an observer wants the grid to stop
    NeedsClock, ///< before an operation that wants the warp's clock brought up to date
    Stopped,    ///< as the warp's status says: it waits, has ended or has met a breakpoint
  };
  struct Ran {
    u64 instructions;
    Why why;
  };
  virtual ~Tier() = default;
  /// Executes up to `budget` instructions of a ready warp from its pc on, which stands afterwards where it
  /// goes on. An instruction that stops the warp counts when it has executed.
  virtual Ran run(Warp &warp, u64 budget) = 0;
  /// Where somebody counts: what it has executed since, and has not counted there.
  virtual void giveCounts(OperationCounts &) {}
  struct Whole {
    u64 instructions;
    bool hasEnded; ///< then the warp itself is as it was
  };
  /// Of a warp that has just started and that nobody looks at: all that it ever executes, or as much as this
  /// tier does at once. What is left is for run().
  virtual Whole runWhole(Warp &, u64 /*budget*/) { return {0, false}; }
  /// The same of all warps of a group, in the state of one that has just started and stays so. Paused:
  /// the turns that there is room for have been. Left: the last turn goes on elsewhere.
  virtual bool runsGroups(u64 /*turn*/) { return false; }
  enum class Grouped : u8 { Paused, Left };
  virtual Grouped runGroup(Warp &, compiled::Group &) { return Grouped::Paused; }
  /// It goes on in a warp that has just started. Returns what it has executed so far.
  virtual u64 moveLeft(Warp & /*from*/, Warp & /*to*/) { return 0; }
  /// Of warps that nobody looks at: turns up to a barrier.
  virtual bool runsPhases() { return false; }
  enum class PhaseEnd : u8 {
    Barrier, ///< it stands before a BAR.SYNC with a number, of all the CTA's warps, again with all lanes that
             ///< live
    Ended,   ///< all lanes have exited, and the warp itself is as it was
    Paused,  ///< that was its turn, and it stands anywhere
    Left     ///< the turn goes on with goOn()
  };
  struct Phase {
    u64 instructions;
    PhaseEnd end;
    size_t at; ///< Barrier, Ended, Paused: the operation
  };
  /// Of the warp with those words, all lanes and nothing on its stack, whose place has its number, CTA and
  /// windows; from the operation `from` on. `isBlank`: its registers are still to become zero.
  virtual Phase runPhase(Warp & /*place*/, compiled::WarpWords &, size_t /*from*/, u64 /*budget*/,
                         bool /*isBlank*/) {
    return {0, PhaseEnd::Left, 0};
  }
  /// What turns may change from barrier to barrier, on ways that nobody but the CTA can tell the time of.
  struct OwnPhases {
    std::vector<u32> rows; ///< of the warps' registers
    bool writesShared = false;
    bool areSeveral = false; ///< one alone is not worth to begin with
  };
  /// Of warps that have all come to that operation; null: there is no such way. Valid until the next call.
  virtual const OwnPhases *ownPhases(size_t /*from*/) { return nullptr; }
  /// Of the CTA at the place, one after the other, in turns of `turn` instructions; the first one's has
  /// executed `ofFirst`. None: that cannot be told, and is of no use.
  struct OwnTurns {
    size_t count = 0; ///< that have come to a barrier, which is
    size_t barrier = 0;
    size_t next = 0; ///< where there are more, the next one has come to this operation, and stands before it
  };
  virtual std::optional<OwnTurns> runOwnPhase(Warp & /*place*/, size_t /*from*/,
                                              llvm::ArrayRef<compiled::OwnTurn *>, u64 /*turn*/,
                                              u64 /*ofFirst*/) {
    return std::nullopt;
  }
  /// What was left, in the place, which has just started and has the words' registers, predicates and codes.
  /// All of the turn's instructions are told. Left: it stands where others have to see it.
  virtual Phase goOn(Warp &, u64 /*budget*/) { return {0, PhaseEnd::Left, 0}; }
  /// The same of a warp in any state.
  virtual Phase resume(Warp &, u64 /*budget*/) { return {0, PhaseEnd::Left, 0}; }
};

} // namespace leno
