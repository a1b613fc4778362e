#include "dbg/Interpreter.h"
#include "dbg/source/Object.h"
#include "asm/support/InputFile.h"
#include "asm/support/ProgressLine.h"
#include "dbg/Habits.h"
#include "dbg/Interrupt.h"
#include "dbg/StopWords.h"
#include "dbg/Text.h"
#include "emu/sm/Cta.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace leno::dbg {

/// Scripts that source scripts.
static constexpr unsigned deepestScript = 16;

//===--- Lines ------------------------------------------------------------===//

bool Interpreter::execute(StringRef line) {
  line = line.trim();
  if (line.starts_with("#") && !collecting)
    return true;
  bool repeated = line.empty() && !collecting;
  std::string text = repeated ? repeatable : line.str();
  if (text.empty() && !collecting)
    return true;
  bool succeeded = executeWhole(text, repeated);
  if (onAnswer)
    onAnswer(text, succeeded);
  return succeeded;
}

bool Interpreter::executeWhole(StringRef line, bool repeated) {
  if (nesting == 0)
    interrupted = false;
  loopExit = LoopExit::None;
  Error error = feed(line, repeated);
  if (!error)
    error = executeQueued();
  if (!error && loopExit != LoopExit::None) // no `while` has taken it
    error = createStringError("no `while` is open that this could leave");
  queued.clear();
  // Whoever closed the pipe wants no more.
  if ((&out == &outs() || (log && &log->base() == &outs())) && outs().has_error())
    quit = true;
  if (!error)
    return true;
  report(std::move(error));
  return false;
}

Error Interpreter::feed(StringRef line, bool repeated) {
  Error error = collecting ? collect(line) : executeLine(line, repeated);
  flush(); // the next line may run for long
  return error;
}

Error Interpreter::executeCommand(StringRef line) { return executeLine(line.trim(), false); }

/// The commands of the breakpoint that stopped, and those of the next when they go on.
Error Interpreter::executeQueued() {
  while (!queued.empty()) {
    Queued next = std::move(queued.front());
    queued.pop_front();
    bool outer = std::exchange(foreign, next.isForeign);
    Error error = feed(next.line, false);
    foreign = outer;
    if (error)
      return error;
    if (interrupted || interruptRequested())
      break;
  }
  queued.clear();
  return Error::success();
}

Error Interpreter::executeLines(ArrayRef<std::string> lines) {
  static constexpr unsigned deepest = 100;
  if (depth == deepest)
    return createStringError("commands that run commands are nested more than " + Twine(deepest) + " deep");
  // What a stop within is to do is done before the next line; what an outer one has left comes after.
  std::deque<Queued> outer = std::exchange(queued, {});
  ++depth;
  auto whole = [&]() -> Error {
    for (const std::string &line : lines) {
      if (quit || loopExit != LoopExit::None)
        break;
      if (Error error = feed(line, false))
        return error;
      if (Error error = executeQueued())
        return error;
      if (interrupted || interruptRequested())
        return createStringError("interrupted");
    }
    return Error::success();
  };
  Error error = whole();
  --depth;
  if (error)
    collecting.reset();
  else
    queued = std::move(outer);
  return error;
}

void Interpreter::executeCommandsOf(const StopEvent &stop) {
  queueCommandsOf(stop);
  if (Error error = executeQueued())
    report(std::move(error));
}

/// The word is no command to execute: it has done its work when the stop was not told.
static bool startsSilently(const Breakpoint &point) {
  return !point.commands.empty() && point.commands.front() == "silent";
}

/// Whether the first breakpoint that has commands wants the stop untold.
bool Interpreter::isSilent(const StopEvent &stop) {
  for (unsigned id : stop.breakpoints)
    if (const Breakpoint *point = session.stops().breakpoints().find(id); point && !point->commands.empty())
      return startsSilently(*point);
  return false;
}

void Interpreter::queueCommandsOf(const StopEvent &stop) {
  if (auto hook = userCommands.find("hook-stop"); hook != userCommands.end())
    for (const std::string &line : hook->second.lines)
      queued.push_back({line, false});
  for (unsigned id : stop.breakpoints)
    if (const Breakpoint *point = session.stops().breakpoints().find(id))
      for (const std::string &line : drop_begin(point->commands, startsSilently(*point)))
        queued.push_back({line, point->isForeign});
}

void Interpreter::note(json::Object found) {
  if (onAnswer)
    data.push_back(std::move(found));
}

void Interpreter::report(Error error) {
  queued.clear();
  anyFailed = true;
  handleAllErrors(std::move(error), [&](const ErrorInfoBase &info) {
    if (onError)
      return onError(info);
    std::string words;
    raw_string_ostream os(words);
    os << "error: ";
    info.log(os);
    os << '\n';
    errors << words;
    if (log)
      log->alsoTo(words);
  });
  errors.flush();
}

static bool opensBlock(StringRef line) {
  StringRef rest;
  Expected<const Command *> found = findCommand(line, rest);
  if (found)
    return (*found)->flags & Command::OpensBlock;
  consumeError(found.takeError());
  return false;
}

Error Interpreter::collect(StringRef line) {
  line = line.trim();
  Block &block = *collecting;
  if (line == "end" && block.depth == 0) {
    Block whole = std::move(*collecting);
    collecting.reset();
    return whole.done(*this, whole.about, std::move(whole.lines));
  }
  if (line.empty() || line.starts_with("#"))
    return Error::success();
  if (line == "end")
    --block.depth;
  else if (opensBlock(line))
    ++block.depth;
  block.lines.push_back(line.str());
  return Error::success();
}

std::string Interpreter::promptNow() const {
  return collecting ? std::string(collecting->depth, ' ') + "> " : settings.prompt;
}

std::string Interpreter::wayOn() const {
  return !session.program()          ? "`run` runs it again"
         : session.isEarlierLaunch() ? "`launch` leads to the one that the program has come to"
         : session.program()->runs() ? "`continue` goes on with the program"
                                     : "`run` starts the program again";
}

std::string Interpreter::finishedText() const {
  return "the kernel has finished: `reverse-stepi` goes back to its last instruction, " + wayOn();
}

std::string Interpreter::trappedText() const {
  return "the kernel has trapped and cannot go on: `reverse-stepi` goes back before the trap, " + wayOn();
}

Error Interpreter::checkPreconditions(const Command &command) const {
  SessionState state = session.state();
  bool notStarted = state == SessionState::NotStarted;
  if ((command.flags & Command::GoesOn) && session.program() && !session.program()->runs() &&
      state == SessionState::Stopped && !session.isEarlierLaunch())
    return createStringError(
        "the program does not run any more, and nobody waits for the launch: `run` starts the "
        "program again, `stepi` goes on in the launch");
  if ((command.flags & Command::GoesOn) && session.canContinue())
    return Error::success();
  if ((command.flags & (Command::NeedsLaunch | Command::NeedsWarp | Command::NeedsRunnable)) && notStarted)
    return createStringError(
        !session.program()
            ? "the kernel is not running: `run` runs it, `start` stops before its first instruction"
        : session.program()->runs()
            ? "the program has launched no kernel yet: `continue` waits for one"
            : "the program is not running: `run` runs it, `start` stops in its first kernel");
  if (command.flags & Command::NeedsRunnable) {
    if (state == SessionState::Finished)
      return createStringError(finishedText());
    if (state == SessionState::Trapped && session.program())
      return createStringError(trappedText());
    if (state == SessionState::Trapped)
      return createStringError(
          session.focus().trap() && session.focus().trap()->kind == TrapKind::Timeout
              ? "the kernel has executed its limit of instructions: `set max-instructions NUMBER` raises it, "
                "`reverse-stepi` goes back before the trap, `run` runs it again"
              : trappedText());
  }
  if (!session.isAlone())
    if (Error error = checkContext(command))
      return error;
  if ((command.flags & Command::NeedsWarp) && !session.focus().warp())
    return createStringError(state == SessionState::Finished
                                 ? finishedText()
                                 : "no warp is in focus: `cta` and `warp` choose one");
  return Error::success();
}

Error Interpreter::checkContext(const Command &command) const {
  bool looks = command.group == Command::Looking || command.group == Command::Focusing;
  bool needsGrid = (command.flags & Command::NeedsWarp) || (looks && (command.flags & Command::NeedsLaunch) &&
                                                            !(command.flags & Command::AnyContext));
  if (needsGrid && !session.focus().gridIfAny() && session.state() == SessionState::Finished)
    return createStringError(finishedText());
  if (needsGrid && !session.focus().gridIfAny())
    return createStringError("context '" + session.focus().contextName(session.focus().position().context) +
                             "' runs no kernel now: `info contexts` shows what each does");
  if (const Context *trapped = session.trappedContext();
      trapped && (command.flags & Command::NeedsWarp) && (command.flags & Command::NeedsRunnable))
    return createStringError("context '" + session.focus().contextName(trapped->id()) +
                             "' has trapped: `continue` ends it and goes on with the others");
  return Error::success();
}

Error Interpreter::checkReach(const Command &command) const {
  if (!(command.flags & Command::Outside))
    return Error::success();
  if (!reachesOut)
    return createStringError("'" + command.name + "' is switched off here: nothing outside can be reached");
  if (foreign)
    return createStringError(
        "'" + command.name +
        "' is not run: these commands came with the saved session; `commands NUMBER` gives a "
        "breakpoint yours");
  return Error::success();
}

// What the user has made comes first, then what other debuggers call otherwise.
Error Interpreter::executeLine(StringRef line, bool repeated) {
  std::string whole;
  if (auto alias = aliases.find(line.take_until([](char c) { return c == ' ' || c == '/'; }));
      alias != aliases.end())
    line = whole = alias->second + line.drop_front(alias->first.size()).str();
  auto [word, after] = line.split(' ');
  if (userCommands.count(word)) {
    repeatable.clear();
    return executeUserCommand(word, after.trim());
  }
  std::optional<FoundHabit> habit = findHabit(line);
  if (!habit)
    return runCommand(line, repeated);
  repeatable.clear();
  switch (habit->kind) {
  case Habit::Refuse:
    return textError(line, 0, habit->text);
  case Habit::Tell:
    out << habit->text << '\n';
    note({{"kind", "note"}, {"text", habit->text}});
    return Error::success();
  case Habit::Run:
    break;
  }
  return runCommand(habit->text, repeated);
}

Error Interpreter::runCommand(StringRef line, bool repeated) {
  StringRef rest;
  Expected<const Command *> found = findCommand(line, rest);
  if (!found)
    return found.takeError();
  const Command &command = **found;
  repeatable = command.flags & Command::Repeats ? line.str() : "";
  StringRef format;
  // `x /4xw y` is gdb's, too.
  if ((command.flags & Command::TakesFormat) && rest.ltrim().starts_with("/"))
    rest = rest.ltrim();
  if (rest.starts_with("/")) {
    if (!(command.flags & Command::TakesFormat))
      return textError(line, columnIn(line, rest), "'" + command.name + "' takes no format");
    size_t end = rest.find_if([](char c) { return isSpace(c); });
    format = rest.slice(1, end);
    rest = rest.substr(std::min(end, rest.size()));
  }
  StringRef arguments = rest.trim();
  if ((command.flags & Command::NoArguments) && !arguments.empty())
    return textError(line, columnIn(line, arguments), "'" + command.name + "' takes no arguments");
  if (Error error = checkReach(command))
    return error;
  if (Error error = checkPreconditions(command))
    return error;
  if (session.program()) // which may print, too
    flush();
  return executeTellingProgress(command, {command, format, arguments, repeated});
}

void Interpreter::flush() {
  out.flush();
  if (log)
    log->base().flush();
}

/// Going back may take a while: a terminal shows how far it is.
Error Interpreter::executeTellingProgress(const Command &command, const Invocation &invocation) {
  if (command.group != Command::Back || session.state() == SessionState::NotStarted)
    return command.run(*this, invocation);
  ProgressLine progress;
  Timeline &timeline = session.timeline();
  timeline.onProgress = [&](u64 tick) {
    progress.update([&](raw_ostream &os) {
      os << llvm::format("%.0f s: going back, at %.1f M of %.1f M ticks; Ctrl-C stays here",
                         progress.seconds(), double(tick) / 1e6, double(timeline.now()) / 1e6);
    });
  };
  Error error = command.run(*this, invocation);
  timeline.onProgress = nullptr;
  return error;
}

Error Interpreter::executeUserCommand(StringRef name, StringRef arguments) {
  SmallVector<StringRef, 8> words;
  SplitString(arguments, words);
  std::vector<std::string> lines = userCommands.find(name)->second.lines;
  for (std::string &line : lines) {
    std::string filled;
    StringRef rest = line;
    for (size_t at; (at = rest.find("$arg")) != StringRef::npos;) {
      filled += rest.take_front(at);
      rest = rest.substr(at + 4);
      unsigned number;
      if (rest.consume_front("c"))
        filled += std::to_string(words.size());
      else if (!rest.consumeInteger(10, number)) {
        // One that is missing matters where it is used.
        filled += number < words.size() ? words[number].str() : "$arg" + std::to_string(number);
      } else
        filled += "$arg";
    }
    line = filled + rest.str();
  }
  return executeLines(lines);
}

Error Interpreter::executeFile(StringRef path, bool echo) {
  if (nesting == deepestScript)
    return createStringError("scripts that source scripts are nested more than " + Twine(deepestScript) +
                             " deep");
  Expected<std::unique_ptr<MemoryBuffer>> file = readWhole(path);
  if (!file)
    return createStringError("cannot read '" + path + "': " + toString(file.takeError()));
  ++nesting;
  for (line_iterator line(**file, /*SkipBlanks=*/false); !line.is_at_end() && !quit && !interrupted; ++line) {
    StringRef text = line->rtrim();
    // A blank line of a script sets its parts apart and repeats nothing.
    if (text.empty() || text.ltrim().starts_with("#"))
      continue;
    if (!onAnswer && echo)
      out << promptNow() << text << '\n';
    execute(text);
  }
  --nesting;
  if (interrupted)
    return createStringError("interrupted: the rest of '" + path + "' is left out");
  return Error::success();
}

//===--- Sources ----------------------------------------------------------===//

void Interpreter::noteProgramTime() {
  sources.since.reset();
  auto look = [&](StringRef file) {
    sys::fs::file_status status;
    if (file != "-" && !sys::fs::status(file, status))
      sources.since = std::max(sources.since.value_or(sys::TimePoint<>()), status.getLastModificationTime());
  };
  const runtime::Prepared &prepared = session.prepared();
  for (u32 context = 0; prepared.writesFiles() && context < prepared.contextCount(); ++context)
    for (const auto &launch : prepared.launches(context)) // a saved session has its sources in itself
      look(launch.file);
  sources.onNewer = [this](StringRef file) {
    out << "warning: " << sys::path::filename(file)
        << " is newer than the program: its lines may be others than those that were assembled\n";
    note({{"kind", "warning"}, {"newer", file}});
  };
}

//===--- Stops ------------------------------------------------------------===//

std::string Interpreter::describeLine(u64 address) const {
  std::optional<SourceLine> line = session.focus().executable().line(address);
  return line ? formatv("{0}:{1}", sys::path::filename(line->file), line->line).str() : "";
}

std::string Interpreter::describePlace(u64 address) const {
  std::string line = describeLine(address);
  return session.code().describe(address) + (line.empty() ? "" : " at " + line);
}

std::string Interpreter::describeWarp(const Warp &warp) const {
  std::string context = session.focus().contextIfSeveral(warp.grid().device().contextId(), "", " ");
  return context + formatv("cta {0} warp {1}, {2}, {3}", describeIndex(warp.cta().index()), warp.index(),
                           warp.exited() ? "exited" : describeLanes(warp.active),
                           describePlace(warp.pcBytes()))
                       .str();
}

void Interpreter::printCurrentLine() {
  Warp *warp = session.focus().warp();
  if (!warp)
    return;
  u64 pc = warp->pcBytes();
  if (std::optional<SourceLine> line = session.focus().executable().line(pc))
    if (std::optional<StringRef> text = sources.line(line->file, line->line)) {
      out << line->line << '\t' << *text << '\n';
      return;
    }
  if (session.code().isInstruction(pc))
    printInstruction(pc, pc);
  if (std::optional<SourceLine> line = session.focus().executable().line(pc))
    if (sources.isNewlyMissing(line->file))
      out << sources.cannotFind(line->file) << "; `directory` and `set substitute-path` say where it is\n";
}

void Interpreter::printInstruction(u64 address, std::optional<u64> pc) {
  bool isHere = pc == address;
  std::string text = formatv("{0} {1} <{2}>:  {3}", isHere ? "=>" : "  ", hexAddress(address),
                             session.code().describe(address), session.code().text(address));
  out << (isHere ? bold(text) : text) << '\n';
}

void Interpreter::printDisplays() {
  for (const Display &display : displays)
    if (display.enabled)
      printDisplay(display);
}

void Interpreter::printDisplay(const Display &display) {
  bool isCode = display.format == 'i';
  out << display.id << ": " << (isCode ? "x/i " : "") << display.expression.text() << (isCode ? "\n" : " = ");
  Error wrong = Error::success();
  if (isCode) {
    Expected<Value> value = display.expression.evaluate(session.focus().context());
    if (value && session.code().isInstruction(value->integer()))
      return printInstruction(value->integer(), session.focus().pc());
    if (value)
      out << "<no instruction is at " << hexAddress(value->integer()) << ">\n";
    else
      wrong = value.takeError();
  } else if (Expected<std::string> text = show(display.expression, display.format))
    out << *text << '\n';
  else
    wrong = text.takeError();
  if (wrong) {
    // Not the command's fault: said in its place.
    std::string message;
    handleAllErrors(
        std::move(wrong), [&](const TextError &error) { message = error.message; },
        [&](const ErrorInfoBase &error) { message = error.message(); });
    out << "<" << message << ">\n";
  }
}

static std::string numbersOf(const StopEvent &event) {
  return join(map_range(event.breakpoints, [](unsigned id) { return std::to_string(id); }), ", ");
}

void Interpreter::tellWatch(const StopEvent &event, const std::string &place) {
  const Breakpoint *first = session.stops().breakpoints().find(event.breakpoints[0]);
  const char *what = !first                             ? "Deleted breakpoint "
                     : first->kind == Breakpoint::Catch ? "Catchpoint "
                                                        : "Watchpoint ";
  out << bold(what + numbersOf(event) + ", " + place) << '\n';
  for (const std::string &detail : event.details)
    out << "  " << detail << '\n';
}

/// Several contexts, and the one in focus runs nothing that can be looked at.
void Interpreter::tellWithoutWarp(const StopEvent &event) {
  const LanePosition &focus = session.focus().position();
  std::string place = "context " + session.focus().contextName(focus.context) +
                      (session.focus().gridIfAny() ? " has no cta on an SM" : " runs no kernel") +
                      formatv(", cycle {0}", session.prepared().run().cycle()).str();
  if (event.kind == StopEvent::Watch)
    tellWatch(event, place);
  else
    out << place << '\n';
  queueCommandsOf(event);
}

void Interpreter::tellOutput(const runtime::Prepared::OutputFile &file) {
  if (file.file.path != "print:")
    out << (session.prepared().writesFiles() ? "[wrote " : "[a saved session writes no files: ") << file.what
        << " to " << file.file.path << "]\n";
}

/// Each context's end, and the outputs of those that have finished: as leno-run has it.
Error Interpreter::tellEndOfContexts() {
  runtime::Prepared &contexts = session.prepared();
  for (const auto &context : contexts.run().contexts()) {
    if (context->alive())
      out << formatv("[context {0}: {1}, {2}]\n", session.focus().contextName(context->id()),
                     plural(context->launches().size(), "launch") == "1 launch"
                         ? std::string("1 launch")
                         : std::to_string(context->launches().size()) + " launches",
                     plural(context->counts().instructions, "warp instruction"));
    else
      out << formatv("[context {0} ended: {1}]\n", session.focus().contextName(context->id()),
                     StringRef(contexts.describeEnd(context->id())).rtrim());
  }
  out << formatv("[cycle {0}]\n", contexts.run().cycle());
  if (std::string waits = contexts.describeWaits(); !waits.empty())
    out << waits << (StringRef(waits).ends_with("\n") ? "" : "\n") << "[nobody will release it]\n";
  for (const auto &context : contexts.run().contexts())
    if (contexts.losesOutputs(context->id()))
      out << formatv("[the outputs of context {0} are not written]\n",
                     session.focus().contextName(context->id()));
  if (Error error = contexts.writeOutputs(out))
    return error;
  for (const auto &file : contexts.outputs())
    if (file.isWritten)
      tellOutput(file);
  return Error::success();
}

Error Interpreter::tell(const StopEvent &event) {
  GridRun *grid = session.focus().gridIfAny();
  bool isElsewhere =
      event.kind == StopEvent::ProgramEnded ||
      (event.kind == StopEvent::Interrupted && session.isBetweenLaunches() && !session.isEarlierLaunch());
  Warp *warp = isElsewhere ? nullptr : session.focus().warp();
  listNext.reset();
  frame = 0;
  interrupted |= event.kind == StopEvent::Interrupted;
  if (onStop)
    onStop(event);
  if (isSilent(event)) {
    queueCommandsOf(event);
    return Error::success();
  }
  switch (event.kind) {
  case StopEvent::Finished: {
    if (!session.isAlone())
      return tellEndOfContexts();
    out << formatv("[kernel {0} finished: {1}, {2}, {3}]\n", session.focus().kernel().name,
                   plural(grid->ctasStarted(), "cta"),
                   plural(grid->ctasStarted() * grid->warpsPerCta(), "warp"),
                   plural(grid->instructions(), "warp instruction"));
    if (Error error = session.prepared().writeOutputs(out))
      return error;
    for (const auto &file : session.prepared().outputs())
      tellOutput(file);
    return Error::success();
  }
  case StopEvent::Trapped:
    if (!event.breakpoints.empty())
      out << bold("Catchpoint " + numbersOf(event)) << '\n';
    if (const std::optional<Trap> &trap = session.focus().trap())
      out << bold(session.focus().describe(*trap)) << '\n';
    if (warp)
      out << describeWarp(*warp) << '\n';
    break;
  case StopEvent::HistoryStart:
  case StopEvent::WarpStart: {
    std::string sentence = wordsOf(event, session.stops().breakpoints()).sentence.str();
    sentence[0] = toLower(sentence[0]);
    out << '[' << sentence << "]\n";
    break;
  }
  case StopEvent::ProgramEnded:
    out << "[" << event.details.front() << "]\n";
    return Error::success();
  case StopEvent::Interrupted:
    if (isElsewhere)
      out << "[interrupted: the program runs no kernel, and goes on until it launches one]\n";
    break;
  case StopEvent::WarpExited:
    out << formatv(
        "[{0}cta {1} warp {2} {3}]\n", session.focus().contextIfSeveral(event.exited.context, "", " "),
        describeIndex(event.exited.cta), event.exited.warp, event.killed ? "was killed by KIL" : "exited");
    break;
  default:
    break;
  }
  if (!warp) {
    if (!session.isAlone())
      tellWithoutWarp(event);
    return Error::success();
  }
  std::string place = describeWarp(*warp);
  switch (event.kind) {
  case StopEvent::Breakpoint:
    out << bold("Breakpoint " + numbersOf(event) + ", " + place);
    if (event.lanesMet)
      out << ", condition met by " << describeLanes(*event.lanesMet);
    out << '\n';
    break;
  case StopEvent::Watch: {
    tellWatch(event, place);
    break;
  }
  case StopEvent::BreakInstruction:
    out << bold(formatv("BPT {0}, {1}", event.code, place).str()) << '\n';
    break;
  case StopEvent::Interrupted:
    out << bold("Interrupted, " + place) << '\n';
    break;
  case StopEvent::Start:
  case StopEvent::Step:
  case StopEvent::WarpExited:
  case StopEvent::HistoryStart:
  case StopEvent::WarpStart:
    out << place << '\n';
    break;
  case StopEvent::Finished:
  case StopEvent::Trapped:
  case StopEvent::ProgramEnded:
    break;
  }
  for (const std::string &problem : event.problems)
    out << "  " << problem << '\n';
  printCurrentLine();
  if (settings.showsInstruction && session.code().isInstruction(warp->pcBytes()) &&
      describeLine(warp->pcBytes()) != "")
    printInstruction(warp->pcBytes(), warp->pcBytes());
  printDisplays();
  queueCommandsOf(event);
  return Error::success();
}

Error Interpreter::tellAgain(const StopEvent &event) {
  Error error = tell(event);
  queued.clear();
  return error;
}

//===--- Values -----------------------------------------------------------===//

Expected<Value> Interpreter::evaluate(StringRef text) {
  Expected<Expression> expression = Expression::parse(text);
  if (!expression)
    return expression.takeError();
  return expression->evaluate(session.focus().context());
}

std::string Interpreter::format(const Value &value, char format) const {
  return formatValue(value, format, [&](u64 address) { return session.code().describe(address); });
}

std::string Interpreter::format(const source::Object &object, const LaneContext &context, char letter) const {
  return source::format(object, context, letter, [&](u64 address) { return session.code().describe(address); });
}

Expected<std::string> Interpreter::show(const Expression &expression, char letter) {
  WarpContext context = session.focus().context();
  Expected<std::optional<std::vector<source::Object>>> objects = expression.objects(context);
  if (!objects)
    return objects.takeError();
  if (!*objects) {
    Expected<std::vector<Value>> values = expression.evaluateAll(context);
    if (!values)
      return values.takeError();
    return expression.isRange() ? formatRange(expression, *values, letter) : format(values->front(), letter);
  }
  return format(expression, **objects, context, letter);
}

std::string Interpreter::format(const Expression &expression, ArrayRef<source::Object> objects,
                                const LaneContext &context, char letter) const {
  if (!expression.isRange())
    return format(objects.front(), context, letter);
  std::string text;
  bool isOfLanes = expression.isOfLanes();
  for (const source::Object &object : objects)
    text += (text.empty() ? "" : ", ") + (isOfLanes ? "[" + std::to_string(object.lane) + "] = " : "") +
            format(object, context, letter);
  return "{" + text + "}";
}

std::string Interpreter::formatRange(const Expression &range, ArrayRef<Value> values, char letter) {
  Expected<LaneMask> lanes = range.lanesOfRange(session.focus().context());
  LaneMask left = lanes ? *lanes : 0;
  if (!lanes)
    consumeError(lanes.takeError());
  if (!left)
    return formatList(values, letter);
  std::string text;
  for (const Value &value : values) {
    std::string one = formatList(value, letter);
    text += formatv("{0}[{1}] = {2}", text.empty() ? "" : ", ", __builtin_ctz(left),
                    StringRef(one).drop_front().drop_back());
    left &= left - 1;
  }
  return "{" + text + "}";
}

std::string Interpreter::formatList(ArrayRef<Value> values, char letter) const {
  // A word has three faces: one is enough in a list.
  auto text = [&](const Value &value) {
    return format(value, letter || value.type != ValueType::Word ? letter : 'd');
  };
  return "{" + join(map_range(values, text), ", ") + "}";
}

Expected<Location> Interpreter::location(StringRef text) {
  return parseLocation(text, session.code().names(), session.focus().context());
}

} // namespace leno::dbg
