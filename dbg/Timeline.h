//===- Timeline.h - What a launch has done, and the way back --------------===//
// The machine is deterministic: from a snapshot and a log of who was let run, every moment since can be made
// again. The log has a line for each stretch of the machine's own turns, each stretch of single steps of one
// warp and each change by the user, not one for each instruction. Going back restores the nearest snapshot
// before and executes forward from there.
//
// Snapshots are taken every so often, at most a twentieth of the time, and thinned out: the further away they
// are, the wider they stand apart. Going back leaves new ones behind, closer and closer to where it arrives,
// so that the next step back is short; but never closer than what a snapshot of this machine costs in ticks,
// and a search widens its stretches as it goes, so that it takes few of them.
//
// What going back leaves behind is kept as long as the machine's own turns lead there again: nobody has to
// wait for what was executed already.
//
// A tick is one of the machine's (emu/Machine.h) or a change by the user.
//===----------------------------------------------------------------------===//
#pragma once

#include "dbg/Change.h"
#include "emu/Snapshot.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <functional>
#include <set>

namespace leno::dbg {

/// Hears of what happens, also while a stretch of the past is executed again.
class HistoryVisitor : public Observer {
public:
  /// What the host does is no tick of the machine's.
  Interests interests() const override { return everything & ~(Counts | Host); }
  virtual void changeByUser(const Change &) {}
};

class Timeline {
public:
  /// Of a machine that has started and executed nothing.
  explicit Timeline(Machine &machine);

  u64 now() const { return present; }
  /// The tick of the machine, also in the middle of a run and in the past: what a condition sees.
  u64 tick() const { return (visiting ? cursor : present + machine.ticks() - known) + ahead; }
  /// A condition is asked after an instruction of `warp` that the ticks do not count yet; null: no more.
  void setInside(const Warp *warp);
  /// The tick after which only the user has changed things.
  u64 beforeLastChanges() const;

  // Forward, as the grid's own functions.
  Stop run(u64 budget);
  Stop step(Warp &warp);
  /// What comes of CTAs that have ended, if anything. True: an observer asked for a stop.
  bool settle();
  void perform(Change change);

  /// Back to a moment: what came after it is forgotten, but for what leapTowards needs.
  void goTo(u64 tick);
  /// On to a moment up to `tick` that lies ahead where it was left, and from which less is to be executed;
  /// none: nothing happens. Where a run was stopped it is not passed by.
  void leapTowards(u64 tick);

  /// What `add` makes watch the machine hears of all the past, from the start. False: Ctrl-C; `remove` has
  /// undone it.
  bool tellPast(llvm::function_ref<void()> add, llvm::function_ref<void()> remove);

  /// Visits the past, the latest stretch first, and returns to the present when it ends.
  class Excursion {
  public:
    explicit Excursion(Timeline &timeline);
    ~Excursion();
    Excursion(const Excursion &) = delete;
    Excursion &operator=(const Excursion &) = delete;
    /// Executes a stretch up to the tick `end` again, so that the visitors hear of it; returns the tick where
    /// the stretch begins. To be asked again with that as the end, until it is 0: each stretch is longer than
    /// the one before.
    u64 visit(u64 end, llvm::ArrayRef<HistoryVisitor *> visitors);
    u64 visit(u64 end, HistoryVisitor &visitor) {
      HistoryVisitor *one = &visitor;
      return visit(end, llvm::ArrayRef(one));
    }
    /// The latest stretch before the tick `end` in whose course what `sign` reads of the machine changes, and
    /// short enough to be visited; nullopt: it never does. Nobody listens meanwhile, which makes it fast. A
    /// sign of nothing says that it did not exist yet: the search ends there.
    using Sign = llvm::function_ref<std::optional<u64>()>;
    std::optional<std::pair<u64, u64>> lastChange(u64 end, Sign sign);
    /// The next stretches are short again.
    void startAnew() { reach = 0; }

  private:
    std::optional<std::pair<u64, u64>> lastChangeWithin(u64 low, u64 high, Sign sign);

    Timeline &timeline;
    std::unique_ptr<Snapshot> back;
    u64 reach = 0; ///< ticks of the stretch visited last
  };
  /// For visitors: the ticks before what they hear of now.
  u64 tickOfVisit() const { return cursor; }

  struct Size {
    u64 ticks, stretches;
    size_t checkpoints;
    u64 checkpointBytes; ///< of memory and registers
  };
  Size size() const { return {present, stretches.size(), checkpoints.size(), *meter}; }
  /// What going back has cost so far.
  struct Work {
    u64 ticks = 0; ///< executed again
    u64 snapshots = 0, restores = 0;
    u64 leapt = 0; ///< passed by on the way on, as it had been executed
  };
  const Work &work() const { return done; }
  /// Told every so often, while the past is executed again, the tick where the machine is.
  std::function<void(u64 tick)> onProgress;

  struct Stretch {
    enum Kind : u8 { Turns, Steps, ChangeByUser } kind;
    u64 first, count; ///< ticks
    size_t change = 0;
    WarpPosition whose{};     ///< of Steps
    Machine::Position from{}; ///< Steps: where they began between two ticks
    u64 end() const { return first + count; }
  };
  /// All that led here from the start: enough to do it again.
  struct Past {
    std::vector<Stretch> stretches;
    std::vector<Change> changes;
  };
  Past past() const;
  /// Does it again, on a machine that has just started. The past comes from a file and is checked: fails
  /// where it cannot be, and when `goesOn`, asked every so often, says no.
  llvm::Error repeat(const Past &past, llvm::function_ref<bool()> goesOn);

private:
  struct Checkpoint {
    u64 tick;
    std::unique_ptr<Snapshot> snapshot;
  };
  class TickCounter;

  void append(Stretch stretch);
  /// What was left ahead is there no more.
  void forgetAhead();
  /// Puts a checkpoint of the machine, which is at `tick`, in its place; `target`: near it they stay dense.
  void keep(u64 tick, u64 target);
  void thinOut(u64 target);
  /// The one goes whose absence shows least: the gap it leaves, against `weight` of where it is.
  static void dropOne(std::vector<Checkpoint> &from, llvm::function_ref<double(u64 tick)> weight);
  void keepWhenDue();
  /// The last checkpoint at or before `tick`.
  const Checkpoint &nearest(u64 tick) const;
  /// From the machine's tick `from` to `to`. False: interrupted on the way.
  bool replay(u64 from, u64 to, llvm::ArrayRef<HistoryVisitor *> visitors = {});
  void replayStretch(const Stretch &stretch, u64 count, llvm::ArrayRef<HistoryVisitor *> visitors);
  /// To `target` from the checkpoint before, leaving others behind up to `gap` ticks before it. False:
  /// interrupted.
  bool approach(u64 target, u64 gap);
  void restore(const Snapshot &moment);
  /// Checkpoints closer to each other than this, in ticks, cost more than they save.
  u64 finest() const;

  static constexpr u64 shortest = 1 << 14; ///< ticks between checkpoints
  static constexpr size_t mostCheckpoints = 96;
  static constexpr u64 mostBytes = u64(1) << 29;

  Machine &machine;
  u64 present = 0;
  u64 known = 0; ///< the machine's ticks at `present`
  u64 cursor = 0;
  bool visiting = false; ///< the past is executed again and the cursor counts
  u64 ahead = 0;
  u64 interval = shortest;
  double secondsASnapshot = 0, secondsATick = 0;
  double secondsOfTurns = 0; ///< since the last checkpoint,
  u64 ticksOfTurns = 0;      ///< and what was executed in them
  Work done;
  std::vector<Stretch> stretches;
  std::vector<Change> changes;
  std::vector<Checkpoint> checkpoints; ///< by tick; the first is the start
  std::vector<Checkpoint> left;        ///< ahead of the present, on the way of the machine's own turns
  u64 leftUntil = 0;                   ///< which leads there as far as this
  std::set<u64> held;                  ///< where runs were stopped, in pieces of 2^20 ticks
  MemoryImage::Meter meter = std::make_shared<u64>(0);
};

} // namespace leno::dbg
