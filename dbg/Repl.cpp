#include "dbg/Repl.h"
#include "dbg/Interrupt.h"
#include "llvm/LineEditor/LineEditor.h"
#include "llvm/Support/Process.h"
#include <iostream>
#include <string>

using namespace llvm;

namespace leno::dbg {

static void runPipe(Interpreter &interpreter, bool quiet) {
  std::string line;
  while (!interpreter.quitting() && std::getline(std::cin, line)) {
    if (!quiet)
      interpreter.out << interpreter.promptNow() << line << '\n';
    interpreter.execute(line);
  }
}

static void runTerminal(Interpreter &interpreter) {
  LineEditor editor("leno-dbg", LineEditor::getDefaultHistoryPath("leno-dbg"));
  editor.loadHistory();
  editor.setListCompleter([&](StringRef buffer, size_t position) {
    std::vector<LineEditor::Completion> result;
    StringRef typed = buffer.take_front(position);
    for (const std::string &whole : interpreter.completions(typed))
      result.emplace_back(StringRef(whole).drop_front(std::min(whole.size(), typed.size())).str(), whole);
    return result;
  });
  interpreter.ask = [&](StringRef question) {
    editor.setPrompt((question + " (y or n) ").str());
    std::optional<std::string> answer = editor.readLine();
    editor.setPrompt(Interpreter::prompt.str());
    return answer && StringRef(*answer).trim().starts_with_insensitive("y");
  };
  while (!interpreter.quitting()) {
    clearInterrupt();
    editor.setPrompt(interpreter.promptNow());
    std::optional<std::string> line = editor.readLine();
    if (!line) {
      if (interruptRequested()) { // Ctrl-C drops the line, and the block that it is of
        interpreter.collecting.reset();
        continue;
      }
      interpreter.out << '\n';
      break;
    }
    if (interpreter.log)
      interpreter.log->alsoTo(interpreter.promptNow() + *line + "\n");
    interpreter.execute(*line);
  }
  interpreter.ask = nullptr;
  editor.saveHistory();
}

void runRepl(Interpreter &interpreter, bool quiet) {
  if (sys::Process::StandardInIsUserInput() && !quiet)
    runTerminal(interpreter);
  else
    runPipe(interpreter, quiet);
}

} // namespace leno::dbg
