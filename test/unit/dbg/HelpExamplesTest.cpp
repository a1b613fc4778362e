// The example of every command's help runs, and what it answers a program is more than text.
#include "KernelSession.h"
#include "dbg/JsonReport.h"
#include "llvm/ADT/StringExtras.h"
#include <fstream>

namespace leno::dbg {
namespace {

class HelpExamples : public KernelSession {
protected:
  void SetUp() override {
    KernelSession::SetUp();
    script = folder.str().str() + "/commands.dbg";
    std::error_code code;
    llvm::raw_fd_ostream(script, code) << "echo from the script\n";
  }

  /// A stop inside a call, with a breakpoint and a display to work on; then the example.
  std::string prepare(Interpreter &interpreter, const Command &command) {
    session->stops().breakpoints().clear();
    EXPECT_TRUE(interpreter.execute("break twice"));
    std::string id = std::to_string(session->stops().breakpoints().all().back().id);
    EXPECT_TRUE(interpreter.execute("run"));
    EXPECT_TRUE(interpreter.execute("display $pc"));
    std::string example = command.details.substr(command.details.rfind("(leno) ") + 7).str();
    // What the page calls by a name of its own is here called otherwise.
    if (size_t at = example.find("commands.dbg"); at != std::string::npos)
      example.replace(at, 12, script);
    if (command.name == "save")
      example = "save " + script + ".session";
    if (command.name == "export")
      example = "export " + folder.str().str() + "/page.html 5";
    for (llvm::StringRef file : {"stops.dbg", "x.bin"})
      if (size_t at = example.find(file); at != std::string::npos) {
        std::string path = folder.str().str() + "/" + file.str();
        if (command.name == "dump" || command.name == "save breakpoints")
          llvm::sys::fs::remove(path);
        else
          std::ofstream(path, std::ios::app) << "0123";
        example.replace(at, file.size(), path);
      }
    for (const char *numbered : {"delete", "enable", "disable", "enable once", "enable delete"})
      if (command.name == numbered)
        example = command.name.str() + " " + id;
    if (command.name == "enable count")
      example = "enable count 3 " + id;
    if (command.name == "profile")
      example = "profile " + folder.str().str() + "/slow";
    for (auto [name, after] :
         {std::pair<const char *, const char *>("ignore", " 2"), {"commands", ""}, {"condition", " R0 == 3"}})
      if (command.name == name)
        example = command.name.str() + " " + id + after;
    interpreter.userCommands["twosteps"].lines = {"stepi 2"};
    // One may look down only from above.
    if (command.name == "down") {
      EXPECT_TRUE(interpreter.execute("up"));
    }
    return example;
  }

  std::string script;
};

/// Commands of the whole terminal say where there is none that they need it.
bool needsTerminal(const Command &command) {
  return llvm::is_contained({"layout", "tui", "refresh"}, command.name);
}

/// Those of a host program say where there is none that they need it.
bool needsProgram(const Command &command) {
  return llvm::is_contained({"launch", "info launches"}, command.name);
}

TEST_F(HelpExamples, Run) {
  for (const Command *command : allCommands()) {
    std::string text;
    llvm::raw_string_ostream out(text);
    Interpreter interpreter(*session, out, out, false);
    std::string example = prepare(interpreter, *command);
    EXPECT_EQ(interpreter.execute(example), !needsTerminal(*command) && !needsProgram(*command))
        << example << "\n"
        << text;
    EXPECT_EQ(llvm::StringRef(text).contains("no host program is debugged"), needsProgram(*command)) << text;
    EXPECT_EQ(llvm::StringRef(text).contains("needs a terminal"), needsTerminal(*command)) << text;
  }
}

/// Whether what a command says is said only in words: no stop, table, value or data.
bool isTextAlone(llvm::StringRef lines) {
  bool stop = false, told = false, text = false;
  for (llvm::StringRef line : llvm::split(lines.rtrim('\n'), '\n')) {
    llvm::json::Value value = cantFail(llvm::json::parse(line));
    const llvm::json::Object &object = *value.getAsObject();
    stop |= object.getString("type") == "stop";
    text |= object.getArray("text") && !object.getArray("text")->empty();
    for (const char *key : {"tables", "values", "data"})
      told |= object.getArray(key) != nullptr;
  }
  return text && !stop && !told;
}

// echo's text is what it was given; `source` answers with what its commands do.
TEST_F(HelpExamples, AnswerProgramsWithMoreThanText) {
  for (const Command *command : allCommands()) {
    if (command->name == "echo" || command->name == "source" || needsTerminal(*command) || needsProgram(*command))
      continue;
    std::string lines;
    llvm::raw_string_ostream out(lines);
    AnswerStream answers;
    Interpreter interpreter(*session, answers, out, false);
    JsonReport report(interpreter, answers, out);
    std::string example = prepare(interpreter, *command);
    lines.clear();
    EXPECT_TRUE(interpreter.execute(example)) << example << "\n" << lines;
    EXPECT_FALSE(isTextAlone(lines)) << example << "\n" << lines;
  }
}

} // namespace
} // namespace leno::dbg
