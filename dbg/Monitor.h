//===- Monitor.h - Watchpoints and caught events --------------------------===//
// Hears of what happens, forwards and backwards, and finds what the user waits for: an access to a place, a
// push, a divergence. The stop is after the instruction that did it, and of a CTA that starts before its
// first.
//===----------------------------------------------------------------------===//
#pragma once

#include "dbg/Breakpoints.h"
#include "dbg/Timeline.h"
#include "runtime/checks/CheckReport.h"
#include <functional>

namespace leno::dbg {

class Monitor : public HistoryVisitor {
public:
  /// `reads`: whether the instruction at an address reads the place's register or predicate. `holds`: whether
  /// a breakpoint's condition holds, seen from the warp that did it.
  struct Questions {
    std::function<bool(const Place &, u64 pc)> reads;
    std::function<bool(const Breakpoint &, const Warp *)> holds;
    std::function<std::string(const DeviceEvent &)> describe{};
    std::function<std::vector<checks::NamedFinding>()> findings{};
  };
  /// What was met in one instruction, or in the replacement of CTAs.
  struct Met {
    u64 tick = 0; ///< afterwards
    WarpPosition by{};
    bool ofContext = false; ///< of no warp of it
    struct One {
      unsigned id;
      std::string what; ///< "R5[7]: 3 to 4"
    };
    std::vector<One> all;
  };

  Monitor(Machine &machine, const Breakpoints &points, Questions questions)
      : machine(machine), points(points), questions(std::move(questions)) {}

  /// Also needed when places may have changed by other means than an instruction.
  void lookAgain();
  /// Whether anything enabled is to be heard of.
  bool isNeeded() const;
  /// Forwards: stops the grid after what is met. Backwards: keeps the last before the tick `end`.
  void stopGrid() { timeline = nullptr; }
  void searchBefore(u64 end, const Timeline &history);
  bool isSearching() const { return timeline; }
  /// A checker has found something in the instruction under way.
  void finding(const checks::Finding &finding);
  /// Forwards: what stopped the grid. Backwards: the last of a stretch.
  std::optional<Met> take() { return std::exchange(last, std::nullopt); }
  const std::optional<Met> &found() const { return last; }

  void warpStart(const Warp &warp) override;
  void ctaEnd(const Cta &cta) override;
  void warpExit(const Warp &warp) override;
  void instruction(const Warp &warp, const Op &op, LaneMask executing) override;
  void instructionDone(const Warp &warp, const Op &op, LaneMask executing) override;
  void memory(const Warp &warp, const Op &op, const MemoryAccess &access) override;
  void divergence(const Warp &warp, const Op &, LaneMask taken, LaneMask notTaken) override;
  void reconvergence(const Warp &warp, const Op &, const Token &token, LaneMask lanes) override;
  void push(const Warp &warp, const Op &, const Token &token, const StackAccess &access) override;
  void pop(const Warp &warp, const Op &, const Token &token, const StackAccess &access) override;
  void stackTransfer(const Warp &warp, const Op &, const StackTransfer &transfer) override;
  void barrierArrive(const Warp &warp, const Op &, unsigned barrier, BarrierOperation) override;
  void barrierRelease(const Cta &cta, unsigned barrier) override;
  void changeByUser(const Change &) override { again = true; }
  void deviceEvent(const DeviceEvent &event) override;

private:
  void caught(Caught event, const std::string &what);
  void caught(const std::string &check, const std::string &what);
  void meetEarlier(const Warp &warp, const Op &op, const MemoryAccess *access);
  std::vector<Met::One> takePending(const Warp *warp);
  void tell(const Warp *warp, u64 tick);

  Machine &machine;
  const Breakpoints &points;
  Questions questions;
  const Timeline *timeline = nullptr; ///< backwards only
  u64 limit = 0;
  bool again = true;    ///< the values are to be read anew
  bool started = false; ///< `last` is of CTAs that start, and nothing was executed since
  std::map<unsigned, Place::Bits> values;
  std::map<unsigned, LaneMask> touched; ///< by memory accesses of the instruction under way
  std::vector<checks::Finding> earlier; ///< backwards: findings to whose earlier place the search goes
  std::vector<Met::One> pending;
  std::optional<Met> last;
};

} // namespace leno::dbg
