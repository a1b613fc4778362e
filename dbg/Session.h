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
// How it goes back. The ticks of a launch are in one order, that in which its instructions were executed;
// going back undoes all that came after the moment that is gone to, whichever warp did it, and what the user
// changed too. A step back goes to where the focused warp was about to execute its last instruction, or, when
// a step let other warps run as well or moved the focus, to where that step came from: as many steps back as
// were made forward end where they began.
//===----------------------------------------------------------------------===//
#pragma once

#include "dbg/Application.h"
#include "dbg/StepsBack.h"
#include "dbg/Stops.h"
#include "dbg/Timeline.h"
#include "dbg/WriterSearch.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <deque>

namespace leno::dbg {

// Several contexts. All of the above is of the focused context, whose grid comes, goes and comes again; a
// stop in another context takes the focus there. A step of the focused warp alone leaves the device's time
// where it is. A trap ends its context only, when the session goes on.

enum class SessionState : u8 {
  NotStarted, ///< before the first instruction
  Stopped,
  Finished,
  Trapped, ///< over, but everything can be looked at
};

// A host program. Its launches come one after the other, each as a launch alone; running goes from one to the
// next, and a step ends with its launch at the latest. What the program gets is the memory as it stands at
// the end, the user's changes included; a launch that traps, or that the program counts or checks, it then
// runs itself. To look at an earlier launch is to execute it again up to where it stood.

/// Who moves while the focused warp is stepped.
enum class Stepping : u8 { FocusedWarp, AllWarps };

/// What the focused warp is in, by the entry of its stack that ends it.
enum class Region : u8 {
  Call, ///< a CALL entry
  Loop, ///< a BRK entry
  Side, ///< of a branch: a DIV or SYNC entry
  Fork, ///< a branch with all its sides: a SYNC entry
};

/// Ctrl-C has ended a way back.
llvm::Error interrupted();

/// A launch, or several contexts, from its start to its end, forwards and backwards.
class Session {
public:
  /// A context of it launches something.
  explicit Session(std::unique_ptr<runtime::Prepared> prepared)
      : work(std::move(prepared)), theFocus(*work), theCode(theFocus), theStops(theFocus, theCode) {}
  /// Of a host program; `nothing` is in focus until its first launch.
  Session(std::unique_ptr<runtime::Prepared> nothing, std::unique_ptr<Application> program)
      : Session(std::move(nothing)) {
    theProgram = std::move(program);
  }
  Session(const Session &) = delete; // its parts know each other

  runtime::Prepared &prepared() const { return *work; }
  /// A launch alone: nobody speaks of its context or of cycles.
  bool isAlone() const { return work->isAlone(); }
  Focus &focus() { return theFocus; }
  const Focus &focus() const { return theFocus; }
  const CodePlaces &code() const { return theCode; }
  Stops &stops() { return theStops; }
  const Stops &stops() const { return theStops; }
  Timeline &timeline() { return *history; }
  SessionState state() const { return current; }
  /// Before the first stop: none.
  const std::optional<StopEvent> &lastStop() const { return last; }
  /// The context whose trap the session stands at; null: at none. It ends when the session goes on.
  const Context *trappedContext() const { return isAlone() ? nullptr : work->run().trapped(); }

  //===--- A host program (SessionLaunches.cpp) ---------------------------------===//
  /// Null: there is none.
  Application *program() const { return theProgram.get(); }
  struct Moment;
  struct HostLaunch {
    size_t number;                                     ///< from 1
    std::shared_ptr<const runtime::LaunchImage> image; ///< null: it is too long ago to be looked at
    std::string kernel;
    Dim3 grid, block;
    u64 instructions = 0;
    std::string end;                ///< "finished", or a trap's name; empty: it is not over
    std::unique_ptr<Moment> moment; ///< where it stood when it was in focus last
  };
  /// Those since the program's start, but for the oldest of very many.
  const std::deque<HostLaunch> &hostLaunches() const { return launches; }
  /// The number of the one in focus; 0: there was none yet.
  size_t launchInFocus() const { return shown; }
  /// It is an earlier one than that which the program has come to.
  bool isEarlierLaunch() const { return !launches.empty() && shown != launches.back().number; }
  /// The program runs and waits for nothing: what is in focus is over.
  bool isBetweenLaunches() const { return theProgram && theProgram->runs() && !theProgram->launch(); }
  /// `continue` leads somewhere: the launch goes on, or the program.
  bool canContinue() const {
    return current == SessionState::Stopped || (theProgram && theProgram->runs() && !isEarlierLaunch());
  }
  /// Where a breakpoint is to be. Of a host program a label or line that no program has yet has no addresses:
  /// later launches are asked for it.
  llvm::Expected<CodePlaces::Found> placeOfBreakpoint(llvm::StringRef text) const;
  /// Leads to where a launch stood. Fails on one that is not there, and on Ctrl-C.
  llvm::Error showLaunch(size_t number);

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
  u64 instructionLimit() const { return theFocus.launch().spec.maxInstructions; }
  Stepping stepping() const { return mode; }
  void setStepping(Stepping stepping) { mode = stepping; }

  /// A checker begins to watch, as if it had from the start, or ends. Fails, and changes nothing, on Ctrl-C.
  llvm::Error setCheck(const checks::CheckRow &row, bool on);

  /// Those that find what is caught.
  llvm::Error setChecksFor(Caught event);

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
  /// To a moment of the past.
  StopEvent goTo(u64 tick);
  /// To a tick: back, with the warp in focus that is about to execute there, or on, until something stops
  /// earlier.
  llvm::Expected<StopEvent> goToTick(u64 tick);

  /// Moments that can be gone to again. A launch that starts anew keeps them: they are ticks.
  struct Bookmark {
    unsigned id;
    std::string name; ///< may be empty
    u64 tick;
    LanePosition where;
    std::string place; ///< in words
  };

  /// All that leads to where the session stands, and what it remembers.
  struct Moment {
    SessionState state = SessionState::NotStarted;
    std::optional<StopEvent> last{};
    LanePosition where{};
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

  /// Puts another program in place of this one, before its first instruction. Breakpoints keep their places
  /// by line or label, their conditions and counts; returned is what there is to say of each that has none
  /// now.
  std::vector<std::string> reload(std::unique_ptr<runtime::Prepared> newer);

private:
  StopEvent runFromStart();
  llvm::Error startProgram();
  StopEvent runLaunches(bool stopsAtStart);
  llvm::Error takeLaunch();
  void endLaunch();
  void forgetOldLaunches();
  HostLaunch *hostLaunch(size_t number);
  void startMachine();
  llvm::Error restart();
  StopEvent runToFirstGrid();
  static StopEvent afterBpt(const Warp &warp);
  /// Who executes at a tick of the past.
  std::optional<Footstep> whoExecutesAt(u64 tick);
  llvm::Error repeatEnd(const Moment &moment);
  StopEvent stopped(StopEvent event);
  StopEvent trapped(Warp *warp);
  Footstep footstep() const;
  Footstep here(u64 &count);
  /// Goes to a moment; not `complete`: the warp had executed nothing before it.
  llvm::Expected<StopEvent> arrive(const Footstep &at, bool complete);
  bool continuesLine(const Footstep &earlier, const Footstep &later) const;
  std::optional<StopEvent> stepOnce();
  void beginMove();
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
  Focus theFocus;
  CodePlaces theCode;
  Stops theStops;
  Machine *machine = nullptr; ///< its own, once it has started
  SessionState current = SessionState::NotStarted;
  Stepping mode = Stepping::FocusedWarp;
  std::optional<StopEvent> last;
  std::optional<Timeline> history;
  std::vector<Jump> jumps; ///< by the tick they lead to
  std::vector<Bookmark> marks;
  std::unique_ptr<Application> theProgram;
  std::deque<HostLaunch> launches;
  size_t shown = 0;
};

/// Of a program and its arguments (Application::create).
llvm::Expected<std::unique_ptr<Session>> sessionOfProgram(std::vector<std::string> command, bool printsAside);

} // namespace leno::dbg
