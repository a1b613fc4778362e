//===- BreakpointEdits.cpp - condition, clear, enable once, dprintf, ... --===//
#include "asm/support/Tool.h"
#include "dbg/BreakpointCommands.h"
#include "dbg/Facts.h"
#include "dbg/Printf.h"
#include "dbg/Replacing.h"
#include "dbg/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace leno::dbg {

static Error condition(Interpreter &in, const Invocation &invocation) {
  StringRef text;
  Expected<Breakpoint *> point = numberedBreakpoint(in, invocation, text);
  if (!point)
    return point.takeError();
  if (isOfContexts((*point)->caught) && (*point)->kind == Breakpoint::Catch && !text.empty())
    return textError(invocation.arguments, columnIn(invocation.arguments, text),
                     "'" + (*point)->text + "' happens to a context: no lane can meet a condition");
  text.consume_front("if ");
  Expected<std::shared_ptr<const Expression>> condition =
      parseCondition(in, text.empty() ? StringRef() : text);
  if (!condition)
    return condition.takeError();
  (*point)->condition = std::move(*condition);
  in.session.stops().arm();
  noteBreakpoint(in, **point);
  if (text.empty())
    in.out << "Breakpoint " << (*point)->id << " stops always.\n";
  return Error::success();
}

static Error clear(Interpreter &in, const Invocation &invocation) {
  Expected<Location> location = in.location(invocation.arguments);
  if (!location)
    return location.takeError();
  std::vector<unsigned> doomed;
  for (const Breakpoint &point : in.session.stops().breakpoints().all())
    if (point.kind == Breakpoint::Code &&
        any_of(location->addresses, [&](u64 at) { return point.covers(at); }))
      doomed.push_back(point.id);
  if (doomed.empty())
    return textError(invocation.arguments, 0, "no breakpoint is there; `info breakpoints` lists them");
  for (unsigned id : doomed)
    in.session.stops().breakpoints().remove(id);
  in.session.stops().arm();
  in.note({{"kind", "deleted"}, {"breakpoints", json::Array(doomed)}});
  in.out << "Deleted " << (doomed.size() == 1 ? "breakpoint " : "breakpoints ") << numberRanges(doomed)
         << ".\n";
  return Error::success();
}

/// Enabled for so many stops, or until the first one deletes it.
static Error enableFor(Interpreter &in, StringRef numbers, u64 stops, bool temporary) {
  Expected<std::vector<unsigned>> ids = chosenBreakpoints(in, numbers);
  if (!ids)
    return ids.takeError();
  for (unsigned id : *ids) {
    Breakpoint &point = *in.session.stops().breakpoints().find(id);
    point.enabled = true;
    point.stopsLeft = stops;
    point.temporary |= temporary;
  }
  in.session.stops().arm();
  return Error::success();
}

static Error enableOnce(Interpreter &in, const Invocation &invocation) {
  return enableFor(in, invocation.arguments, 1, false);
}
static Error enableDelete(Interpreter &in, const Invocation &invocation) {
  return enableFor(in, invocation.arguments, 0, true);
}
static Error enableCount(Interpreter &in, const Invocation &invocation) {
  auto [word, numbers] = invocation.arguments.split(' ');
  u64 count;
  if (word.getAsInteger(10, count) || count == 0)
    return textError(invocation.arguments, 0, "expected how many stops, and then the breakpoints' numbers");
  return enableFor(in, numbers.trim(), count, false);
}

//===--- Many, and those that print ---------------------------------------===//

static Error breakAtNames(Interpreter &in, const Invocation &invocation) {
  StringRef pattern = invocation.arguments;
  if (size_t colon = pattern.find(':'); colon != StringRef::npos) // FILE:REGEX
    pattern = pattern.substr(colon + 1).ltrim();
  Regex wanted(pattern.empty() ? "." : pattern);
  std::string message;
  if (!wanted.isValid(message))
    return textError(invocation.arguments, 0, "this is no regular expression: " + message);
  bool found = false;
  // What is called may be a mere label.
  for (const Symbol &symbol : in.session.focus().executable().symbols())
    if ((symbol.isFunction || !pattern.empty()) && wanted.match(symbol.name)) {
      found = true;
      if (Error error = in.executeCommand("break " + symbol.name))
        return error;
    }
  if (!found)
    return textError(invocation.arguments, 0,
                     "no kernel or function has such a name; `info functions` lists them, and labels");
  return Error::success();
}

static void printAt(Interpreter &in, const Breakpoint &point, Warp &warp) {
  LaneMask lanes = warp.active;
  if (point.condition) {
    Expected<LaneMask> met = point.condition->lanesWhereTrue(in.session.focus().contextOf(&warp, 0));
    lanes = met ? *met : 0;
    if (!met)
      consumeError(met.takeError());
  }
  unsigned lane = lanes ? unsigned(__builtin_ctz(lanes)) : in.session.focus().position().lane;
  Expected<std::string> text = formatPrintf(point.message, in.session.focus().contextOf(&warp, lane));
  if (text)
    in.out << *text;
  else
    in.out << "<dprintf " << point.id << ": " << StringRef(toString(text.takeError())).split('\n').first
           << ">\n";
}

static Error dprintf(Interpreter &in, const Invocation &invocation) {
  auto [place, format] = invocation.arguments.split(',');
  Expected<Location> location = in.location(place);
  if (!location)
    return location.takeError();
  if (format.trim().empty())
    return textError(invocation.arguments, invocation.arguments.size(),
                     "expected ',' and a format, as in `dprintf loop,\"%d\\n\",R1`");
  if (Error error = checkPrintf(format))
    return error;
  Breakpoint point;
  point.location = std::move(*location);
  point.context = in.session.focus().position().context;
  point.program = &in.session.focus().executable();
  point.message = format.trim().str();
  point.neverStops = true;
  point.passes = [&in](const Breakpoint &met, Warp &warp) {
    printAt(in, met, warp);
    return true;
  };
  Breakpoint &added = in.session.stops().breakpoints().add(std::move(point));
  in.session.stops().arm();
  noteBreakpoint(in, added);
  in.out << "Dprintf " << added.id << " at " << hexAddress(added.location.addresses.front()) << " <"
         << in.session.code().describe(added.location.addresses.front()) << ">"
         << ofContext(in, added.context) << '\n';
  return Error::success();
}

//===--- Saving them ------------------------------------------------------===//

/// The line that makes it again.
static std::string lineOf(const Interpreter &in, const Breakpoint &point) {
  std::string condition = point.condition ? (" if " + point.condition->text()).str() : "";
  if (point.kind == Breakpoint::Watch) {
    const char *names[] = {"watch ", "rwatch ", "awatch "};
    return names[unsigned(point.access)] + point.text + condition;
  }
  if (point.kind == Breakpoint::Catch)
    return (point.temporary ? "tcatch " : "catch ") + point.text + condition;
  std::string place = point.location.text;
  // A bare line is of the file that is at hand.
  if (point.location.line && !StringRef(place).contains(':') && !point.location.addresses.empty())
    if (std::string line = in.describeLine(point.location.addresses.front()); !line.empty())
      place = line;
  if (!point.message.empty())
    return "dprintf " + place + "," + point.message;
  std::string pending = point.location.addresses.empty() ? "-pending " : "";
  return (point.temporary ? "tbreak " : "break ") + pending + place + condition;
}

static constexpr StringLiteral firstLine = "# breakpoints of leno-dbg\n";

static bool isOurs(StringRef path) {
  auto start = MemoryBuffer::getFileSlice(path, firstLine.size(), 0);
  return start && (*start)->getBuffer() == firstLine;
}

static std::string scriptOf(const Interpreter &in) {
  std::string script = firstLine.str();
  raw_string_ostream os(script);
  for (const Breakpoint &point : in.session.stops().breakpoints().all()) {
    // The first line of a block that fails ends it: what follows would be of another breakpoint.
    os << "if 1\n";
    if (point.kind == Breakpoint::Watch && point.place.isOfCta()) {
      os << formatv("  focus cta {0},{1},{2}", point.place.cta.x, point.place.cta.y, point.place.cta.z);
      os << (point.place.isOfWarp() ? formatv(" warp {0}\n", point.place.warp).str() : "\n");
    }
    os << "  " << lineOf(in, point) << '\n';
    if (!point.message.empty() && point.condition)
      os << "  condition $bpnum " << point.condition->text() << '\n';
    if (point.ignore)
      os << "  ignore $bpnum " << point.ignore << '\n';
    if (!point.commands.empty()) {
      os << "  commands $bpnum\n";
      for (const std::string &line : point.commands)
        os << "    " << line << '\n';
      os << "  end\n";
    }
    if (point.stopsLeft)
      os << "  enable count " << point.stopsLeft << " $bpnum\n";
    if (!point.enabled)
      os << "  disable $bpnum\n";
    os << "end\n";
  }
  return script;
}

static Error saveBreakpoints(Interpreter &in, const Invocation &invocation) {
  StringRef path = invocation.arguments;
  bool isForced = consumeForce(path);
  if (path.empty())
    return textError("save breakpoints", 16, "expected the file to save the breakpoints in");
  if (in.session.stops().breakpoints().all().empty())
    return createStringError("there are no breakpoints to save");
  if (Error error = mayReplace(in, "save breakpoints", path, isForced, isOurs(path), "no saved breakpoints"))
    return error;
  std::string script = scriptOf(in);
  if (Error error = writeWhole({{path, script}}))
    return error;
  size_t count = in.session.stops().breakpoints().all().size();
  in.note({{"kind", "saved"}, {"file", facts::text(path)}, {"breakpoints", int64_t(count)}});
  in.out << "Saved " << plural(count, "breakpoint") << " in " << path << "; `source " << path
         << "` makes them again.\n";
  return Error::success();
}

ArrayRef<Command> breakpointEditCommands() {
  static constexpr Command commands[] = {
      {"condition", "", Command::Stopping, 0, "NUMBER [CONDITION]", "give a breakpoint another condition",
       "Without a condition it stops always.\n"
       "\n"
       "(leno) condition 1 R0 == 3",
       condition},
      {"clear", "", Command::Stopping, Command::CompletesLocation, "[LOCATION]",
       "delete the breakpoints of a location",
       "Without one, those where the focused warp stands.\n"
       "\n"
       "(leno) clear twice",
       clear},
      {"enable once", "", Command::Stopping, 0, "[NUMBER...]", "switch breakpoints on for one stop",
       "(leno) enable once 1", enableOnce},
      {"enable count", "", Command::Stopping, 0, "COUNT [NUMBER...]",
       "switch breakpoints on for so many stops", "(leno) enable count 3 1", enableCount},
      {"enable delete", "", Command::Stopping, 0, "[NUMBER...]",
       "switch breakpoints on, to be deleted at the next stop", "(leno) enable delete 1", enableDelete},
      {"rbreak", "", Command::Stopping, 0, "[REGEX]", "breakpoints at all places with such a name",
       "Of kernels, functions and labels whose names have REGEX in them; without one, of all kernels and "
       "functions.\n"
       "\n"
       "(leno) rbreak tw",
       breakAtNames},
      {"dprintf", "", Command::Stopping, Command::CompletesLocation, "LOCATION,\"FORMAT\",EXPRESSION...",
       "print whenever a warp reaches a location, without a stop",
       "As `printf`, with the values of the lowest active lane; after `condition` of the lowest that meets "
       "it.\n"
       "\n"
       "(leno) dprintf loop,\"%d turns\\n\",R1",
       dprintf},
      {"save breakpoints", "", Command::Stopping, Command::Outside, "[-f] FILE",
       "write the breakpoints as commands",
       "`source FILE` makes them again, with conditions and commands. -f "
       "replaces a file that is there.\n"
       "\n"
       "(leno) save breakpoints stops.dbg",
       saveBreakpoints},
  };
  return commands;
}

} // namespace leno::dbg
