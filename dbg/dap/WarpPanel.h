//===- WarpPanel.h - The warp view as a panel of an editor -----------------===//
// The page that `leno-dbg --web` serves, on the session that the editor debugs. Its commands come in
// requests, and the lines of the JSON protocol go out as events: there is no port.
//===----------------------------------------------------------------------===//
#pragma once

#include "dbg/JsonReport.h"
#include "dbg/LineStream.h"

namespace leno::dbg::dap {

class WarpPanel {
public:
  /// `line` hears each line for the page, `moved` each stop that the page's own commands lead to.
  WarpPanel(Session &session, std::function<void(llvm::StringRef)> line,
            std::function<void(const StopEvent &)> moved);
  WarpPanel(const WarpPanel &) = delete;

  /// What is debugged, and where it stands if it does.
  void open(bool stands);
  /// A stop that others led to.
  void stop(const StopEvent &event) { tellStop(event); }
  /// Others have done more than look.
  void changed() { lines << changedLine << '\n'; }
  /// Executes a command of the page, which reaches nothing outside.
  bool execute(llvm::StringRef command);
  bool quitting() const { return interpreter.quitting(); }

private:
  LineStream lines;
  AnswerStream answers;
  Interpreter interpreter;
  JsonReport report;
  std::function<void(const StopEvent &)> tellStop;
};

} // namespace leno::dbg::dap
