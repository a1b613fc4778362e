//===- leno-dbg.cpp - The debugger for warps ------------------------------===//
#include "asm/support/Tool.h"
#include "dbg/Interrupt.h"
#include "dbg/JsonReport.h"
#include "dbg/Repl.h"
#include "dbg/SessionFile.h"
#include "dbg/Startup.h"
#include "dbg/dap/Listen.h"
#include "dbg/dap/Server.h"
#include "dbg/terminal/TerminalView.h"
#include "dbg/web/Server.h"
#include "llvm/Support/Process.h"
#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

using namespace leno;
using namespace leno::dbg;

namespace {
/// What is done before anything is typed: a file of commands, or one of them.
struct Beginning {
  bool isFile;
  std::string text;
};
struct Options {
  runtime::LaunchOptions launch;
  std::vector<std::string> program; ///< a host program and its arguments; empty: a kernel is debugged alone
  std::vector<Beginning> first; ///< before start-up files of the folder
  std::vector<Beginning> scripts;
  bool batch = false, json = false, skipsStartup = false, quiet = false;
  std::string dap; ///< a port; empty: standard input and output
  bool hasWeb = false;
  std::string web; ///< a port; empty: one that is free
};
} // namespace

static bool coloursWanted() {
  const char *noColour = std::getenv("NO_COLOR");
  return llvm::sys::Process::StandardOutHasColors() && !(noColour && *noColour);
}

/// Speaks the protocol on standard input and output. Whatever else is printed goes to standard error.
static int serve() {
  int output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0); // not for programs that are started
  if (output < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
    return fail("leno-dbg", llvm::createStringError("cannot use standard output"));
  signal(SIGPIPE, SIG_IGN); // an editor that goes away is seen at the input's end
  llvm::raw_fd_ostream stream(output, /*shouldClose=*/true);
  bool left = dap::Server(STDIN_FILENO, stream).serve();
  stream.clear_error();
  return left ? ExitSuccess : ExitFailure;
}

/// Speaks it with one client that connects.
static int serveOn(uint16_t port) {
  signal(SIGPIPE, SIG_IGN);
  llvm::Expected<int> client = dap::acceptClient(port, llvm::outs());
  if (!client)
    return fail("leno-dbg", client.takeError());
  llvm::raw_fd_ostream stream(*client, /*shouldClose=*/true);
  bool left = dap::Server(*client, stream).serve();
  stream.clear_error();
  return left ? ExitSuccess : ExitFailure;
}

static llvm::Error executeBeginnings(llvm::ArrayRef<Beginning> all, Interpreter &interpreter) {
  for (const Beginning &one : all) {
    if (interpreter.quitting())
      break;
    if (!one.isFile) {
      if (!interpreter.onAnswer)
        interpreter.out << interpreter.promptNow() << one.text << '\n';
      interpreter.execute(one.text);
    } else if (llvm::Error error = interpreter.executeFile(one.text))
      return error;
  }
  return llvm::Error::success();
}

/// `goesOn` reads what comes after the scripts.
static llvm::Error executeAll(const Options &options, Interpreter &interpreter,
                              llvm::function_ref<void()> goesOn) {
  // Programs start the same everywhere.
  bool readsStartup = !options.skipsStartup && !options.json;
  if (readsStartup)
    if (llvm::Error error = readStartupFile(interpreter))
      return error;
  if (llvm::Error error = executeBeginnings(options.first, interpreter))
    return error;
  if (readsStartup)
    if (llvm::Error error = readStartupFileHere(interpreter))
      return error;
  if (llvm::Error error = executeBeginnings(options.scripts, interpreter))
    return error;
  if (!interpreter.quitting() && (!options.batch || options.scripts.empty()))
    goesOn();
  return llvm::Error::success();
}

/// Nullopt: it is none, and this is said.
static std::optional<uint16_t> portOf(llvm::StringRef option, llvm::StringRef text) {
  uint16_t port = 0;
  if (text.empty() || !text.getAsInteger(10, port))
    return port;
  llvm::errs() << "leno-dbg: error: " << option << "=" << text
               << ": a port is a number from 0 (one that is free) to 65535\n";
  return std::nullopt;
}

/// What standard input and scripts have asked, for those who read words.
static void tellInWords(llvm::StringRef line) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(line);
  const llvm::json::Object *object = value ? value->getAsObject() : nullptr;
  if (!value)
    consumeError(value.takeError());
  if (!object || object->getString("type") != "answer")
    return;
  auto each = [&](llvm::StringRef key, auto print) {
    if (const llvm::json::Array *all = object->getArray(key))
      for (const llvm::json::Value &one : *all)
        print(one);
  };
  each("text", [](const llvm::json::Value &one) {
    llvm::outs() << one.getAsString().value_or("") << '\n';
  });
  llvm::outs().flush();
  each("errors", [](const llvm::json::Value &one) {
    llvm::errs() << "error: " << one.getAsObject()->getString("message").value_or("") << '\n';
  });
}

/// Told on standard output as well when a program reads it.
static int failed(const Options &options, llvm::Error error) {
  std::string message = toString(std::move(error));
  if (options.json)
    JsonReport::failure(llvm::outs(), message);
  return fail("leno-dbg", llvm::createStringError(message));
}

static llvm::Expected<std::unique_ptr<Session>> newSession(const Options &options) {
  if (!options.program.empty())
    return sessionOfProgram(options.program, /*printsAside=*/options.json);
  RunFiles others;
  others.writes("-");
  for (const auto &[isFile, script] : options.scripts)
    if (isFile)
      others.reads(script);
  auto work = runtime::Prepared::create(options.launch, llvm::errs(), std::move(others));
  if (!work)
    return work.takeError();
  for (u32 context = 0; context < (*work)->contextCount(); ++context)
    if (!(*work)->launches(context).empty())
      return std::make_unique<Session>(std::move(*work));
  return llvm::createStringError("no context of '" + options.launch.contexts +
                                 "' launches a kernel: there is nothing to debug");
}

static int serve(llvm::StringRef where) {
  if (where.empty())
    return serve();
  std::optional<uint16_t> port = portOf("--dap", where);
  return port ? serveOn(*port) : ExitUsage;
}

static int debug(const Options &options) {
  std::optional<SavedSession> saved;
  if (options.program.empty() && options.launch.contexts.empty() && isSessionFile(options.launch.file))
    if (llvm::Error error = readSession(options.launch.file).moveInto(saved))
      return failed(options, std::move(error));
  auto session = saved ? openSession(*saved) : newSession(options);
  if (!session)
    return failed(options, session.takeError());
  std::unique_ptr<web::Server> server;
  if (options.hasWeb) {
    std::optional<uint16_t> port = portOf("--web", options.web);
    if (!port)
      return ExitUsage;
    if (llvm::Error error = web::Server::listen(*port).moveInto(server))
      return failed(options, std::move(error));
    if (!options.json)
      llvm::outs() << "the warp view is at " << server->address() << '\n';
  }
  AnswerStream answers;
  LogStream log(llvm::outs());
  bool speaksJson = options.json || server;
  llvm::raw_ostream &out = speaksJson ? static_cast<llvm::raw_ostream &>(answers) : log;
  Interpreter interpreter(**session, out, llvm::errs(), !speaksJson && coloursWanted());
  interpreter.log = speaksJson ? nullptr : &log;
  if (server)
    server->listen([&](llvm::StringRef line) {
      if (options.json)
        (llvm::outs() << line << '\n').flush();
      else
        tellInWords(line);
    });
  std::optional<JsonReport> report;
  if (speaksJson) {
    report.emplace(interpreter, answers, server ? server->lines() : llvm::outs());
    report->hello();
  }
  if (server && options.json)
    server->lines() << llvm::json::Value(
                           llvm::json::Object{{"type", "web"}, {"address", server->address()}})
                    << '\n';
  llvm::outs().flush();
  catchInterrupts();
  if (saved)
    if (llvm::Error error = repeatSession(*saved, interpreter, true)) {
      int status = failed(options, std::move(error));
      return interruptRequested() ? 128 + SIGINT : status;
    }
  auto goOn = [&] {
    if (server)
      server->serve(interpreter);
    else
      runRepl(interpreter, options.batch || options.json);
  };
  std::optional<TerminalView> view;
  if (!speaksJson && llvm::sys::Process::StandardInIsUserInput())
    interpreter.view = &view.emplace(interpreter, log);
  if (llvm::Error error = executeAll(options, interpreter, goOn))
    return failed(options, std::move(error));
  view.reset();
  int status = options.batch && interpreter.failed() ? ExitFailure : ExitSuccess;
  if (report)
    report->bye(status);
  if (server)
    server->close();
  if (llvm::Error error = finishOutput())
    return fail("leno-dbg", std::move(error));
  return status;
}

/// Whether any option of a launch was given.
static bool hasLaunchOptions(const CLI::App &app) {
  for (const char *name : {"--kernel", "--grid", "--block", "--arg", "--machine", "--set",
                           "--max-instructions", "-I", "-D", "-W", "-w", "-g"})
    if (app.count(name))
      return true;
  return false;
}

/// Behind `--`: a host program and its arguments. False: there is no `--`.
static bool takeProgram(std::vector<std::string> &words, std::vector<std::string> &program) {
  auto at = llvm::find(words, "--");
  if (at == words.end())
    return false;
  program.assign(std::next(at), words.end());
  words.erase(at, words.end());
  return true;
}

/// gdb's options have one dash and several letters.
static std::vector<std::string> withTwoDashes(std::vector<std::string> words) {
  for (std::string &word : words)
    for (llvm::StringRef known : {"ex", "iex", "nx", "batch", "quiet", "command", "tui"}) {
      llvm::StringRef text = word;
      if (text.consume_front("-") && text.consume_front(known) && (text.empty() || text.starts_with("="))) {
        word.insert(0, 1, '-');
        break;
      }
    }
  return words;
}

int main(int argc, char **argv) {
  Options options;
  std::vector<std::string> words(argv, argv + argc);
  const bool hasProgram = takeProgram(words, options.program);
  words = withTwoDashes(std::move(words));
  std::vector<char *> pointers;
  for (std::string &word : words)
    pointers.push_back(word.data());
  CLI::App app(
      "Step a kernel's warps: breakpoints, lanes, registers, predicates, divergence stacks, memory.");
  describeTool(app, "leno-dbg",
               "  leno-dbg saxpy.s --grid 4 --block 256 --arg u32:1000 --arg f32:2 --arg in:x.npy --arg "
               "inout:y.npy:out.npy\n"
               "  leno-dbg loop.s --block 32 -x commands.dbg --batch\n"
               "  leno-dbg loop.s --block 32 -ex 'break loop' -ex run\n"
               "  leno-dbg --contexts two.yaml\n"
               "  leno-dbg -- ./program ARGUMENTS      a program that uses OpenCL or Leno's host API\n"
               "  echo 'info kernels' | leno-dbg kernels.o --kernel first --batch\n"
               "In the debugger: `help`, `break LABEL`, `run`, `stepi`, `info warps`, `print R0`, `quit`.");
  CLI::Option *file =
      app.add_option("FILE", options.launch.file,
                     "source (.s .c .cl .ll .bc .spv), an object, an executable or a saved session");
  auto beginning = [&app](const char *names, std::vector<Beginning> &to, bool isFile, const char *text,
                          const char *type) {
    app.add_option_function<std::vector<std::string>>(
           names,
           [&to, isFile](const std::vector<std::string> &values) {
             for (const std::string &value : values)
               to.push_back({isFile, value});
           },
           text)
        ->type_name(type)
        ->allow_extra_args(false)
        ->trigger_on_parse();
  };
  beginning("-x,--command", options.scripts, true, "run the commands of this file first (may be given again)",
            "SCRIPT");
  beginning("--ex", options.scripts, false, "run this command first, as -ex too; in one order with -x",
            "COMMAND");
  app.add_flag_callback(
      "--tui", [&options] { options.scripts.push_back({false, "layout"}); },
      "show the warps on the whole terminal: `layout` as the first command, as -tui too");
  beginning("--iex", options.first, false,
            "run this command before a start-up file of the folder, as -iex too", "COMMAND");
  app.add_flag("--nx,-n", options.skipsStartup,
               "read no start-up file ($XDG_CONFIG_HOME/leno/dbginit or ~/.lenodbginit), as -nx too");
  app.add_flag("-q,--quiet", options.quiet, "nothing is said at the start anyway");
  app.add_flag("--batch", options.batch,
               "leave after the scripts, or read commands from standard input without echo; exit status 1 "
               "when one failed");
  app.add_flag("--json", options.json, "print every stop and answer as a line of JSON (dbg/Json.md)");
  CLI::Option *dap = app.add_option("--dap", options.dap,
                                    "serve an editor on standard input and output (Debug Adapter Protocol); "
                                    "its launch request names the program; --dap=PORT: one that connects to "
                                    "this port of 127.0.0.1")
                         ->type_name("[PORT]")
                         ->expected(0, 1);
  file->excludes(dap);
  app.add_option("--web", options.web,
                 "show the warps in a browser of this machine: prints an address (dbg/web/WarpView.md); "
                 "--web=PORT: at this port of 127.0.0.1")
      ->type_name("[PORT]")
      ->expected(0, 1)
      ->excludes(dap);
  app.add_option("--contexts", options.launch.contexts,
                 "debug several contexts on one device, as this file says (leno-run --help)")
      ->type_name("FILE.yaml")
      ->excludes(file)
      ->excludes(dap);
  runtime::addLaunchOptions(app, options.launch);
  if (int status = parseCommandLine(app, int(pointers.size()), pointers.data()); status >= 0)
    return status;
  if (app.count("--dap"))
    return serve(options.dap);
  options.hasWeb = app.count("--web");
  if (hasProgram) {
    const char *wrong =
        options.program.empty() ? "expected a program behind --"
        : !options.launch.file.empty() || !options.launch.contexts.empty()
            ? "behind -- stands a program, which makes its launches itself: leave FILE out"
        : hasLaunchOptions(app)
            ? "a program makes its launches itself: leave the launch options out; LENO_MACHINE in the "
              "environment is OpenCL's machine"
            : nullptr;
    if (!wrong)
      return debug(options);
    llvm::errs() << "leno-dbg: error: " << wrong << '\n';
    return ExitUsage;
  }
  if (!options.launch.contexts.empty()) {
    for (const char *name : {"--kernel", "--grid", "--block", "--arg", "--max-instructions"})
      if (app.count(name)) {
        llvm::errs() << "leno-dbg: error: " << name
                     << " is of one launch; with --contexts the file has what each launch is\n";
        return ExitUsage;
      }
    return debug(options);
  }
  if (options.launch.file.empty()) {
    llvm::errs() << "leno-dbg: error: FILE is required; `leno-dbg --help` shows examples\n";
    return ExitUsage;
  }
  if (isSessionFile(options.launch.file) && hasLaunchOptions(app)) {
    llvm::errs()
        << "leno-dbg: error: a saved session has its launch in itself: leave the launch options out\n";
    return ExitUsage;
  }
  return debug(options);
}
