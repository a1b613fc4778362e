// Any text gives an answer or a message, never a crash or a hang.
#include "KernelSession.h"
#include "dbg/JsonReport.h"
#include "test/unit/Effort.h"
#include "llvm/ADT/StringExtras.h"
#include <random>

namespace leno::dbg {
namespace {

using Fuzz = KernelSession;

TEST_F(Fuzz, RandomBytes) {
  std::string text;
  llvm::raw_string_ostream out(text);
  Interpreter interpreter(*session, out, out, false);
  interpreter.reachesOut = false;
  std::mt19937 random(1);
  for (int i = 0; i < int(test::effort(20000)); ++i) {
    std::string line(random() % 40, ' ');
    for (char &c : line)
      c = char(random() % 256);
    interpreter.execute(line);
    text.clear();
  }
}

/// A `while` may never end.
static bool mayNotEnd(llvm::StringRef line) {
  llvm::StringRef rest;
  llvm::Expected<const Command *> found = findCommand(line, rest);
  if (found)
    return (*found)->name == "while" || (*found)->name == "define" || (*found)->name == "eval";
  consumeError(found.takeError());
  return line.contains("while");
}

/// Every word of every command, and what stands behind them. None of them reaches anything outside.
static std::vector<std::string> vocabulary() {
  std::vector<std::string> words = {
      "x/4xw",
      "x/3i",
      "x/2s",
      "x/5c",
      "R0",
      "R1",
      "R3[7]",
      "R2.f64",
      "P0",
      "P0.mask",
      "ZF",
      "$pc",
      "$mask",
      "$cta",
      "$1",
      "$",
      "SR_TID.X",
      "SR_CLOCKLO",
      "loop",
      "done",
      "twice",
      "work",
      "x",
      "[x]",
      "[0]",
      "shared[0]",
      "c[0][0x40]",
      "any(",
      "all(",
      "count(",
      "f32(",
      "u64(",
      ")",
      "(",
      "[",
      "]",
      "+",
      "-",
      "*",
      "/",
      "%",
      "<<",
      ">>",
      "&",
      "|",
      "^",
      "~",
      "!",
      "==",
      "!=",
      "<",
      "=",
      "&&",
      "||",
      "if",
      ",",
      "..",
      ":",
      "0",
      "1",
      "7",
      "31",
      "32",
      "0x10",
      "1.5",
      "1e300",
      "99999999999999999999",
      "18446744073709551615",
      "\t",
      "\x01",
      "\xff",
      "c",
      "s",
      "n",
      "si",
      "ni",
      "p/x",
      "R3[*]",
      "R0[0:3]",
      "$x",
      "$$",
      "P1[3]",
      "mask(",
      "shared[",
      "local[4]",
      "[x + 4].u8",
      "*0x18",
      "work.s:11",
      "divergence",
      "push",
      "off",
      "on",
      "all",
      "'",
      "\"",
      "#",
      "end",
  };
  for (const Command *command : allCommands()) {
    if (command->name == "while")
      continue;
    for (llvm::StringRef text : {llvm::StringRef(command->name), llvm::StringRef(command->aliases)})
      for (llvm::StringRef word : llvm::split(text, ' '))
        if (!word.empty())
          words.push_back(word.str());
  }
  return words;
}

static std::string randomLine(std::mt19937 &random, const std::vector<std::string> &words) {
  std::string line;
  // Most begin as a command does.
  if (random() % 4) {
    llvm::ArrayRef<const Command *> all = allCommands();
    line = all[random() % all.size()]->name.str() + " ";
  }
  for (unsigned k = random() % 7; k-- > 0;)
    line += words[random() % words.size()] + std::string(random() % 2, ' ');
  return mayNotEnd(line) ? "" : line;
}

TEST_F(Fuzz, RandomWordsOfTheLanguage) {
  std::string text;
  llvm::raw_string_ostream out(text);
  Interpreter interpreter(*session, out, out, false);
  interpreter.reachesOut = false;
  std::mt19937 random(2);
  std::vector<std::string> words = vocabulary();
  for (int i = 0; i < int(test::effort(60000)); ++i) {
    std::string line = randomLine(random, words);
    interpreter.execute(line);
    for (const std::string &completion : interpreter.completions(line))
      ASSERT_FALSE(completion.empty());
    if (interpreter.displays.size() > 20)
      interpreter.displays.clear();
    if (session->stops().breakpoints().all().size() > 20)
      session->stops().breakpoints().clear();
    text.clear();
  }
}

// What programs read is a line of JSON, whatever was typed.
TEST_F(Fuzz, LinesOfJson) {
  std::string lines;
  llvm::raw_string_ostream out(lines);
  AnswerStream answers;
  Interpreter interpreter(*session, answers, out, false);
  interpreter.reachesOut = false;
  JsonReport report(interpreter, answers, out);
  std::mt19937 random(3);
  std::vector<std::string> words = vocabulary();
  for (int i = 0; i < int(test::effort(10000)); ++i) {
    std::string line = randomLine(random, words);
    for (unsigned k = random() % 3; k-- > 0 && !line.empty();)
      line[random() % line.size()] = char(random() % 256);
    if (mayNotEnd(line)) // a byte may have made it of another
      continue;
    interpreter.execute(line);
    for (llvm::StringRef one : llvm::split(llvm::StringRef(lines).rtrim('\n'), '\n'))
      if (!one.empty()) {
        llvm::Expected<llvm::json::Value> value = llvm::json::parse(one);
        ASSERT_TRUE(bool(value)) << one.str() << toString(value.takeError());
        ASSERT_TRUE(value->getAsObject());
      }
    lines.clear();
    if (interpreter.displays.size() > 20)
      interpreter.displays.clear();
    if (session->stops().breakpoints().all().size() > 20)
      session->stops().breakpoints().clear();
  }
}

} // namespace
} // namespace leno::dbg
