#include "dbg/Facts.h"
#include "dbg/source/Object.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace leno::dbg {

std::string facts::text(StringRef bytes) { return json::isUTF8(bytes) ? bytes.str() : json::fixUTF8(bytes); }

std::string facts::hex(u64 value, unsigned digits) { return "0x" + utohexstr(value, true, digits); }

json::Array facts::index(Dim3 index) { return json::Array{index.x, index.y, index.z}; }

json::Object facts::place(Interpreter &in, u64 address) {
  json::Object where{{"pc", hex(address)}, {"label", text(in.session.code().describe(address))}};
  if (std::optional<SourceLine> line = in.session.focus().executable().line(address)) {
    where["file"] = text(line->file);
    where["line"] = int64_t(line->line);
    if (std::optional<StringRef> source = in.sources.line(line->file, line->line))
      where["source"] = text(*source);
  }
  if (in.session.code().isInstruction(address))
    where["instruction"] = text(in.session.code().text(address));
  return where;
}

json::Object facts::value(Interpreter &in, const Value &value, char format) {
  return json::Object{{"type", value.of ? source::spell(*value.of) : nameOf(value.type).str()},
                      {"bits", hex(value.bits, 2 * sizeOf(value.type))},
                      {"text", text(in.format(value, format))}};
}

/// What there is of it: a scalar's bits, the parts of the rest.
json::Object facts::object(Interpreter &in, const source::Object &object, const LaneContext &context, char format) {
  json::Object all{{"type", text(source::spell(*object.type))}, {"text", text(in.format(object, context, format))}};
  const source::Type &type = object.type->plain();
  if (object.isAbsent()) {
    all["absent"] = true;
    return all;
  }
  if (type.isScalar()) {
    if (Expected<Value> value = object.value(context))
      all["bits"] = hex(value->bits, unsigned(2 * sizeOf(value->type)));
    else {
      consumeError(value.takeError());
      all["absent"] = true;
    }
  }
  json::Array parts;
  for (const source::Type::Member &member : type.members) {
    json::Object part = facts::object(in, object.member(member), context, format);
    part["name"] = text(member.name);
    parts.push_back(std::move(part));
  }
  for (u64 i = 0; type.isList() && i < std::min(type.count, source::mostElements); ++i)
    parts.push_back(facts::object(in, object.element(i), context, format));
  if (!parts.empty())
    all["parts"] = std::move(parts);
  return all;
}

json::Array facts::values(Interpreter &in, ArrayRef<Value> values, char format) {
  return list(values, [&](const Value &one) { return value(in, one, format); });
}

json::Object facts::trap(Interpreter &in, const Trap &trap) {
  json::Object body{{"kind", trapName(trap.kind)}, {"message", text(in.session.focus().describe(trap))},
                    {"cta", index(trap.cta)},      {"warp", int64_t(trap.warp)},
                    {"lanes", mask(trap.lanes)},   {"pc", hex(trap.pc)}};
  if (trap.hasAddress)
    body["address"] = hex(trap.address);
  return body;
}

json::Array facts::displays(Interpreter &in) {
  json::Array all;
  for (const Interpreter::Display &display : in.displays) {
    if (!display.enabled)
      continue;
    json::Object one{{"number", int64_t(display.id)}, {"expression", text(display.expression.text())}};
    auto wrong = [&](Error error) { one["error"] = text(StringRef(toString(std::move(error))).split('\n').first); };
    if (display.format == 'i') {
      Expected<Value> value = display.expression.evaluate(in.session.focus().context());
      if (!value)
        wrong(value.takeError());
      else
        one["text"] = in.session.code().isInstruction(value->integer())
                          ? text(in.session.code().text(value->integer()))
                          : "";
    } else if (Expected<std::string> shown = in.show(display.expression, display.format))
      one["text"] = text(*shown);
    else
      wrong(shown.takeError());
    all.push_back(std::move(one));
  }
  return all;
}

} // namespace leno::dbg
