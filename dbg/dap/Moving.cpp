// The requests that move the machine, and what is told of its stops.
#include "dbg/Text.h"
#include "dbg/dap/Server.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace leno::dbg::dap {

/// What has ended goes on no more, but back.
static Error needRunnable(const Session &session) {
  if (session.state() == SessionState::Finished)
    return createStringError("the kernel has finished: step back, or restart it");
  return Error::success();
}

void Server::move(std::function<Expected<StopEvent>()> how) {
  afterwards = [this, how = std::move(how)] {
    Expected<StopEvent> stop = how();
    if (stop)
      return tellStop(*stop);
    // The client believes that it runs. What fails is a step back, where there is none or where it was
    // interrupted.
    print("console", toString(stop.takeError()) + "\n");
    tellStopped({inbox.urgent() ? StopEvent::Interrupted : StopEvent::WarpStart});
  };
}

/// Runs until there is a stop to tell; requests that arrive meanwhile are served in between.
void Server::runOn(bool fromStart) {
  isRunning = true;
  pauseAsked = false;
  for (;;) {
    anyMessageInterrupts = true;
    Expected<StopEvent> stop = fromStart ? session->run() : Expected<StopEvent>(session->resume());
    anyMessageInterrupts = fromStart = false;
    if (!stop) {
      isRunning = false;
      print("stderr", toString(stop.takeError()) + "\n");
      return terminated(1);
    }
    if (stop->kind == StopEvent::Interrupted) {
      while (!inbox.empty() && !over && !afterwards)
        handle(inbox.take());
      if (!over && !afterwards && !pauseAsked)
        continue;
    }
    isRunning = false;
    if (over || afterwards)
      return;
    return tellStop(*stop);
  }
}

Server::Reply Server::resume(const Arguments &arguments) {
  if (Error error = needRunnable(*session))
    return std::move(error);
  if (arguments.find("threadId"))
    if (Expected<int64_t> thread = arguments.integer("threadId"); !thread)
      return thread.takeError();
  if (session->state() == SessionState::Trapped)
    afterwards = [this] { terminated(1); }; // as a program that goes on after its fatal signal
  else
    afterwards = [this] { runOn(); };
  return json::Object{{"allThreadsContinued", true}};
}

Server::Reply Server::reverseContinue(const Arguments &) {
  move([this] { return session->reverseContinue(); });
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
  move([=, this] {
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
  move([this] { return session->finishCall(); });
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
  if (session->focusedWarp())
    if (Error error = focusOn(*thread))
      return std::move(error);
  bool byInstruction = *granularity == "instruction";
  move([=, this] {
    return byInstruction ? session->reverseInstructions(1, true) : session->reverseLines(1, true);
  });
  return nullptr;
}

Server::Reply Server::pause(const Arguments &) {
  // When nothing runs, the stop has been told.
  pauseAsked = true;
  return nullptr;
}

//===--- Stops ------------------------------------------------------------===//

void Server::tellStop(const StopEvent &stop) {
  if (stop.kind == StopEvent::Finished) {
    if (Error error = interpreter->tell(stop))
      print("stderr", "error: " + toString(std::move(error)) + "\n");
    stopToTell.reset();
    print("stdout", takeText());
    return tellStopped(stop);
  }
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

static Told toldOf(const StopEvent &stop, Session &session, StringRef group) {
  switch (stop.kind) {
  case StopEvent::Start:
    return {"entry", "Stopped before the first instruction"};
  case StopEvent::Breakpoint: {
    std::string lanes = stop.lanesMet ? ", condition met by " + describeLanes(*stop.lanesMet) : "";
    StringRef reason = group == "function"      ? "function breakpoint"
                       : group == "instruction" ? "instruction breakpoint"
                                                : "breakpoint";
    return {reason, "Stopped at a breakpoint" + lanes};
  }
  case StopEvent::Watch: {
    const Breakpoint *first = session.breakpoints().find(stop.breakpoints[0]);
    return {first && first->kind == Breakpoint::Catch ? "exception" : "data breakpoint",
            join(stop.details, "; ")};
  }
  case StopEvent::BreakInstruction:
    return {"breakpoint", "Stopped after a BPT"};
  case StopEvent::WarpExited:
    return {"step", "CTA " + describeIndex(stop.exited.cta) + " warp " + std::to_string(stop.exited.warp) +
                        " exited"};
  case StopEvent::Interrupted:
    return {"pause", "Paused"};
  case StopEvent::Finished:
    return {"pause", "The kernel has finished"};
  case StopEvent::Trapped:
    return {"exception", session.grid().trap() ? session.describe(*session.grid().trap()) : "trap"};
  case StopEvent::HistoryStart:
    return {"entry", "The start of the launch: nothing happened before"};
  case StopEvent::WarpStart:
    return {"entry", "The warp's first instruction: it executed nothing before"};
  default:
    return {"step", "Stopped after a step"};
  }
}

void Server::tellStopped(const StopEvent &stop) {
  tree->clear();
  frames.clear();
  if (stop.kind == StopEvent::Finished && !stopAtEnd)
    return terminated(0);
  std::string group;
  json::Array ids;
  for (unsigned id : stop.breakpoints) {
    ids.push_back(int64_t(id));
    for (const Owned &one : owned)
      if (one.id == id && group.empty())
        group = one.group;
  }
  Told told = toldOf(stop, *session, group);
  const Focus &focus = session->focus();
  json::Object body{{"reason", told.reason},
                    {"description", jsonText(told.description)},
                    {"threadId", threadOf(focus.cta, focus.warp)},
                    {"allThreadsStopped", true}};
  if (told.reason == "exception" || told.reason == "data breakpoint")
    body["text"] = jsonText(told.description);
  if (!ids.empty())
    body["hitBreakpointIds"] = std::move(ids);
  event("stopped", std::move(body));
}

Server::Reply Server::exceptionInfo(const Arguments &) {
  if (session->state() == SessionState::Trapped && session->grid().trap()) {
    const Trap &trap = *session->grid().trap();
    std::string text = jsonText(session->describe(trap));
    return json::Object{{"exceptionId", trapName(trap.kind)},
                        {"description", text},
                        {"breakMode", "always"},
                        {"details", json::Object{{"message", jsonText(trap.detail)},
                                                 {"typeName", trapName(trap.kind)},
                                                 {"evaluateName", "$pc"}}}};
  }
  const std::optional<StopEvent> &last = session->lastStop();
  if (last && last->kind == StopEvent::Watch)
    if (const Breakpoint *point = session->breakpoints().find(last->breakpoints[0]))
      return json::Object{{"exceptionId", jsonText(point->text)},
                          {"description", jsonText(join(last->details, "; "))},
                          {"breakMode", "always"}};
  return createStringError("the last stop was no trap and no caught event");
}

std::string Server::execute(StringRef line, bool &succeeded) {
  succeeded = interpreter->execute(line);
  std::string said = takeText();
  if (interpreter->quitting())
    afterwards = [this] { terminated(0); };
  else if (std::optional<StopEvent> stop = std::exchange(stopToTell, std::nullopt))
    afterwards = [this, stop = *stop] { tellStopped(stop); };
  tellBreakpointChanges();
  return said;
}

} // namespace leno::dbg::dap
