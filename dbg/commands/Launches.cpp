//===- Launches.cpp - launch, info launches, kill, detach -----------------===//
// Of a host program.
#include "dbg/Facts.h"
#include "dbg/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace leno::dbg {

static Error needProgram(Interpreter &in) {
  return in.session.program()
             ? Error::success()
             : createStringError("no host program is debugged: `leno-dbg -- PROGRAM ARGUMENTS` does so");
}

static Error launch(Interpreter &in, const Invocation &invocation) {
  if (Error error = needProgram(in))
    return error;
  size_t number = in.session.hostLaunches().empty() ? 0 : in.session.hostLaunches().back().number;
  if (!invocation.arguments.empty() && invocation.arguments.getAsInteger(10, number))
    return textError(invocation.arguments, 0, "expected the number of a launch; `info launches` lists them");
  if (Error error = in.session.showLaunch(number))
    return error;
  in.out << formatv("[launch {0}: kernel {1}]\n", number, in.session.focus().kernel().name);
  in.note({{"kind", "launch-in-focus"}, {"number", int64_t(number)}});
  if (!in.session.lastStop())
    return Error::success();
  StopEvent where = *in.session.lastStop();
  return in.tellAgain(where);
}

static Error launches(Interpreter &in, const Invocation &) {
  if (Error error = needProgram(in))
    return error;
  auto size = [](Dim3 d) { return formatv("{0},{1},{2}", d.x, d.y, d.z).str(); };
  Table table({"", "Number", "Kernel", "Grid", "Block", "Warp instructions", "End"});
  json::Array all;
  for (const Session::HostLaunch &one : in.session.hostLaunches()) {
    bool isOver = !one.end.empty(), isHere = one.number == in.session.launchInFocus();
    table.row({isHere ? "*" : "", std::to_string(one.number), one.kernel, size(one.grid), size(one.block),
               isOver ? std::to_string(one.instructions) : "-", isOver ? one.end : "-"});
    json::Object facts{{"number", int64_t(one.number)},
                       {"kernel", facts::text(one.kernel)},
                       {"grid", facts::index(one.grid)},
                       {"block", facts::index(one.block)},
                       {"inFocus", isHere},
                       {"canBeShown", one.image != nullptr}};
    if (isOver) {
      facts["end"] = one.end;
      facts["instructions"] = int64_t(one.instructions);
    }
    all.push_back(std::move(facts));
  }
  table.printOr(in.out, "The program has launched no kernel.");
  in.note({{"kind", "launches"}, {"launches", std::move(all)}});
  return Error::success();
}

/// `kill` and `detach` where nothing runs but a launch.
static Error launchStays(Interpreter &in) {
  static constexpr char text[] =
      "The launch stays as it is: `start` begins it anew, `quit` leaves the debugger.";
  in.out << text << '\n';
  in.note({{"kind", "note"}, {"text", text}});
  return Error::success();
}

static Error needRunning(Interpreter &in) {
  return in.session.program()->runs() ? Error::success()
                                      : createStringError("the program does not run: `run` starts it");
}

static Error killProgram(Interpreter &in, const Invocation &) {
  if (!in.session.program())
    return launchStays(in);
  if (Error error = needRunning(in))
    return error;
  in.session.program()->kill();
  in.out << "[the program " << in.session.program()->howEnded() << "]\n";
  return Error::success();
}

static Error detach(Interpreter &in, const Invocation &) {
  if (!in.session.program())
    return launchStays(in);
  if (Error error = needRunning(in))
    return error;
  in.out << "[the program goes on without the debugger]\n"; // before what it prints itself
  in.flush();
  in.session.program()->leave();
  return Error::success();
}

ArrayRef<Command> launchCommands() {
  static constexpr Command commands[] = {
      {"kill", "k", Command::Running, Command::NoArguments, "", "end the host program",
       "What is in focus stays and can be looked at; `run` starts the program anew.\n"
       "\n"
       "(leno) kill",
       killProgram},
      {"detach", "disconnect", Command::Running, Command::NoArguments, "",
       "let the host program go on without the debugger",
       "It runs the launch that it waits for from its start, and all others, as if there was no debugger.\n"
       "\n"
       "(leno) detach",
       detach},
      {"launch", "", Command::Focusing, 0, "[NUMBER]", "look at an earlier launch of the host program",
       "Leads to where it ended, or where it stood when it was looked at last; going back in it works as "
       "ever. "
       "What is changed\n"
       "there the program does not see. Without a number, to the launch that the program waits for.\n"
       "\n"
       "(leno) launch 3",
       launch},
      {"info launches", "", Command::Looking, Command::NoArguments, "",
       "list the launches that the host program has made",
       "How each ended; the one in focus is marked.\n"
       "\n"
       "(leno) info launches",
       launches},
  };
  return commands;
}

} // namespace leno::dbg
