#include "dbg/dap/WarpPanel.h"
#include "dbg/dap/Server.h"
#include "dbg/web/Page.h"

using namespace llvm;

namespace leno::dbg::dap {

WarpPanel::WarpPanel(Session &session, std::function<void(StringRef)> line,
                     std::function<void(const StopEvent &)> moved)
    : lines(std::move(line)), interpreter(session, answers, nulls(), /*colours=*/false),
      report(interpreter, answers, lines), tellStop(std::move(interpreter.onStop)) {
  interpreter.reachesOut = false;
  interpreter.onStop = [this, moved = std::move(moved)](const StopEvent &event) {
    tellStop(event);
    moved(event);
  };
}

void WarpPanel::open(bool stands) {
  interpreter.sources.forget();
  report.hello();
  if (const std::optional<StopEvent> &last = interpreter.session.lastStop(); last && stands)
    tellStop(*last);
}

bool WarpPanel::execute(StringRef command) {
  bool succeeded = interpreter.execute(command);
  interpreter.collecting.reset(); // a block has no end in one line
  return succeeded;
}

//===--- Requests ---------------------------------------------------------===//

Server::Reply Server::warpPage(const Arguments &) { return json::Object{{"page", web::panelPage()}}; }

Server::Reply Server::warpHello(const Arguments &) {
  if (!panel)
    panel = std::make_unique<WarpPanel>(
        *session,
        [this](StringRef line) {
          event("leno.warpLine", json::Object{{"line", line}});
        },
        [this](const StopEvent &stop) { stopToTell = stop; });
  // While it moves, its next stop comes by itself.
  panel->open(!running() && session->state() != SessionState::NotStarted);
  return nullptr;
}

Server::Reply Server::warpCommand(const Arguments &arguments) {
  Expected<std::string> command = arguments.string("command");
  if (!command)
    return command.takeError();
  if (!panel)
    return createStringError("the page is not open: `leno.warpHello` opens it");
  if (StringRef(*command).trim().empty() || StringRef(*command).contains('\n'))
    return createStringError("the argument 'command' is not one line with a command in it");
  carryOut(
      *command, [&] { return panel->execute(*command); },
      [this](const StopEvent &stop) { tellEditor(stop); });
  if (panel->quitting())
    afterwards = [this] { terminated(0); };
  // What it has set is shown elsewhere, too.
  if (!afterwards && clientInvalidates && !onlyLooks(*command))
    event("invalidated", json::Object{{"areas", json::Array{"all"}}});
  return nullptr;
}

} // namespace leno::dbg::dap
