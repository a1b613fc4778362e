//===- Execution.cpp - run, start, continue, step, ... --------------------===//
#include "asm/support/Numbers.h"
#include "dbg/Facts.h"
#include "dbg/StackNote.h"
#include "dbg/Text.h"
#include "dbg/source/Object.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace leno::dbg {

Expected<u64> countOf(const Invocation &invocation) {
  StringRef text = invocation.arguments;
  if (text.empty())
    return 1;
  ScannedInteger scanned = scanInteger(text);
  if (scanned.status == ScannedInteger::TooLarge)
    return textError(text, 0, "so many times is too often: at most 18446744073709551615");
  if (scanned.status != ScannedInteger::Ok || scanned.negative || scanned.magnitude == 0)
    return textError(text, scanned.column, "expected how many times: a number from 1 on");
  return scanned.magnitude;
}

Expected<char> formatLetter(const Invocation &invocation, StringRef more) {
  StringRef text = invocation.format;
  if (text.empty())
    return '\0';
  if (text == "z") // hexadecimal is padded anyway
    return 'x';
  if (text.size() == 1 && isValueFormat(text[0]))
    return text[0];
  return textError(
      text, 0,
      "a format is one letter: x hexadecimal, d signed, u unsigned, f float, t or b binary, o octal, "
      "c character, a address" +
          more);
}

static Error run(Interpreter &in, const Invocation &) {
  Expected<StopEvent> event = in.session.run();
  return event ? in.tell(*event) : event.takeError();
}

static Error start(Interpreter &in, const Invocation &) {
  Expected<StopEvent> started = in.session.start();
  return started ? in.tell(*started) : started.takeError();
}

/// With a count, the breakpoints of this stop are passed over meanwhile.
static Error resume(Interpreter &in, const Invocation &invocation) {
  Expected<u64> count = countOf(invocation);
  if (!count)
    return count.takeError();
  if (*count > 1) {
    bool found = false;
    for (unsigned id : in.session.lastStop() ? in.session.lastStop()->breakpoints : std::vector<unsigned>())
      if (Breakpoint *point = in.session.stops().breakpoints().find(id)) {
        point->ignore = *count - 1;
        found = true;
      }
    if (!found)
      return textError(invocation.arguments, 0,
                       "the kernel does not stand at a breakpoint: only its stops can be counted");
  }
  return in.tell(in.session.resume());
}

template <bool overCalls> static Error stepInstruction(Interpreter &in, const Invocation &invocation) {
  Expected<u64> count = countOf(invocation);
  return count ? in.tell(in.session.stepInstructions(*count, overCalls)) : count.takeError();
}

template <bool overCalls> static Error stepLine(Interpreter &in, const Invocation &invocation) {
  Expected<u64> count = countOf(invocation);
  if (!count)
    return count.takeError();
  if (!in.session.focus().executable().line(in.session.focus().warp()->pcBytes()) &&
      in.session.focus().source().isEmpty())
    in.out << "no line information here: stepping one instruction\n";
  return in.tell(in.session.stepLines(*count, overCalls));
}

static Error tellIf(Interpreter &in, Expected<StopEvent> event) {
  return event ? in.tell(*event) : event.takeError();
}

/// The call that is looked at, and what it gives: isa/CallingConvention.md has results from R4 on.
static Error finishFunction(Interpreter &in) {
  std::vector<CallFrame> frames = in.session.focus().callFrames();
  const CallFrame frame = frames[std::min(in.frame, frames.size() - 1)];
  Expected<StopEvent> event = in.session.finish(Region::Call);
  if (!event)
    return event.takeError();
  bool hasReturned = event->kind == StopEvent::Step && frame.function &&
                     frame.function->kind == source::Scope::Function;
  const source::Type *result = hasReturned ? frame.function->result : nullptr;
  if (Error error = in.tell(*event))
    return error;
  if (!result || !result->isScalar())
    return Error::success();
  source::Object object{.type = result, .lane = in.session.focus().position().lane};
  object.pieces.push_back({.kind = source::Piece::Register, .size = result->size, .number = 4});
  Expected<Value> value = object.value(in.session.focus().context());
  if (!value)
    return value.takeError();
  in.out << "Value returned is $" << in.session.focus().userValues().remember(*value) << " = "
         << in.format(*value, 0) << '\n';
  return Error::success();
}

static Error finish(Interpreter &in, const Invocation &invocation) {
  static constexpr std::pair<StringLiteral, Region> regions[] = {
      {"call", Region::Call}, {"loop", Region::Loop}, {"side", Region::Side}};
  if (invocation.arguments.empty())
    return finishFunction(in);
  for (auto [name, region] : regions)
    if (name == invocation.arguments)
      return tellIf(in, in.session.finish(region));
  return textError(invocation.arguments, 0,
                   "what can be finished is a call, a loop or a side: `finish loop`");
}

static Error until(Interpreter &in, const Invocation &invocation) {
  if (invocation.arguments.empty())
    return in.tell(in.session.runPastLine());
  Expected<Location> location = in.location(invocation.arguments);
  return location ? in.tell(in.session.runUntil(location->addresses)) : location.takeError();
}

static Error advance(Interpreter &in, const Invocation &invocation) {
  if (invocation.arguments.empty())
    return tellIf(in, in.session.finish(Region::Fork));
  return until(in, invocation);
}

static Error jump(Interpreter &in, const Invocation &invocation) {
  if (invocation.arguments.empty())
    return textError("jump", 4, "expected a location to go on from");
  Expected<Location> location = in.location(invocation.arguments);
  if (!location)
    return location.takeError();
  u64 from = *in.session.focus().pc(), to = location->addresses.front();
  Expected<StopEvent> event = in.session.jump(to);
  if (!event)
    return event.takeError();
  in.out << "Going on from " << in.describePlace(to) << ".\n" << stackNote(in, from, to);
  return in.tell(*event);
}

// gdb's words, with warps for threads.
static Error schedulerLocking(Interpreter &in, const Invocation &invocation) {
  StringRef word = invocation.arguments;
  if (word == "on" || word == "off")
    in.session.setStepping(word == "on" ? Stepping::FocusedWarp : Stepping::AllWarps);
  else if (!word.empty())
    return textError(word, 0,
                     "scheduler locking is on (the focused warp steps alone) or off (all warps run)");
  bool alone = in.session.stepping() == Stepping::FocusedWarp;
  in.note({{"kind", "scheduler-locking"}, {"on", alone}});
  in.out << formatv("Scheduler locking is {0}.\n", alone ? "on: the focused warp steps alone"
                                                         : "off: all warps run while the focused warp steps");
  return Error::success();
}

static Error instructionLimit(Interpreter &in, const Invocation &invocation) {
  if (!invocation.arguments.empty()) {
    Expected<u64> most = countOf(invocation);
    if (!most)
      return most.takeError();
    bool wasOver = in.session.state() == SessionState::Trapped;
    if (Error error = in.session.setInstructionLimit(*most))
      return error;
    if (wasOver && in.session.state() == SessionState::Stopped)
      in.out << "The TIMEOUT is taken back: `continue` goes on.\n";
  }
  u64 most = in.session.instructionLimit();
  in.note({{"kind", "max-instructions"}, {"most", facts::hex(most)}});
  in.out << (most == ~u64(0) ? std::string("The launch has no limit of instructions.\n")
                             : "The launch ends after " + plural(most, "warp instruction") + ".\n");
  return Error::success();
}

ArrayRef<Command> executionCommands() {
  constexpr unsigned steps = Command::NeedsWarp | Command::NeedsRunnable | Command::Repeats;
  static constexpr Command commands[] = {
      {"run", "r", Command::Running, Command::NoArguments, "", "run the kernel from its start",
       "Starts the launch anew (memory, constants and grid as before the first instruction) and runs it "
       "until a\n"
       "breakpoint, a trap, Ctrl-C or its end. At the end the outputs are written. Breakpoints stay. A host "
       "program "
       "is started anew.\n"
       "\n"
       "(leno) run",
       run},
      {"start", "", Command::Running, Command::NoArguments, "", "stop before the kernel's first instruction",
       "Starts the launch anew and stops before anything has run; the focus is on CTA (0,0,0), warp 0.\n"
       "Of several contexts, where the focused one's first CTA is on an SM; the others may have run.\n"
       "\n"
       "(leno) start",
       start},
      {"continue", "c cont", Command::Running, Command::NeedsRunnable | Command::GoesOn | Command::Repeats,
       "[COUNT]", "run on until a breakpoint, a trap or the end",
       "All warps run in the machine's own turns. Ctrl-C stops them. With COUNT, to the stop with that "
       "number "
       "of the\n"
       "breakpoint at which they stand. A host program goes on from launch to launch.\n"
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
      {"finish", "fin", Command::Running, Command::NeedsWarp | Command::NeedsRunnable, "[call | loop | side]",
       "run the focused warp out of its call, loop or side of a branch",
       "Each ends when its entry has left the divergence stack. The innermost call has returned when all "
       "lanes that were to\n"
       "return have (CALL); the innermost loop is left when all have broken out (BRK); at the end of a side "
       "of a "
       "branch the\n"
       "other side runs (DIV), or all sides are together again (SYNC).\n"
       "\n"
       "(leno) finish loop",
       finish},
      {"until", "u", Command::Running, steps | Command::CompletesLocation, "[LOCATION]",
       "run the focused warp past its line, or until it reaches a location",
       "Like next, but a jump back does not stop it: it ends behind this line, when a loop that ends here "
       "has made "
       "all its\n"
       "turns, or when the call has returned. With LOCATION it ends before that is executed. A breakpoint, a "
       "trap "
       "and the\n"
       "warp's end stop earlier.\n"
       "\n"
       "(leno) until done",
       until},
      {"advance", "", Command::Running,
       Command::NeedsWarp | Command::NeedsRunnable | Command::CompletesLocation, "[LOCATION]",
       "run the focused warp to where its lanes reconverge, or to a location",
       "Without LOCATION until the newest SYNC entry has left the stack: all sides of the branch have run, "
       "and "
       "their lanes are\n"
       "together again. A breakpoint, a trap and the warp's end stop earlier.\n"
       "\n"
       "(leno) advance done",
       advance},
      {"jump", "j", Command::Running,
       Command::NeedsWarp | Command::NeedsRunnable | Command::CompletesLocation, "LOCATION",
       "go on from another place",
       "As `set $pc = LOCATION` and then `continue`. The active lanes go on there; the active mask, the "
       "divergence "
       "stack and the\n"
       "lanes that wait stay as they are. Only within the function that the warp is in. Instructions between "
       "the "
       "two places\n"
       "that push or pop entries are told. A breakpoint at LOCATION stops there.\n"
       "\n"
       "(leno) jump twice",
       jump},
      {"set max-instructions", "", Command::Running, 0, "[NUMBER]",
       "raise or lower the limit after which the launch traps with TIMEOUT",
       "As --max-instructions. After a TIMEOUT a higher limit takes the trap back, and `continue` goes on: "
       "what was "
       "executed is\n"
       "executed again for that.\n"
       "\n"
       "(leno) set max-instructions 1000000",
       instructionLimit},
      {"set scheduler-locking", "", Command::Running, 0, "[on | off]",
       "let the focused warp step alone, or all warps run meanwhile",
       "On (as it is at first): a step moves the focused warp only; other warps of its CTA run while it "
       "waits at "
       "a barrier.\n"
       "Off: all warps run in the machine's own turns (of scheduler.quantum instructions) until the focused "
       "warp "
       "has made its\n"
       "step, also where it waits at a barrier; a breakpoint that another warp meets ends the step and takes "
       "the "
       "focus there.\n"
       "Going back is the same for both: a step is taken back whole.\n"
       "\n"
       "(leno) set scheduler-locking off",
       schedulerLocking},
  };
  return commands;
}

} // namespace leno::dbg
