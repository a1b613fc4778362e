#include "dbg/Repl.h"
#include "dbg/Interrupt.h"
#include "dbg/terminal/LineReader.h"
#include "dbg/terminal/TerminalView.h"
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

/// True: the cursor is at the start of an empty row.
static bool press(Interpreter &interpreter, ViewKey key) {
  TerminalView &view = *interpreter.view;
  auto show = [&](StringRef layout) {
    if (Error error = view.show(layout))
      interpreter.out << "\nerror: " << toString(std::move(error)) << '\n';
    interpreter.out.flush();
    return true;
  };
  switch (key) {
  case ViewKey::OnOff:
    if (!view.isShown())
      return show("");
    view.hide();
    return true;
  case ViewKey::OnePane:
    return show("src");
  case ViewKey::OtherLayout:
    return show("next");
  case ViewKey::Refresh:
    return view.clear();
  case ViewKey::NextPane:
    view.focusNextPane();
    return false;
  case ViewKey::PageUp:
  case ViewKey::PageDown:
    view.turnPage(key == ViewKey::PageDown ? 1 : -1);
    return false;
  }
  return false;
}

static void runTerminal(Interpreter &interpreter) {
  LineReader reader("leno-dbg");
  TerminalView &view = *interpreter.view;
  reader.complete = [&](StringRef typed) { return interpreter.completions(typed); };
  reader.onKey = [&](ViewKey key) { return press(interpreter, key); };
  reader.onScreenChanged = [&] {
    view.redraw();
    return view.isShown();
  };
  interpreter.ask = [&](StringRef question) {
    std::optional<std::string> answer = reader.read((question + " (y or n) ").str());
    return answer && StringRef(*answer).trim().starts_with_insensitive("y");
  };
  while (!interpreter.quitting()) {
    clearInterrupt();
    view.update();
    std::optional<std::string> line = reader.read(interpreter.promptNow());
    if (!line) {
      if (interruptRequested()) { // Ctrl-C drops the line, and the block that it is of
        interpreter.collecting.reset();
        continue;
      }
      interpreter.out << '\n';
      break;
    }
    reader.remember(*line);
    if (interpreter.log)
      interpreter.log->alsoTo(interpreter.promptNow() + *line + "\n");
    interpreter.execute(*line);
  }
  interpreter.ask = nullptr;
  view.hide();
  reader.saveHistory();
}

void runRepl(Interpreter &interpreter, bool quiet) {
  if (interpreter.view && !quiet)
    runTerminal(interpreter);
  else
    runPipe(interpreter, quiet);
}

} // namespace leno::dbg
