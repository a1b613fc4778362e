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

static json::Object workToJson(const runtime::Prepared::Saved &work) {
  const runtime::LaunchOptions &options = work.options;
  auto size = [](runtime::Dimensions d) { return json::Array{d.x, d.y, d.z}; };
  if (!work.image.empty())
    return json::Object{{"image", base64(work.image)}};
  return json::Object{{"name", base64(options.file)},
                      {"contextsName", base64(options.contexts)},
                      {"contexts", base64(work.contexts)},
                      {"programs", strings(work.programs)},
                      {"limits", json::Array(work.limits)},
                      {"kernel", base64(options.kernel)},
                      {"grid", size(options.grid)},
                      {"block", size(options.block)},
                      {"arguments", strings(options.arguments)},
                      {"machine", strings(options.machineSettings)},
                      {"maximumInstructions", options.maximumInstructions},
                      {"inputs", listOf(work.inputs, [](const Array &array) {
                         return json::Object{{"type", leno::info(array.type).name},
                                             {"shape", json::Array(array.shape)},
                                             {"bytes", base64(array.bytes)}};
                       })}};
}

static json::Object with(const WarpPosition &at, json::Object object = {}) {
  object["cta"] = indexOf(at.cta);
  object["warp"] = at.warp;
  object["context"] = at.context;
  object["launch"] = at.launch;
  return object;
}

static json::Object placeToJson(const Place &place) {
  return with(place, json::Object{{"kind", unsigned(place.kind)},
                      {"number", place.number},
                      {"words", place.words},
                      {"lanes", place.lanes},
                      {"space", unsigned(place.space)},
                      {"address", place.address},
                      {"bytes", place.bytes},
                      {"type", unsigned(place.type)}});
}

static json::Object breakpointToJson(const Breakpoint &point,
                                     const std::optional<std::pair<u32, size_t>> &program) {
  json::Object object{{"kind", unsigned(point.kind)},
                      {"id", point.id},
                      {"addresses", json::Array(point.location.addresses)},
                      {"text", base64(point.kind == Breakpoint::Code ? point.location.text : point.text)},
                      {"line", point.location.line},
                      {"context", point.context},
                      {"everywhere", point.everywhere},
                      {"place", placeToJson(point.place)},
                      {"access", unsigned(point.access)},
                      {"caught", unsigned(point.caught)},
                      {"enabled", point.enabled},
                      {"temporary", point.temporary},
                      {"hits", point.hits},
                      {"ignore", point.ignore},
                      {"commands", strings(point.commands)}};
  if (program)
    object["program"] = json::Array{program->first, u64(program->second)};
  object["conditionFailed"] = point.conditionFailed;
  object["condition"] = point.condition ? base64(point.condition->text()) : "";
  return object;
}

static json::Object changeToJson(const Change &change) {
  return with(change, json::Object{{"kind", unsigned(change.kind)},
                       {"lane", change.lane},
                       {"number", change.number},
                       {"value", change.value},
                       {"space", unsigned(change.space)},
                       {"address", change.address},
                       {"bytes", base64(change.bytes)}});
}

static json::Object valueToJson(const Value &value) {
  return json::Object{{"type", unsigned(value.type)},
                      {"bits", value.bits},
                      {"literal", value.literal},
                      {"single", value.single}};
}

static json::Object momentToJson(const Session::Moment &moment) {
  json::Object object{{"state", unsigned(moment.state)},
                      {"focus", with(moment.where, json::Object{{"lane", moment.where.lane}})}};
  if (moment.last)
    object["stop"] = with(moment.last->exited, json::Object{{"kind", unsigned(moment.last->kind)},
                                                {"breakpoints", json::Array(moment.last->breakpoints)},
                                                {"details", strings(moment.last->details)},
                                                {"hasLanes", moment.last->lanesMet.has_value()},
                                                {"lanes", moment.last->lanesMet.value_or(0)},
                                                {"killed", moment.last->killed},
                                                {"code", moment.last->code}});
  if (moment.trap)
    object["trap"] = json::Object{{"kind", unsigned(moment.trap->kind)},
                                  {"cta", indexOf(moment.trap->cta)},
                                  {"warp", moment.trap->warp}};
  object["past"] = listOf(moment.past.stretches, [](const Timeline::Stretch &s) {
    return with(s.whose, json::Object{{"kind", unsigned(s.kind)},
                                      {"count", s.count},
                                      {"change", u64(s.change)},
                                      {"cycle", s.from.cycle},
                                      {"begun", s.from.begun},
                                      {"sm", u64(s.from.sm)},
                                      {"chosen", s.from.chosen}});
  });
  object["changes"] = listOf(moment.past.changes, changeToJson);
  object["jumps"] = listOf(moment.jumps, [](const Jump &jump) {
    return json::Object{{"tick", jump.from.tick}, {"from", with(jump.from.whose)},
                        {"pc", jump.from.pc},     {"calls", u64(jump.from.calls)},
                        {"to", jump.to},          {"focus", with(jump.focus)}};
  });
  object["bookmarks"] = listOf(moment.marks, [](const Session::Bookmark &mark) {
    return with(mark.where, json::Object{{"id", mark.id},
                             {"name", base64(mark.name)},
                             {"tick", mark.tick},
                             {"lane", mark.where.lane},
                             {"place", base64(mark.place)}});
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
  json::Array breakpoints;
  for (size_t i = 0; i < saved.breakpoints.size(); ++i)
    breakpoints.push_back(breakpointToJson(saved.breakpoints[i], saved.programs[i]));
  return json::Object{{"work", workToJson(saved.work)},
                      {"moment", momentToJson(saved.moment)},
                      {"breakpoints", std::move(breakpoints)},
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

static runtime::Prepared::Saved workFrom(Fields from) {
  runtime::Prepared::Saved work;
  if (from.has("image")) {
    work.image = from.bytes("image");
    return work;
  }
  work.options.file = from.bytes("name");
  work.options.contexts = from.bytes("contextsName");
  work.contexts = from.bytes("contexts");
  work.programs = from.strings("programs");
  work.limits = from.numbers("limits");
  work.options.kernel = from.bytes("kernel");
  auto size = [&](StringRef name) {
    Dim3 index = from.index(name);
    if (!index.x || !index.y || !index.z || u64(index.x) * index.y > runtime::MostCtas ||
        index.count() > runtime::MostCtas)
      from.wrong(name);
    return runtime::Dimensions{index.x, index.y, index.z};
  };
  work.options.grid = size("grid");
  work.options.block = size("block");
  work.options.arguments = from.strings("arguments");
  work.options.machineSettings = from.strings("machine");
  work.options.maximumInstructions = from.number("maximumInstructions");
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
    work.inputs.push_back(std::move(array));
  });
  return work;
}

static WarpPosition positionFrom(Fields from) {
  return {from.index("cta"), from.small("warp"), from.small("context"), from.small("launch")};
}

static Place placeFrom(Fields from) {
  Place place{positionFrom(from), from.choice("kind", Place::Memory)};
  place.number = unsigned(from.number("number", 255));
  place.words = unsigned(from.number("words", 2));
  place.lanes = from.small("lanes");
  place.space = from.choice("space", MemorySpace::Local);
  place.address = from.number("address");
  place.bytes = unsigned(from.number("bytes", 8));
  place.type = from.choice("type", ValueType::Address);
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
  point.context = from.small("context");
  point.everywhere = from.flag("everywhere");
  point.place = placeFrom(from.child("place"));
  point.access = from.choice("access", WatchAccess::Any);
  point.caught = from.choice("caught", Caught::Last);
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
  Change change{positionFrom(from), from.choice("kind", Change::Last)};
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
  StopEvent stop{from.choice("kind", StopEvent::Last)};
  for (u64 id : from.numbers("breakpoints"))
    stop.breakpoints.push_back(unsigned(id));
  stop.details = from.strings("details");
  LaneMask lanes = from.small("lanes");
  if (from.flag("hasLanes"))
    stop.lanesMet = lanes;
  stop.exited = positionFrom(from);
  stop.killed = from.flag("killed");
  stop.code = from.small("code");
  return stop;
}

static Value valueFrom(Fields from) {
  return {from.choice("type", ValueType::Address), from.number("bits"), from.flag("literal"),
          from.has("single") ? from.small("single") : 0};
}

static LanePosition focusFrom(Fields from) {
  return {positionFrom(from), unsigned(from.number("lane", laneCount - 1))};
}

static Session::Moment momentFrom(Fields from) {
  Session::Moment moment;
  moment.state = from.choice("state", SessionState::Trapped);
  moment.where = focusFrom(from.child("focus"));
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
    read.change = size_t(stretch.number("change"));
    read.whose = positionFrom(stretch);
    read.from = {stretch.number("cycle"), stretch.flag("begun"), size_t(stretch.number("sm")),
                 stretch.flag("chosen")};
    moment.past.stretches.push_back(read);
  });
  from.each("changes",
            [&](const json::Value &one) { moment.past.changes.push_back(changeFrom(from.of(one))); });
  from.each("jumps", [&](const json::Value &one) {
    Fields jump = from.of(one);
    moment.jumps.push_back({{jump.number("tick"), positionFrom(jump.child("from")), jump.number("pc"),
                             size_t(jump.number("calls"))},
                            jump.number("to"),
                            positionFrom(jump.child("focus"))});
  });
  from.each("bookmarks", [&](const json::Value &one) {
    Fields mark = from.of(one);
    Session::Bookmark read{
        mark.small("id"), mark.bytes("name"), mark.number("tick"), {}, mark.bytes("place")};
    read.where = focusFrom(mark);
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
  saved.work = workFrom(from.child("work"));
  saved.moment = momentFrom(from.child("moment"));
  from.each("breakpoints", [&](const json::Value &one) {
    saved.breakpoints.push_back(breakpointFrom(from.of(one)));
    std::vector<u64> program;
    if (Fields fields = from.of(one); fields.has("program"))
      program = fields.numbers("program");
    saved.programs.emplace_back();
    if (program.size() == 2 && program[0] <= 0xffffffff)
      saved.programs.back() = {u32(program[0]), size_t(program[1])};
  });
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
