#include "dbg/StopWords.h"

namespace leno::dbg {

/// By StopEvent::Kind.
static constexpr StopWords table[] = {
    {"start", "entry", "Stopped before the first instruction"},
    {"step", "step", "Stopped after a step"},
    {"breakpoint", "breakpoint", "Stopped at a breakpoint"},
    {"watchpoint", "data breakpoint", ""},
    {"bpt", "breakpoint", "Stopped after BPT"},
    {"warp-exited", "step", ""},
    {"interrupted", "pause", "Paused"},
    {"finished", "pause", "The kernel has finished"},
    {"trapped", "exception", ""},
    {"history-start", "entry", "The start of the launch: nothing happened before"},
    {"warp-start", "entry", "The warp's first instruction: it executed nothing before"},
};
static_assert(std::size(table) == StopEvent::Last + 1);

StopWords wordsOf(const StopEvent &event, Session &session) {
  if (event.kind == StopEvent::Watch)
    if (const Breakpoint *first = session.breakpoints().find(event.breakpoints[0]);
        first && first->kind == Breakpoint::Catch)
      return {"catchpoint", "exception", ""};
  return table[event.kind];
}

} // namespace leno::dbg
