//===- Settings.cpp - set listsize, set logging, ..., show ----------------===//
#include "dbg/Facts.h"
#include "dbg/Replacing.h"
#include "dbg/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace leno::dbg {

namespace {
/// What `set` changes and `show` tells.
struct Setting {
  StringLiteral name;
  Error (*set)(Interpreter &, StringRef value);
  std::string (*show)(Interpreter &);
};
} // namespace

static Expected<unsigned> numberOf(StringRef value, unsigned most) {
  unsigned number;
  if (value == "unlimited" || value == "0")
    return most;
  if (value.getAsInteger(10, number) || number > most)
    return textError(value, 0, "expected a number from 1 to " + Twine(most) + ", or unlimited");
  return number;
}

/// "on" where nothing stands.
static Expected<bool> switchOf(StringRef value) {
  auto on = StringSwitch<std::optional<bool>>(value)
                .Cases({"", "on", "1", "yes", "enable"}, true)
                .Cases({"off", "0", "no", "disable"}, false)
                .Default(std::nullopt);
  if (!on)
    return textError(value, 0, "expected on or off");
  return *on;
}

static Error setListSize(Interpreter &in, StringRef value) {
  return numberOf(value, 1000000).moveInto(in.settings.listSize);
}
static std::string showListSize(Interpreter &in) {
  return "`list` shows " + plural(in.settings.listSize, "line") + ".";
}

static Error setElements(Interpreter &in, StringRef value) {
  return numberOf(value, 1000000).moveInto(in.settings.stringLimit);
}
static std::string showElements(Interpreter &in) {
  return "Strings are shown up to " + plural(in.settings.stringLimit, "character") + ".";
}

static Error setNextLine(Interpreter &in, StringRef value) {
  return switchOf(value == "auto" ? "on" : value).moveInto(in.settings.showsInstruction);
}
static std::string showNextLine(Interpreter &in) {
  return in.settings.showsInstruction
             ? "A stop shows its source line and its instruction."
             : "A stop shows its source line, or where there is none its instruction.";
}

static Error setPrompt(Interpreter &in, StringRef value) {
  if ((value.starts_with("\"") || value.starts_with("'")) && value.size() > 1 &&
      value.back() == value.front())
    value = value.drop_front().drop_back();
  in.settings.prompt = value.empty() ? Interpreter::prompt.str() : value.str();
  if (!value.ends_with(" ") && !value.empty())
    in.settings.prompt += ' ';
  return Error::success();
}
static std::string showPrompt(Interpreter &in) { return "The prompt is \"" + in.settings.prompt + "\"."; }

static Error setStyle(Interpreter &in, StringRef value) {
  value.consume_front("enabled");
  Expected<bool> on = switchOf(value.trim());
  if (!on)
    return on.takeError();
  in.setColours(*on);
  return Error::success();
}
static std::string showStyle(Interpreter &in) {
  return in.hasColours() ? "Colours are on." : "Colours are off.";
}

static Error setSafePath(Interpreter &in, StringRef value) {
  value.consume_front("safe-path");
  value = value.trim();
  in.settings.safePath.clear();
  SmallVector<StringRef, 4> folders;
  value.split(folders, ':', -1, false);
  for (StringRef folder : folders)
    in.settings.safePath.push_back(folder.str());
  return Error::success();
}
static std::string showSafePath(Interpreter &in) {
  return in.settings.safePath.empty()
             ? "A start-up file of the folder in which the debugger starts is never run by itself: `source "
               ".lenodbginit` runs it."
             : "A start-up file is run by itself in " + join(in.settings.safePath, ", ") + ".";
}

//===--- The log ----------------------------------------------------------===//

static Error openLog(Interpreter &in) {
  LogStream &log = *in.log;
  // It grows unless told otherwise: nothing is lost then.
  if (Error error = mayReplace(in, "set logging", log.path, true, true, ""))
    return error;
  std::error_code error;
  auto flags = log.overwrites ? sys::fs::CD_CreateAlways : sys::fs::CD_OpenAlways;
  auto file = std::make_unique<raw_fd_ostream>(log.path, error, flags, sys::fs::FA_Write,
                                               log.overwrites ? sys::fs::OF_None : sys::fs::OF_Append);
  if (error)
    return createStringError("cannot write '" + log.path + "': " + error.message());
  log.file = std::move(file);
  return Error::success();
}

static Error setLogging(Interpreter &in, StringRef value) {
  if (!in.log) {
    if (value == "off" || value == "enabled off")
      return Error::success();
    return createStringError("what programs read has no log: each answer is a line on standard output");
  }
  LogStream &log = *in.log;
  auto [word, rest] = value.split(' ');
  rest = rest.trim();
  if (word == "file") {
    if (rest.empty())
      return textError(value, value.size(), "expected the file of the log");
    log.path = rest.str();
    return Error::success();
  }
  if (word == "overwrite" || word == "redirect")
    return switchOf(rest).moveInto(word == "redirect" ? log.redirects : log.overwrites);
  if (word == "debugredirect")
    return Error::success();
  if (word == "enabled")
    value = rest;
  bool isSwitch =
      StringSwitch<bool>(value).Cases({"", "on", "off", "yes", "no", "0", "1"}, true).Default(false);
  if (!isSwitch) { // `set logging FILE`
    log.path = value.str();
    value = "on";
  }
  Expected<bool> on = switchOf(value);
  if (!on)
    return on.takeError();
  if (*on)
    return openLog(in);
  log.file.reset();
  return Error::success();
}
static std::string showLogging(Interpreter &in) {
  if (!in.log)
    return "What programs read has no log.";
  return (in.log->file ? "Written to '" : "Not written; `set logging on` writes to '") + in.log->path + "'" +
         (in.log->overwrites ? ", anew" : ", behind what is there") +
         (in.log->redirects ? ", and not shown." : ".");
}

static constexpr Setting settings[] = {
    {"listsize", setListSize, showListSize},
    {"print elements", setElements, showElements},
    {"print characters", setElements, showElements},
    {"disassemble-next-line", setNextLine, showNextLine},
    {"prompt", setPrompt, showPrompt},
    {"style", setStyle, showStyle},
    {"logging", setLogging, showLogging},
    {"auto-load", setSafePath, showSafePath},
};

/// Of `set listsize`, for its row.
static Error set(Interpreter &in, const Invocation &invocation) {
  StringRef name = StringRef(invocation.command.name).drop_front(StringRef("set ").size());
  for (const Setting &setting : settings)
    if (name == StringRef(setting.name).split(' ').first) {
      StringRef value = invocation.arguments;
      value.consume_front(StringRef(setting.name).split(' ').second);
      if (Error error = setting.set(in, value.trim()))
        return error;
      in.note({{"kind", "setting"}, {"name", setting.name}, {"text", facts::text(setting.show(in))}});
      return Error::success();
    }
  return Error::success();
}

//===--- show -------------------------------------------------------------===//

static void tell(Interpreter &in, StringRef name, const std::string &text) {
  in.note({{"kind", "setting"}, {"name", name}, {"text", facts::text(text)}});
  in.out << text << '\n';
}

static Error showUser(Interpreter &in, StringRef name) {
  if (!name.empty() && !in.userCommands.count(name))
    return textError(name, 0, "there is no command of yours '" + name + "'");
  if (in.userCommands.empty())
    in.out << "No commands of yours: `define NAME` makes one.\n";
  for (const auto &[known, command] : in.userCommands) {
    if (!name.empty() && known != name)
      continue;
    in.out << known << ":\n";
    for (const std::string &line : command.lines)
      in.out << "  " << line << '\n';
    in.note(
        {{"kind", "help"},
         {"command", facts::text(known)},
         {"lines", facts::list(command.lines, [](const std::string &line) { return facts::text(line); })}});
  }
  return Error::success();
}

static Error showValues(Interpreter &in) {
  Table table({"Value", "Is"});
  size_t number = 0;
  for (const Value &value : in.session.focus().userValues().history)
    table.row({"$" + std::to_string(++number), in.format(value, 0)});
  table.printOr(in.out, "No values: `print` numbers them.");
  return Error::success();
}

static Error show(Interpreter &in, const Invocation &invocation) {
  StringRef name = invocation.arguments;
  auto [word, rest] = name.split(' ');
  if (name.empty()) {
    for (const Setting &setting : settings)
      if (setting.name != "print characters")
        tell(in, setting.name, setting.show(in));
    return in.executeCommand("set scheduler-locking");
  }
  for (const Setting &setting : settings)
    if (name == setting.name || (word == setting.name && !setting.name.contains(' '))) {
      tell(in, setting.name, setting.show(in));
      return Error::success();
    }
  if (word == "user")
    return showUser(in, rest.trim());
  if (name == "values" || word == "values")
    return showValues(in);
  if (name == "version") {
    tell(in, name, "leno-dbg " LENO_VERSION);
    return Error::success();
  }
  for (auto [known, line] : {std::pair<StringRef, StringRef>("scheduler-locking", "set scheduler-locking"),
                             {"convenience", "info variables"},
                             {"conv", "info variables"},
                             {"args", "info launch"},
                             {"cwd", "pwd"}})
    if (name == known)
      return in.executeCommand(line);
  std::string names;
  for (const Setting &setting : settings)
    names += (names.empty() ? "" : ", ") + setting.name.str();
  return textError(name, 0,
                   "there is no setting '" + name + "'; there are " + names +
                       ", scheduler-locking, user, values, convenience, args and version");
}

ArrayRef<Command> settingCommands() {
  static constexpr Command commands[] = {
      {"show", "", Command::General, 0, "[SETTING]", "tell a setting, or all of them",
       "Also `show user` (commands of your own), `show values` (what was printed), `show convenience` "
       "(variables), `show args`\n"
       "and `show version`.\n"
       "\n"
       "(leno) show listsize",
       show},
      {"set listsize", "", Command::General, 0, "NUMBER", "how many lines list shows",
       "(leno) set listsize 20", set},
      {"set print", "", Command::General, 0, "elements NUMBER", "how many characters of a string are shown",
       "(leno) set print elements 400", set},
      {"set disassemble-next-line", "", Command::General, 0, "on | off",
       "show the instruction at every stop, too", "(leno) set disassemble-next-line on", set},
      {"set prompt", "", Command::General, 0, "TEXT", "change the prompt",
       "Without a text, as it was.\n"
       "\n"
       "(leno) set prompt (mine)",
       set},
      {"set style", "", Command::General, 0, "enabled on | off", "switch colours on or off",
       "On a terminal they are on, unless NO_COLOR is set.\n"
       "\n"
       "(leno) set style enabled off",
       set},
      {"set logging", "", Command::General, Command::Outside,
       "on | off | file FILE | overwrite on | redirect on", "write what is said to a file as well",
       "The file is leno-dbg.log, and grows, until told otherwise; `redirect` shows nothing meanwhile.\n"
       "\n"
       "(leno) set logging off",
       set},
      {"set auto-load", "", Command::General, 0, "safe-path FOLDER[:FOLDER...]",
       "where start-up files are run by themselves",
       "The debugger reads leno/dbginit in $XDG_CONFIG_HOME (~/.config), or ~/.lenodbginit. A file "
       ".lenodbginit in the folder in\n"
       "which it starts may come from anybody: it is run only in these folders and below, which the first "
       "file (or -iex)\n"
       "names. `/` is everywhere.\n"
       "\n"
       "(leno) set auto-load safe-path ~/kernels",
       set},
  };
  return commands;
}

} // namespace leno::dbg
