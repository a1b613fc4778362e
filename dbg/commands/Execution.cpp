//===- Execution.cpp - run, start, continue, step, ... --------------------===//
#include "dbg/Interpreter.h"
#include "dbg/Text.h"
#include "runtime/Numbers.h"

using namespace llvm;

namespace leno::dbg {

Expected<u64> countOf(const Invocation &invocation) {
  StringRef text = invocation.arguments;
  if (text.empty())
    return 1;
  runtime::ScannedInteger scanned = runtime::scanInteger(text);
  if (scanned.status != runtime::ScannedInteger::Ok || scanned.negative || scanned.magnitude == 0)
    return textError(text, scanned.column, "expected how many times: a number from 1 on");
  return scanned.magnitude;
}

static Error run(Interpreter &in, const Invocation &) {
  Expected<StopEvent> started = in.session.start();
  return started ? in.tell(in.session.resume()) : started.takeError();
}

static Error start(Interpreter &in, const Invocation &) {
  Expected<StopEvent> started = in.session.start();
  return started ? in.tell(*started) : started.takeError();
}

static Error resume(Interpreter &in, const Invocation &) { return in.tell(in.session.resume()); }

template <bool overCalls> static Error stepInstruction(Interpreter &in, const Invocation &invocation) {
  Expected<u64> count = countOf(invocation);
  return count ? in.tell(in.session.stepInstructions(*count, overCalls)) : count.takeError();
}

template <bool overCalls> static Error stepLine(Interpreter &in, const Invocation &invocation) {
  Expected<u64> count = countOf(invocation);
  if (!count)
    return count.takeError();
  if (!in.session.executable().line(in.session.focusedWarp()->pcBytes()))
    in.out << "no line information here: stepping one instruction\n";
  return in.tell(in.session.stepLines(*count, overCalls));
}

static Error finish(Interpreter &in, const Invocation &) {
  Expected<StopEvent> event = in.session.finishCall();
  return event ? in.tell(*event) : event.takeError();
}

static Error until(Interpreter &in, const Invocation &invocation) {
  if (invocation.arguments.empty())
    return textError("until", 5, "expected a location to run to");
  Expected<Location> location = in.location(invocation.arguments);
  return location ? in.tell(in.session.runUntil(location->addresses)) : location.takeError();
}

ArrayRef<Command> executionCommands() {
  constexpr unsigned steps = Command::NeedsWarp | Command::NeedsRunnable | Command::Repeats;
  static constexpr Command commands[] = {
      {"run", "r", Command::Running, Command::NoArguments, "", "run the kernel from its start",
       "Starts the launch anew (memory, constants and grid as before the first instruction) and runs it "
       "until a\n"
       "breakpoint, a trap, Ctrl-C or its end. At the end the outputs are written. Breakpoints stay.\n"
       "\n"
       "(leno) run",
       run},
      {"start", "", Command::Running, Command::NoArguments, "", "stop before the kernel's first instruction",
       "Starts the launch anew and stops before anything has run; the focus is on CTA (0,0,0), warp 0.\n"
       "\n"
       "(leno) start",
       start},
      {"continue", "c", Command::Running, Command::NoArguments | Command::NeedsRunnable | Command::Repeats,
       "", "run on until a breakpoint, a trap or the end",
       "All warps run in the machine's own turns. Ctrl-C stops them.\n"
       "\n"
       "(leno) continue",
       resume},
      {"step", "s", Command::Running, steps, "[COUNT]", "step the focused warp to another source line",
       "Executes instructions of the focused warp until it stands at another line; a jump back within a line "
       "counts as\n"
       "another. A divergent branch leads into the side that runs first, a reconvergence into the other "
       "side. Only the\n"
       "focused warp moves; where it waits at a barrier, the other warps of its CTA run until the barrier "
       "releases it.\n"
       "A breakpoint, a trap and the warp's end stop earlier.\n"
       "\n"
       "(leno) step 2",
       stepLine<false>},
      {"next", "n", Command::Running, steps, "[COUNT]", "like step, but over calls",
       "A CAL and all that it calls count as one line: the step ends when the call has returned.\n"
       "\n"
       "(leno) next",
       stepLine<true>},
      {"stepi", "si", Command::Running, steps, "[COUNT]", "execute one instruction of the focused warp",
       "One warp instruction, or COUNT of them, of the focused warp alone. When it waits at a barrier, the "
       "other warps\n"
       "of its CTA run until the barrier releases it (or a breakpoint stops one of them, or the grid "
       "traps).\n"
       "\n"
       "(leno) stepi 3",
       stepInstruction<false>},
      {"nexti", "ni", Command::Running, steps, "[COUNT]", "like stepi, but over calls",
       "A CAL and all that it calls count as one instruction.\n"
       "\n"
       "(leno) nexti",
       stepInstruction<true>},
      {"finish", "fin", Command::Running, Command::NeedsWarp | Command::NeedsRunnable | Command::NoArguments,
       "", "run the focused warp until its innermost call has returned",
       "The call has returned when its CALL entry has left the divergence stack: all lanes that were to "
       "return have.\n"
       "\n"
       "(leno) finish",
       finish},
      {"until", "u advance", Command::Running,
       Command::NeedsWarp | Command::NeedsRunnable | Command::CompletesLocation, "LOCATION",
       "run the focused warp until it reaches a location",
       "Steps the focused warp until it is about to execute LOCATION. A breakpoint, a trap and the warp's "
       "end stop\n"
       "earlier.\n"
       "\n"
       "(leno) until done",
       until},
  };
  return commands;
}

} // namespace leno::dbg
