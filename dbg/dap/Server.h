//===- Server.h - The debugger as an editor sees it -----------------------===//
// The Debug Adapter Protocol over one Session. Warps are threads; calls are stack frames; lanes, registers,
// memory and the divergence stack are variables. One thread serves the requests and moves the machine,
// another reads: while the machine runs, goes back or is made again, what arrives is served wherever it looks
// for an interrupt.
//===----------------------------------------------------------------------===//
#pragma once

#include "dbg/SessionFile.h"
#include "dbg/dap/Arguments.h"
#include "dbg/dap/Message.h"
#include "dbg/dap/Variables.h"
#include "dbg/dap/WarpPanel.h"
#include <chrono>
#include <map>

namespace leno::dbg::dap {

/// Serves until the client disconnects or its end of `input` closes.
class Server {
public:
  Server(int input, llvm::raw_ostream &output);
  ~Server();
  /// False: the client went without a disconnect.
  bool serve();

private:
  using Reply = llvm::Expected<llvm::json::Value>; ///< a response's body
  struct Request {
    enum Trait : unsigned {
      Program = 1, ///< needs: a launch request was served
      Stopped = 2, ///< needs: nothing runs, and the kernel has started
      Gesture =
          4, ///< the user asked for it, and is shown why it failed; the others clients make by themselves
      Changes = 8, ///< what the warp view shows
      Patient = 16 ///< waits until what runs has stopped
    };
    llvm::StringLiteral name;
    unsigned traits;
    Reply (Server::*run)(const Arguments &);
  };
  static llvm::ArrayRef<Request> requests();

  // Messages (Server.cpp).
  void handle(Incoming incoming);
  /// Serves it, and then what waits for the machine to stand.
  void serveAll(Incoming incoming);
  Reply dispatch(const Request &known, const Arguments &arguments);
  /// Null: there is none.
  static const Request *requestNamed(llvm::StringRef command);
  void event(llvm::StringRef name, llvm::json::Object body = {});
  void print(llvm::StringRef category, llvm::StringRef text);
  /// What is left of a command's text for the console.
  std::string takeText();
  Reply initialize(const Arguments &);
  Reply cancel(const Arguments &);
  Reply disconnect(const Arguments &);
  Reply terminate(const Arguments &);

  // The launch (Launch.cpp).
  Reply launch(const Arguments &);
  Reply attach(const Arguments &);
  Reply configurationDone(const Arguments &);
  Reply restart(const Arguments &);
  using ExpectedWork = llvm::Expected<std::unique_ptr<runtime::Prepared>>;
  ExpectedWork prepare(const Arguments &);
  llvm::Error readFlags(const Arguments &);
  /// By the options of the last time; what there is to say about it goes to the client.
  ExpectedWork prepareAgain();
  /// Puts a newer program in place of the old; what became of the breakpoints is returned.
  std::string reload(std::unique_ptr<runtime::Prepared> launch);
  void begin();
  void beginSaved();
  llvm::Expected<std::unique_ptr<Session>> newSession(const Arguments &);
  llvm::Expected<std::unique_ptr<Session>> newSessionOfProgram(const Arguments &, llvm::StringRef program);
  /// Told once.
  void terminated(int exitCode);

  // Moving (Moving.cpp).
  Reply resume(const Arguments &);
  Reply reverseContinue(const Arguments &);
  Reply next(const Arguments &);
  Reply stepIn(const Arguments &);
  Reply stepOut(const Arguments &);
  Reply stepBack(const Arguments &);
  Reply restartFrame(const Arguments &);
  Reply gotoTargets(const Arguments &);
  Reply goTo(const Arguments &);
  Reply pause(const Arguments &);
  Reply exceptionInfo(const Arguments &);
  Reply step(const Arguments &, bool overCalls);
  /// What the machine does while requests are served in between.
  enum class Activity : u8 { None, Forward, Back, Console, Opening };
  /// Does it, and serves requests meanwhile.
  template <typename How> auto moving(Activity what, How how) {
    enter(what);
    auto result = how();
    leave();
    return result;
  }
  void enter(Activity what);
  void leave();
  /// After the response: moves, and tells where it stopped.
  void move(Activity what, std::function<llvm::Expected<StopEvent>()> how);
  /// Serves what has arrived. True: what the machine does is to be interrupted.
  bool attend();
  bool stopAsked() const;
  void showProgress();
  void runOn(bool fromStart = false);
  void tellStop(const StopEvent &stop);
  /// `reason` and `description`: instead of the stop's own.
  void tellStopped(const StopEvent &stop, llvm::StringRef reason = {}, llvm::StringRef description = {});
  /// The same without the warp view.
  void tellEditor(const StopEvent &stop, llvm::StringRef reason = {}, llvm::StringRef description = {});
  void endTrapped();
  /// To the first instruction of the call that is the outermost but `calls - 1`; 0: of the warp.
  llvm::Expected<StopEvent> backToFrame(size_t calls);
  /// Executes `line` by `how`; what it leads to is told afterwards, a stop by `tell`. False: it failed.
  bool carryOut(llvm::StringRef line, llvm::function_ref<bool()> how,
                std::function<void(const StopEvent &)> tell);
  /// Executes a line as if it was typed; what it says is returned.
  std::string execute(llvm::StringRef line, bool &succeeded);

  // Breakpoints (BreakpointRequests.cpp).
  Reply setBreakpoints(const Arguments &);
  Reply setFunctionBreakpoints(const Arguments &);
  Reply setInstructionBreakpoints(const Arguments &);
  Reply setExceptionBreakpoints(const Arguments &);
  Reply setDataBreakpoints(const Arguments &);
  Reply dataBreakpointInfo(const Arguments &);
  Reply breakpointLocations(const Arguments &);
  /// What a client asked for: kept until it asks for others of the same kind and source.
  struct Owned {
    std::string group; ///< "source:PATH", "function", "instruction", "data", "exception"
    std::string key;   ///< the whole request: the same one keeps its breakpoint, and its count
    unsigned id = 0;   ///< 0: it was refused
    std::string message{};
  };
  using Make = llvm::function_ref<llvm::Expected<Breakpoint>(const Arguments &)>;
  llvm::Expected<llvm::json::Value> replaceGroup(llvm::StringRef group, llvm::StringRef argument,
                                                 const Arguments &, Make make);
  const Breakpoint *typedAt(const Breakpoint &wanted) const;
  llvm::Expected<unsigned> addOwned(const Arguments &wanted, Make make);
  llvm::json::Object describeBreakpoint(const Owned &owned);
  llvm::Error addConditions(Breakpoint &point, const Arguments &wanted);
  /// A log message "R1 is {R1[0]} in {$cta}": words, and the expression behind them, if there is one.
  struct LogPart {
    std::string words;
    std::shared_ptr<const Expression> expression;
  };
  /// Fails where an expression names what does not exist.
  llvm::Expected<std::vector<LogPart>> readLog(llvm::StringRef message);
  /// Each expression is computed in the lowest of the lanes.
  std::string logText(llvm::ArrayRef<LogPart> parts, Warp &warp, LaneMask lanes);
  /// Tells of breakpoints whose conditions could not be computed.
  void tellProblems(const StopEvent &stop);
  /// Tells of those that were typed on the console.
  void tellBreakpointChanges();

  // Looking (StackRequests.cpp, VariableRequests.cpp).
  Reply threads(const Arguments &);
  Reply stackTrace(const Arguments &);
  Reply scopes(const Arguments &);
  Reply variables(const Arguments &);
  Reply setVariable(const Arguments &);
  Reply setExpression(const Arguments &);
  Reply evaluate(const Arguments &);
  Reply completions(const Arguments &);
  Reply evaluateOnConsole(llvm::StringRef text);
  llvm::json::Object describeValue(const Value &value, const Arguments &arguments, bool isPointer = false);

  // The warp view (WarpPanel.cpp).
  Reply warpPage(const Arguments &);
  Reply warpHello(const Arguments &);
  Reply warpCommand(const Arguments &);

  // Code and memory (CodeRequests.cpp).
  struct Block;
  static llvm::Expected<Block> blockOf(Session &session, const Arguments &arguments);
  std::vector<uint8_t> readBytes(const Block &block, size_t count);
  Reply source(const Arguments &);
  Reply loadedSources(const Arguments &);
  Reply disassemble(const Arguments &);
  Reply readMemory(const Arguments &);
  Reply writeMemory(const Arguments &);
  /// A place in a program.
  struct CodePlace {
    const Executable *program;
    u64 address;
    bool isInstruction() const { return address % 8 == 0 && address / 8 < program->code().size(); }
  };
  /// Addresses of the code of all programs, as clients have them: each program begins at a multiple of 2^40,
  /// the first at 0.
  u64 wholeAddress(const CodePlace &place) const;
  CodePlace placeAt(u64 wholeAddress) const;
  /// The source of an instruction with its line: a file that can be read, else the disassembly.
  struct Spot {
    llvm::json::Object source;
    unsigned line;
  };
  Spot spotOf(const CodePlace &place);
  llvm::json::Object sourceOf(llvm::StringRef file);
  llvm::json::Object disassemblySource(const Executable &program) const;
  /// A program and its line table's name of a file that a client names by its path; no program comes from it:
  /// "".
  struct FileOfProgram {
    const Executable *program = nullptr;
    std::string name{};
  };
  FileOfProgram fileAt(llvm::StringRef path) const;
  /// The argument `path` of a source, which may be a URI.
  llvm::Expected<std::string> pathOf(const llvm::json::Object &source) const;
  /// A line of a source as a client names them.
  llvm::Expected<CodePlaces::Found> locationAt(const llvm::json::Object &source, int64_t line);
  /// In every context that runs the program.
  static Breakpoint breakpointAt(CodePlaces::Found place);
  u64 clientLine(unsigned line) const { return line - (linesStartAt1 ? 0 : 1); }
  int64_t ownLine(int64_t line) const { return line + (linesStartAt1 ? 0 : 1); }

  // Warps as threads.
  int64_t threadOf(u32 context, u32 launch, Dim3 cta, unsigned warp) const;
  int64_t threadOf(const Warp &warp) const;
  int64_t threadInFocus() const;
  std::string nameOfThread(u32 context, Dim3 cta, unsigned warp, llvm::StringRef state) const;
  llvm::Expected<Warp *> warpOf(int64_t thread) const;
  llvm::Error focusOn(int64_t thread);
  /// The warp of the argument `frameId`, or the focused one; null: none runs.
  llvm::Expected<Warp *> warpOfFrame(const Arguments &);
  /// The call of that argument, 0 without it.
  size_t numberOfFrame(const Arguments &) const;
  bool running() const { return activity != Activity::None; }

  Inbox inbox;
  Outbox outbox;
  std::string text; ///< what the interpreter said
  llvm::raw_string_ostream textStream{text};
  std::unique_ptr<Session> session;
  std::unique_ptr<Interpreter> interpreter;
  std::unique_ptr<WarpPanel> panel; ///< null: the warp view is not open
  std::optional<Variables> tree;
  struct Frame {
    Dim3 cta;
    unsigned warp;
    size_t depth; ///< 0 the innermost
    u32 context, launch;
    size_t number; ///< with functions that were taken in
  };
  std::vector<Frame> frames; ///< those of this stop; their ids begin at 1
  std::vector<Owned> owned;
  std::map<unsigned, std::string> toldBreakpoints; ///< typed ones that the client knows, and how they looked
  std::function<void()> afterwards;                ///< what a request does after its response
  std::optional<StopEvent> stopToTell;             ///< of a command on the console
  std::optional<SavedSession> saved;               ///< to be executed again when it starts
  runtime::LaunchOptions options;
  // Of the client.
  bool linesStartAt1 = true, columnsStartAt1 = true, pathsAreUris = false;
  bool clientInvalidates = false;   ///< it understands the event `invalidated`
  bool clientShowsProgress = false; ///< and `progressStart`
  bool stopOnEntry = false, stopAtEnd = false, noDebug = false;
  bool configured = false, ended = false, over = false, clientLeft = false;
  // Of what the machine does now.
  Activity activity = Activity::None;
  bool attending = false;                                ///< a request is served in between
  bool pauseAsked = false, cancelAsked = false;          ///< since it began
  bool again = false;                                    ///< it was interrupted only to begin anew
  std::vector<Incoming> held;                            ///< requests that wait until it has stopped
  std::deque<Incoming> patient;                          ///< requests that wait until it stands
  bool restartHeld = false;                              ///< one of them: it has to stop for that
  int64_t request = 0;                                   ///< the one that it is for
  std::chrono::steady_clock::time_point begun, reported; ///< since when, and when the progress was last told
  int64_t progressId = 0;                                ///< counts those that were told of
  bool progressShown = false;
  std::string doing;   ///< for people
  double wholeWay = 0; ///< Opening: ticks to be executed again
  u64 toldTick = 0;    ///< where the last stop was
};

} // namespace leno::dbg::dap
