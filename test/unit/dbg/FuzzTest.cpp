// Any text gives an answer or a message, never a crash or a hang.
#include "KernelSession.h"
#include "test/unit/Effort.h"
#include <random>

namespace leno::dbg {
namespace {

using Fuzz = KernelSession;

TEST_F(Fuzz, RandomBytes) {
  std::string text;
  llvm::raw_string_ostream out(text);
  Interpreter interpreter(*session, out, out, false);
  std::mt19937 random(1);
  for (int i = 0; i < int(test::effort(20000)); ++i) {
    std::string line(random() % 40, ' ');
    for (char &c : line)
      c = char(random() % 256);
    interpreter.execute(line);
    text.clear();
  }
}

TEST_F(Fuzz, RandomWordsOfTheLanguage) {
  static const char *const words[] = {"run",
                                      "start",
                                      "c",
                                      "s",
                                      "n",
                                      "si",
                                      "ni",
                                      "finish",
                                      "until",
                                      "break",
                                      "tbreak",
                                      "delete",
                                      "disable",
                                      "enable",
                                      "info",
                                      "warps",
                                      "lanes",
                                      "registers",
                                      "predicates",
                                      "cc",
                                      "stack",
                                      "kernels",
                                      "ctas",
                                      "launch",
                                      "breakpoints",
                                      "source_",
                                      "line",
                                      "print",
                                      "p/x",
                                      "x/4xw",
                                      "x/3i",
                                      "x/2s",
                                      "x/5c",
                                      "display",
                                      "undisplay",
                                      "set",
                                      "list",
                                      "disassemble",
                                      "where",
                                      "help",
                                      "apropos",
                                      "echo",
                                      "cta",
                                      "warp",
                                      "lane",
                                      "thread",
                                      "kernel",
                                      "jump",
                                      "advance",
                                      "finish loop",
                                      "finish side",
                                      "set scheduler-locking off",
                                      "set scheduler-locking on",
                                      "info table",
                                      "variables",
                                      "barriers",
                                      "locks",
                                      "traps",
                                      "caches",
                                      "constants",
                                      "shared",
                                      "sms",
                                      "sm",
                                      "context",
                                      "catch",
                                      "trap",
                                      "cta-start",
                                      "reverse-continue",
                                      "reverse-stepi",
                                      "$$",
                                      "$i",
                                      "$pc =",
                                      "@",
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
                                      "n",
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
                                      "\xff"};
  std::string text;
  llvm::raw_string_ostream out(text);
  Interpreter interpreter(*session, out, out, false);
  std::mt19937 random(2);
  for (int i = 0; i < int(test::effort(60000)); ++i) {
    std::string line;
    for (unsigned k = random() % 7; k-- > 0;)
      line += words[random() % std::size(words)] + std::string(random() % 2, ' ');
    ASSERT_LT(line.size(), 300u);
    interpreter.execute(line);
    for (const std::string &completion : interpreter.completions(line))
      ASSERT_FALSE(completion.empty());
    if (interpreter.displays.size() > 20)
      interpreter.displays.clear();
    if (session->breakpoints().all().size() > 20)
      session->breakpoints().clear();
    text.clear();
  }
}

} // namespace
} // namespace leno::dbg
