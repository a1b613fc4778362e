//===- Interpreter.h - Lines in, answers out ------------------------------===//
// Runs commands on a session and writes what they say. Knows nothing of terminals: the REPL, scripts and
// tests feed it.
//===----------------------------------------------------------------------===//
#pragma once

#include "dbg/Command.h"
#include "dbg/LogStream.h"
#include "dbg/Session.h"
#include "dbg/SourceText.h"
#include "llvm/Support/JSON.h"
#include <deque>
#include <functional>
#include <optional>

namespace leno::dbg {

class TerminalView;

class Interpreter {
public:
  /// `errors` gets the messages of failing commands; what was written to `out` before stands before them.
  Interpreter(Session &session, llvm::raw_ostream &out, llvm::raw_ostream &errors, bool colours)
      : session(session), out(out), sources([&session](llvm::StringRef file) {
          return session.focus().executable().lineTable().directoryOf(file).str();
        }),
        frame(session.focus().frame), errors(errors), colours(colours) {
    noteProgramTime();
  }

  /// Runs one line; an empty one repeats a command that repeats. False: it failed, and the message is
  /// written.
  bool execute(llvm::StringRef line);
  /// Runs the commands of a file, each echoed behind the prompt; blank lines and comments are left out. A
  /// failing command does not end it; fails only when the file cannot be read or files nest too deep.
  llvm::Error executeFile(llvm::StringRef path, bool echo = true);
  /// The lines of a block or of the user's own command. The first that fails ends them, and so does Ctrl-C.
  llvm::Error executeLines(llvm::ArrayRef<std::string> lines);
  /// One command, without its answer being told.
  llvm::Error executeCommand(llvm::StringRef line);
  /// Runs what the user gave the breakpoints of a stop to do, where the stop was not told here.
  void executeCommandsOf(const StopEvent &stop);
  bool quitting() const { return quit; }
  /// Whether any command failed.
  bool failed() const { return anyFailed; }
  std::vector<std::string> completions(llvm::StringRef line) const;

  static constexpr llvm::StringLiteral prompt = "(leno) ";
  /// That of the next line: blocks have one of their own.
  std::string promptNow() const;

  // For the commands.
  Session &session;
  llvm::raw_ostream &out;
  /// What was said so far stands there before anything that another process says.
  void flush();
  SourceText sources;

  /// The time of the program in use: sources that are newer are told.
  void noteProgramTime();
  void requestQuit() { quit = true; }
  // For those who want more than words.
  /// Every stop that is told, before the words.
  std::function<void(const StopEvent &)> onStop;
  /// A question to the user, yes or no; none where nobody can be asked.
  std::function<bool(llvm::StringRef question)> ask;
  /// Instead of the words of a mistake.
  std::function<void(const llvm::ErrorInfoBase &)> onError;
  /// A line was executed; then those of files are not echoed.
  std::function<void(llvm::StringRef line, bool succeeded)> onAnswer;
  /// What a command has found, beside its words: `kind` says what it is. Kept only for those who listen.
  void note(llvm::json::Object found);
  void note(std::initializer_list<llvm::json::Object::KV> found) { note(llvm::json::Object(found)); }
  /// All that was noted since it was last asked for.
  llvm::json::Array takeData() { return std::exchange(data, {}); }
  /// Tells a stop: the reason, where, the source line, the displays. Writes the outputs of a finished launch.
  llvm::Error tell(const StopEvent &event);
  /// The same of a stop that was told before: nothing follows from it.
  llvm::Error tellAgain(const StopEvent &event);
  /// "cta (0,0,0) warp 2, lanes 0-31, saxpy+0x18 at saxpy.s:12"
  std::string describeWarp(const Warp &warp) const;
  /// "saxpy+0x18 at saxpy.s:12", without the line when there is none.
  std::string describePlace(u64 address) const;
  /// "saxpy.s:12", empty when there is no line.
  std::string describeLine(u64 address) const;
  /// The focused warp's source line with its number, or its instruction.
  void printCurrentLine();
  void printDisplays();
  /// One instruction with address and label; the one at `pc` is marked.
  void printInstruction(u64 address, std::optional<u64> pc);
  /// What an expression's value, or its values, print as.
  llvm::Expected<std::string> show(const Expression &expression, char format);
  std::string format(const source::Object &object, const LaneContext &context, char format) const;
  /// All that an expression has named; of lanes with their numbers.
  std::string format(const Expression &expression, llvm::ArrayRef<source::Object> objects,
                     const LaneContext &context, char format) const;
  /// Reads `text` in the focus and evaluates it.
  llvm::Expected<Value> evaluate(llvm::StringRef text);
  std::string format(const Value &value, char format) const;
  /// "{1, 2, 3}"
  std::string formatList(llvm::ArrayRef<Value> values, char format) const;
  /// The same of what an expression has several of; values of lanes with their numbers: "{[0] = 1, [7] = 2}"
  std::string formatRange(const Expression &range, llvm::ArrayRef<Value> values, char format);
  llvm::Expected<Location> location(llvm::StringRef text);
  std::string dim(llvm::StringRef text) const { return styled("\x1b[2m", text); }
  /// What a step has changed.
  std::string marked(llvm::StringRef text) const { return styled("\x1b[1;33m", text); }
  std::string bold(llvm::StringRef text) const { return styled("\x1b[1m", text); }

  struct Display {
    unsigned id;
    char format; ///< 'i': the instruction there
    Expression expression;
    bool enabled = true;
  };
  std::vector<Display> displays;
  unsigned lastDisplay = 0;
  void printDisplay(const Display &display);
  /// Where a `list` and an `x` that repeat go on.
  std::optional<SourceLine> listNext;
  unsigned listFirst = 0; ///< where what was listed last begins
  struct Examine {
    MemorySpace space = MemorySpace::Global;
    unsigned bank = 0;
    u64 next = 0;
    char format = 'x', unit = 'w';
    u64 count = 1;
    bool isCode = false;
  };
  std::optional<Examine> examineNext;
  size_t warpsNext = 0; ///< the row where `info warps` goes on
  /// What `info table` shows when it is not told.
  std::string tableColumns;
  char tableFormat = 0;
  /// The same of `info cache`; no name: the first.
  struct CacheShown {
    std::string name{};
    u64 set = 0, way = 0;
  };
  CacheShown cacheShown;
  /// Lines that are kept up to the `end` that belongs to them.
  struct Block {
    llvm::Error (*done)(Interpreter &, const std::string &about, std::vector<std::string> lines);
    std::string about; ///< a breakpoint's number, a command's name, a condition
    std::vector<std::string> lines{};
    unsigned depth = 0; ///< blocks within
  };
  std::optional<Block> collecting;

  /// What the user made of lines: by `define` and `alias`.
  struct UserCommand {
    std::vector<std::string> lines;
    std::string help;
  };
  std::map<std::string, UserCommand, std::less<>> userCommands;
  std::map<std::string, std::string, std::less<>> aliases;
  /// The user's command of that name, with words for $arg0, $arg1, ...
  llvm::Error executeUserCommand(llvm::StringRef name, llvm::StringRef arguments);

  struct Settings {
    unsigned listSize = 10;
    unsigned stringLimit = 200;
    bool showsInstruction = false; ///< at every stop
    std::string prompt = Interpreter::prompt.str();
    std::vector<std::string> safePath; ///< folders whose start-up files are run
  } settings;
  /// Where `out` leads by way of a log; null: programs read it.
  LogStream *log = nullptr;
  /// Null: what is typed comes from no terminal.
  TerminalView *view = nullptr;
  /// False: no command may write files or run programs, whatever is typed.
  bool reachesOut = true;
  /// The call that is looked at: 0 is the innermost. A move or another focus leads back to it.
  size_t &frame;
  /// A `while` is left by its own commands.
  enum class LoopExit : u8 { None, Break, Continue } loopExit = LoopExit::None;
  bool wasInterrupted() const { return interrupted; }
  /// The command under way came with a saved session, as a breakpoint's.
  bool isForeign() const { return foreign; }
  bool hasColours() const { return colours; }
  void setColours(bool on) { colours = on; }

private:
  bool executeWhole(llvm::StringRef line, bool repeated);
  llvm::Error executeLine(llvm::StringRef line, bool repeated);
  llvm::Error executeTellingProgress(const Command &command, const Invocation &invocation);
  llvm::Error feed(llvm::StringRef line, bool repeated);
  llvm::Error runCommand(llvm::StringRef line, bool repeated);
  llvm::Error checkReach(const Command &command) const;
  bool isSilent(const StopEvent &event);
  llvm::Error checkPreconditions(const Command &command) const;
  llvm::Error checkContext(const Command &command) const;
  std::string wayOn() const;
  std::string finishedText() const;
  std::string trappedText() const;
  void tellWatch(const StopEvent &event, const std::string &place);
  void tellWithoutWarp(const StopEvent &event);
  void tellOutput(const runtime::Prepared::OutputFile &file);
  llvm::Error tellEndOfContexts();
  std::string styled(llvm::StringRef code, llvm::StringRef text) const {
    return colours ? (code + text + "\x1b[0m").str() : text.str();
  }

  llvm::raw_ostream &errors;
  bool colours;
  bool quit = false, anyFailed = false;
  unsigned nesting = 0, depth = 0;
  llvm::Error collect(llvm::StringRef line);
  void queueCommandsOf(const StopEvent &stop);
  llvm::Error executeQueued();
  void report(llvm::Error error);
  /// Commands of breakpoints that are to be executed now. Those that came with a saved session reach nothing
  /// outside.
  struct Queued {
    std::string line;
    bool isForeign;
  };
  std::deque<Queued> queued;
  bool foreign = false;     ///< the command under way is such a one
  bool interrupted = false; ///< since the last line that was typed
  llvm::json::Array data;
  std::string repeatable; ///< the line an empty one stands for
};

} // namespace leno::dbg
