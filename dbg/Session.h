//===- Session.h - The debuggee and all that is known of it ---------------===//
// Prints nothing: every command is a call here and a value back, so that a REPL, a script and an editor's
// protocol can share it.
//
// How a warp is stepped. One step executes one instruction of the focused warp, and no other warp moves - but
// for one case: when that warp waits at a barrier, the other warps of its CTA run in turn, `barrierQuantum`
// instructions each, until the barrier lets it go, a breakpoint stops one of them, or the grid traps. Warps
// of other CTAs stand still. A step that ends a warp moves the focus to the next warp of its CTA that has not
// exited, or to the first one of the grid. All other running (`resume`) follows the machine's own turns, and
// so does a step under Stepping::AllWarps: it ends once the focused warp has executed its instruction and
// waits at no barrier; a breakpoint, a watchpoint or a trap of any warp ends it earlier.
//
// How it goes back. The moments of a launch are in one order, that in which its instructions were executed;
// going back undoes all that came after the moment that is gone to, whichever warp did it, and what the user
// changed too. A step back goes to where the focused warp was about to execute its last instruction, or, when
// a step let other warps run as well or moved the focus, to where that step came from: as many steps back as
// were made forward end where they began.
//===----------------------------------------------------------------------===//
#pragma once

#include "asm/Decoder.h"
#include "dbg/Breakpoints.h"
#include "dbg/Focus.h"
#include "dbg/Monitor.h"
#include "dbg/StepsBack.h"
#include "dbg/Timeline.h"
#include "dbg/WarpContext.h"
#include "dbg/WarpPast.h"
#include "dbg/WriterSearch.h"
#include "runtime/Prepared.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace leno::dbg {

// Several contexts (SessionContexts.cpp). All of the above is of the focused context, whose grid comes, goes
// and comes again; a stop in another context takes the focus there. A step of the focused warp alone leaves
// the device's time where it is. A trap ends its context only, when the session goes on.

enum class SessionState : u8 {
  NotStarted, ///< before the first instruction
  Stopped,
  Finished,
  Trapped, ///< over, but everything can be looked at
};

/// Who moves while the focused warp is stepped.
enum class Stepping : u8 { FocusedWarp, AllWarps };

/// What the focused warp is in, by the entry of its stack that ends it.
enum class Region : u8 {
  Call, ///< a CALL entry
  Loop, ///< a BRK entry
  Side, ///< of a branch: a DIV or SYNC entry
  Fork, ///< a branch with all its sides: a SYNC entry
};

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
    Last = WarpStart
  };
  Kind kind;
  std::vector<unsigned> breakpoints{}; ///< their numbers
  std::optional<LaneMask> lanesMet{};  ///< for which the breakpoint's condition is true
  Focus exited{};                      ///< WarpExited: which warp it was,
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

/// Ctrl-C has ended a way back.
llvm::Error interrupted();

class Session : public ProgramNames {
public:
  /// A context of it launches something.
  explicit Session(std::unique_ptr<runtime::Prepared> prepared);

  runtime::Prepared &prepared() const { return *work; }
  /// A launch alone: nobody speaks of its context or of cycles.
  bool isAlone() const { return work->isAlone(); }
  // Of the focused context, and of the launch that it runs, ran last or runs next.
  /// Where there is one.
  GridRun &grid() const;
  GridRun *gridIfAny() const;
  const Executable &executable() const { return inFocus().executable; }
  const KernelInfo &kernel() const { return inFocus().kernel; }
  Device &device() const { return inFocus().device; }
  std::string describe(const Trap &trap) const;
  /// Of the grid in focus; none: it has not trapped, or there is none.
  const std::optional<Trap> &trap() const;
  /// "cycle 120: SM 2 saves 4096 bytes of context a"
  std::string describe(const DeviceEvent &event) const;
  const runtime::Prepared::Launch &launchInFocus() const { return *launchIn(where.context); }
  LaunchInFocus inFocus() const { return launchOf(where.context); }
  LaunchInFocus launchOf(u32 context) const;
  LaunchInFocus launchOf(GridRun &grid) const;
  SessionState state() const { return current; }
  /// Before the first stop: none.
  const std::optional<StopEvent> &lastStop() const { return last; }

  // Moving. Each needs a state of Stopped, except `start`.
  /// To the state before the first instruction, whatever ran before.
  llvm::Expected<StopEvent> start();
  StopEvent resume();
  /// From the start; stops there when CTAs that start are waited for.
  llvm::Expected<StopEvent> run();
  /// `set $pc` and resume; stops at a breakpoint there.
  llvm::Expected<StopEvent> jump(u64 address);
  /// `count` instructions of the focused warp.
  StopEvent stepInstructions(u64 count, bool overCalls);
  /// `count` times to another source line (a jump back within a line counts as another). Without line
  /// information, one instruction.
  StopEvent stepLines(u64 count, bool overCalls);
  /// Until the innermost region's entry has left the focused warp's stack. Fails when the warp is in none.
  llvm::Expected<StopEvent> finish(Region region);
  llvm::Expected<StopEvent> finishCall() { return finish(Region::Call); }
  /// Until the focused warp is past its line, over calls and all turns of a loop, or has left its call.
  StopEvent runPastLine();
  /// Until the focused warp is about to execute one of these.
  StopEvent runUntil(llvm::ArrayRef<u64> addresses);
  /// The watchdog's limit of the launch in focus. A trap at the old one is taken back.
  llvm::Error setInstructionLimit(u64 most);
  u64 instructionLimit() const { return launchInFocus().spec.maxInstructions; }
  Stepping stepping() const { return mode; }
  void setStepping(Stepping stepping) { mode = stepping; }

  // Going back. Each needs a launch, which may have ended. Each fails, and changes nothing, on Ctrl-C.
  /// `count` instructions of the focused warp, or, when none is in focus, of the warp that executed last.
  llvm::Expected<StopEvent> reverseInstructions(u64 count, bool overCalls);
  /// To where the line before began.
  llvm::Expected<StopEvent> reverseLines(u64 count, bool overCalls);
  /// To the call of the function that the focused warp is in.
  llvm::Expected<StopEvent> reverseFinish();
  /// To the last moment in which the focused warp was about to execute one of these.
  llvm::Expected<StopEvent> reverseUntil(llvm::ArrayRef<u64> addresses);
  /// To the last moment before this one where running would have stopped.
  llvm::Expected<StopEvent> reverseContinue();
  /// The last write to a place of the focused warp or its CTA; nullopt: nobody since the launch began.
  llvm::Expected<std::optional<Writer>> whoWrote(Place place);
  /// `place` with the focus as its owner.
  Place inFocus(Place place) const;
  /// To a moment of the past.
  StopEvent goTo(u64 tick);
  /// To a tick: back, with the warp in focus that is about to execute there, or on, until something stops
  /// earlier.
  llvm::Expected<StopEvent> goToTick(u64 tick);
  Timeline &timeline() { return *history; }

  /// Moments that can be gone to again. A launch that starts anew keeps them: they are ticks.
  struct Bookmark {
    unsigned id;
    std::string name; ///< may be empty
    u64 tick;
    Focus where;
    std::string place; ///< in words
  };

  /// All that leads to where the session stands, and what it remembers.
  struct Moment {
    SessionState state = SessionState::NotStarted;
    std::optional<StopEvent> last{};
    Focus where{};
    Timeline::Past past{};
    std::vector<Jump> jumps{};
    UserValues user{};
    std::optional<Trap> trap{};
    std::vector<Bookmark> marks{};
  };
  Moment moment() const;
  /// To such a moment, from before the first instruction and without breakpoints. Fails, somewhere on the
  /// way, when it is not one of this launch, or `goesOn` says no.
  llvm::Error repeat(const Moment &moment, llvm::function_ref<bool()> goesOn);

  std::vector<Bookmark> &bookmarks() { return marks; }
  /// By number or name; null: there is none.
  Bookmark *bookmark(llvm::StringRef which);
  /// Of a name that is taken it moves the mark.
  Bookmark &addBookmark(llvm::StringRef name, std::string place);
  llvm::Expected<StopEvent> goTo(const Bookmark &mark);

  // Focus.
  const Focus &focus() const { return where; }
  /// To a context that launches something; its first warp that is on an SM, if there is one.
  llvm::Error setContext(u32 context);
  /// One in flight, of any context; which of its warps is for setFocus to say.
  void setLaunch(const GridRun &grid);
  /// "a", or its number.
  std::string contextName(u32 context) const;
  /// False: its SM's state is in context storage.
  bool isOnChip(const Cta &cta) const { return machine->isOnChip(*cta.warps()[0]); }
  /// The context whose trap the session stands at; null: at none. It ends when the session goes on.
  const Context *trappedContext() const;
  /// Null when nothing runs or the warp's CTA is gone.
  Warp *focusedWarp() const;
  llvm::Error setFocus(Dim3 cta, unsigned warp, unsigned lane);
  void setLane(unsigned lane) { where.lane = lane; }

  Breakpoints &breakpoints() { return points; }
  /// Needed after every change of the breakpoints.
  void armBreakpoints();
  /// Reads a breakpoint's condition. Fails on a mistake, and on what the program has no name for.
  llvm::Expected<std::shared_ptr<const Expression>> readCondition(llvm::StringRef text);

  // Looking.
  WarpContext context() { return contextOf(focusedWarp(), where.lane); }
  /// `warp` is of that context, or null.
  WarpContext contextOf(u32 number, Warp *warp, unsigned lane) {
    return {launchOf(number), warp, lane, user, history ? &*history : nullptr};
  }
  WarpContext contextOf(Warp *warp, unsigned lane) {
    return {launchAround(warp), warp, lane, user, history ? &*history : nullptr};
  }
  /// What the focused warp was before the last move; nullptr when that was of another one.
  const WarpPast *past() const;
  PastContext contextOfPast(Warp *warp, unsigned lane) {
    return {launchAround(warp), warp, lane, user, &*history, *before};
  }
  /// Numbers a value $1, $2, ... and says which it became.
  size_t remember(const Value &value);
  const UserValues &userValues() const { return user; }
  /// Puts another program in place of this one, before its first instruction. Breakpoints keep their places
  /// by line or label, their conditions and counts; returned is what there is to say of each that has none
  /// now.
  std::vector<std::string> reload(std::unique_ptr<runtime::Prepared> newer);
  bool isInstruction(u64 address) const;
  /// The text of an instruction, its target by name.
  std::string instructionText(u64 address) const { return instructionText(executable(), address); }
  std::string instructionText(const Executable &program, u64 address) const;
  /// All that are launched, each once.
  std::vector<const Executable *> programs() const;
  /// Null when it does not run now, or its state is in context storage.
  Cta *findCta(u32 context, Dim3 index, u32 launch = 0) const;
  /// The byte address after a kernel's last instruction; code that it calls may stand there.
  u64 endOf(const KernelInfo &kernel) const;
  std::string describe(u64 address) const { return executable().describe(address); }

  /// A place in a program that the focused context runs: of the launch in focus, or else of another one of
  /// its.
  struct PlaceInCode {
    Location location;
    const Executable *program;
  };
  llvm::Expected<PlaceInCode> findCode(llvm::StringRef text);
  /// In that program.
  llvm::Expected<PlaceInCode> findCode(llvm::StringRef text, const Executable &program);
  /// A context, and which of its launches runs the program that a breakpoint is in; nullopt: it is in any.
  std::optional<std::pair<u32, size_t>> launchThatRuns(const Breakpoint &point) const;

  // ProgramNames
  std::optional<u64> symbol(llvm::StringRef name) const override;
  std::vector<std::string> symbols() const override;
  std::vector<u64> addressesOf(llvm::StringRef file, unsigned line) const override;
  std::vector<std::string> files() const override { return executable().files(); }
  u64 codeBytes() const override { return executable().code().size() * 8; }
  std::optional<SourceLine> hereLine() const override;
  std::optional<u64> here() const override;

private:
  LaunchInFocus launchAround(Warp *warp) const { return warp ? launchOf(warp->grid()) : inFocus(); }
  /// That a context runs, ran last or runs first; null: it launches nothing.
  const runtime::Prepared::Launch *launchIn(u32 context) const;
  /// The first that launches something.
  u32 contextToBeginWith() const;
  u32 contextLike(u32 old, llvm::ArrayRef<std::string> oldNames) const;
  void startMachine();
  llvm::Error restart();
  /// Where breakpoints are in what a grid runs.
  std::set<u64> placesIn(const GridRun &grid) const;
  GridRun *gridOf(u32 context) const;
  StopEvent runToFirstGrid();
  static StopEvent afterBpt(const Warp &warp);
  /// Who executes at a tick of the past.
  std::optional<Footstep> whoExecutesAt(u64 tick);
  /// Whether a breakpoint of the kind Code is in the program that `warp` executes.
  bool isIn(const Breakpoint &point, const Warp &warp) const;
  bool isIn(const Breakpoint &point, const GridRun &grid) const;
  bool isArmed(const Warp &warp, u64 pc) const;
  void focusOnContext(u32 context);
  llvm::Error repeatEnd(const Moment &moment);
  StopEvent stopped(StopEvent event);
  Footstep footstep() const;
  Footstep here(u64 &count);
  /// Goes to a moment; not `complete`: the warp had executed nothing before it.
  llvm::Expected<StopEvent> arrive(const Footstep &at, bool complete);
  bool continuesLine(const Footstep &earlier, const Footstep &later) const;
  /// Numbers of the breakpoints where `warp` stands whose condition is met, and the lanes that meet it.
  std::optional<StopEvent> breakpointsMet(Warp &warp, u64 pc);
  StopEvent trapped(Warp *warp);
  StopEvent finished();
  void focusOn(const Warp &warp);
  void focusOn(const Monitor::Met &met);
  /// The stop at a breakpoint where `warp` stands, if there is one whose condition is met; counts its hits.
  std::optional<StopEvent> breakpointAt(Warp &warp);
  /// What the monitor stopped the grid for; counts hits.
  std::optional<StopEvent> monitorStop();
  /// While it lives nothing is watched: the past is executed again.
  class Unwatched;
  /// Whether a condition holds for a lane, and for which. One that cannot be computed holds once.
  struct Verdict {
    bool holds;
    std::optional<LaneMask> lanes{};
    std::string problem{};
  };
  Verdict judge(const Breakpoint &point, Warp &warp);
  /// Of the monitor's, which hears of it in the middle of an instruction: what cannot be computed is kept.
  bool conditionHolds(const Breakpoint &point, Warp &warp);
  /// Takes what was kept of the breakpoints of a stop.
  void tellProblems(StopEvent &event);
  /// Whether the instruction at `pc` reads, or writes, a register or predicate.
  bool instructionUses(const Place &place, u64 pc, bool writes) const;
  void watch(bool on);
  std::optional<StopEvent> stepOnce();
  void beginMove();
  std::optional<StopEvent> ctasCaughtAtStart();
  std::optional<StopEvent> stepFocused();
  std::optional<StopEvent> stepAmongAll();
  /// How the machine stopped in its turns; nullopt: for nothing that the user waits for.
  std::optional<StopEvent> afterTurns(const Stop &stop);
  StopEvent runOn();
  std::optional<StopEvent> releaseFromBarrier(Warp &warp);
  StopEvent afterExit();
  /// Steps until `done`, which is asked after each instruction and given the warp; nullopt: it is done.
  std::optional<StopEvent> stepUntil(llvm::function_ref<bool(Warp &)> done);
  std::optional<StopEvent> stepOverCall(bool overCalls);

  static constexpr u64 slice = 1 << 20; ///< instructions between two looks for Ctrl-C
  static constexpr unsigned barrierQuantum = 64;

  std::unique_ptr<runtime::Prepared> work;
  Machine *machine = nullptr; ///< its own, once it has started
  SessionState current = SessionState::NotStarted;
  Focus where;
  Breakpoints points;
  std::optional<Monitor> monitor;
  bool watching = false;  ///< the monitor hears of what happens
  unsigned inThePast = 0; ///< the machine is not where the user stands: what is armed waits until it is back
  Stepping mode = Stepping::FocusedWarp;
  std::optional<StopEvent> last;
  std::map<unsigned, std::string> problems; ///< of conditions, by breakpoint, that no stop has told yet
  UserValues user;
  std::optional<WarpPast> before; ///< of the warp in focus when the last move began
  std::optional<Timeline> history;
  std::vector<Jump> jumps; ///< by the tick they lead to
  std::vector<Bookmark> marks;
  Decoder decoder;
};

} // namespace leno::dbg
