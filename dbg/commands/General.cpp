//===- General.cpp - help, apropos, source, quit --------------------------===//
#include "dbg/Facts.h"
#include "dbg/Habits.h"
#include "dbg/Text.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace leno::dbg {

static std::string usageOf(const Command &command) {
  std::string text = command.name.str();
  if (command.flags & Command::TakesFormat)
    text += "[/FORMAT]";
  if (!command.arguments.empty())
    text += " " + command.arguments.str();
  return text;
}

static json::Object factsOf(const Command &command) {
  return json::Object{{"command", StringRef(command.name)},
                      {"group", groupName(command.group)},
                      {"usage", usageOf(command)},
                      {"summary", StringRef(command.summary)}};
}

static void printList(Interpreter &in, ArrayRef<const Command *> commands) {
  if (!commands.empty())
    in.note({{"kind", "commands"},
             {"commands", facts::list(commands, [](const Command *one) { return factsOf(*one); })}});
  size_t width = 0;
  for (const Command *command : commands)
    width = std::max(width, command->name.size());
  for (const Command *command : commands) {
    in.out << "  " << command->name;
    in.out.indent(unsigned(width - command->name.size() + 2)) << command->summary << '\n';
  }
}

static Error helpOfUser(Interpreter &in, const std::string &name, const Interpreter::UserCommand &command) {
  in.note({{"kind", "help"},
           {"command", facts::text(name)},
           {"details", facts::text(command.help)},
           {"lines", facts::list(command.lines, [](const std::string &line) { return facts::text(line); })}});
  in.out << name << "\n  a command of your own\n\n" << command.help << (command.help.empty() ? "" : "\n\n");
  for (const std::string &line : command.lines)
    in.out << "  " << line << '\n';
  return Error::success();
}

static Error help(Interpreter &in, const Invocation &invocation) {
  if (invocation.arguments.empty() || invocation.arguments == "all") {
    std::optional<Command::Group> group;
    std::vector<const Command *> members;
    auto flush = [&] {
      if (group)
        in.out << groupName(*group) << ":\n";
      printList(in, members);
      members.clear();
    };
    for (const Command *command : allCommands()) {
      if (group != command->group)
        flush();
      group = command->group;
      members.push_back(command);
    }
    flush();
    in.out
        << "`help COMMAND` tells more; a unique prefix of a name is enough; an empty line repeats a step.\n";
    return Error::success();
  }
  if (auto own = in.userCommands.find(invocation.arguments); own != in.userCommands.end())
    return helpOfUser(in, own->first, own->second);
  // `help info`: the whole group; `help set`: what it does alone, and the group.
  std::vector<const Command *> group;
  const Command *alone = nullptr;
  for (const Command *command : allCommands())
    if (command->name.starts_with((invocation.arguments + " ").str()))
      group.push_back(command);
    else if (command->name == invocation.arguments)
      alone = command;
  if (!group.empty() && !alone) {
    printList(in, group);
    return Error::success();
  }
  StringRef rest;
  Expected<const Command *> found =
      alone ? Expected<const Command *>(alone) : findCommand(invocation.arguments, rest);
  if (!found) {
    // What other debuggers call so.
    std::optional<FoundHabit> habit = findHabit(invocation.arguments);
    if (!habit)
      return found.takeError();
    consumeError(found.takeError());
    if (habit->kind != Habit::Run)
      return textError(invocation.arguments, 0, habit->text);
    found = findCommand(habit->text, rest);
    if (!found)
      return found.takeError();
    rest = "";
  }
  if (!rest.trim().empty())
    return textError(invocation.arguments, columnIn(invocation.arguments, rest.trim()),
                     "'" + (*found)->name + "' has no such part");
  json::Object page = factsOf(**found);
  page["kind"] = "help";
  page["details"] = StringRef((*found)->details);
  SmallVector<StringRef, 4> aliases;
  SplitString((*found)->aliases, aliases);
  page["aliases"] = facts::list(aliases, [](StringRef alias) { return alias; });
  in.note(std::move(page));
  in.out << usageOf(**found) << "\n  " << (*found)->summary << '\n';
  if (!(*found)->aliases.empty())
    in.out << "  also: " << join(split((*found)->aliases, ' '), ", ") << '\n';
  in.out << '\n' << (*found)->details << '\n';
  if (!group.empty()) {
    in.out << "\nAnd:\n";
    printList(in, group);
  }
  return Error::success();
}

static Error apropos(Interpreter &in, const Invocation &invocation) {
  if (invocation.arguments.empty())
    return textError("apropos", 7, "expected a word to look for");
  std::vector<const Command *> found;
  for (const Command *command : allCommands())
    for (StringRef text :
         {StringRef(command->name), StringRef(command->summary), StringRef(command->details)})
      if (text.contains_insensitive(invocation.arguments)) {
        found.push_back(command);
        break;
      }
  if (found.empty())
    in.out << "No command's help has '" << invocation.arguments << "'.\n";
  printList(in, found);
  return Error::success();
}

static Error runFile(Interpreter &in, const Invocation &invocation) {
  if (invocation.arguments.empty())
    return textError("source", 6, "expected a file of commands");
  return in.executeFile(invocation.arguments);
}

static Error quit(Interpreter &in, const Invocation &) {
  in.requestQuit();
  return Error::success();
}

ArrayRef<Command> generalCommands() {
  static constexpr Command commands[] = {
      {"help", "h ?", Command::General, Command::CompletesCommand, "[COMMAND]",
       "list the commands, or explain one", "(leno) help break", help},
      {"apropos", "", Command::General, 0, "WORD", "list the commands whose help has a word",
       "(leno) apropos barrier", apropos},
      {"source", "", Command::General, Command::Outside, "FILE", "run the commands of a file",
       "Each command is shown behind the prompt; blank lines and # comments do nothing. A command that fails "
       "says so and\n"
       "the next one runs.\n"
       "\n"
       "(leno) source commands.dbg",
       runFile},
      {"quit", "q exit", Command::General, Command::NoArguments, "", "leave the debugger",
       "A kernel that has not finished writes no outputs.\n"
       "\n"
       "(leno) quit",
       quit},
  };
  return commands;
}

} // namespace leno::dbg
