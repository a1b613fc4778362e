// The requests that start a kernel.
#include "dbg/dap/Server.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace leno::dbg::dap {

/// 4, [4, 2], or "4,2" as on the command line.
static Expected<runtime::Dimensions> dimensions(const Arguments &arguments, StringRef name) {
  const json::Value *value = arguments.find(name);
  if (!value)
    return runtime::Dimensions();
  std::string text;
  if (std::optional<StringRef> written = value->getAsString())
    text = written->str();
  else if (std::optional<int64_t> number = value->getAsInteger())
    text = std::to_string(*number);
  else if (const json::Array *list = value->getAsArray())
    for (const json::Value &one : *list)
      text += (text.empty() ? "" : ",") + std::to_string(one.getAsInteger().value_or(0));
  Expected<runtime::Dimensions> size = runtime::parseDimensions(text, runtime::MostCtas, runtime::MostCtas);
  if (!size)
    return createStringError("the argument '" + name +
                             "' is not a number, [X, Y, Z] or \"X,Y,Z\": " + toString(size.takeError()));
  return size;
}

static Expected<std::vector<std::string>> strings(const Arguments &arguments, StringRef name) {
  std::vector<std::string> result;
  if (!arguments.find(name))
    return result;
  Expected<const json::Array *> list = arguments.array(name);
  if (!list)
    return list.takeError();
  for (const json::Value &one : **list) {
    std::optional<StringRef> text = one.getAsString();
    if (!text)
      return createStringError("the argument '" + name + "' is not an array of strings");
    result.push_back(text->str());
  }
  return result;
}

/// ["sm.count=4"], or {"sm.count": 4}.
static Expected<std::vector<std::string>> settings(const Arguments &arguments, StringRef name) {
  const json::Value *value = arguments.find(name);
  const json::Object *table = value ? value->getAsObject() : nullptr;
  if (!table)
    return strings(arguments, name);
  std::vector<std::string> result;
  for (const auto &[key, setting] : *table) {
    std::optional<StringRef> text = setting.getAsString();
    std::optional<int64_t> number = setting.getAsInteger();
    if (!text && !number)
      return createStringError("the setting '" + key.str() + "' is not a string or a number");
    result.push_back(key.str() + "=" + (text ? text->str() : std::to_string(*number)));
  }
  return result;
}

static Error readOptions(const Arguments &arguments, runtime::LaunchOptions &options) {
  if (Error error = arguments.stringOr("kernel", "").moveInto(options.kernel))
    return error;
  if (Error error = dimensions(arguments, "grid").moveInto(options.grid))
    return error;
  if (Error error = dimensions(arguments, "block").moveInto(options.block))
    return error;
  if (Error error = strings(arguments, "args").moveInto(options.arguments))
    return error;
  if (Error error = arguments.stringOr("machine", "").moveInto(options.machineFile))
    return error;
  if (Error error = settings(arguments, "set").moveInto(options.machineSettings))
    return error;
  Expected<int64_t> most =
      arguments.integerOr("maxInstructions", int64_t(runtime::LaunchOptions::DefaultMaximumInstructions));
  if (!most)
    return most.takeError();
  if (*most < 0)
    return createStringError("the argument 'maxInstructions' is not a number from 0 (no limit) on");
  options.maximumInstructions = u64(*most);
  Expected<int64_t> level = arguments.integerOr("optimize", options.source.optimization);
  if (!level)
    return level.takeError();
  if (*level < 0 || *level > 3)
    return createStringError("the argument 'optimize' is not a number from 0 to 3");
  options.source.optimization = uint8_t(*level);
  return Error::success();
}

/// Standard input has requests: no data can be read there.
static RunFiles protocol() {
  RunFiles files;
  files.reads("-");
  return files;
}

Server::ExpectedWork Server::prepare(const Arguments &arguments) {
  options = runtime::LaunchOptions();
  if (Error error = arguments.stringOr("contexts", "").moveInto(options.contexts))
    return std::move(error);
  if (!options.contexts.empty()) {
    for (StringRef name : {"program", "kernel", "grid", "block", "args", "maxInstructions"})
      if (arguments.find(name))
        return createStringError("the argument '" + name +
                                 "' is of one launch; with 'contexts' the file has what each launch is");
  } else if (Error error = arguments.string("program").moveInto(options.file))
    return std::move(error);
  if (options.file == "-")
    return createStringError("a program cannot be read from standard input, where the protocol is");
  if (Error error = readOptions(arguments, options))
    return std::move(error);
  if (Error error = readFlags(arguments))
    return std::move(error);
  return prepareAgain();
}

/// With the folder to work in.
Error Server::readFlags(const Arguments &arguments) {
  for (auto [name, flag] : {std::pair<StringRef, bool *>("stopOnEntry", &stopOnEntry),
                            {"stopAtEnd", &stopAtEnd},
                            {"noDebug", &noDebug}})
    if (Error error = arguments.flag(name).moveInto(*flag))
      return error;
  Expected<std::string> folder = arguments.stringOr("cwd", "");
  if (!folder)
    return folder.takeError();
  if (!folder->empty())
    if (std::error_code failed = sys::fs::set_current_path(*folder))
      return createStringError("cannot go to the folder '" + *folder + "': " + failed.message());
  return Error::success();
}

Server::ExpectedWork Server::prepareAgain() {
  std::string diagnostics;
  raw_string_ostream stream(diagnostics);
  auto prepared = runtime::Prepared::create(options, stream, protocol());
  print("stderr", diagnostics);
  return prepared;
}

/// Its `args` are the program's own.
Expected<std::unique_ptr<Session>> Server::newSessionOfProgram(const Arguments &arguments,
                                                               StringRef program) {
  for (StringRef name :
       {"kernel", "grid", "block", "machine", "set", "maxInstructions", "optimize", "contexts"})
    if (arguments.find(name))
      return createStringError("the argument '" + name + "' is of a kernel alone; '" + program +
                               "' is a program, which makes its launches itself");
  Expected<std::vector<std::string>> words = strings(arguments, "args");
  if (!words)
    return words.takeError();
  words->insert(words->begin(), (program.contains('/') ? "" : "./") + program.str());
  if (Error error = readFlags(arguments))
    return std::move(error);
  return sessionOfProgram(std::move(*words), /*printsAside=*/true);
}

Expected<std::unique_ptr<Session>> Server::newSession(const Arguments &arguments) {
  Expected<std::string> file = arguments.string("program");
  if (file && isSessionFile(*file)) {
    if (Error error = arguments.flag("stopAtEnd").moveInto(stopAtEnd))
      return std::move(error);
    if (Error error = readSession(*file).moveInto(saved))
      return std::move(error);
    return openSession(*saved);
  }
  Expected<std::string> folder = arguments.stringOr("cwd", "");
  if (file && folder) {
    SmallString<128> path(sys::path::is_absolute(*file) ? "" : *folder);
    sys::path::append(path, *file);
    if (Application::isProgram(path))
      return newSessionOfProgram(arguments, *file);
  }
  consumeError(folder.takeError()); // told by prepare
  consumeError(file.takeError()); // told by prepare
  auto prepared = prepare(arguments);
  if (!prepared)
    return prepared.takeError();
  return std::make_unique<Session>(std::move(*prepared));
}

Server::Reply Server::launch(const Arguments &arguments) {
  if (session)
    return createStringError("a program was launched already: `restart` runs it again");
  Expected<std::unique_ptr<Session>> made = newSession(arguments);
  if (!made)
    return made.takeError();
  session = std::move(*made);
  interpreter = std::make_unique<Interpreter>(*session, textStream, textStream, /*colours=*/false);
  interpreter->onStop = [this](const StopEvent &stop) { stopToTell = stop; };
  tree.emplace(*session);
  return nullptr;
}

Server::Reply Server::attach(const Arguments &) {
  return createStringError("there is nothing to attach to: `launch` runs a kernel");
}

Server::Reply Server::configurationDone(const Arguments &) {
  if (configured)
    return createStringError("the kernel has been started already");
  configured = true;
  afterwards = [this] { begin(); };
  return nullptr;
}

Server::Reply Server::restart(const Arguments &arguments) {
  if (!configured)
    return createStringError("the kernel has not started: `configurationDone` starts it");
  if (session->program()) { // it is started anew
    afterwards = [this] { begin(); };
    return nullptr;
  }
  if (!session->prepared().writesFiles())
    return createStringError("a saved session holds its program: step back to its start instead");
  // Newer launch arguments may come along; the program is read anew in any case.
  const json::Value *newer = arguments.find("arguments");
  ExpectedWork prepared =
      newer && newer->getAsObject() ? prepare(Arguments(newer->getAsObject())) : prepareAgain();
  if (!prepared)
    return prepared.takeError();
  print("console", reload(std::move(*prepared)));
  afterwards = [this] { begin(); };
  return nullptr;
}

std::string Server::reload(std::unique_ptr<runtime::Prepared> launch) {
  std::string notes;
  for (const std::string &note : session->reload(std::move(launch)))
    notes += note + "\n";
  interpreter->sources.forget();
  if (panel)
    panel->open(/*stands=*/false);
  for (const Owned &one : owned)
    if (one.id)
      event("breakpoint", json::Object{{"reason", "changed"}, {"breakpoint", describeBreakpoint(one)}});
  return notes;
}

/// To the stop where it was saved.
void Server::beginSaved() {
  SavedSession whole = *std::exchange(saved, std::nullopt);
  wholeWay = 0;
  for (const Timeline::Stretch &stretch : whole.moment.past.stretches)
    wholeWay += double(stretch.count);
  doing = "Opening the session";
  Error error = moving(Activity::Opening, [&] { return repeatSession(whole, *interpreter, true); });
  if (over || afterwards)
    return consumeError(std::move(error));
  if (error) {
    print("stderr", toString(std::move(error)) + "\n");
    return terminated(1);
  }
  stopToTell.reset();
  takeText();
  tellBreakpointChanges();
  if (session->state() == SessionState::NotStarted || !session->lastStop())
    return begin();
  tellStopped(*session->lastStop());
}

void Server::begin() {
  ended = false;
  toldTick = 0;
  if (saved)
    return beginSaved();
  if (noDebug) {
    for (Breakpoint &point : session->stops().breakpoints().all())
      point.enabled = false;
    session->stops().arm();
  }
  if (!stopOnEntry || noDebug)
    return runOn(/*fromStart=*/true);
  Expected<StopEvent> started = session->start();
  if (started)
    return tellStop(*started);
  print("stderr", toString(started.takeError()) + "\n");
  terminated(1);
}

} // namespace leno::dbg::dap
