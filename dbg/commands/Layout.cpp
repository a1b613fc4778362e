//===- Layout.cpp - layout, tui, refresh: the whole terminal ---------------===//
#include "dbg/Text.h"
#include "dbg/terminal/TerminalView.h"

using namespace llvm;

namespace leno::dbg {

static Error needsTerminal(StringRef command) {
  return createStringError("'" + command +
                           "' needs a terminal, and these lines come from none: `list`, `disassemble`, "
                           "`info table` and `info stack` show its parts, `leno-dbg --web` shows them in a "
                           "browser");
}

static Error layout(Interpreter &in, const Invocation &invocation) {
  return in.view ? in.view->show(invocation.arguments) : needsTerminal("layout");
}

static Error tui(Interpreter &in, const Invocation &invocation) {
  StringRef what = invocation.arguments;
  bool isOn = what.empty() || what == "on" || what == "enable";
  if (!isOn && what != "off" && what != "disable")
    return textError(what, 0, "expected on or off");
  if (!in.view)
    return needsTerminal("tui");
  if (isOn)
    return in.view->show("");
  in.view->hide();
  return Error::success();
}

static Error refresh(Interpreter &in, const Invocation &) {
  if (!in.view)
    return needsTerminal("refresh");
  in.view->redraw();
  return Error::success();
}

ArrayRef<Command> layoutCommands() {
  static constexpr Command commands[] = {
      {"layout", "", Command::Looking, 0, "[warp | src | asm | split | lanes | stack | next | prev]",
       "show warps on the whole terminal",
       "Panes above, lines to type below. `warp` has the source, the lanes as `info table` has them, and the "
       "divergence\n"
       "stack; `src`, `asm`, `lanes` and `stack` have one of them, `split` source and instructions. A B in "
       "front of a line\n"
       "is a breakpoint there (b: disabled), a > the lane in focus. `info table R0 P0` chooses what is shown "
       "of lanes.\n"
       "Ctrl-X A goes and comes back, Ctrl-X 1 shows one pane, Ctrl-X 2 the next layout; Ctrl-X O takes the "
       "page keys to\n"
       "the next pane, Ctrl-L draws all anew.\n"
       "\n"
       "(leno) layout src",
       layout},
      {"tui", "", Command::Looking, 0, "[on | off | enable | disable]",
       "show the layout of last, or the plain terminal again", "(leno) tui off", tui},
      {"refresh", "", Command::Looking, Command::NoArguments, "", "draw what `layout` shows anew",
       "(leno) refresh", refresh},
  };
  return commands;
}

} // namespace leno::dbg
