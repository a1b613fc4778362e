#include "dbg/SessionFile.h"
#include "asm/support/InputFile.h"
#include "asm/support/ProgressLine.h"
#include "asm/support/Tool.h"
#include "dbg/Interrupt.h"
#include "dbg/SessionJson.h"
#include "dbg/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"

using namespace llvm;

namespace leno::dbg {

static constexpr StringLiteral magic = "LENO SESSION ";
static constexpr unsigned version = 7;

static std::string checksum(StringRef text) {
  return toHex(SHA256::hash(arrayRefFromStringRef(text)), /*LowerCase=*/true);
}

bool isSessionFile(StringRef path) {
  if (path == "-")
    return false;
  auto start = MemoryBuffer::getFileSlice(path, magic.size(), 0);
  return start && (*start)->getBuffer() == magic;
}

//===--- Saving -----------------------------------------------------------===//

SavedSession savedSession(Interpreter &interpreter) {
  Session &session = interpreter.session;
  SavedSession saved;
  saved.work = session.prepared().save();
  for (std::string *name : {&saved.work.options.file, &saved.work.options.contexts})
    *name = sys::path::filename(*name).str(); // folders of this machine mean nothing there
  saved.moment = session.moment();
  saved.breakpoints = session.stops().breakpoints().all().vec();
  for (Breakpoint &point : saved.breakpoints)
    if (!point.message.empty())
      point.commands = {"silent", "printf " + point.message, "continue"};
  for (const Breakpoint &point : saved.breakpoints)
    saved.programs.push_back(session.stops().launchThatRuns(point));
  for (const Interpreter::Display &display : interpreter.displays)
    saved.displays.push_back({display.format, display.expression.text().str()});
  for (const std::string &file : session.code().names().files())
    if (std::string text = interpreter.sources.whole(file); !text.empty())
      saved.sources[file] = std::move(text);
  saved.hash = stateHash(session.prepared().run());
  return saved;
}

Error saveSession(Interpreter &interpreter, StringRef path) {
  std::string body;
  raw_string_ostream(body) << json::Value(sessionToJson(savedSession(interpreter))) << '\n';
  std::string whole = (magic + Twine(version) + "\n" + checksum(body) + "\n" + body).str();
  return writeWhole({{path, whole}});
}

//===--- Opening ----------------------------------------------------------===//

Expected<SavedSession> readSession(StringRef path) {
  Expected<std::unique_ptr<MemoryBuffer>> file = readInput(path);
  if (!file)
    return file.takeError();
  auto fail = [&](const Twine &why) { return createStringError(path + ": " + why); };
  StringRef text = (*file)->getBuffer();
  auto [first, afterFirst] = text.split('\n');
  auto [sum, body] = afterFirst.split('\n');
  unsigned number;
  if (!first.consume_front(magic) || first.getAsInteger(10, number))
    return fail("this is no saved session");
  if (number != version)
    return fail("the session has version " + Twine(number) + " of the format; this debugger reads version " +
                Twine(version));
  if (sum != checksum(body))
    return fail("the session is damaged: its checksum does not fit its content");
  Expected<json::Value> document = json::parse(body);
  if (!document)
    return fail("the session is damaged: " + toString(document.takeError()));
  Expected<SavedSession> saved = sessionFromJson(*document);
  if (!saved)
    return fail("the session is damaged: " + toString(saved.takeError()));
  return saved;
}

Expected<std::unique_ptr<Session>> openSession(SavedSession &saved) {
  auto work = runtime::Prepared::create(std::move(saved.work));
  if (!work)
    return work.takeError();
  return std::make_unique<Session>(std::move(*work));
}

/// Executes the past, telling how far it has come.
static Error repeatMoment(const Session::Moment &moment, Session &session, bool interruptible) {
  double ticks = 0;
  for (const Timeline::Stretch &stretch : moment.past.stretches)
    ticks += double(stretch.count);
  ProgressLine progress;
  return session.repeat(moment, [&] {
    progress.update([&](raw_ostream &os) {
      os << format("%.0f s: %.1f M of %.1f M ticks executed again", progress.seconds(),
                   double(session.timeline().now()) / 1e6, ticks / 1e6);
    });
    return !interruptible || !interruptRequested();
  });
}

Error repeatSession(const SavedSession &saved, Interpreter &interpreter, bool interruptible) {
  Session &session = interpreter.session;
  for (const auto &[file, text] : saved.sources)
    interpreter.sources.give(file, text);
  if (Error error = repeatMoment(saved.moment, session, interruptible)) {
    if (!interruptible || !interruptRequested())
      return error;
    consumeError(std::move(error));
    return createStringError(formatv("interrupted {0} after the session's start, before the moment in which "
                                     "it was saved: it is not open",
                                     plural(session.timeline().now(), "tick")));
  }
  if (stateHash(session.prepared().run()) != saved.hash)
    return createStringError(
        "executed again, the machine does not come out as it was: the session is of another "
        "version of Leno");
  session.stops().breakpoints().adopt(saved.breakpoints);
  for (size_t i = 0; i < saved.breakpoints.size(); ++i) {
    Breakpoint &point = session.stops().breakpoints().all()[i];
    point.isForeign = true;
    if (point.kind == Breakpoint::Catch && isOfChecks(point.caught))
      if (Error error = session.setChecksFor(point.caught))
        return error;
    if (!saved.programs[i])
      continue;
    auto [context, launch] = *saved.programs[i];
    if (context >= session.prepared().contextCount() || launch >= session.prepared().launches(context).size())
      return createStringError("the session is damaged: a breakpoint is in no program of it");
    point.program = session.prepared().launches(context)[launch].executable;
  }
  session.stops().arm();
  for (const SavedSession::Display &display : saved.displays)
    if (Expected<Expression> expression = Expression::parse(display.expression))
      interpreter.displays.push_back({++interpreter.lastDisplay, display.format, std::move(*expression)});
    else
      consumeError(expression.takeError());
  if (session.state() == SessionState::NotStarted || !session.lastStop())
    return Error::success();
  if (session.state() == SessionState::Finished) {
    interpreter.out << "[kernel " << session.focus().kernel().name << " has finished]\n";
    return Error::success();
  }
  // Where it stands, without the breakpoints' commands: they were executed then.
  StopEvent here = *session.lastStop();
  return interpreter.tellAgain(here);
}

} // namespace leno::dbg
