#include "dbg/StopWords.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

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
    {"program-ended", "pause", "The program has ended"},
};
static_assert(std::size(table) == StopEvent::Last + 1);

StopWords wordsOf(const StopEvent &event, const Breakpoints &points) {
  if (event.kind == StopEvent::Watch)
    if (const Breakpoint *first = points.find(event.breakpoints[0]);
        first && first->kind == Breakpoint::Catch)
      return {"catchpoint", "exception", ""};
  return table[event.kind];
}

std::string sentenceOf(const DeviceEvent &event, const Focus &focus) {
  static constexpr StringLiteral whys[] = {"",
                                           "it has work",
                                           "it has work, and a higher priority",
                                           "it has no more work",
                                           "its slice has expired",
                                           "a page of it is missing",
                                           "its page is mapped"};
  std::string of = "context " + focus.contextName(event.context);
  auto channel = [&] {
    return focus.machine().device(event.context).messages().channels()[event.other].name;
  };
  auto text = [&]() -> std::string {
    switch (event.kind) {
    case DeviceEvent::ContextChange:
      return event.why == DeviceEvent::SliceExpires
                 ? "a time slice has expired"
                 : "context change of " + of + ": " + whys[event.why].str();
    case DeviceEvent::SliceMoved:
      return formatv("an SM goes from context {0} to {1}", focus.contextName(event.other), of);
    case DeviceEvent::SmGranted:
      return formatv("SM {0} is granted to {1}", event.sm, of);
    case DeviceEvent::SmSaves:
      return formatv("SM {0} saves {1} bytes of {2}", event.sm, event.amount, of);
    case DeviceEvent::SmRestores:
      return formatv("SM {0} restores {1} bytes of {2}", event.sm, event.amount, of);
    case DeviceEvent::SmDrains:
      return formatv("SM {0} takes no more ctas of {1}", event.sm, of);
    case DeviceEvent::GridStarts:
      return "a grid of " + of + " starts";
    case DeviceEvent::GridEnds:
      return "the grid of " + of + " ends";
    case DeviceEvent::PageFault:
      return formatv("page fault of {0} at {1:x}", of, event.amount);
    case DeviceEvent::MessageSent:
      return formatv("the host sends message {0} of '{1}' to {2}", event.amount, channel(), of);
    case DeviceEvent::ReplyTaken:
      return formatv("the host has the reply to message {0} of '{1}' of {2}", event.amount, channel(), of);
    case DeviceEvent::ContextEnds:
      break;
    }
    return of + " ends: " + focus.machine().contexts()[event.context]->whyEnded();
  };
  return formatv("cycle {0}: {1}", event.cycle, text());
}

} // namespace leno::dbg
