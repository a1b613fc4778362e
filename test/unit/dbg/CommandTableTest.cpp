#include "Support.h"
#include "dbg/Command.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

namespace leno::dbg {
namespace {

std::string find(llvm::StringRef line) {
  llvm::StringRef rest;
  auto command = findCommand(line, rest);
  if (!command)
    return errorOf(command.takeError());
  return ((*command)->name + "|" + rest).str();
}

TEST(CommandTable, NamesAliasesAndUniquePrefixes) {
  EXPECT_EQ(find("continue"), "continue|");
  EXPECT_EQ(find("c"), "continue|");
  EXPECT_EQ(find("cont"), "continue|");
  EXPECT_EQ(find("p R3"), "print| R3");
  EXPECT_EQ(find("p/x R3"), "print|/x R3");
  EXPECT_EQ(find("x/4xw 16"), "x|/4xw 16");
  EXPECT_EQ(find("  si 5"), "stepi| 5");
  EXPECT_EQ(find("bt"), "where|");
}

TEST(CommandTable, TwoWordNamesToo) {
  EXPECT_EQ(find("info warps"), "info warps|");
  EXPECT_EQ(find("i w"), "info warps|");
  EXPECT_EQ(find("inf reg R0"), "info registers| R0");
  EXPECT_EQ(find("info br"), "info breakpoints|");
  EXPECT_EQ(find("info b"), "info breakpoints|");
  EXPECT_EQ(find("set scheduler-locking off"), "set scheduler-locking| off");
  EXPECT_EQ(find("set s = 1"), "set| s = 1"); // a register's name
}

TEST(CommandTable, MistakesSayWhatThereIs) {
  EXPECT_EQ(find("brake"), "0: there is no command 'brake'; did you mean 'break'?");
  EXPECT_EQ(find("zzz"), "0: there is no command 'zzz'; try `help`");
  EXPECT_EQ(find("st"), "0: 'st' can be start, step, stepi");
  EXPECT_EQ(find("info l"), "5: 'info l' can be launch, lanes, locks, locals, launches, line");
  EXPECT_EQ(find("info wraps"), "5: there is no 'info wraps'; did you mean 'warps'?");
  EXPECT_EQ(
      find("info zzz"),
      "5: there is no 'info zzz'; there are bookmarks, history, breakpoints, display, variables, "
      "kernels, launch, ctas, warps, lanes, "
      "registers, predicates, cc, stack, table, sms, barriers, locks, traps, shared, caches, cache, "
      "constants, contexts, parameters, args, locals, memory, findings, profile, launches, source, line, symbol, address, functions");
  EXPECT_EQ(find("@#!"), "0: there is no command '@#!'; try `help`");
}

TEST(CommandTable, NoNameOrAliasStandsTwice) {
  std::set<std::string> seen;
  for (const Command *command : allCommands()) {
    llvm::SmallVector<llvm::StringRef, 4> names{command->name};
    command->aliases.split(names, ' ', -1, false);
    llvm::StringRef group = command->name.contains(' ') ? command->name.split(' ').first : "";
    for (llvm::StringRef name : names)
      EXPECT_TRUE(seen.insert((name.contains(' ') ? name.str() : (group + " " + name).str())).second)
          << name.str();
  }
}

TEST(CommandTable, EveryCommandIsExplainedWithAnExample) {
  for (const Command *command : allCommands()) {
    EXPECT_FALSE(command->summary.empty()) << command->name.str();
    EXPECT_TRUE(command->details.contains("(leno) ")) << command->name.str();
    EXPECT_NE(command->run, nullptr);
    // The example is of this command, or opens the block that tells of it.
    llvm::StringRef rest, example = command->details.substr(command->details.rfind("(leno) ") + 7);
    auto found = findCommand(example, rest);
    ASSERT_TRUE(bool(found)) << example.str();
    EXPECT_TRUE(*found == command || ((*found)->flags & Command::OpensBlock &&
                                      (*found)->details.contains(("`" + command->name + "`").str())))
        << command->name.str();
  }
}

TEST(CommandTable, LettersThatFingersKnow) {
  EXPECT_EQ(find("f 1"), "frame| 1");
  EXPECT_EQ(find("!ls"), "shell|ls");
  EXPECT_EQ(find("t 5"), "thread| 5");
  EXPECT_EQ(find("info args"), "info args|");
}

TEST(CommandTable, CompletionGoesWordByWord) {
  EXPECT_EQ(completeCommand("und"), std::vector<std::string>{"undisplay"});
  EXPECT_EQ(completeCommand("inf"), std::vector<std::string>{"info"});
  EXPECT_EQ(completeCommand("info wa"), std::vector<std::string>{"info warps"});
}

} // namespace
} // namespace leno::dbg
