// The requests that move the machine, and what is told of its stops.
#include "dbg/StopWords.h"
#include "dbg/Text.h"
#include "dbg/dap/Server.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace leno::dbg::dap {

/// What has ended goes on no more, but back.
static Error needRunnable(const Session &session) {
  if (session.state() == SessionState::Finished)
    return createStringError(session.canContinue() ? "the kernel has finished: step back, or continue"
                                                   : "the kernel has finished: step back, or restart it");
  return Error::success();
}

//===--- Serving meanwhile ------------------------------------------------===//

bool Server::stopAsked() const {
  // A session that is opened cannot stop half-way.
  return over || afterwards || restartHeld || cancelAsked || again ||
         (pauseAsked && activity != Activity::Opening);
}

bool Server::attend() {
  if (!running())
    return false;
  while (!attending && !inbox.empty() && !over && !afterwards && !restartHeld) {
    attending = true;
    handle(inbox.take());
    attending = false;
  }
  showProgress();
  return stopAsked();
}

void Server::showProgress() {
  // While the kernel runs forward the client shows it by itself.
  if (!clientShowsProgress || activity == Activity::Forward)
    return;
  auto now = std::chrono::steady_clock::now();
  if (now - (progressShown ? reported : begun) < std::chrono::milliseconds(progressShown ? 500 : 1000))
    return;
  reported = now;
  auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - begun).count();
  json::Object body{{"message", std::to_string(seconds) + " s"}};
  if (!std::exchange(progressShown, true)) {
    body["title"] = jsonText(doing);
    body["requestId"] = request;
    body["cancellable"] = true;
    body["progressId"] = std::to_string(++progressId);
    return event("progressStart", std::move(body));
  }
  body["progressId"] = std::to_string(progressId);
  if (activity == Activity::Opening && wholeWay > 0)
    body["percentage"] = std::min(100.0, 100 * double(session->timeline().now()) / wholeWay);
  event("progressUpdate", std::move(body));
}

void Server::enter(Activity what) {
  activity = what;
  pauseAsked = cancelAsked = again = progressShown = false;
  begun = std::chrono::steady_clock::now();
}

void Server::leave() {
  if (std::exchange(progressShown, false))
    event("progressEnd", json::Object{{"progressId", std::to_string(progressId)}});
  activity = Activity::None;
  again |= std::exchange(restartHeld, false); // unless the request leads elsewhere
  for (Incoming &waiting : std::exchange(held, {}))
    handle(std::move(waiting));
}

void Server::move(Activity what, std::function<Expected<StopEvent>()> how) {
  afterwards = [this, what, how = std::move(how)] {
    for (;;) {
      doing = "Going back";
      Expected<StopEvent> stop = moving(what, how);
      if (over || afterwards)
        return consumeError(stop.takeError());
      if (stop)
        return tellStop(*stop);
      bool asked = pauseAsked || cancelAsked;
      if (again && !asked) {
        consumeError(stop.takeError());
        continue;
      }
      // The client believes that it runs. What fails is a step back, where there is none or where it was
      // interrupted.
      print("console", toString(stop.takeError()) + "\n");
      return tellStopped({asked ? StopEvent::Interrupted : StopEvent::WarpStart});
    }
  };
}

/// Runs until there is a stop to tell.
void Server::runOn(bool fromStart) {
  for (;;) {
    Expected<StopEvent> stop = moving(Activity::Forward, [&] {
      return std::exchange(fromStart, false) ? session->run() : Expected<StopEvent>(session->resume());
    });
    if (over || afterwards)
      return consumeError(stop.takeError());
    if (!stop) {
      print("stderr", toString(stop.takeError()) + "\n");
      return terminated(1);
    }
    bool asked = pauseAsked || cancelAsked;
    if ((stop->kind == StopEvent::Interrupted && !asked) ||
        (stop->kind == StopEvent::BreakInstruction && noDebug))
      continue;
    // A trap ends its context, and the launch of a program; the others come to their ends.
    if (stop->kind == StopEvent::Trapped && noDebug && (!session->isAlone() || session->program()))
      continue;
    return tellStop(*stop);
  }
}

//===--- Requests ---------------------------------------------------------===//

Server::Reply Server::resume(const Arguments &arguments) {
  if (Error error = session->canContinue() ? Error::success() : needRunnable(*session))
    return std::move(error);
  if (arguments.find("threadId"))
    if (Expected<int64_t> thread = arguments.integer("threadId"); !thread)
      return thread.takeError();
  if (session->state() == SessionState::Trapped && !session->canContinue())
    afterwards = [this] { endTrapped(); }; // as a program that goes on after its fatal signal
  else
    afterwards = [this] { runOn(); };
  return json::Object{{"allThreadsContinued", true}};
}

Server::Reply Server::reverseContinue(const Arguments &) {
  move(Activity::Back, [this] { return session->reverseContinue(); });
  return nullptr;
}

static Error needSteppable(const Session &session) {
  if (Error error = needRunnable(session))
    return error;
  if (session.state() == SessionState::Trapped)
    return createStringError("the kernel has trapped and cannot go on: step back, or restart it");
  return Error::success();
}

Server::Reply Server::step(const Arguments &arguments, bool overCalls) {
  if (Error error = needSteppable(*session))
    return std::move(error);
  Expected<int64_t> thread = arguments.integer("threadId");
  if (!thread)
    return thread.takeError();
  Expected<std::string> granularity = arguments.stringOr("granularity", "line");
  if (!granularity)
    return granularity.takeError();
  if (Error error = focusOn(*thread))
    return std::move(error);
  bool byInstruction = *granularity == "instruction";
  move(Activity::Forward, [=, this] {
    return byInstruction ? session->stepInstructions(1, overCalls) : session->stepLines(1, overCalls);
  });
  return nullptr;
}

Server::Reply Server::next(const Arguments &arguments) { return step(arguments, true); }
Server::Reply Server::stepIn(const Arguments &arguments) { return step(arguments, false); }

Server::Reply Server::stepOut(const Arguments &arguments) {
  if (Error error = needSteppable(*session))
    return std::move(error);
  Expected<int64_t> thread = arguments.integer("threadId");
  if (!thread)
    return thread.takeError();
  Expected<Warp *> warp = warpOf(*thread);
  if (!warp)
    return warp.takeError();
  if (callsOf(**warp) == 0)
    return createStringError("the warp is in no call: there is nothing to step out of");
  if (Error error = focusOn(*thread))
    return std::move(error);
  move(Activity::Forward, [this] { return session->finishCall(); });
  return nullptr;
}

Server::Reply Server::stepBack(const Arguments &arguments) {
  Expected<std::string> granularity = arguments.stringOr("granularity", "line");
  if (!granularity)
    return granularity.takeError();
  Expected<int64_t> thread = arguments.integer("threadId");
  if (!thread)
    return thread.takeError();
  // After the end nothing is in focus: the warp that executed last steps back.
  if (session->focus().warp())
    if (Error error = focusOn(*thread))
      return std::move(error);
  bool byInstruction = *granularity == "instruction";
  move(Activity::Back, [=, this] {
    return byInstruction ? session->reverseInstructions(1, true) : session->reverseLines(1, true);
  });
  return nullptr;
}

/// As often as it takes: of what is interrupted a part may be done.
Expected<StopEvent> Server::backToFrame(size_t calls) {
  while (calls > 0 && session->focus().warp() && callsOf(*session->focus().warp()) >= calls)
    if (Expected<StopEvent> stop = session->reverseFinish(); !stop)
      return stop;
  if (calls > 0)
    return session->stepInstructions(1, false); // from the call into what it calls
  Expected<StopEvent> stop = session->reverseInstructions(~u64(0), false);
  if (stop || stopAsked())
    return stop;
  consumeError(stop.takeError()); // it has executed nothing: it stands there
  return StopEvent{StopEvent::WarpStart};
}

Server::Reply Server::restartFrame(const Arguments &arguments) {
  Expected<int64_t> id = arguments.integer("frameId");
  if (!id)
    return id.takeError();
  Expected<Warp *> warp = warpOfFrame(arguments);
  if (!warp)
    return warp.takeError();
  if (Error error = focusOn(threadOf(**warp)))
    return std::move(error);
  size_t calls = callsOf(**warp), depth = std::min(frames[size_t(*id - 1)].depth, calls);
  move(Activity::Back, [=, this] { return backToFrame(calls - depth); });
  return nullptr;
}

Server::Reply Server::gotoTargets(const Arguments &arguments) {
  Expected<const json::Object *> source = arguments.child("source");
  if (!source)
    return source.takeError();
  Expected<int64_t> line = arguments.integer("line");
  if (!line)
    return line.takeError();
  Expected<CodePlaces::Found> found = locationAt(**source, *line);
  if (!found)
    return found.takeError();
  json::Array targets;
  for (u64 address : found->location.addresses) {
    CodePlace place{found->program, address};
    targets.push_back(json::Object{{"id", int64_t(wholeAddress(place) / 8)},
                                   {"label", jsonText(place.program->describe(address))},
                                   {"line", int64_t(clientLine(spotOf(place).line))},
                                   {"instructionPointerReference", addressText(wholeAddress(place))}});
  }
  return json::Object{{"targets", std::move(targets)}};
}

Server::Reply Server::goTo(const Arguments &arguments) {
  if (Error error = needSteppable(*session))
    return std::move(error);
  Expected<int64_t> thread = arguments.integer("threadId"), target = arguments.integer("targetId");
  if (!thread || !target)
    return joinErrors(thread.takeError(), target.takeError());
  if (Error error = focusOn(*thread))
    return std::move(error);
  CodePlace place = placeAt(u64(*target) * 8);
  if (place.program != &session->focus().executable())
    return createStringError("the thread runs another program");
  if (Error error = session->focus().context().setPc(place.address))
    return std::move(error);
  afterwards = [this] { tellStopped({StopEvent::Start}, "goto", "Moved to another line"); };
  return nullptr;
}

Server::Reply Server::pause(const Arguments &) {
  // When nothing runs, the stop has been told.
  pauseAsked = true;
  return nullptr;
}

//===--- Stops ------------------------------------------------------------===//

void Server::endTrapped() {
  if (const std::optional<Trap> &trap = session->focus().trap())
    print("stderr", "the kernel has ended with a trap: " + session->focus().describe(*trap) + "\n");
  terminated(1);
}

void Server::tellStop(const StopEvent &stop) {
  if (stop.kind == StopEvent::Trapped && noDebug)
    return endTrapped();
  if (stop.kind == StopEvent::Finished || stop.kind == StopEvent::ProgramEnded) {
    if (Error error = interpreter->tell(stop))
      print("stderr", "error: " + toString(std::move(error)) + "\n");
    stopToTell.reset();
    print("stdout", takeText());
    return tellStopped(stop);
  }
  for (const std::string &problem : stop.problems)
    print("console", problem + "\n");
  tellStopped(stop);
  // What the breakpoints' commands say, and where they lead to.
  interpreter->executeCommandsOf(stop);
  print("console", takeText());
  if (std::optional<StopEvent> after = std::exchange(stopToTell, std::nullopt))
    tellStopped(*after);
}

namespace {
struct Told {
  StringRef reason;
  std::string description;
};
} // namespace

static Told toldOf(const StopEvent &stop, Session &session, StringRef group, bool wentBack) {
  StopWords words = wordsOf(stop, session.stops().breakpoints());
  Told told{words.dap, words.sentence.str()};
  switch (stop.kind) {
  case StopEvent::Breakpoint:
    if (group == "function")
      told.reason = "function breakpoint";
    if (group == "instruction")
      told.reason = "instruction breakpoint";
    if (stop.lanesMet)
      told.description += ", condition met by " + describeLanes(*stop.lanesMet);
    break;
  case StopEvent::Watch:
    told.description = join(stop.details, "; ");
    break;
  case StopEvent::BreakInstruction:
    told.description += " " + std::to_string(stop.code);
    break;
  case StopEvent::WarpExited:
    told.description = "CTA " + describeIndex(stop.exited.cta) + " warp " + std::to_string(stop.exited.warp) +
                       (stop.killed ? " was killed" : " exited");
    break;
  case StopEvent::Trapped:
    told.description = session.focus().trap() ? trapName(session.focus().trap()->kind) : "trap";
    break;
  case StopEvent::Step:
    if (wentBack)
      told.description += " back";
    break;
  default:
    break;
  }
  return told;
}

void Server::tellStopped(const StopEvent &stop, StringRef reason, StringRef description) {
  if (panel)
    panel->stop(stop);
  tellEditor(stop, reason, description);
}

void Server::tellEditor(const StopEvent &stop, StringRef reason, StringRef description) {
  tree->clear();
  frames.clear();
  if (stop.kind == StopEvent::ProgramEnded && !stopAtEnd)
    return terminated(session->program()->exitStatus());
  if (stop.kind == StopEvent::Finished && !stopAtEnd && !session->program())
    return terminated(!session->isAlone() && any_of(session->prepared().run().contexts(),
                                                    [](const auto &context) { return !context->alive(); }));
  std::string group;
  json::Array ids;
  for (unsigned id : stop.breakpoints) {
    ids.push_back(int64_t(id));
    for (const Owned &one : owned)
      if (one.id == id && group.empty())
        group = one.group;
  }
  // A step that trapped has executed nothing: back from it no tick is undone.
  u64 tick = session->state() == SessionState::NotStarted ? 0 : session->timeline().now();
  bool wentBack = tick < std::exchange(toldTick, tick + (stop.kind == StopEvent::Trapped));
  Told told = reason.empty() ? toldOf(stop, *session, group, wentBack) : Told{reason, description.str()};
  json::Object body{{"reason", told.reason},
                    {"description", jsonText(told.description)},
                    {"threadId", threadInFocus()},
                    {"allThreadsStopped", true}};
  if (stop.kind == StopEvent::Trapped && session->focus().trap())
    body["text"] = jsonText(session->focus().describe(*session->focus().trap()));
  else if (told.reason == "exception" || told.reason == "data breakpoint")
    body["text"] = jsonText(told.description);
  if (!ids.empty())
    body["hitBreakpointIds"] = std::move(ids);
  event("stopped", std::move(body));
  tellProblems(stop);
}

Server::Reply Server::exceptionInfo(const Arguments &) {
  if (const std::optional<StopEvent> &last = session->lastStop();
      last && last->kind == StopEvent::Trapped && session->focus().trap()) {
    const Trap &trap = *session->focus().trap();
    std::string text = jsonText(session->focus().describe(trap));
    return json::Object{{"exceptionId", trapName(trap.kind)},
                        {"description", text},
                        {"breakMode", "always"},
                        {"details", json::Object{{"message", jsonText(trap.detail)},
                                                 {"typeName", trapName(trap.kind)},
                                                 {"evaluateName", "$pc"}}}};
  }
  const std::optional<StopEvent> &last = session->lastStop();
  if (last && last->kind == StopEvent::Watch)
    if (const Breakpoint *point = session->stops().breakpoints().find(last->breakpoints[0]))
      return json::Object{{"exceptionId", jsonText(point->text)},
                          {"description", jsonText(join(last->details, "; "))},
                          {"breakMode", "always"}};
  return createStringError("the last stop was no trap and no caught event");
}

bool Server::carryOut(StringRef line, function_ref<bool()> how, std::function<void(const StopEvent &)> tell) {
  doing = ("Executing '" + line.trim() + "'").str();
  bool succeeded = moving(Activity::Console, how);
  std::optional<StopEvent> stop = std::exchange(stopToTell, std::nullopt);
  if (!afterwards && stop) // else a request that arrived meanwhile leads elsewhere
    afterwards = [tell = std::move(tell), stop = *stop] { tell(stop); };
  tellBreakpointChanges();
  return succeeded;
}

std::string Server::execute(StringRef line, bool &succeeded) {
  succeeded = carryOut(
      line, [&] { return interpreter->execute(line); }, [this](const StopEvent &stop) { tellStopped(stop); });
  if (interpreter->quitting())
    afterwards = [this] { terminated(0); };
  else if (panel && !afterwards && !onlyLooks(line))
    panel->changed();
  return takeText();
}

} // namespace leno::dbg::dap
