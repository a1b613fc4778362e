#include "dbg/web/Recording.h"
#include "dbg/Interrupt.h"
#include "dbg/JsonReport.h"
#include "dbg/SessionFile.h"
#include "dbg/web/Page.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace leno::dbg::web {

namespace {

/// Asks a copy of a session, and keeps each answer once.
class Recorder {
public:
  Recorder(Session &session, Interpreter &original)
      : copy(session, answers, nulls(), false), report(copy, answers, lines) {
    copy.reachesOut = false;
    copy.tableColumns = original.tableColumns;
    copy.tableFormat = original.tableFormat;
    copy.cacheShown = original.cacheShown;
    report.hello();
    hello = takeLine();
  }
  /// The last line that was said.
  std::string takeLine() {
    std::string last = StringRef(said).rtrim('\n').rsplit('\n').second.str();
    if (last.empty())
      last = StringRef(said).rtrim('\n').str();
    said.clear();
    return last;
  }
  size_t ask(StringRef command) {
    copy.execute(command);
    auto [found, isNew] = numbers.try_emplace(takeLine(), order.size());
    if (isNew) {
      order.push_back(found->first());
      bytes += found->first().size();
    }
    return found->second;
  }
  /// Goes to a tick, and says what is seen there.
  std::string stopAt(u64 tick) {
    copy.execute(("goto tick " + Twine(tick)).str());
    return StringRef(said).split('\n').first.str();
  }
  std::string stopHere() {
    said.clear();
    if (Error error = copy.tellAgain(*copy.session.lastStop()))
      consumeError(std::move(error));
    answers.forget();
    return StringRef(said).split('\n').first.str();
  }
  void forget() { said.clear(); }

  AnswerStream answers;
  std::string said;
  raw_string_ostream lines{said};
  Interpreter copy;
  JsonReport report;
  std::string hello;
  StringMap<size_t> numbers;
  std::vector<StringRef> order;
  size_t bytes = 0;
};

} // namespace

static constexpr size_t mostBytes = 64 << 20;

static std::string listOf(ArrayRef<std::string> parts) { return "[" + join(parts, ",") + "]"; }

Expected<Recording> record(Interpreter &interpreter, u64 moments) {
  SavedSession saved = savedSession(interpreter);
  // Nothing is done at a breakpoint while the copy goes back.
  for (Breakpoint &point : saved.breakpoints)
    point.commands.clear();
  Expected<std::unique_ptr<Session>> session = openSession(saved);
  if (!session)
    return session.takeError();
  Recorder recorder(**session, interpreter);
  if (Error error = repeatSession(saved, recorder.copy, /*interruptible=*/true))
    return std::move(error);
  recorder.forget();

  std::vector<std::string> program, all;
  std::string kernel = (*session)->isAlone() ? " " + (*session)->focus().kernel().name : "";
  program.push_back(std::to_string(recorder.ask("disassemble" + kernel)));
  for (const std::string &file : (*session)->code().names().files())
    program.push_back(std::to_string(recorder.ask(file.find(' ') == std::string::npos
                                                      ? "list " + file + ":1,100000"
                                                      : "list \"" + file + "\":1,100000")));
  u64 last = (*session)->timeline().now();
  u64 first = last - std::min(last, moments - 1);
  for (u64 tick = last + 1; tick-- > first;) {
    std::string stop = tick == last ? recorder.stopHere() : recorder.stopAt(tick);
    recorder.forget();
    std::vector<std::string> asked;
    for (StringRef command : commandsOfStop())
      asked.push_back(std::to_string(recorder.ask(command)));
    all.push_back("{\"stop\":" + stop + ",\"answers\":" + listOf(asked) + "}");
    if (interruptRequested())
      return createStringError("interrupted: no page is written");
    if (recorder.bytes > mostBytes)
      return createStringError("the page would be larger than " + Twine(mostBytes >> 20) +
                               " MiB: ask for fewer moments than " + Twine(moments));
  }
  std::reverse(all.begin(), all.end());
  std::string answers;
  for (StringRef answer : recorder.order)
    answers += (answers.empty() ? "" : ",") + answer.str();
  return Recording{first, last,
                   "{\"hello\":" + recorder.hello + ",\"program\":" + listOf(program) +
                       ",\"moments\":" + listOf(all) + ",\"answers\":[" + answers + "]}"};
}

} // namespace leno::dbg::web
