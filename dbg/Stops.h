//===- Stops.h - Where and why running stops ------------------------------===//
#pragma once

#include "dbg/Checks.h"
#include "dbg/CodePlaces.h"
#include "dbg/Monitor.h"

namespace leno::dbg {

struct StopEvent {
  enum Kind : u8 {
    Start,            ///< before the kernel's first instruction
    Step,             ///< the step asked for is done
    Breakpoint,       ///< before the instruction at a breakpoint
    Watch,            ///< after an instruction that met watchpoints or catchpoints, or when CTAs start
    BreakInstruction, ///< after a BPT
    WarpExited,       ///< the stepped warp has ended, and the focus moved
    Interrupted,      ///< Ctrl-C
    Finished,
    Trapped,
    HistoryStart, ///< backwards: there is nothing before
    WarpStart,    ///< backwards: the warp has executed nothing before
    ProgramEnded, ///< of a host program: `details` says how
    Last = ProgramEnded
  };
  Kind kind;
  std::vector<unsigned> breakpoints{}; ///< their numbers
  std::optional<LaneMask> lanesMet{};  ///< for which the breakpoint's condition is true
  WarpPosition exited{};               ///< WarpExited: which warp it was,
  bool killed = false;                 ///< and that a KIL has ended it
  std::vector<std::string> details{};  ///< Watch: what each of the breakpoints met
  unsigned code = 0;                   ///< BreakInstruction: its number
  std::vector<std::string> problems{}; ///< conditions that could not be computed, and why

  /// One may have met several things.
  void addBreakpoint(unsigned id) {
    if (!llvm::is_contained(breakpoints, id))
      breakpoints.push_back(id);
  }
};

/// The breakpoints, watchpoints and caught events of a session, armed in its machine. What is met counts hits
/// and takes the focus to the warp that met it.
class Stops {
public:
  Stops(Focus &focus, const CodePlaces &code) : focus(focus), code(code), theChecks(focus) {}

  Breakpoints &breakpoints() { return points; }
  const Breakpoints &breakpoints() const { return points; }
  Checks &checks() { return theChecks; }
  const Checks &checks() const { return theChecks; }
  /// Reads a condition. Fails on a mistake, and on what the program has no name for, where it is of this
  /// program.
  llvm::Expected<std::shared_ptr<const Expression>> readCondition(llvm::StringRef text, bool isHere = true);
  /// A context, and which of its launches runs the program that a breakpoint is in; nullopt: it is in any.
  std::optional<std::pair<u32, size_t>> launchThatRuns(const Breakpoint &point) const;
  bool isArmed(const Warp &warp, u64 pc) const;

  /// Needed after every change of the breakpoints.
  void arm();
  /// To a machine that has just started, and its history; and from it, before it goes.
  void attach(Timeline &history);
  void detach();
  /// While it lives nothing is watched or armed anew: the machine is not where the user stands.
  class Unwatched {
  public:
    explicit Unwatched(Stops &stops) : stops(stops) {
      stops.watch(false);
      ++stops.inThePast;
    }
    ~Unwatched() {
      if (--stops.inThePast == 0)
        stops.arm();
    }
    Unwatched(const Unwatched &) = delete;
    Unwatched &operator=(const Unwatched &) = delete;

  private:
    Stops &stops;
  };

  // Forwards.
  void lookAgain() { monitor->lookAgain(); }
  /// Nothing that was met before counts.
  void clear() {
    monitor->lookAgain();
    monitor->take();
  }
  /// The stop at a breakpoint where `warp` stands, if there is one whose condition is met.
  std::optional<StopEvent> at(Warp &warp);
  /// What was watched or caught, and stopped the machine.
  std::optional<StopEvent> ofMonitor();
  /// CTAs that run from the start, where they are waited for.
  std::optional<StopEvent> ctasAtStart();
  /// Those that catch the trap of this warp.
  std::vector<unsigned> ofTrap(Warp *warp);
  /// A stop is told: its conditions' problems go with it, and those for that once have done their duty.
  void told(StopEvent &event);

  /// Backwards: the last moment in which running would have stopped, and who met it; nullopt: there is none,
  /// or Ctrl-C has ended the search.
  struct Past {
    StopEvent event;
    u64 tick;
    WarpPosition by;
  };
  std::optional<Past> lastBefore(u64 now, Timeline &history);

private:
  /// Whether a condition holds for a lane, and for which. One that cannot be computed holds once.
  struct Verdict {
    bool holds;
    std::optional<LaneMask> lanes{};
    std::string problem{};
  };
  Verdict judge(const Breakpoint &point, Warp &warp);
  /// Of the monitor's, which hears of it in the middle of an instruction: what cannot be computed is kept.
  bool conditionHolds(const Breakpoint &point, Warp &warp);
  /// Whether a breakpoint is in the program that a grid executes.
  bool isIn(const Breakpoint &point, const GridRun &grid) const;
  /// Numbers of the breakpoints where `warp` stands whose condition is met, and the lanes that meet it.
  std::optional<StopEvent> met(Warp &warp, u64 pc);
  /// A hit is counted; false: it is one of those to ignore.
  static bool counts(Breakpoint &point);
  void watch(bool on);

  Focus &focus;
  const CodePlaces &code;
  Breakpoints points;
  Checks theChecks;
  std::optional<Monitor> monitor;
  bool watching = false;                    ///< the monitor hears of what happens
  unsigned inThePast = 0;                   ///< what is armed waits until the machine is back
  std::map<unsigned, std::string> problems; ///< of conditions, by breakpoint, that no stop has told yet
};

} // namespace leno::dbg
