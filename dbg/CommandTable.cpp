#include "asm/support/NearMiss.h"
#include "dbg/Command.h"
#include "dbg/ProfileCommands.h"
#include "dbg/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace leno::dbg {

ArrayRef<const Command *> allCommands() {
  static const std::vector<const Command *> commands = [] {
    std::vector<const Command *> all;
    for (u8 group = Command::Running; group <= Command::General; ++group)
      for (ArrayRef<Command> rows :
           {executionCommands(),  historyCommands(), breakpointCommands(), breakpointEditCommands(),
            dataCommands(),       infoCommands(),    warpCommands(),       tableCommands(),
            machineCommands(),    cacheCommands(),   constantCommands(),   focusCommands(),
            contextCommands(),    sourceCommands(),  sourcePathCommands(), symbolCommands(),
            memoryFileCommands(), generalCommands(), scriptCommands(),     settingCommands(),
            sessionCommands(),    checkCommands(),   layoutCommands(),     profileCommands(),
            launchCommands()})
        for (const Command &row : rows)
          if (row.group == group)
            all.push_back(&row);
    return all;
  }();
  return commands;
}

StringRef groupName(Command::Group group) {
  static constexpr StringLiteral names[] = {"Running", "Back in time", "Stopping", "Looking",
                                            "Focus",   "Code",         "General"};
  return names[group];
}

static bool hasAlias(const Command &command, StringRef word) {
  SmallVector<StringRef, 4> aliases;
  command.aliases.split(aliases, ' ', -1, false);
  return is_contained(aliases, word);
}

/// Splits the first word off; it ends at a blank, a slash or a sign (`x/4x`, `list*8`).
static StringRef takeWord(StringRef &line) {
  line = line.ltrim();
  if (line.starts_with("!")) { // `!ls`
    StringRef word = line.take_front();
    line = line.drop_front();
    return word;
  }
  size_t end = line.find_if_not([](char c) { return isAlnum(c) || c == '-' || c == '_' || c == '?'; });
  StringRef word = line.take_front(end);
  line = line.substr(word.size());
  return word;
}

static std::string listOf(ArrayRef<StringRef> names) { return join(names, ", "); }

/// What a first word stands for, as everybody's fingers know from gdb, although other commands begin so too.
static StringRef spelledOut(StringRef first) { return first == "i" ? "info" : first; }

/// The candidates whose word number `index` starts with `word`; those where it is the word when there are
/// such.
static std::vector<const Command *> narrow(ArrayRef<const Command *> from, StringRef word, unsigned index) {
  std::vector<const Command *> exact, prefix;
  for (const Command *command : from) {
    SmallVector<StringRef, 2> words;
    command->name.split(words, ' ');
    bool whole = (words.size() == 1 && index == 0 && hasAlias(*command, word)) ||
                 (words.size() == 2 && index == 1 && hasAlias(*command, word));
    if (index < words.size() && words[index] == word)
      whole = true;
    if (whole)
      exact.push_back(command);
    else if (index < words.size() && words[index].starts_with(word))
      prefix.push_back(command);
  }
  return exact.empty() ? prefix : exact;
}

static std::vector<StringRef> wordsOf(ArrayRef<const Command *> commands, unsigned index) {
  std::vector<StringRef> names;
  for (const Command *command : commands) {
    SmallVector<StringRef, 2> words;
    command->name.split(words, ' ');
    if (index < words.size() && !is_contained(names, words[index]))
      names.push_back(words[index]);
  }
  return names;
}

static std::string nearest(StringRef word, ArrayRef<StringRef> names) {
  NearMiss near(word, 2);
  for (StringRef name : names)
    near.consider(name, name);
  return near.hint();
}

Expected<const Command *> findCommand(StringRef line, StringRef &rest) {
  rest = line;
  StringRef word = spelledOut(takeWord(rest));
  size_t column = columnIn(line, line.ltrim());
  auto known = wordsOf(allCommands(), 0);
  std::vector<const Command *> found =
      word.empty() ? std::vector<const Command *>() : narrow(allCommands(), word, 0);
  if (found.empty())
    return textError(line, column,
                     "there is no command '" + (word.empty() ? line.trim() : word) + "'" +
                         nearest(word, known) + (nearest(word, known).empty() ? "; try `help`" : ""));
  std::vector<StringRef> firsts = wordsOf(found, 0);
  if (firsts.size() > 1)
    return textError(line, column, "'" + word + "' can be " + listOf(firsts));
  StringRef group = firsts[0];
  // A one-word command of that name, or a group whose second word decides.
  const Command *alone = nullptr;
  for (const Command *command : found)
    if (!command->name.contains(' '))
      alone = command;
  if (found.size() == 1 && alone)
    return alone;
  StringRef afterGroup = rest;
  StringRef second = takeWord(afterGroup);
  std::vector<const Command *> subs;
  for (const Command *command : found)
    if (command->name.contains(' '))
      subs.push_back(command);
  std::vector<const Command *> matching =
      second.empty() ? std::vector<const Command *>() : narrow(subs, second, 1);
  // `set s = 5` is of a register's name, not of `set scheduler-locking`.
  if (alone)
    llvm::erase_if(matching, [&](const Command *command) { return wordsOf({command}, 1)[0] != second; });
  if (matching.size() == 1) {
    rest = afterGroup;
    return matching[0];
  }
  if (alone)
    return alone;
  size_t at = second.empty() ? line.rtrim().size() : columnIn(line, second);
  if (matching.size() > 1)
    return textError(line, at, "'" + group + " " + second + "' can be " + listOf(wordsOf(matching, 1)));
  std::vector<StringRef> seconds = wordsOf(subs, 1);
  if (second.empty())
    return textError(line, at, "'" + group + "' needs to know what: " + listOf(seconds));
  std::string guess = nearest(second, seconds);
  return textError(line, at,
                   "there is no '" + group + " " + second + "'" +
                       (guess.empty() ? "; there are " + listOf(seconds) : guess));
}

bool onlyLooks(StringRef line) {
  StringRef rest;
  Expected<const Command *> found = findCommand(line.trim(), rest);
  if (!found) {
    consumeError(found.takeError()); // it may be one of the user's own
    return false;
  }
  StringRef name = (*found)->name;
  if (name.starts_with("info ") || name.starts_with("show "))
    return true;
  switch ((*found)->group) {
  case Command::Looking:
    return name != "set" && name != "restore";
  case Command::Focusing:
    return rest.trim().empty(); // it tells the focus
  case Command::Code:
    return name == "list" || name == "disassemble" || name == "where";
  default:
    return false;
  }
}

std::vector<std::string> completeCommand(StringRef prefix) {
  std::vector<std::string> result;
  for (const Command *command : allCommands()) {
    StringRef name = command->name;
    if (!name.starts_with(prefix))
      continue;
    // Only the first word, until it is typed.
    size_t blank = name.find(' ', prefix.find(' ') == StringRef::npos ? 0 : prefix.size());
    std::string candidate = name.take_front(blank).str();
    if (!is_contained(result, candidate))
      result.push_back(candidate);
  }
  return result;
}

} // namespace leno::dbg
