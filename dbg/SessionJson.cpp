// Numbers are written as they are, bytes in base64. Reading goes through Fields, which remembers the first
// mistake, so that each record is read in one go.
#include "dbg/SessionJson.h"
#include "asm/ElementType.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"

using namespace llvm;

namespace leno::dbg {

using runtime::Array;

//===--- Writing ----------------------------------------------------------===//

static std::string base64(StringRef bytes) { return encodeBase64(bytes); }
static std::string base64(ArrayRef<uint8_t> bytes) { return encodeBase64(bytes); }

template <class List, class Make> static json::Array listOf(const List &list, Make make) {
  json::Array result;
  for (const auto &one : list)
    result.push_back(make(one));
  return result;
}

static json::Array indexOf(Dim3 index) { return json::Array{index.x, index.y, index.z}; }
static json::Array strings(ArrayRef<std::string> list) {
  return listOf(list, [](const std::string &text) { return base64(text); });
}

static json::Object launchToJson(const runtime::PreparedLaunch::Saved &launch) {
  const runtime::LaunchOptions &options = launch.options;
  auto size = [](runtime::Dimensions d) { return json::Array{d.x, d.y, d.z}; };
  return json::Object{{"name", base64(launch.name)},
                      {"program", base64(launch.program)},
                      {"kernel", base64(options.kernel)},
                      {"grid", size(options.grid)},
                      {"block", size(options.block)},
                      {"arguments", strings(options.arguments)},
                      {"machine", strings(options.machineSettings)},
                      {"maximumInstructions", options.maximumInstructions},
                      {"inputs", listOf(launch.inputs, [](const Array &array) {
                         return json::Object{{"type", leno::info(array.type).name},
                                             {"shape", json::Array(array.shape)},
                                             {"bytes", base64(array.bytes)}};
                       })}};
}

static json::Object placeToJson(const Place &place) {
  return json::Object{{"kind", unsigned(place.kind)},   {"number", place.number},
                      {"words", place.words},           {"lanes", place.lanes},
                      {"space", unsigned(place.space)}, {"address", place.address},
                      {"bytes", place.bytes},           {"type", unsigned(place.type)},
                      {"cta", indexOf(place.cta)},      {"warp", place.warp}};
}

static json::Object breakpointToJson(const Breakpoint &point) {
  json::Object object{{"kind", unsigned(point.kind)},
                      {"id", point.id},
                      {"addresses", json::Array(point.location.addresses)},
                      {"text", base64(point.kind == Breakpoint::Code ? point.location.text : point.text)},
                      {"line", point.location.line},
                      {"place", placeToJson(point.place)},
                      {"access", unsigned(point.access)},
                      {"caught", unsigned(point.caught)},
                      {"enabled", point.enabled},
                      {"temporary", point.temporary},
                      {"hits", point.hits},
                      {"ignore", point.ignore},
                      {"commands", strings(point.commands)}};
  object["conditionFailed"] = point.conditionFailed;
  object["condition"] = point.condition ? base64(point.condition->text()) : "";
  return object;
}

static json::Object changeToJson(const Change &change) {
  return json::Object{{"kind", unsigned(change.kind)},
                      {"cta", indexOf(change.cta)},
                      {"warp", change.warp},
                      {"lane", change.lane},
                      {"number", change.number},
                      {"value", change.value},
                      {"space", unsigned(change.space)},
                      {"address", change.address},
                      {"bytes", base64(change.bytes)}};
}

static json::Object valueToJson(const Value &value) {
  return json::Object{{"type", unsigned(value.type)}, {"bits", value.bits}, {"literal", value.literal}, {"single", value.single}};
}

static json::Object momentToJson(const Session::Moment &moment) {
  json::Object object{{"state", unsigned(moment.state)},
                      {"focus", json::Object{{"cta", indexOf(moment.where.cta)},
                                             {"warp", moment.where.warp},
                                             {"lane", moment.where.lane}}}};
  if (moment.last)
    object["stop"] = json::Object{{"kind", unsigned(moment.last->kind)},
                                  {"breakpoints", json::Array(moment.last->breakpoints)},
                                  {"details", strings(moment.last->details)},
                                  {"hasLanes", moment.last->lanesMet.has_value()},
                                  {"lanes", moment.last->lanesMet.value_or(0)},
                                  {"cta", indexOf(moment.last->exited.cta)},
                                  {"warp", moment.last->exited.warp},
                                  {"killed", moment.last->killed},
                                  {"code", moment.last->code}};
  if (moment.trap)
    object["trap"] = json::Object{{"kind", unsigned(moment.trap->kind)},
                                  {"cta", indexOf(moment.trap->cta)},
                                  {"warp", moment.trap->warp}};
  object["past"] = listOf(moment.past.stretches, [](const Timeline::Stretch &s) {
    return json::Object{{"kind", unsigned(s.kind)},
                        {"count", s.count},
                        {"cta", indexOf(s.cta)},
                        {"warp", s.warp},
                        {"change", u64(s.change)}};
  });
  object["changes"] = listOf(moment.past.changes, changeToJson);
  object["jumps"] = listOf(moment.jumps, [](const Jump &jump) {
    return json::Object{{"tick", jump.from.tick},        {"fromCta", indexOf(jump.from.cta)},
                        {"fromWarp", jump.from.warp},    {"pc", jump.from.pc},
                        {"calls", u64(jump.from.calls)}, {"to", jump.to},
                        {"cta", indexOf(jump.cta)},      {"warp", jump.warp}};
  });
  object["bookmarks"] = listOf(moment.marks, [](const Session::Bookmark &mark) {
    return json::Object{{"id", mark.id},
                        {"name", base64(mark.name)},
                        {"tick", mark.tick},
                        {"cta", indexOf(mark.where.cta)},
                        {"warp", mark.where.warp},
                        {"lane", mark.where.lane},
                        {"place", base64(mark.place)}};
  });
  object["values"] = listOf(moment.user.history, valueToJson);
  object["variables"] = listOf(moment.user.variables, [](const auto &variable) {
    json::Object one = valueToJson(variable.second);
    one["name"] = base64(variable.first);
    return one;
  });
  return object;
}

json::Object sessionToJson(const SavedSession &saved) {
  json::Object sources;
  for (const auto &[name, text] : saved.sources)
    sources[base64(name)] = base64(text);
  return json::Object{{"launch", launchToJson(saved.launch)},
                      {"moment", momentToJson(saved.moment)},
                      {"breakpoints", listOf(saved.breakpoints, breakpointToJson)},
                      {"displays", listOf(saved.displays,
                                          [](const SavedSession::Display &display) {
                                            return json::Object{{"format", int(display.format)},
                                                                {"expression", base64(display.expression)}};
                                          })},
                      {"sources", std::move(sources)},
                      {"hash", saved.hash}};
}

//===--- Reading ----------------------------------------------------------===//

namespace {
class Fields {
public:
  Fields(const json::Value *value, std::string &mistake)
      : object(value ? value->getAsObject() : nullptr), mistake(mistake) {
    if (!object)
      wrong("a record");
  }
  const json::Value *find(StringRef name) {
    const json::Value *value = object ? object->get(name) : nullptr;
    if (!value)
      wrong(name);
    return value;
  }
  bool has(StringRef name) const { return object && object->get(name); }
  u64 number(StringRef name, u64 most = ~u64(0)) {
    const json::Value *value = find(name);
    std::optional<uint64_t> found = value ? value->getAsUINT64() : std::nullopt;
    if (found && *found <= most)
      return *found;
    wrong(name);
    return 0;
  }
  template <class Enum> Enum choice(StringRef name, Enum last) { return Enum(number(name, u64(last))); }
  unsigned small(StringRef name) { return unsigned(number(name, 0xffffffff)); }
  bool flag(StringRef name) {
    const json::Value *value = find(name);
    std::optional<bool> found = value ? value->getAsBoolean() : std::nullopt;
    if (!found)
      wrong(name);
    return found.value_or(false);
  }
  std::string bytes(StringRef name) { return bytesOf(find(name), name); }
  std::string bytesOf(const json::Value *value, StringRef name) {
    std::optional<StringRef> text = value ? value->getAsString() : std::nullopt;
    return decoded(text.value_or("?"), name);
  }
  std::string decoded(StringRef text, StringRef name) {
    std::vector<char> result;
    if (Error error = decodeBase64(text, result)) {
      consumeError(std::move(error));
      wrong(name);
    }
    return std::string(result.begin(), result.end());
  }
  template <class Read> void each(StringRef name, Read read) {
    const json::Value *value = find(name);
    const json::Array *list = value ? value->getAsArray() : nullptr;
    if (!list)
      return wrong(name);
    for (const json::Value &one : *list)
      read(one);
  }
  std::vector<std::string> strings(StringRef name) {
    std::vector<std::string> result;
    each(name, [&](const json::Value &one) { result.push_back(bytesOf(&one, name)); });
    return result;
  }
  std::vector<u64> numbers(StringRef name) {
    std::vector<u64> result;
    each(name, [&](const json::Value &one) {
      if (std::optional<uint64_t> number = one.getAsUINT64())
        result.push_back(*number);
      else
        wrong(name);
    });
    return result;
  }
  Dim3 index(StringRef name) {
    std::vector<u64> parts = numbers(name);
    if (parts.size() == 3)
      return {u32(parts[0]), u32(parts[1]), u32(parts[2])};
    wrong(name);
    return {0, 0, 0};
  }
  Fields child(StringRef name) { return Fields(find(name), mistake); }
  Fields of(const json::Value &value) { return Fields(&value, mistake); }
  void wrong(StringRef name) {
    if (mistake.empty())
      mistake = name.str();
  }

  const json::Object *object;
  std::string &mistake;
};
} // namespace

static runtime::PreparedLaunch::Saved launchFrom(Fields from) {
  runtime::PreparedLaunch::Saved launch;
  launch.name = from.bytes("name");
  launch.program = from.bytes("program");
  launch.options.kernel = from.bytes("kernel");
  auto size = [&](StringRef name) {
    Dim3 index = from.index(name);
    if (!index.x || !index.y || !index.z || u64(index.x) * index.y > runtime::MostCtas ||
        index.count() > runtime::MostCtas)
      from.wrong(name);
    return runtime::Dimensions{index.x, index.y, index.z};
  };
  launch.options.grid = size("grid");
  launch.options.block = size("block");
  launch.options.arguments = from.strings("arguments");
  launch.options.machineSettings = from.strings("machine");
  launch.options.maximumInstructions = from.number("maximumInstructions");
  from.each("inputs", [&](const json::Value &one) {
    Fields input = from.of(one);
    Array array;
    const json::Value *type = input.find("type");
    std::optional<ElementType> named =
        type && type->getAsString() ? elementTypeNamed(*type->getAsString()) : std::nullopt;
    if (!named)
      input.wrong("type");
    array.type = named.value_or(ElementType::U8);
    array.shape = input.numbers("shape");
    std::string bytes = input.bytes("bytes");
    array.bytes.assign(bytes.begin(), bytes.end());
    launch.inputs.push_back(std::move(array));
  });
  return launch;
}

static Place placeFrom(Fields from) {
  Place place{from.choice("kind", Place::Memory)};
  place.number = unsigned(from.number("number", 255));
  place.words = unsigned(from.number("words", 2));
  place.lanes = from.small("lanes");
  place.space = from.choice("space", MemorySpace::Local);
  place.address = from.number("address");
  place.bytes = unsigned(from.number("bytes", 8));
  place.type = from.choice("type", ValueType::Address);
  place.cta = from.index("cta");
  place.warp = from.small("warp");
  return place;
}

static Breakpoint breakpointFrom(Fields from) {
  Breakpoint point;
  point.kind = from.choice("kind", Breakpoint::Catch);
  point.id = from.small("id");
  point.location.addresses = from.numbers("addresses");
  point.text = from.bytes("text");
  if (point.kind == Breakpoint::Code)
    point.location.text = point.text;
  point.location.line = from.small("line");
  point.place = placeFrom(from.child("place"));
  point.access = from.choice("access", WatchAccess::Any);
  point.caught = Caught(from.number("caught", caughtEvents().size() - 1));
  point.enabled = from.flag("enabled");
  point.temporary = from.flag("temporary");
  point.conditionFailed = from.flag("conditionFailed");
  point.hits = from.number("hits");
  point.ignore = from.number("ignore");
  point.commands = from.strings("commands");
  if (std::string text = from.bytes("condition"); !text.empty()) {
    if (Expected<Expression> condition = Expression::parse(text))
      point.condition = std::make_shared<const Expression>(std::move(*condition));
    else {
      consumeError(condition.takeError());
      from.wrong("condition");
    }
  }
  return point;
}

static Change changeFrom(Fields from) {
  Change change{from.choice("kind", Change::Last)};
  change.cta = from.index("cta");
  change.warp = from.small("warp");
  change.lane = from.small("lane");
  change.number = from.small("number");
  change.value = from.small("value");
  change.space = from.choice("space", MemorySpace::Local);
  change.address = from.number("address");
  std::string bytes = from.bytes("bytes");
  change.bytes.assign(bytes.begin(), bytes.end());
  return change;
}

static StopEvent stopFrom(Fields from) {
  StopEvent stop{from.choice("kind", StopEvent::WarpStart)};
  for (u64 id : from.numbers("breakpoints"))
    stop.breakpoints.push_back(unsigned(id));
  stop.details = from.strings("details");
  LaneMask lanes = from.small("lanes");
  if (from.flag("hasLanes"))
    stop.lanesMet = lanes;
  stop.exited.cta = from.index("cta");
  stop.exited.warp = from.small("warp");
  stop.killed = from.flag("killed");
  stop.code = from.small("code");
  return stop;
}

static Value valueFrom(Fields from) {
  return {from.choice("type", ValueType::Address), from.number("bits"), from.flag("literal"),
          from.has("single") ? from.small("single") : 0};
}

static Session::Moment momentFrom(Fields from) {
  Session::Moment moment;
  moment.state = from.choice("state", SessionState::Trapped);
  Fields focus = from.child("focus");
  moment.where = {focus.index("cta"), focus.small("warp"), unsigned(focus.number("lane", laneCount - 1))};
  if (from.has("stop"))
    moment.last = stopFrom(from.child("stop"));
  if (from.has("trap")) {
    Fields trap = from.child("trap");
    moment.trap.emplace();
    moment.trap->kind = trap.choice("kind", TrapKind::Breakpoint);
    moment.trap->cta = trap.index("cta");
    moment.trap->warp = trap.small("warp");
  }
  from.each("past", [&](const json::Value &one) {
    Fields stretch = from.of(one);
    Timeline::Stretch read{stretch.choice("kind", Timeline::Stretch::ChangeByUser), 0,
                           stretch.number("count")};
    read.cta = stretch.index("cta");
    read.warp = stretch.small("warp");
    read.change = size_t(stretch.number("change"));
    moment.past.stretches.push_back(read);
  });
  from.each("changes",
            [&](const json::Value &one) { moment.past.changes.push_back(changeFrom(from.of(one))); });
  from.each("jumps", [&](const json::Value &one) {
    Fields jump = from.of(one);
    Jump read;
    read.from = {jump.number("tick"), jump.index("fromCta"), jump.small("fromWarp"), jump.number("pc"),
                 size_t(jump.number("calls"))};
    read.to = jump.number("to");
    read.cta = jump.index("cta");
    read.warp = jump.small("warp");
    moment.jumps.push_back(read);
  });
  from.each("bookmarks", [&](const json::Value &one) {
    Fields mark = from.of(one);
    Session::Bookmark read{mark.small("id"), mark.bytes("name"), mark.number("tick"), {}, mark.bytes("place")};
    read.where = {mark.index("cta"), mark.small("warp"), unsigned(mark.number("lane", laneCount - 1))};
    moment.marks.push_back(std::move(read));
  });
  from.each("values",
            [&](const json::Value &one) { moment.user.history.push_back(valueFrom(from.of(one))); });
  from.each("variables", [&](const json::Value &one) {
    Fields variable = from.of(one);
    moment.user.variables[variable.bytes("name")] = valueFrom(variable);
  });
  return moment;
}

Expected<SavedSession> sessionFromJson(const json::Value &document) {
  std::string mistake;
  Fields from(&document, mistake);
  SavedSession saved;
  saved.launch = launchFrom(from.child("launch"));
  saved.moment = momentFrom(from.child("moment"));
  from.each("breakpoints",
            [&](const json::Value &one) { saved.breakpoints.push_back(breakpointFrom(from.of(one))); });
  from.each("displays", [&](const json::Value &one) {
    Fields display = from.of(one);
    saved.displays.push_back({char(display.number("format", 127)), display.bytes("expression")});
  });
  Fields sources = from.child("sources");
  if (sources.object)
    for (const auto &[name, text] : *sources.object)
      saved.sources[sources.decoded(name.str(), "sources")] = sources.bytesOf(&text, "sources");
  saved.hash = from.number("hash");
  if (!mistake.empty())
    return createStringError("'" + mistake + "' is missing or not what it should be");
  return saved;
}

} // namespace leno::dbg
