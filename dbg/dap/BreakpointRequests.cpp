// Breakpoints as a client keeps them: each request gives all those of one kind, or of one source.
#include "dbg/Text.h"
#include "dbg/source/Steps.h"
#include "dbg/dap/Server.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace leno::dbg::dap {

//===--- Conditions -------------------------------------------------------===//

namespace {
/// "3" or ">= 3": from the third hit on; "> 3", "== 3"; "% 3": every third.
struct HitCondition {
  enum Kind : u8 { From, Exactly, Every } kind = From;
  u64 count = 0;
  bool stops(u64 hits) const {
    return kind == From ? hits >= count : kind == Exactly ? hits == count : hits % count == 0;
  }
};
} // namespace

static Expected<HitCondition> parseHitCondition(StringRef text) {
  StringRef rest = text.trim();
  HitCondition result;
  bool after = false;
  if (rest.consume_front("=="))
    result.kind = HitCondition::Exactly;
  else if (rest.consume_front("%"))
    result.kind = HitCondition::Every;
  else if (!rest.consume_front(">="))
    after = rest.consume_front(">");
  if (rest.trim().getAsInteger(10, result.count) || (result.count == 0 && !after))
    return createStringError("a hit condition is a number N, or one of >= N, > N, == N, % N");
  result.count += after;
  return result;
}

Expected<std::vector<Server::LogPart>> Server::readLog(StringRef message) {
  std::vector<LogPart> parts;
  while (!message.empty()) {
    auto [words, rest] = message.split('{');
    parts.push_back({words.str(), nullptr});
    if (!message.contains('{'))
      break;
    if (!rest.contains('}'))
      return createStringError("a log message's '{' has no '}'");
    auto [inner, after] = rest.split('}');
    message = after;
    if (Error error = session->stops().readCondition(inner).moveInto(parts.back().expression))
      return error;
  }
  return parts;
}

std::string Server::logText(ArrayRef<LogPart> parts, Warp &warp, LaneMask lanes) {
  std::string all;
  unsigned lane = lanes ? unsigned(__builtin_ctz(lanes)) : session->focus().position().lane;
  for (const LogPart &part : parts) {
    all += part.words;
    if (!part.expression)
      continue;
    Expected<Value> value = part.expression->evaluate(session->focus().contextOf(&warp, lane));
    all += value ? interpreter->format(*value, 0) : "<" + wordsOf(value.takeError()) + ">";
  }
  return all;
}

Error Server::addConditions(Breakpoint &point, const Arguments &wanted) {
  Expected<std::string> condition = wanted.stringOr("condition", ""),
                        hits = wanted.stringOr("hitCondition", ""),
                        message = wanted.stringOr("logMessage", "");
  if (!condition || !hits || !message)
    return joinErrors(joinErrors(condition.takeError(), hits.takeError()), message.takeError());
  if (!StringRef(*condition).trim().empty()) {
    bool isHere = point.kind != Breakpoint::Code || !point.location.addresses.empty();
    if (Error error = session->stops().readCondition(*condition, isHere).moveInto(point.condition))
      return error;
  }
  std::optional<HitCondition> hit;
  if (!StringRef(*hits).trim().empty())
    if (Error error = parseHitCondition(*hits).moveInto(hit))
      return error;
  if (!hit && message->empty())
    return Error::success();
  std::vector<LogPart> log;
  if (Error error = readLog(*message).moveInto(log))
    return error;
  point.neverStops = !log.empty();
  point.passes = [this, hit, log = std::move(log)](const Breakpoint &met, Warp &warp) {
    if (hit && !hit->stops(met.hits))
      return true;
    if (log.empty())
      return false;
    LaneMask lanes = warp.active;
    if (met.condition) {
      Expected<LaneMask> found = met.condition->lanesWhereTrue(session->focus().contextOf(&warp, 0));
      lanes = found ? *found : 0;
      if (!found)
        consumeError(found.takeError());
    }
    print("console", logText(log, warp, lanes) + "\n");
    return true;
  };
  return Error::success();
}

//===--- Groups -----------------------------------------------------------===//

/// A breakpoint that was typed, or clicked in the warp view, where the client now wants one: it has been told
/// of it and makes it its own.
const Breakpoint *Server::typedAt(const Breakpoint &wanted) const {
  if (wanted.kind != Breakpoint::Code)
    return nullptr;
  for (const Breakpoint &point : session->stops().breakpoints().all())
    if (toldBreakpoints.count(point.id) && point.kind == Breakpoint::Code &&
        point.location.addresses == wanted.location.addresses &&
        (!point.program || !wanted.program || point.program == wanted.program))
      return &point;
  return nullptr;
}

Expected<unsigned> Server::addOwned(const Arguments &wanted, Make make) {
  Expected<Breakpoint> point = make(wanted);
  if (!point)
    return point.takeError();
  if (Error error = addConditions(*point, wanted))
    return std::move(error);
  if (const Breakpoint *typed = typedAt(*point)) {
    unsigned id = typed->id;
    toldBreakpoints.erase(id);
    if (!point->condition && !point->passes)
      return id;
    session->stops().breakpoints().remove(id);
  }
  point->enabled = !noDebug;
  return session->stops().breakpoints().add(std::move(*point)).id;
}

Expected<json::Value> Server::replaceGroup(StringRef group, StringRef argument, const Arguments &arguments,
                                           Make make) {
  Expected<const json::Array *> list = arguments.array(argument);
  if (!list)
    return list.takeError();
  for (const json::Value &one : **list)
    if (!one.getAsObject())
      return createStringError("the argument '" + argument + "' is not an array of objects");
  std::vector<Owned> before, after;
  for (Owned &one : owned)
    (one.group == group ? before : after).push_back(std::move(one));
  json::Array answers;
  for (const json::Value &one : **list) {
    std::string key = formatv("{0}", one).str();
    auto same = find_if(before, [&](const Owned &old) { return old.id && old.key == key; });
    Owned mine;
    if (same != before.end() && session->stops().breakpoints().find(same->id)) {
      mine = std::move(*same);
      before.erase(same);
    } else {
      mine = {group.str(), key};
      Expected<unsigned> id = addOwned(Arguments(one.getAsObject()), make);
      if (id)
        mine.id = *id;
      else
        mine.message = wordsOf(id.takeError());
    }
    answers.push_back(describeBreakpoint(mine));
    after.push_back(std::move(mine));
  }
  for (const Owned &gone : before)
    if (gone.id)
      session->stops().breakpoints().remove(gone.id);
  owned = std::move(after);
  session->stops().arm();
  again |= activity == Activity::Back; // they are looked for on the whole way
  return json::Object{{"breakpoints", std::move(answers)}};
}

json::Object Server::describeBreakpoint(const Owned &one) {
  const Breakpoint *point = one.id ? session->stops().breakpoints().find(one.id) : nullptr;
  if (!point)
    return json::Object{{"verified", false}, {"message", one.message}};
  bool resolved = point->kind != Breakpoint::Code || !point->location.addresses.empty();
  json::Object body{{"id", int64_t(point->id)}, {"verified", resolved && !point->conditionFailed}};
  if (!resolved)
    body["message"] = session->program() ? "no kernel that was launched has such a place yet"
                                         : "the program has no such place any more";
  else if (point->conditionFailed)
    body["message"] = one.message;
  if (point->kind != Breakpoint::Code || !resolved)
    return body;
  CodePlace place{point->program ? point->program : &session->focus().executable(),
                  point->location.addresses.front()};
  Spot spot = spotOf(place);
  body["source"] = std::move(spot.source);
  body["line"] = int64_t(clientLine(spot.line));
  body["instructionReference"] = addressText(wholeAddress(place));
  return body;
}

void Server::tellProblems(const StopEvent &stop) {
  for (Owned &one : owned)
    if (const Breakpoint *point = one.id ? session->stops().breakpoints().find(one.id) : nullptr;
        point && point->conditionFailed && one.message.empty() && !stop.problems.empty()) {
      one.message = jsonText(StringRef(stop.problems.front()).split('\n').first);
      event("breakpoint", json::Object{{"reason", "changed"}, {"breakpoint", describeBreakpoint(one)}});
    }
}

void Server::tellBreakpointChanges() {
  auto tellRemoved = [this](unsigned id) {
    event("breakpoint", json::Object{{"reason", "removed"},
                                     {"breakpoint", json::Object{{"id", int64_t(id)}, {"verified", false}}}});
  };
  // One of the client's that was deleted.
  erase_if(owned, [&](const Owned &one) {
    bool isGone = one.id && !session->stops().breakpoints().find(one.id);
    if (isGone)
      tellRemoved(one.id);
    return isGone;
  });
  std::map<unsigned, std::string> now;
  for (const Breakpoint &point : session->stops().breakpoints().all()) {
    if (any_of(owned, [&](const Owned &one) { return one.id == point.id; }))
      continue;
    std::string looks = point.enabled ? "on" : "off";
    now[point.id] = looks;
    auto told = toldBreakpoints.find(point.id);
    if (told != toldBreakpoints.end() && told->second == looks)
      continue;
    Owned typed{"", "", point.id};
    json::Object body = describeBreakpoint(typed);
    if (!point.enabled)
      body["verified"] = false;
    json::Object change{{"reason", told == toldBreakpoints.end() ? "new" : "changed"}};
    change["breakpoint"] = std::move(body);
    event("breakpoint", std::move(change));
  }
  for (const auto &[id, looks] : toldBreakpoints)
    if (!now.count(id))
      tellRemoved(id);
  toldBreakpoints = std::move(now);
}

//===--- Code -------------------------------------------------------------===//

Expected<CodePlaces::Found> Server::locationAt(const json::Object &source, int64_t line) {
  Expected<int64_t> reference = Arguments(&source).integerOr("sourceReference", 0);
  Expected<std::string> path = pathOf(source);
  if (!reference || !path)
    return joinErrors(reference.takeError(), path.takeError());
  line = ownLine(line);
  if (*reference) { // the disassembly: an instruction in each line
    std::vector<const Executable *> programs = session->code().programs();
    if (*reference < 1 || u64(*reference) > programs.size())
      return createStringError("there is no source " + Twine(*reference));
    CodePlace place{programs[size_t(*reference - 1)], u64(line - 1) * 8};
    if (line < 1 || !place.isInstruction())
      return createStringError("there is no instruction in line " + Twine(line));
    return CodePlaces::Found{{{place.address}, place.program->describe(place.address)}, place.program};
  }
  FileOfProgram file = fileAt(*path);
  if (session->program() && file.name.empty())
    return session->placeOfBreakpoint(
        ((sys::fs::exists(*path) ? StringRef(*path) : sys::path::filename(*path)) + ":" + Twine(line)).str());
  if (none_of(session->code().programs(), [](const Executable *program) { return program->hasLines(); }))
    return createStringError(
        "the program has no line information: assemble it with -g, or set breakpoints in its "
        "disassembly");
  if (file.name.empty())
    return createStringError("the program has no code from " + sys::path::filename(*path));
  return session->code().find(file.name + ":" + std::to_string(line), *file.program);
}

Breakpoint Server::breakpointAt(CodePlaces::Found place) {
  Breakpoint point;
  point.location = std::move(place.location);
  point.program = place.program;
  point.everywhere = true;
  return point;
}

Server::Reply Server::setBreakpoints(const Arguments &arguments) {
  Expected<const json::Object *> source = arguments.child("source");
  if (!source)
    return source.takeError();
  Expected<int64_t> reference = Arguments(*source).integerOr("sourceReference", 0);
  Expected<std::string> path = pathOf(**source);
  if (!reference || !path)
    return joinErrors(reference.takeError(), path.takeError());
  return replaceGroup("source:" + (*reference ? "disassembly" : *path), "breakpoints", arguments,
                      [&](const Arguments &wanted) -> Expected<Breakpoint> {
                        Expected<int64_t> line = wanted.integer("line");
                        if (!line)
                          return line.takeError();
                        Expected<CodePlaces::Found> place = locationAt(**source, *line);
                        if (!place)
                          return place.takeError();
                        return breakpointAt(std::move(*place));
                      });
}

Server::Reply Server::setFunctionBreakpoints(const Arguments &arguments) {
  return replaceGroup("function", "breakpoints", arguments,
                      [&](const Arguments &wanted) -> Expected<Breakpoint> {
                        Expected<std::string> name = wanted.string("name");
                        if (!name)
                          return name.takeError();
                        Expected<CodePlaces::Found> place = session->placeOfBreakpoint(*name);
                        if (!place)
                          return place.takeError();
                        return breakpointAt(std::move(*place));
                      });
}

Server::Reply Server::setInstructionBreakpoints(const Arguments &arguments) {
  return replaceGroup(
      "instruction", "breakpoints", arguments, [&](const Arguments &wanted) -> Expected<Breakpoint> {
        Expected<std::string> text = wanted.string("instructionReference");
        Expected<int64_t> offset = wanted.integerOr("offset", 0);
        if (!text || !offset)
          return joinErrors(text.takeError(), offset.takeError());
        Expected<MemoryReference> place = MemoryReference::parse(*text);
        if (!place)
          return place.takeError();
        u64 address = place->address + u64(*offset);
        CodePlace code = placeAt(address);
        if (!place->isCode || !code.isInstruction())
          return createStringError("there is no instruction at " + addressText(address));
        return breakpointAt({{{code.address}, "*" + addressText(code.address)}, code.program});
      });
}

Server::Reply Server::breakpointLocations(const Arguments &arguments) {
  Expected<const json::Object *> source = arguments.child("source");
  if (!source)
    return source.takeError();
  Expected<int64_t> first = arguments.integer("line");
  if (!first)
    return first.takeError();
  Expected<int64_t> last = arguments.integerOr("endLine", *first);
  Expected<std::string> path = pathOf(**source);
  if (!last || !path)
    return joinErrors(last.takeError(), path.takeError());
  constexpr int64_t mostLines = 100000;
  FileOfProgram file = fileAt(*path);
  json::Array lines;
  int64_t from = std::max<int64_t>(ownLine(*first), 1);
  for (int64_t line = from; line <= ownLine(*last) && line - from < mostLines && file.program; ++line)
    if (!file.program->addressesOf(file.name, unsigned(line)).empty())
      lines.push_back(json::Object{{"line", int64_t(clientLine(unsigned(line)))}});
  return json::Object{{"breakpoints", std::move(lines)}};
}

//===--- Events and data --------------------------------------------------===//

Server::Reply Server::setExceptionBreakpoints(const Arguments &arguments) {
  // Names alone, or names with conditions, become one list.
  json::Array wanted;
  Expected<const json::Array *> plain = arguments.array("filters");
  if (!plain)
    return plain.takeError();
  for (const json::Value &name : **plain)
    wanted.push_back(json::Object{{"filterId", name}});
  if (arguments.find("filterOptions")) {
    Expected<const json::Array *> more = arguments.array("filterOptions");
    if (!more)
      return more.takeError();
    for (const json::Value &one : **more)
      wanted.push_back(one);
  }
  json::Object all{{"filters", std::move(wanted)}};
  return replaceGroup("exception", "filters", Arguments(&all),
                      [&](const Arguments &filter) -> Expected<Breakpoint> {
                        Expected<std::string> name = filter.string("filterId");
                        if (!name)
                          return name.takeError();
                        std::optional<Caught> caught = caughtNamed(*name);
                        if (!caught)
                          return createStringError("expected an event: " + namesOfCaught());
                        Breakpoint point;
                        point.kind = Breakpoint::Catch;
                        point.caught = *caught;
                        point.text = *name;
                        return point;
                      });
}

/// "0/0,0,0/1/7/R3[7]": the context, CTA, warp and lane in which the expression is a place.
static std::string dataIdOf(const Warp &warp, unsigned lane, StringRef expression) {
  Dim3 cta = warp.cta().index();
  return formatv("{0}/{1},{2},{3}/{4}/{5}/{6}", warp.grid().device().contextId(), cta.x, cta.y, cta.z,
                 warp.index(), lane, expression)
      .str();
}

Server::Reply Server::dataBreakpointInfo(const Arguments &arguments) {
  Expected<std::string> name = arguments.string("name");
  if (!name)
    return name.takeError();
  Expected<Warp *> framed = warpOfFrame(arguments);
  if (!framed)
    return framed.takeError();
  Warp *warp = *framed;
  std::string expression = *name;
  if (arguments.find("variablesReference")) {
    Expected<int64_t> reference = arguments.integer("variablesReference");
    if (!reference)
      return reference.takeError();
    Expected<Container> container = tree->find(*reference);
    if (!container)
      return container.takeError();
    Expected<Variable> variable = tree->child(*container, *name);
    if (!variable)
      return variable.takeError();
    expression = variable->expression;
    warp = tree->warpOf(*container);
  }
  auto refused = [](const Twine &why) {
    return json::Object{{"dataId", nullptr}, {"description", jsonText(why.str())}};
  };
  if (!warp)
    return refused("no warp runs");
  unsigned lane = session->focus().position().lane;
  Expected<Place> place = Expression::placeOf(expression, session->focus().contextOf(warp, lane));
  if (!place)
    return refused(wordsOf(place.takeError()));
  json::Array accesses{"write"};
  if (place->kind != Place::FlagBit)
    accesses = json::Array{"read", "write", "readWrite"};
  return json::Object{{"dataId", jsonText(dataIdOf(*warp, lane, expression))},
                      {"description", jsonText(expression)},
                      {"accessTypes", std::move(accesses)},
                      {"canPersist", false}};
}

Server::Reply Server::setDataBreakpoints(const Arguments &arguments) {
  return replaceGroup("data", "breakpoints", arguments, [&](const Arguments &wanted) -> Expected<Breakpoint> {
    Expected<std::string> id = wanted.string("dataId"), access = wanted.stringOr("accessType", "write");
    if (!id || !access)
      return joinErrors(id.takeError(), access.takeError());
    auto [context, afterContext] = StringRef(*id).split('/');
    auto [cta, afterCta] = afterContext.split('/');
    auto [warp, afterWarp] = afterCta.split('/');
    auto [lane, expression] = afterWarp.split('/');
    Expected<unsigned> number =
        parseNumber(context, unsigned(session->prepared().contextCount() - 1), "a context");
    if (!number)
      return number.takeError();
    Expected<Dim3> index = parseIndex(cta);
    Expected<unsigned> warpNumber = parseNumber(warp, ~0u, "a warp");
    Expected<unsigned> laneNumber = parseNumber(lane, laneCount - 1, "a lane");
    if (!index || !warpNumber || !laneNumber)
      return joinErrors(joinErrors(index.takeError(), warpNumber.takeError()), laneNumber.takeError());
    Cta *home = session->focus().findCta(*number, *index);
    if (!home || *warpNumber >= home->warps().size())
      return createStringError("the warp of this data does not run now");
    Expected<Place> place =
        Expression::placeOf(expression, session->focus().contextOf(home->warps()[*warpNumber], *laneNumber));
    if (!place)
      return place.takeError();
    Breakpoint point;
    point.kind = Breakpoint::Watch;
    point.access = *access == "read"    ? WatchAccess::Read
                   : *access == "write" ? WatchAccess::Write
                                        : WatchAccess::Any;
    point.place = *place;
    point.place.cta = *index;
    point.place.warp = *warpNumber;
    point.place.context = *number;
    point.text = expression.str();
    return point;
  });
}

} // namespace leno::dbg::dap
