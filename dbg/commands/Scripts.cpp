//===- Scripts.cpp - define, document, alias, if, while, printf, shell ----===//
#include "dbg/Facts.h"
#include "dbg/Printf.h"
#include "dbg/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"
#include <cstdio>
#include <cstdlib>
#include <sys/wait.h>

using namespace llvm;

namespace leno::dbg {

//===--- Commands of the user's own ---------------------------------------===//

/// Fails unless `name` may be the user's.
static Error checkName(StringRef whole, StringRef name) {
  if (name.empty() || !all_of(name, [](char c) { return isAlnum(c) || c == '-' || c == '_' || c == '.'; }) ||
      isDigit(name[0]))
    return textError(whole, 0, "expected a name of letters, digits, '-' and '_'");
  for (const Command *command : allCommands()) {
    StringRef first = StringRef(command->name).split(' ').first;
    SmallVector<StringRef, 4> aliases;
    if (!command->name.contains(' '))
      SplitString(command->aliases, aliases);
    if (name == first || is_contained(aliases, name))
      return textError(whole, columnIn(whole, name),
                       "'" + name + "' is a command of the debugger (`help " + name +
                           "`): choose another name");
  }
  return Error::success();
}

static Error defined(Interpreter &in, const std::string &name, std::vector<std::string> lines) {
  in.userCommands[name].lines = std::move(lines);
  return Error::success();
}

static Error define(Interpreter &in, const Invocation &invocation) {
  StringRef name = invocation.arguments;
  if (Error error = checkName(name, name))
    return error;
  in.aliases.erase(name.str());
  in.collecting = Interpreter::Block{defined, name.str()};
  return Error::success();
}

static Error documented(Interpreter &in, const std::string &name, std::vector<std::string> lines) {
  in.userCommands[name].help = join(lines, "\n");
  return Error::success();
}

static Error document(Interpreter &in, const Invocation &invocation) {
  StringRef name = invocation.arguments;
  if (!in.userCommands.count(name))
    return textError(name, 0,
                     name.empty() ? Twine("expected the name of a command that `define` has made")
                                  : "there is no command of yours '" + name + "': `define` makes one");
  in.collecting = Interpreter::Block{documented, name.str()};
  return Error::success();
}

static Error alias(Interpreter &in, const Invocation &invocation) {
  auto [left, command] = invocation.arguments.split('=');
  StringRef name = left.trim(), text = command.trim();
  if (invocation.arguments.empty()) {
    Table table({"Alias", "Command"});
    for (const auto &[known, meaning] : in.aliases)
      table.row({known, meaning});
    table.printOr(in.out, "No aliases: `alias NAME = COMMAND` makes one.");
    return Error::success();
  }
  name.consume_front("-a ");
  name = name.trim();
  if (text.empty())
    return textError(invocation.arguments, invocation.arguments.size(),
                     "expected '=' and a command, as in `alias lanes = info lanes`");
  if (Error error = checkName(invocation.arguments, name))
    return error;
  StringRef rest;
  if (!in.userCommands.count(text.split(' ').first))
    if (Expected<const Command *> found = findCommand(text, rest); !found)
      return found.takeError();
  in.aliases[name.str()] = text.str();
  return Error::success();
}

//===--- Blocks -----------------------------------------------------------===//

/// The lines before and after the `else` that belongs to them.
static std::pair<ArrayRef<std::string>, ArrayRef<std::string>> atElse(ArrayRef<std::string> lines) {
  unsigned depth = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    StringRef rest;
    Expected<const Command *> found = findCommand(lines[i], rest);
    bool opens = found && (*found)->flags & Command::OpensBlock;
    if (!found)
      consumeError(found.takeError());
    if (lines[i] == "end")
      --depth;
    else if (opens)
      ++depth;
    else if (lines[i] == "else" && depth == 0)
      return {lines.take_front(i), lines.drop_front(i + 1)};
  }
  return {lines, {}};
}

static Error runIf(Interpreter &in, const std::string &condition, std::vector<std::string> lines) {
  Expected<Value> value = in.evaluate(condition);
  if (!value)
    return value.takeError();
  auto [met, otherwise] = atElse(lines);
  return in.executeLines(value->truth() ? met : otherwise);
}

static Error runWhile(Interpreter &in, const std::string &condition, std::vector<std::string> lines) {
  for (;;) {
    Expected<Value> value = in.evaluate(condition);
    if (!value)
      return value.takeError();
    if (!value->truth())
      return Error::success();
    if (Error error = in.executeLines(lines))
      return error;
    Interpreter::LoopExit exit = std::exchange(in.loopExit, Interpreter::LoopExit::None);
    if (exit == Interpreter::LoopExit::Break || in.quitting())
      return Error::success();
    // An empty body executes nothing that could notice it.
    if (in.wasInterrupted())
      return createStringError("interrupted");
  }
}

template <Error (*done)(Interpreter &, const std::string &, std::vector<std::string>)>
static Error openBlock(Interpreter &in, const Invocation &invocation) {
  Expected<Expression> condition = Expression::parse(invocation.arguments);
  if (!condition)
    return condition.takeError();
  in.collecting = Interpreter::Block{done, invocation.arguments.str()};
  return Error::success();
}

template <Interpreter::LoopExit exit> static Error leaveLoop(Interpreter &in, const Invocation &) {
  in.loopExit = exit;
  return Error::success();
}

static Error silent(Interpreter &, const Invocation &) {
  return createStringError(
      "`silent` belongs to a stop: it is the first line of a breakpoint's `commands`, as in "
      "`commands 1`, `silent`, `print R0`, `end`");
}

//===--- Words ------------------------------------------------------------===//

static Error echo(Interpreter &in, const Invocation &invocation) {
  std::string text = withoutEscapes(invocation.arguments);
  in.out << text << (StringRef(text).ends_with("\n") ? "" : "\n");
  return Error::success();
}

static Error printFormatted(Interpreter &in, const Invocation &invocation) {
  Expected<std::string> text = formatPrintf(invocation.arguments, in.session.focus().context());
  if (!text)
    return text.takeError();
  in.out << *text;
  in.note({{"kind", "printed"}, {"text", facts::text(*text)}});
  return Error::success();
}

static Error eval(Interpreter &in, const Invocation &invocation) {
  Expected<std::string> text = formatPrintf(invocation.arguments, in.session.focus().context());
  if (!text)
    return text.takeError();
  return in.executeCommand(*text);
}

static Error output(Interpreter &in, const Invocation &invocation) {
  Expected<char> letter = formatLetter(invocation);
  if (!letter)
    return letter.takeError();
  Expected<Value> value = in.evaluate(invocation.arguments);
  if (!value)
    return value.takeError();
  in.out << in.format(*value, *letter);
  in.note({{"kind", "printed"}, {"text", facts::text(in.format(*value, *letter))}});
  return Error::success();
}

//===--- Outside ----------------------------------------------------------===//

/// 128 + the signal's number when one ended it, as shells have it.
static int exitStatusOf(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : WIFSIGNALED(status) ? 128 + WTERMSIG(status) : status;
}

static Error shell(Interpreter &in, const Invocation &invocation) {
  std::string command = invocation.arguments.str();
  bool onTerminal = sys::Process::StandardInIsUserInput() && sys::Process::StandardOutIsDisplayed() && in.log;
  if (command.empty() && !onTerminal)
    return textError("shell", 5, "expected a command, as in `shell ls`: a shell of its own needs a terminal");
  in.flush();
  int status;
  if (onTerminal) {
    const char *shellOfUser = std::getenv("SHELL");
    status = std::system(command.empty() ? (shellOfUser ? shellOfUser : "/bin/sh") : command.c_str());
  } else {
    // What programs read stays in their answer.
    FILE *pipe = popen((command + " 2>&1 </dev/null").c_str(), "r");
    if (!pipe)
      return createStringError("cannot run a shell");
    char buffer[4096];
    while (size_t count = fread(buffer, 1, sizeof buffer, pipe))
      in.out.write(buffer, count);
    status = pclose(pipe);
  }
  in.note({{"kind", "shell"}, {"status", exitStatusOf(status)}});
  if (int code = exitStatusOf(status))
    in.out << "[exit status " << code << "]\n";
  return Error::success();
}

static Error printFolder(Interpreter &in, const Invocation &) {
  SmallString<128> path;
  if (std::error_code error = sys::fs::current_path(path))
    return createStringError("the folder is gone: " + error.message());
  in.note({{"kind", "folder"}, {"folder", facts::text(path)}});
  in.out << path << '\n';
  return Error::success();
}

ArrayRef<Command> scriptCommands() {
  static constexpr Command commands[] = {
      {"define", "", Command::General, Command::OpensBlock | Command::Outside, "NAME",
       "make a command of your own",
       "The lines that follow, up to `end`, are executed when NAME is typed; $arg0, $arg1, ... in them are "
       "what stands\n"
       "behind it, $argc how many there are. The first that fails ends it. `hook-stop` is executed at each "
       "stop.\n"
       "`show user` lists them.\n"
       "\n"
       "(leno) define twosteps",
       define},
      {"document", "", Command::General, Command::OpensBlock, "NAME", "say what a command of your own does",
       "The lines that follow, up to `end`, are what `help NAME` tells.\n"
       "\n"
       "(leno) document twosteps",
       document},
      {"alias", "", Command::General, Command::Outside, "[NAME = COMMAND]", "give a command another name",
       "What stands behind NAME comes behind COMMAND. Without a name, lists the aliases.\n"
       "\n"
       "(leno) alias ll = info lanes",
       alias},
      {"if", "", Command::General, Command::OpensBlock, "EXPRESSION", "execute lines when a value is not 0",
       "The lines that follow, up to `end` or `else`; those after `else` when it is 0.\n"
       "\n"
       "(leno) if R0 == 3",
       openBlock<runIf>},
      {"while", "", Command::General, Command::OpensBlock, "EXPRESSION",
       "execute lines as long as a value is not 0",
       "The lines that follow, up to `end`. `loop_break` leaves it, `loop_continue` begins the next turn; "
       "Ctrl-C ends it.\n"
       "\n"
       "(leno) while R0 < 3",
       openBlock<runWhile>},
      {"loop_break", "", Command::General, Command::NoArguments, "", "leave a while", "(leno) while R0 < 3",
       leaveLoop<Interpreter::LoopExit::Break>},
      {"loop_continue", "", Command::General, Command::NoArguments, "", "begin the next turn of a while",
       "(leno) while R0 < 3", leaveLoop<Interpreter::LoopExit::Continue>},
      {"silent", "", Command::General, Command::NoArguments, "", "leave a stop untold",
       "As the first of a breakpoint's `commands`: the stop is not told, only what they print.\n"
       "\n"
       "(leno) commands",
       silent},
      {"echo", "", Command::General, 0, "[TEXT]", "print a text",
       "\\n \\t \\e \\\\ and octal numbers stand for characters, as in C. A line's end is added where there "
       "is none.\n"
       "\n"
       "(leno) echo here we are",
       echo},
      {"printf", "", Command::General, 0, "\"FORMAT\", EXPRESSION...", "print values in a text",
       "As C's: %d %i %u %x %X %o %c %f %e %g %a %p %s, with flags, width and precision. A register without "
       "a type is signed for %d,\n"
       "a float for %f; %s takes an address. No line's end is added.\n"
       "\n"
       "(leno) printf \"%d of %x\\n\", R1, R0",
       printFormatted},
      {"eval", "", Command::General, 0, "\"FORMAT\", EXPRESSION...", "execute a line with values in it",
       "As `printf`, but what it makes is executed.\n"
       "\n"
       "(leno) eval \"print R%d\", 1",
       eval},
      {"output", "", Command::General, Command::TakesFormat, "EXPRESSION", "print a value, and nothing else",
       "As `print`, without a number and a line's end.\n"
       "\n"
       "(leno) output/x R1",
       output},
      {"shell", "!", Command::General, Command::Outside, "[COMMAND]", "run a command of the shell",
       "`!COMMAND` does too. Without a command, on a terminal, a shell until it is left.\n"
       "\n"
       "(leno) shell echo hello",
       shell},
      {"pwd", "", Command::General, Command::NoArguments, "", "tell the folder the debugger was started in",
       "Names of files are read from there.\n"
       "\n"
       "(leno) pwd",
       printFolder},
  };
  return commands;
}

} // namespace leno::dbg
