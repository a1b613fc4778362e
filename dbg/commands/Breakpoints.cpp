//===- Breakpoints.cpp - break, tbreak, delete, ... -----------------------===//
#include "dbg/BreakpointCommands.h"
#include "dbg/Facts.h"
#include "dbg/Text.h"
#include "dbg/source/Steps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace leno::dbg {

StringRef takeCondition(StringRef &text) {
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

static std::string placesOf(const Executable &program, const Location &location) {
  return join(map_range(location.addresses,
                        [&](u64 address) {
                          return formatv("{0} <{1}>", hexAddress(address), program.describe(address)).str();
                        }),
              ", ");
}

/// The program that a breakpoint of the kind Code is in.
static const Executable &programOf(Interpreter &in, const Breakpoint &point) {
  return point.program ? *point.program : in.session.focus().executable();
}

/// ", work.s:10" when the first of its places has a line.
static std::string lineOf(Interpreter &in, const Breakpoint &point) {
  std::optional<SourceLine> line = programOf(in, point).line(point.location.addresses.front());
  return line ? formatv(", {0}:{1}", sys::path::filename(line->file), line->line).str() : "";
}

/// number, type, enabled, hits, and what is told of it only when there is something to tell.
static json::Object factsOf(Interpreter &in, const Breakpoint &point) {
  json::Object found{{"number", int64_t(point.id)},
                     {"type", point.kindName()},
                     {"enabled", point.enabled},
                     {"hits", int64_t(point.hits)}};
  if (point.kind == Breakpoint::Code)
    found["places"] = facts::list(point.location.addresses, [&](u64 at) { return facts::place(in, at); });
  else
    found["what"] = facts::text(point.text);
  if (point.kind == Breakpoint::Watch && point.place.isOfCta())
    found["cta"] = facts::index(point.place.cta);
  if (point.kind == Breakpoint::Watch && point.place.isOfWarp())
    found["warp"] = int64_t(point.place.warp);
  if (point.condition)
    found["condition"] = facts::text(point.condition->text());
  if (point.ignore)
    found["ignore"] = int64_t(point.ignore);
  if (point.temporary)
    found["temporary"] = true;
  if (!point.commands.empty())
    found["commands"] =
        facts::list(point.commands, [](const std::string &line) { return facts::text(line); });
  return found;
}

void noteBreakpoint(Interpreter &in, const Breakpoint &point) {
  in.note({{"kind", "breakpoints"}, {"breakpoints", json::Array{factsOf(in, point)}}});
}

std::string ofContext(Interpreter &in, u32 context) {
  return in.session.focus().contextIfSeveral(context, " of ", "");
}

/// " of cta (1,0,0) warp 2 of context a", as far as a place is somebody's.
static std::string ofOwner(Interpreter &in, const Place &place) {
  std::string text;
  if (place.isOfCta())
    text += " of cta " + describeIndex(place.cta);
  if (place.isOfWarp())
    text += " warp " + std::to_string(place.warp);
  return text + ofContext(in, place.context);
}

Expected<std::shared_ptr<const Expression>> parseCondition(Interpreter &in, StringRef text, bool isHere) {
  if (!text.data())
    return nullptr;
  return in.session.stops().readCondition(text, isHere);
}

static Error addBreakpoint(Interpreter &in, const Invocation &invocation, bool temporary) {
  StringRef place = invocation.arguments;
  bool pending = place.consume_front("-pending ");
  StringRef conditionText = takeCondition(place);
  place = place.trim();
  Expected<CodePlaces::Found> found = in.session.placeOfBreakpoint(place);
  if (!found) {
    if (!pending)
      return found.takeError();
    consumeError(found.takeError());
    found = CodePlaces::Found{{{}, place.str()}, &in.session.focus().executable()};
  }
  bool hasPlace = !found->location.addresses.empty();
  Expected<std::shared_ptr<const Expression>> condition = parseCondition(in, conditionText, hasPlace);
  if (!condition)
    return condition.takeError();
  Breakpoint &added = in.session.stops().breakpoints().add(std::move(found->location), temporary, *condition);
  added.context = in.session.focus().position().context;
  added.program = found->program;
  in.session.stops().arm();
  noteBreakpoint(in, added);
  in.out << (temporary ? "Temporary breakpoint " : "Breakpoint ") << added.id;
  if (!hasPlace)
    in.out << " is pending: " << (in.session.program() ? "launches that come are asked" : "`reload` looks")
           << " for '" << added.location.text << (in.session.program() ? "'" : "' again");
  else
    in.out << " at " << placesOf(*found->program, added.location) << lineOf(in, added);
  in.out << ofContext(in, added.context) << '\n';
  return Error::success();
}

template <bool temporary> static Error breakAt(Interpreter &in, const Invocation &invocation) {
  return addBreakpoint(in, invocation, temporary);
}

Expected<std::vector<unsigned>> chosenBreakpoints(Interpreter &in, StringRef text) {
  std::vector<unsigned> known;
  for (const Breakpoint &point : in.session.stops().breakpoints().all())
    known.push_back(point.id);
  Expected<std::vector<unsigned>> chosen = chosenNumbers(text, known, "breakpoint");
  if (chosen)
    return chosen;
  return handleErrors(chosen.takeError(), [](const TextError &error) {
    return textError(error.text, error.column, error.message + "; `info breakpoints` lists them");
  });
}

Expected<std::vector<unsigned>> chosenNumbers(StringRef text, ArrayRef<unsigned> known, const Twine &what) {
  SmallVector<StringRef, 8> parts;
  SplitString(text, parts, " \t,");
  std::vector<unsigned> chosen;
  for (StringRef part : parts) {
    unsigned first, last;
    auto [low, high] = part.split('-');
    if (part == "$bpnum" && !known.empty())
      first = last = known.back();
    else if (low.getAsInteger(10, first) || (part.contains('-') && high.getAsInteger(10, last)))
      first = 1, last = 0;
    else if (!part.contains('-'))
      last = first;
    size_t before = chosen.size();
    for (unsigned id : known)
      if (id >= first && id <= last)
        chosen.push_back(id);
    if (chosen.size() == before)
      return textError(text, columnIn(text, part), "there is no " + what + " '" + part + "'");
  }
  return parts.empty() ? known.vec() : chosen;
}

/// Calls `act` for each number in the arguments, or for every breakpoint when there are none.
static Error eachBreakpoint(Interpreter &in, const Invocation &invocation,
                            function_ref<void(Breakpoint &)> act) {
  Expected<std::vector<unsigned>> ids = chosenBreakpoints(in, invocation.arguments);
  if (!ids)
    return ids.takeError();
  Breakpoints &points = in.session.stops().breakpoints();
  for (unsigned id : *ids)
    if (Breakpoint *breakpoint = points.find(id)) // a number may stand twice
      act(*breakpoint);
  in.session.stops().arm();
  return Error::success();
}

static Error remove(Interpreter &in, const Invocation &invocation) {
  std::vector<unsigned> doomed;
  if (Error error = eachBreakpoint(in, invocation, [&](Breakpoint &b) { doomed.push_back(b.id); }))
    return error;
  for (unsigned id : doomed)
    in.session.stops().breakpoints().remove(id);
  in.session.stops().arm();
  return Error::success();
}

template <bool on> static Error enable(Interpreter &in, const Invocation &invocation) {
  return eachBreakpoint(in, invocation, [](Breakpoint &b) { b.enabled = on; });
}

//===--- Watchpoints and catchpoints --------------------------------------===//

template <WatchAccess access> static Error watchPlace(Interpreter &in, const Invocation &invocation) {
  StringRef text = invocation.arguments;
  // gdb's: a place is watched here always, and not a value.
  if (text.consume_front("-l ") || text.consume_front("-location "))
    text = text.ltrim();
  Expected<std::shared_ptr<const Expression>> condition = parseCondition(in, takeCondition(text));
  if (!condition)
    return condition.takeError();
  Expected<Place> place = Expression::placeOf(text, in.session.focus().context());
  if (!place)
    return place.takeError();
  if (place->isOfCta() && !in.session.focus().warp())
    return createStringError("'" + text + "' is of a " + (place->isOfWarp() ? "warp" : "CTA") +
                             ", and none runs: `start` first; global memory can be watched before");
  if (place->kind == Place::FlagBit && access != WatchAccess::Write)
    return textError(text, 0, "a flag can be watched for changes only: `watch` does");
  Breakpoint point;
  point.kind = Breakpoint::Watch;
  point.access = access;
  point.place = in.session.focus().own(*place);
  point.text = text.str();
  point.condition = std::move(*condition);
  Breakpoint &added = in.session.stops().breakpoints().add(std::move(point));
  in.session.stops().arm();
  noteBreakpoint(in, added);
  in.out << "Watchpoint " << added.id << ": " << added.text << ofOwner(in, added.place) << '\n';
  return Error::success();
}

template <bool temporary> static Error catchEvent(Interpreter &in, const Invocation &invocation) {
  StringRef text = invocation.arguments;
  Expected<std::shared_ptr<const Expression>> condition = parseCondition(in, takeCondition(text));
  if (!condition)
    return condition.takeError();
  std::optional<Caught> event = caughtNamed(text);
  if (!event)
    return textError(text, 0, "expected an event: " + namesOfCaught(!in.session.isAlone()));
  if (isOfContexts(*event)) {
    if (in.session.isAlone())
      return textError(text, 0, "that happens to several contexts on one device (leno-dbg --contexts)");
    if (*condition)
      return textError(text, 0, "'" + text + "' happens to a context: no lane can meet a condition");
  }
  if (isOfChecks(*event))
    if (Error error = in.session.setChecksFor(*event))
      return error;
  Breakpoint point;
  point.kind = Breakpoint::Catch;
  point.caught = *event;
  point.temporary = temporary;
  point.text = text.str();
  point.condition = std::move(*condition);
  Breakpoint &added = in.session.stops().breakpoints().add(std::move(point));
  in.session.stops().arm();
  noteBreakpoint(in, added);
  in.out << (temporary ? "Temporary catchpoint " : "Catchpoint ") << added.id << ": " << added.text << '\n';
  return Error::success();
}

Expected<Breakpoint *> numberedBreakpoint(Interpreter &in, const Invocation &invocation, StringRef &rest) {
  auto [word, after] = invocation.arguments.split(' ');
  rest = after.trim();
  unsigned id;
  Breakpoint *point = word.getAsInteger(10, id) ? nullptr : in.session.stops().breakpoints().find(id);
  if (word == "$bpnum" && !in.session.stops().breakpoints().all().empty())
    point = &in.session.stops().breakpoints().all().back();
  if (word.empty())
    return textError(invocation.arguments, 0,
                     "expected the number of a breakpoint; `info breakpoints` lists them");
  if (!point)
    return textError(invocation.arguments, 0,
                     "there is no breakpoint '" + word + "'; `info breakpoints` lists them");
  return point;
}

static Error ignore(Interpreter &in, const Invocation &invocation) {
  StringRef rest;
  Expected<Breakpoint *> point = numberedBreakpoint(in, invocation, rest);
  if (!point)
    return point.takeError();
  u64 count;
  if (rest.getAsInteger(10, count))
    return textError(invocation.arguments, invocation.arguments.size() - rest.size(),
                     "expected how many stops to pass over, as in `ignore 1 10`");
  (*point)->ignore = count;
  noteBreakpoint(in, **point);
  in.out << formatv("Breakpoint {0} passes over {1}.\n", (*point)->id, plural(count, "stop"));
  return Error::success();
}

static Error giveCommands(Interpreter &in, const std::string &about, std::vector<std::string> lines) {
  SmallVector<StringRef, 4> ids;
  SplitString(about, ids);
  for (StringRef text : ids) {
    unsigned id;
    if (Breakpoint *point = text.getAsInteger(10, id) ? nullptr : in.session.stops().breakpoints().find(id)) {
      point->commands = lines;
      point->isForeign = in.isForeign();
    }
  }
  return Error::success();
}

static Error commandsOf(Interpreter &in, const Invocation &invocation) {
  if (in.session.stops().breakpoints().all().empty())
    return createStringError("there is no breakpoint yet: `break` makes one");
  Expected<std::vector<unsigned>> ids =
      chosenBreakpoints(in, invocation.arguments.empty() ? "$bpnum" : invocation.arguments);
  if (!ids)
    return ids.takeError();
  std::string about = join(map_range(*ids, [](unsigned id) { return std::to_string(id); }), " ");
  if (!in.onAnswer)
    in.out << "The commands for " << (ids->size() == 1 ? "breakpoint " : "breakpoints ") << about
           << ", one a line, up to `end`:\n";
  in.collecting = Interpreter::Block{giveCommands, about};
  return Error::success();
}

static Error list(Interpreter &in, const Invocation &invocation) {
  Expected<std::vector<unsigned>> ids = chosenBreakpoints(in, invocation.arguments);
  if (!ids)
    return ids.takeError();
  json::Array found;
  for (unsigned id : *ids)
    found.push_back(factsOf(in, *in.session.stops().breakpoints().find(id)));
  in.note({{"kind", "breakpoints"}, {"breakpoints", std::move(found)}});
  Table table({"Num", "Kind", "Enabled", "Hits", "Where"});
  for (const Breakpoint &breakpoint : in.session.stops().breakpoints().all()) {
    if (!is_contained(*ids, breakpoint.id))
      continue;
    std::string where = breakpoint.text;
    if (breakpoint.kind == Breakpoint::Code && breakpoint.location.addresses.empty())
      where = "no place in the program: " + breakpoint.location.text;
    else if (breakpoint.kind == Breakpoint::Code)
      where = placesOf(programOf(in, breakpoint), breakpoint.location) + lineOf(in, breakpoint) +
              ofContext(in, breakpoint.context);
    else if (breakpoint.kind == Breakpoint::Watch)
      where += ofOwner(in, breakpoint.place);
    if (breakpoint.condition)
      where += (" if " + breakpoint.condition->text()).str();
    if (breakpoint.ignore)
      where += formatv(", ignored {0} more", plural(breakpoint.ignore, "time")).str();
    if (breakpoint.stopsLeft)
      where += ", disabled after " + plural(breakpoint.stopsLeft, "stop");
    if (!breakpoint.message.empty())
      where += ", prints " + breakpoint.message;
    table.row({std::to_string(breakpoint.id), breakpoint.kindName().str(), breakpoint.enabled ? "yes" : "no",
               std::to_string(breakpoint.hits), where});
  }
  table.printOr(in.out, "No breakpoints.");
  if (in.onAnswer)
    return Error::success();
  for (unsigned id : *ids)
    if (const Breakpoint &point = *in.session.stops().breakpoints().find(id); !point.commands.empty()) {
      in.out << "Commands of " << id << ":\n";
      for (const std::string &line : point.commands)
        in.out << "  " << line << '\n';
    }
  return Error::success();
}

ArrayRef<Command> breakpointCommands() {
  static constexpr Command commands[] = {
      {"break", "b br", Command::Stopping, Command::CompletesLocation, "[-pending] [LOCATION] [if CONDITION]",
       "stop every warp that reaches a location",
       "LOCATION is a label, label+BYTES, FILE:LINE, a line of the current file, or *EXPRESSION for an "
       "address; without\n"
       "one, where the focused warp stands. A warp stops before it executes the instruction. With a "
       "condition it stops\n"
       "only when the condition is true for at least one active lane, and the stop names those lanes. A "
       "register "
       "without a\n"
       "type compares as it prints, signed: R3 == -5; R3.u32 < 10 compares unsigned. What the program has no "
       "name "
       "for is\n"
       "refused; a condition that cannot be computed stops once and says why. What a later launch of the "
       "context has is "
       "found\n"
       "too; with -pending a place that no program has yet waits for `reload`.\n"
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
       "Numbers are those that `break` and `info breakpoints` tell; 2-5 are four of them.\n"
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
      {"watch", "wa", Command::Stopping, 0, "PLACE [if CONDITION]",
       "stop after an instruction that changes a place",
       "PLACE is what `who wrote` takes: a register of a lane R5[7], of any lane R5[*], a predicate, a flag, "
       "shared, local or\n"
       "global memory. Registers are those of the focused warp, shared memory that of its CTA. The stop is "
       "after "
       "the\n"
       "instruction and tells both values. Any number can be watched; the launch runs slower while one is. "
       "Global memory can "
       "be watched\n"
       "before the launch starts. "
       "`reverse-continue`\n"
       "stops there too.\n"
       "\n"
       "(leno) watch R3[7] if R3[7] > 5",
       watchPlace<WatchAccess::Write>},
      {"rwatch", "rw", Command::Stopping, 0, "PLACE [if CONDITION]",
       "stop after an instruction that reads a place",
       "As `watch`, but for loads and atomics of memory, and for sources and guards.\n"
       "\n"
       "(leno) rwatch R1[3]",
       watchPlace<WatchAccess::Read>},
      {"awatch", "aw", Command::Stopping, 0, "PLACE [if CONDITION]",
       "stop after an instruction that reads or writes a place",
       "As `watch`, for every access to memory, also one that stores what was there.\n"
       "\n"
       "(leno) awatch [x]",
       watchPlace<WatchAccess::Any>},
      {"catch", "", Command::Stopping, 0, "EVENT [if CONDITION]",
       "stop after an instruction with which something happens",
       "EVENT is divergence, reconvergence, push, pop, spill, restore, barrier (a warp arrives), release, "
       "cta-start,\n"
       "cta-end, warp-exit or trap; or finding, memory, race, init or sync, what a check of that name finds "
       "(`help check`),\n"
       "which comes on with it. The start of CTAs stops before their first instruction, those of the "
       "launch "
       "included. Traps\n"
       "always stop; caught, they are counted and have commands. The stop names the lanes. With several "
       "contexts also\n"
       "context-switch (an SM is granted, saves, restores or drains), context-change, sm-granted, sm-saves, "
       "sm-restores,\n"
       "grid-start, grid-end, page-fault, context-end, message (the host begins to send one) and reply (it has "
       "taken one),\n"
       "which take the focus to their context.\n"
       "\n"
       "(leno) catch divergence",
       catchEvent<false>},
      {"tcatch", "", Command::Stopping, 0, "EVENT [if CONDITION]", "a catch that is deleted when it stops",
       "(leno) tcatch divergence", catchEvent<true>},
      {"ignore", "", Command::Stopping, 0, "NUMBER COUNT", "pass over the next stops of a breakpoint",
       "Going back, every stop counts.\n"
       "\n"
       "(leno) ignore 1 10",
       ignore},
      {"commands", "", Command::Stopping, Command::OpensBlock, "[NUMBER...]",
       "give a breakpoint commands to execute when it stops",
       "The lines that follow, up to `end`, are executed after each of its stops; `continue` may be one of "
       "them. With `silent`\n"
       "as the first the stop itself is not told. None at all takes them away. Without a number they are the "
       "last "
       "breakpoint's.\n"
       "\n"
       "(leno) commands 1",
       commandsOf},
      {"info breakpoints", "b", Command::Stopping, 0, "[NUMBER...]", "list the breakpoints",
       "Number, kind, whether it is enabled, how often a warp stopped there, where it is, and its commands.\n"
       "\n"
       "(leno) info breakpoints",
       list},
  };
  return commands;
}

} // namespace leno::dbg
