#include "dbg/dap/Server.h"
#include "dbg/Interrupt.h"
#include "dbg/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace leno::dbg::dap {

ArrayRef<Server::Request> Server::requests() {
  constexpr unsigned gesture = Request::Gesture, program = Request::Program,
                     stopped = Request::Program | Request::Stopped, changes = Request::Changes;
  static constexpr Request all[] = {
      {"initialize", gesture, &Server::initialize},
      {"launch", gesture, &Server::launch},
      {"attach", gesture, &Server::attach},
      {"configurationDone", program | gesture, &Server::configurationDone},
      {"restart", program | gesture, &Server::restart},
      {"cancel", 0, &Server::cancel},
      {"disconnect", 0, &Server::disconnect},
      {"terminate", 0, &Server::terminate},
      {"continue", stopped | gesture, &Server::resume},
      {"reverseContinue", stopped | gesture, &Server::reverseContinue},
      {"next", stopped | gesture, &Server::next},
      {"stepIn", stopped | gesture, &Server::stepIn},
      {"stepOut", stopped | gesture, &Server::stepOut},
      {"stepBack", stopped | gesture, &Server::stepBack},
      {"restartFrame", stopped | gesture, &Server::restartFrame},
      {"gotoTargets", program, &Server::gotoTargets},
      {"goto", stopped | gesture, &Server::goTo},
      {"pause", program | gesture, &Server::pause},
      {"exceptionInfo", stopped, &Server::exceptionInfo},
      {"setBreakpoints", program | changes, &Server::setBreakpoints},
      {"setFunctionBreakpoints", program | changes, &Server::setFunctionBreakpoints},
      {"setInstructionBreakpoints", program | changes, &Server::setInstructionBreakpoints},
      {"setExceptionBreakpoints", program | changes, &Server::setExceptionBreakpoints},
      {"setDataBreakpoints", program | changes, &Server::setDataBreakpoints},
      {"dataBreakpointInfo", stopped, &Server::dataBreakpointInfo},
      {"breakpointLocations", program, &Server::breakpointLocations},
      {"threads", program, &Server::threads},
      {"stackTrace", stopped, &Server::stackTrace},
      {"scopes", stopped, &Server::scopes},
      {"variables", stopped, &Server::variables},
      {"setVariable", stopped | changes, &Server::setVariable},
      {"setExpression", stopped | changes, &Server::setExpression},
      {"evaluate", program, &Server::evaluate},
      {"completions", program, &Server::completions},
      {"source", program, &Server::source},
      {"loadedSources", program, &Server::loadedSources},
      {"disassemble", program, &Server::disassemble},
      {"readMemory", stopped, &Server::readMemory},
      {"writeMemory", stopped | gesture | changes, &Server::writeMemory},
      {"leno.warpPage", 0, &Server::warpPage},
      {"leno.warpHello", program, &Server::warpHello},
      {"leno.warpCommand", program | Request::Patient, &Server::warpCommand},
  };
  return all;
}

Server::Server(int input, raw_ostream &output) : inbox(input), outbox(output) {
  setInterruptSource([this] { return attend(); });
}

Server::~Server() { setInterruptSource({}); }

bool Server::serve() {
  while (!over) {
    serveAll(inbox.take());
    while (!patient.empty() && !over) {
      Incoming next = std::move(patient.front());
      patient.pop_front();
      serveAll(std::move(next));
    }
  }
  return !clientLeft;
}

void Server::serveAll(Incoming incoming) {
  handle(std::move(incoming));
  while (afterwards && !over)
    std::exchange(afterwards, nullptr)();
}

//===--- Messages ---------------------------------------------------------===//

const Server::Request *Server::requestNamed(StringRef command) {
  ArrayRef<Request> known = requests();
  const Request *found = find_if(known, [&](const Request &r) { return r.name == command; });
  return found == known.end() ? nullptr : found;
}

Server::Reply Server::dispatch(const Request &known, const Arguments &arguments) {
  if ((known.traits & Request::Program) && !session)
    return createStringError("'" + known.name + "' needs a program: `launch` first");
  if ((known.traits & Request::Stopped) && running())
    return createStringError(activity == Activity::Back
                                 ? "the machine is going back: `cancel` that, or wait for its end"
                                 : "the kernel is running: `pause` it first");
  if ((known.traits & Request::Stopped) && session->state() == SessionState::NotStarted)
    return createStringError("the kernel has not started: `configurationDone` starts it");
  return (this->*known.run)(arguments);
}

void Server::handle(Incoming incoming) {
  if (incoming.ended) {
    over = clientLeft = true;
    return;
  }
  json::Object response{{"type", "response"}, {"request_seq", 0}, {"command", ""}, {"success", false}};
  auto refuse = [&](StringRef message, bool showUser = true) {
    response["success"] = false;
    response["message"] = message.split('\n').first;
    response["body"] =
        json::Object{{"error", json::Object{{"id", 1}, {"format", message}, {"showUser", showUser}}}};
    outbox.send(std::move(response));
  };
  if (!incoming.mistake.empty())
    return refuse(jsonText(incoming.mistake));
  const json::Object &message = *incoming.message;
  std::optional<StringRef> type = message.getString("type"), command = message.getString("command");
  std::optional<int64_t> sequence = message.getInteger("seq");
  if (sequence)
    response["request_seq"] = *sequence;
  if (command)
    response["command"] = *command;
  if (type == "response" || type == "event")
    return; // to nothing that was asked
  if (type != "request" || !command || !sequence)
    return refuse("a request has \"type\": \"request\", \"seq\": NUMBER and \"command\": NAME");
  const json::Value *arguments = message.get("arguments");
  if (arguments && !arguments->getAsObject() && arguments->kind() != json::Value::Null)
    return refuse("the arguments of a request are an object");
  const Request *known = requestNamed(*command);
  if (!known)
    return refuse("there is no request '" + jsonText(command->take_front(80)) + "'", false);
  if (inbox.takeCancelled(*sequence) && *command != "disconnect" && *command != "terminate")
    return refuse("cancelled", false);
  bool restarts =
      running() && *command == "restart" && (session->prepared().writesFiles() || session->program());
  if (restarts || (activity == Activity::Opening && command->ends_with("Breakpoints"))) {
    restartHeld |= restarts;
    held.push_back(std::move(incoming));
    return;
  }
  if (running() && (known->traits & Request::Patient)) {
    patient.push_back(std::move(incoming));
    return;
  }
  if (!running())
    request = *sequence;
  Reply body = dispatch(*known, Arguments(arguments ? arguments->getAsObject() : nullptr));
  if (!body)
    return refuse(wordsOf(body.takeError()), known->traits & Request::Gesture);
  response["success"] = true;
  if (body->kind() != json::Value::Null)
    response["body"] = std::move(*body);
  outbox.send(std::move(response));
  if (panel && (known->traits & Request::Changes))
    panel->changed();
  // The order that the protocol has: first the capabilities, then the time to configure.
  if (*command == "launch")
    event("initialized");
}

void Server::event(StringRef name, json::Object body) {
  outbox.send(json::Object{{"type", "event"}, {"event", name}, {"body", std::move(body)}});
}

void Server::print(StringRef category, StringRef words) {
  if (!words.empty())
    event("output", json::Object{{"category", category}, {"output", jsonText(words)}});
}

std::string Server::takeText() {
  std::string all = textStream.str();
  text.clear();
  return all;
}

//===--- The beginning and the end ----------------------------------------===//

Server::Reply Server::initialize(const Arguments &arguments) {
  if (const json::Value *start = arguments.find("linesStartAt1"))
    linesStartAt1 = start->getAsBoolean().value_or(true);
  if (const json::Value *start = arguments.find("columnsStartAt1"))
    columnsStartAt1 = start->getAsBoolean().value_or(true);
  for (auto [name, flag] : {std::pair<StringRef, bool *>("supportsInvalidatedEvent", &clientInvalidates),
                            {"supportsProgressReporting", &clientShowsProgress}})
    if (Error error = arguments.flag(name).moveInto(*flag))
      return std::move(error);
  Expected<std::string> format = arguments.stringOr("pathFormat", "path");
  if (!format)
    return format.takeError();
  if (*format != "path" && *format != "uri")
    return createStringError("the argument 'pathFormat' is not \"path\" or \"uri\"");
  pathsAreUris = *format == "uri";
  json::Object can;
  for (StringRef name : {"supportsConfigurationDoneRequest",
                         "supportsFunctionBreakpoints",
                         "supportsConditionalBreakpoints",
                         "supportsHitConditionalBreakpoints",
                         "supportsEvaluateForHovers",
                         "supportsStepBack",
                         "supportsSetVariable",
                         "supportsCompletionsRequest",
                         "supportsRestartRequest",
                         "supportsRestartFrame",
                         "supportsGotoTargetsRequest",
                         "supportsCancelRequest",
                         "supportsValueFormattingOptions",
                         "supportsExceptionInfoRequest",
                         "supportsDelayedStackTraceLoading",
                         "supportsLoadedSourcesRequest",
                         "supportsLogPoints",
                         "supportsTerminateRequest",
                         "supportsSetExpression",
                         "supportsDataBreakpoints",
                         "supportsReadMemoryRequest",
                         "supportsWriteMemoryRequest",
                         "supportsDisassembleRequest",
                         "supportsBreakpointLocationsRequest",
                         "supportsClipboardContext",
                         "supportsSteppingGranularity",
                         "supportsInstructionBreakpoints",
                         "supportsExceptionFilterOptions",
                         "supportTerminateDebuggee"})
    can[name] = true;
  can["completionTriggerCharacters"] = json::Array{" ", "$", "["};
  json::Array filters;
  for (StringRef name : caughtEvents()) {
    std::string label = name.str();
    label[0] = toUpper(label[0]);
    filters.push_back(json::Object{{"filter", name},
                                   {"label", label},
                                   {"description", ("stop after an instruction with a " + name).str()},
                                   {"supportsCondition", true},
                                   {"conditionDescription", "an expression such as any(R3 > 5)"}});
  }
  can["exceptionBreakpointFilters"] = std::move(filters);
  return std::move(can);
}

/// What still waits has been answered by `handle`; this is for what the machine does.
Server::Reply Server::cancel(const Arguments &arguments) {
  Expected<int64_t> wanted = arguments.integerOr("requestId", 0);
  Expected<std::string> progress = arguments.stringOr("progressId", "");
  if (!wanted || !progress)
    return joinErrors(wanted.takeError(), progress.takeError());
  bool isOurs = progressShown && *progress == std::to_string(progressId);
  cancelAsked |= running() && activity != Activity::Forward && (isOurs || *wanted == request);
  return nullptr;
}

/// A host program ends with the session, unless the client wants it to go on.
Server::Reply Server::disconnect(const Arguments &arguments) {
  bool ends = true;
  if (Error error = arguments.flag("terminateDebuggee").moveInto(ends))
    return std::move(error);
  if (arguments.find("terminateDebuggee") && !ends && session && session->program() && session->program()->runs())
    session->program()->leave();
  over = true;
  return nullptr;
}

Server::Reply Server::terminate(const Arguments &) {
  if (session)
    afterwards = [this] {
      if (session->program())
        session->program()->kill();
      terminated(1);
    };
  return nullptr;
}

void Server::terminated(int exitCode) {
  if (std::exchange(ended, true))
    return;
  event("exited", json::Object{{"exitCode", exitCode}});
  event("terminated");
}

//===--- Threads ----------------------------------------------------------===//

// Each launch of a context has threads of its own; a launch alone is the first of context 0, and its threads
// begin at 1.
static constexpr unsigned launchShift = 40;

int64_t Server::threadOf(u32 context, u32 launch, Dim3 cta, unsigned warp) const {
  const GridRun *run = session->prepared().run().grid(context, launch);
  u64 before = session->isAlone() || !run ? 0 : run->gridId() - 1; // launches of the context
  int64_t first = int64_t(context + before * session->prepared().contextCount()) << launchShift;
  if (!run) // what was in focus is no more
    return first + 1;
  Dim3 grid = run->launch().grid;
  u64 linear = cta.x + u64(grid.x) * (cta.y + u64(grid.y) * cta.z);
  return first + int64_t(linear * run->warpsPerCta() + warp + 1);
}

int64_t Server::threadOf(const Warp &warp) const {
  const GridRun &grid = warp.grid();
  return threadOf(grid.device().contextId(), grid.gridId(), warp.cta().index(), warp.index());
}

int64_t Server::threadInFocus() const {
  const LanePosition &focus = session->focus().position();
  const GridRun *run = session->focus().gridIfAny();
  return threadOf(focus.context, run ? run->gridId() : 0, focus.cta, focus.warp);
}

Expected<Warp *> Server::warpOf(int64_t thread) const {
  auto none = [&] { return createStringError("there is no thread " + Twine(thread)); };
  u64 number = u64(thread) & ((u64(1) << launchShift) - 1), contexts = session->prepared().contextCount();
  u64 context = (u64(thread) >> launchShift) % contexts;
  u32 launch = session->isAlone() ? 0 : 1 + u32((u64(thread) >> launchShift) / contexts);
  if (thread < 1 || number == 0 || launch > session->prepared().launches(u32(context)).size())
    return none();
  const GridRun *run = session->prepared().run().grid(u32(context), launch);
  if (!run)
    return createStringError("thread " + Twine(thread) + " does not run now: context '" +
                             session->focus().contextName(u32(context)) + "' does not run its launch");
  unsigned warps = run->warpsPerCta();
  Dim3 grid = run->launch().grid;
  u64 linear = (number - 1) / warps;
  if (linear >= grid.count())
    return none();
  Dim3 index{u32(linear % grid.x), u32(linear / grid.x % grid.y), u32(linear / grid.x / grid.y)};
  if (Cta *cta = session->focus().findCta(u32(context), index, launch))
    return cta->warps()[(number - 1) % warps];
  return createStringError(
      "thread " + Twine(thread) + " does not run now: its CTA " + describeIndex(index) +
      (run->findCta(index) ? " is in context storage" : " has finished or has not started"));
}

Error Server::focusOn(int64_t thread) {
  Expected<Warp *> warp = warpOf(thread);
  if (!warp)
    return warp.takeError();
  session->focus().setLaunch((*warp)->grid());
  return session->focus().set((*warp)->cta().index(), (*warp)->index(), session->focus().position().lane);
}

size_t Server::numberOfFrame(const Arguments &arguments) const {
  const json::Value *id = arguments.find("frameId");
  int64_t number = id ? id->getAsInteger().value_or(0) : 0;
  return number >= 1 && u64(number) <= frames.size() ? frames[size_t(number - 1)].number : 0;
}

Expected<Warp *> Server::warpOfFrame(const Arguments &arguments) {
  if (!arguments.find("frameId"))
    return session->focus().warp();
  Expected<int64_t> id = arguments.integer("frameId");
  if (!id)
    return id.takeError();
  if (*id < 1 || u64(*id) > frames.size())
    return createStringError("there is no frame " + Twine(*id) + " at this stop");
  const Frame &frame = frames[size_t(*id - 1)];
  Cta *cta = session->focus().findCta(frame.context, frame.cta, frame.launch);
  if (!cta)
    return createStringError("the warp of frame " + Twine(*id) + " runs no more");
  return cta->warps()[frame.warp];
}

} // namespace leno::dbg::dap
