// The rows of habits: what they run is a command, and what their answers say to type is one too.
#include "dbg/Habits.h"
#include "dbg/Command.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>

namespace leno::dbg {
namespace {

std::string said(llvm::StringRef line) {
  std::optional<FoundHabit> found = findHabit(line);
  return found ? found->text : "none";
}

bool isCommand(llvm::StringRef line) {
  llvm::StringRef rest;
  llvm::Expected<const Command *> found = findCommand(line, rest);
  if (found)
    return true;
  consumeError(found.takeError());
  return false;
}

TEST(Habits, WordsAbbreviationsAndRests) {
  EXPECT_EQ(said("info threads"), "info warps");
  EXPECT_EQ(said("i th"), "info warps");
  EXPECT_EQ(said("i t"), "none");
  EXPECT_EQ(said("info threadsx"), "none");
  EXPECT_EQ(said("set var R1 = 5"), "set R1 = 5");
  EXPECT_EQ(said("set var = 5"), "none") << "a register's name";
  EXPECT_EQ(said("set variable $x = R0 + 1"), "set $x = R0 + 1");
  EXPECT_EQ(said("b 12 thread 3"), "break 12 if $warp == 3");
}

TEST(Habits, OptionsInAnyOrder) {
  EXPECT_EQ(said("memory read -c 4 -f x -s 1 out"), "x/4-xb out");
  EXPECT_EQ(said("memory read -s8 --count=2 out"), "x/2-g out");
  EXPECT_EQ(said("me read out"), "x/- out");
  EXPECT_EQ(said("breakpoint set --file x.s --line 3"), "break x.s:3");
  EXPECT_EQ(said("breakpoint modify -c 'R0 == 3' 1"), "condition 1 R0 == 3");
}

TEST(Habits, WhatTheyRunIsACommand) {
  for (const Habit &habit : allHabits())
    if (habit.kind == Habit::Run && !habit.text.starts_with("<")) {
      EXPECT_TRUE(isCommand(habit.text)) << habit.pattern.str() << " -> " << habit.text.str();
    }
}

TEST(Habits, AnswersNameLinesToType) {
  for (const Habit &habit : allHabits()) {
    if (habit.kind == Habit::Run)
      continue;
    llvm::SmallVector<llvm::StringRef, 8> parts;
    habit.text.split(parts, '`');
    for (size_t i = 1; i < parts.size(); i += 2)
      EXPECT_TRUE(parts[i].starts_with("leno-dbg ") || isCommand(parts[i]))
          << habit.pattern.str() << ": " << parts[i].str();
    if (habit.kind == Habit::Refuse) {
      EXPECT_GT(parts.size(), 1u) << habit.pattern.str() << " is a dead end";
    }
  }
}

// A row that is never met is a mistake: another stands before it.
TEST(Habits, NoneHidesACommand) {
  for (const Command *command : allCommands()) {
    std::optional<FoundHabit> found = findHabit(command->name);
    EXPECT_FALSE(found) << command->name.str() << " is taken for " << found->text;
    llvm::StringRef example = command->details.substr(command->details.rfind("(leno) ") + 7);
    found = findHabit(example);
    EXPECT_FALSE(found) << example.str() << " is taken for " << found->text;
  }
}

} // namespace
} // namespace leno::dbg
