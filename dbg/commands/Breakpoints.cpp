//===- Breakpoints.cpp - break, tbreak, delete, ... -----------------------===//
#include "dbg/Focus.h"
#include "dbg/Interpreter.h"
#include "dbg/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace leno::dbg {

/// Splits `LOCATION if CONDITION`.
static StringRef takeCondition(StringRef &text) {
  for (size_t at = text.find("if"); at != StringRef::npos; at = text.find("if", at + 1)) {
    bool starts = at == 0 || isSpace(text[at - 1]);
    bool ends = at + 2 == text.size() || isSpace(text[at + 2]) || text[at + 2] == '(';
    if (!starts || !ends)
      continue;
    StringRef condition = text.substr(at + 2);
    text = text.take_front(at).rtrim();
    return condition.data() ? condition : StringRef("", 0);
  }
  return StringRef();
}

static std::string placesOf(Interpreter &in, const Location &location) {
  return join(
      map_range(
          location.addresses,
          [&](u64 address) {
            return formatv("0x{0} <{1}>", utohexstr(address, true, 4), in.session.describe(address)).str();
          }),
      ", ");
}

static Error addBreakpoint(Interpreter &in, const Invocation &invocation, bool temporary) {
  StringRef place = invocation.arguments;
  StringRef conditionText = takeCondition(place);
  Expected<Location> location = in.location(place);
  if (!location)
    return location.takeError();
  std::shared_ptr<const Expression> condition;
  if (conditionText.data()) {
    Expected<Expression> parsed = Expression::parse(conditionText.trim());
    if (!parsed)
      return parsed.takeError();
    condition = std::make_shared<const Expression>(std::move(*parsed));
  }
  Breakpoint &added = in.session.breakpoints().add(std::move(*location), temporary, condition);
  in.session.armBreakpoints();
  std::string line = in.describeLine(added.location.addresses.front());
  in.out << (temporary ? "Temporary breakpoint " : "Breakpoint ") << added.id << " at "
         << placesOf(in, added.location) << (line.empty() ? "" : ", " + line) << '\n';
  return Error::success();
}

template <bool temporary> static Error breakAt(Interpreter &in, const Invocation &invocation) {
  return addBreakpoint(in, invocation, temporary);
}

/// Calls `act` for each number in the arguments, or for every breakpoint when there are none.
static Error eachBreakpoint(Interpreter &in, const Invocation &invocation,
                            function_ref<void(Breakpoint &)> act) {
  Breakpoints &points = in.session.breakpoints();
  SmallVector<StringRef, 8> parts;
  SplitString(invocation.arguments, parts, " \t,");
  std::vector<unsigned> ids;
  for (StringRef part : parts) {
    unsigned id;
    if (part.getAsInteger(10, id) || !points.find(id))
      return textError(invocation.arguments, columnIn(invocation.arguments, part),
                       "there is no breakpoint '" + part + "'; `info breakpoints` lists them");
    ids.push_back(id);
  }
  if (ids.empty())
    for (const Breakpoint &breakpoint : points.all())
      ids.push_back(breakpoint.id);
  for (unsigned id : ids)
    if (Breakpoint *breakpoint = points.find(id)) // a number may stand twice
      act(*breakpoint);
  in.session.armBreakpoints();
  return Error::success();
}

static Error remove(Interpreter &in, const Invocation &invocation) {
  std::vector<unsigned> doomed;
  if (Error error = eachBreakpoint(in, invocation, [&](Breakpoint &b) { doomed.push_back(b.id); }))
    return error;
  for (unsigned id : doomed)
    in.session.breakpoints().remove(id);
  in.session.armBreakpoints();
  return Error::success();
}

template <bool on> static Error enable(Interpreter &in, const Invocation &invocation) {
  return eachBreakpoint(in, invocation, [](Breakpoint &b) { b.enabled = on; });
}

static Error list(Interpreter &in, const Invocation &) {
  Table table({"Num", "Kind", "Enabled", "Hits", "Where"});
  for (const Breakpoint &breakpoint : in.session.breakpoints().all()) {
    std::string line = in.describeLine(breakpoint.location.addresses.front());
    std::string where = placesOf(in, breakpoint.location) + (line.empty() ? "" : ", " + line);
    if (breakpoint.condition)
      where += (" if " + breakpoint.condition->text()).str();
    table.row({std::to_string(breakpoint.id), breakpoint.temporary ? "temporary" : "breakpoint",
               breakpoint.enabled ? "yes" : "no", std::to_string(breakpoint.hits), where});
  }
  if (table.empty())
    in.out << "No breakpoints.\n";
  else
    table.print(in.out);
  return Error::success();
}

ArrayRef<Command> breakpointCommands() {
  static constexpr Command commands[] = {
      {"break", "b br", Command::Stopping, Command::CompletesLocation, "[LOCATION] [if CONDITION]",
       "stop every warp that reaches a location",
       "LOCATION is a label, label+BYTES, FILE:LINE, a line of the current file, or *EXPRESSION for an "
       "address; without\n"
       "one, where the focused warp stands. A warp stops before it executes the instruction. With a "
       "condition it stops\n"
       "only when the condition is true for at least one active lane, and the stop names those lanes.\n"
       "\n"
       "(leno) break loop if R0 == 3",
       breakAt<false>},
      {"tbreak", "tb", Command::Stopping, Command::CompletesLocation, "[LOCATION] [if CONDITION]",
       "a breakpoint that is deleted when it is hit",
       "As `break`; the first warp that stops there deletes it.\n"
       "\n"
       "(leno) tbreak loop",
       breakAt<true>},
      {"delete", "d del", Command::Stopping, 0, "[NUMBER...]", "delete breakpoints, or all of them",
       "Numbers are those that `break` and `info breakpoints` tell.\n"
       "\n"
       "(leno) delete 1",
       remove},
      {"disable", "dis", Command::Stopping, 0, "[NUMBER...]", "switch breakpoints off, or all of them",
       "A disabled breakpoint keeps its number and its count.\n"
       "\n"
       "(leno) disable 1",
       enable<false>},
      {"enable", "en", Command::Stopping, 0, "[NUMBER...]", "switch breakpoints on again, or all of them",
       "(leno) enable 1", enable<true>},
      {"info breakpoints", "b", Command::Stopping, Command::NoArguments, "", "list the breakpoints",
       "Number, kind, whether it is enabled, how often a warp stopped there, where it is.\n"
       "\n"
       "(leno) info breakpoints",
       list},
  };
  return commands;
}

} // namespace leno::dbg
