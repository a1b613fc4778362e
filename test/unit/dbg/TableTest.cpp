// info table on a terminal: lanes that are not active are dimmed, what a step has changed is marked.
#include "KernelSession.h"

namespace leno::dbg {
namespace {

using TableOnATerminal = KernelSession;

TEST_F(TableOnATerminal, DimsAndMarks) {
  std::string text;
  llvm::raw_string_ostream out(text);
  Interpreter interpreter(*session, out, out, true);
  ASSERT_TRUE(interpreter.execute("break loop+0x18")); // BRK
  ASSERT_TRUE(interpreter.execute("run"));
  ASSERT_TRUE(interpreter.execute("stepi"));
  ASSERT_TRUE(interpreter.execute("info table R1 P0"));
  // Lanes 0 and 1 have broken out: all of their rows is dim.
  EXPECT_NE(text.find("\x1b[2m   0  waiting \x1b[0m  \x1b[2m 1 \x1b[0m  \x1b[2m 1 \x1b[0m"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("   2  active     1    0"), std::string::npos) << text;
  text.clear();
  ASSERT_TRUE(interpreter.execute("until loop+8"));
  ASSERT_TRUE(interpreter.execute("info table"));
  EXPECT_NE(text.find("   2  active    \x1b[1;33m 2*\x1b[0m   0"), std::string::npos) << text;
}

} // namespace
} // namespace leno::dbg
