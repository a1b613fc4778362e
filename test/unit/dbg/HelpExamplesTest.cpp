// The example of every command's help runs.
#include "KernelSession.h"

namespace leno::dbg {
namespace {

TEST_F(KernelSession, TheExampleOfEveryHelpRuns) {
  std::error_code code;
  std::string script = folder.str().str() + "/commands.dbg";
  llvm::raw_fd_ostream(script, code) << "echo from the script\n";
  for (const Command *command : allCommands()) {
    std::string text;
    llvm::raw_string_ostream out(text);
    Interpreter interpreter(*session, out, out, false);
    session->breakpoints().clear();
    // A stop inside a call, with a breakpoint and a display to work on.
    ASSERT_TRUE(interpreter.execute("break twice"));
    std::string id = std::to_string(session->breakpoints().all().back().id);
    ASSERT_TRUE(interpreter.execute("run"));
    ASSERT_TRUE(interpreter.execute("display $pc"));
    std::string example = command->details.substr(command->details.rfind("(leno) ") + 7).str();
    // What the page calls by a name of its own is here called otherwise.
    if (size_t at = example.find("commands.dbg"); at != std::string::npos)
      example.replace(at, 12, script);
    if (command->name == "save")
      example = "save " + script + ".session";
    if ((command->name == "delete" || command->name == "enable" || command->name == "disable"))
      example = command->name.str() + " " + id;
    if (command->name == "ignore" || command->name == "commands")
      example = command->name.str() + " " + id + (command->name == "ignore" ? " 2" : "");
    EXPECT_TRUE(interpreter.execute(example)) << example << "\n" << text;
  }
}

} // namespace
} // namespace leno::dbg
