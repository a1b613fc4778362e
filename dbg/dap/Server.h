//===- Server.h - The debugger as an editor sees it -----------------------===//
// The Debug Adapter Protocol over one Session. Warps are threads; calls are stack frames; lanes, registers,
// memory and the divergence stack are variables. One thread serves the requests and moves the machine,
// another reads: while a kernel runs the run is interrupted for what arrives and goes on afterwards.
//===----------------------------------------------------------------------===//
#pragma once

#include "dbg/SessionFile.h"
#include "dbg/dap/Arguments.h"
#include "dbg/dap/Message.h"
#include "dbg/dap/Variables.h"
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
    enum Need : unsigned {
      Program = 1, ///< a launch request was served
      Stopped = 2, ///< nothing runs, and the kernel has started
    };
    llvm::StringLiteral name;
    unsigned needs;
    Reply (Server::*run)(const Arguments &);
  };
  static llvm::ArrayRef<Request> requests();

  // Messages (Server.cpp).
  void handle(Incoming incoming);
  Reply dispatch(llvm::StringRef command, const Arguments &arguments);
  void event(llvm::StringRef name, llvm::json::Object body = {});
  void print(llvm::StringRef category, llvm::StringRef text);
  /// What is left of a command's text for the console.
  std::string takeText();
  Reply initialize(const Arguments &);
  Reply disconnect(const Arguments &);
  Reply terminate(const Arguments &);

  // The launch (Launch.cpp).
  Reply launch(const Arguments &);
  Reply attach(const Arguments &);
  Reply configurationDone(const Arguments &);
  Reply restart(const Arguments &);
  llvm::Expected<std::unique_ptr<runtime::PreparedLaunch>> prepare(const Arguments &);
  /// Puts a newer program in place of the old; what became of the breakpoints is returned.
  std::string reload(std::unique_ptr<runtime::PreparedLaunch> launch);
  void begin();
  void beginSaved();
  llvm::Expected<std::unique_ptr<Session>> newSession(const Arguments &);
  void terminated(int exitCode);

  // Moving (Moving.cpp).
  Reply resume(const Arguments &);
  Reply reverseContinue(const Arguments &);
  Reply next(const Arguments &);
  Reply stepIn(const Arguments &);
  Reply stepOut(const Arguments &);
  Reply stepBack(const Arguments &);
  Reply pause(const Arguments &);
  Reply exceptionInfo(const Arguments &);
  Reply step(const Arguments &, bool overCalls);
  /// After the response: moves, and tells where it stopped.
  void move(std::function<llvm::Expected<StopEvent>()> how);
  void runOn(bool fromStart = false);
  void tellStop(const StopEvent &stop);
  void tellStopped(const StopEvent &stop);
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
  llvm::Expected<unsigned> addOwned(const Arguments &wanted, Make make);
  llvm::json::Object describeBreakpoint(const Owned &owned);
  llvm::Error addConditions(Breakpoint &point, const Arguments &wanted);
  std::string logText(llvm::StringRef message, Warp &warp, LaneMask lanes);
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
  llvm::json::Object describeValue(const Value &value, const Arguments &arguments);

  // Code and memory (CodeRequests.cpp).
  Reply source(const Arguments &);
  Reply loadedSources(const Arguments &);
  Reply disassemble(const Arguments &);
  Reply readMemory(const Arguments &);
  Reply writeMemory(const Arguments &);
  /// The source of an instruction with its line: a file that can be read, else the disassembly.
  struct Spot {
    llvm::json::Object source;
    unsigned line;
  };
  Spot spotOf(u64 address);
  llvm::json::Object sourceOf(llvm::StringRef file);
  static llvm::json::Object disassemblySource();
  /// The line table's name of a file that a client names by its path; empty: the program does not come from
  /// it.
  std::string fileAt(llvm::StringRef path) const;
  u64 clientLine(unsigned line) const { return line - (linesStartAt1 ? 0 : 1); }
  int64_t ownLine(int64_t line) const { return line + (linesStartAt1 ? 0 : 1); }

  // Warps as threads.
  int64_t threadOf(Dim3 cta, unsigned warp) const;
  llvm::Expected<Warp *> warpOf(int64_t thread) const;
  llvm::Error focusOn(int64_t thread);
  /// The warp of the argument `frameId`, or the focused one; null: none runs.
  llvm::Expected<Warp *> warpOfFrame(const Arguments &);
  bool running() const { return isRunning; }

  Inbox inbox;
  Outbox outbox;
  std::string text; ///< what the interpreter said
  llvm::raw_string_ostream textStream{text};
  std::unique_ptr<Session> session;
  std::unique_ptr<Interpreter> interpreter;
  std::optional<Variables> tree;
  struct Frame {
    Dim3 cta;
    unsigned warp;
  };
  std::vector<Frame> frames; ///< those of this stop; their ids begin at 1
  std::vector<Owned> owned;
  std::map<unsigned, std::string> toldBreakpoints; ///< typed ones that the client knows, and how they looked
  std::function<void()> afterwards;                ///< what a request does after its response
  std::optional<StopEvent> stopToTell;             ///< of a command on the console
  std::optional<SavedSession> saved;               ///< to be executed again when it starts
  std::string program;                             ///< as the client named it
  runtime::LaunchOptions options;
  bool linesStartAt1 = true, columnsStartAt1 = true;
  bool clientInvalidates = false; ///< it understands the event `invalidated`
  bool stopOnEntry = false, stopAtEnd = false, noDebug = false;
  bool configured = false, isRunning = false, pauseAsked = false, over = false, clientLeft = false;
  std::atomic<bool> anyMessageInterrupts = false;
};

} // namespace leno::dbg::dap
