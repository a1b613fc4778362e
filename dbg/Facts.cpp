#include "dbg/Facts.h"
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
  return json::Object{{"type", nameOf(value.type)},
                      {"bits", hex(value.bits, 2 * sizeOf(value.type))},
                      {"text", text(in.format(value, format))}};
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
    Expected<std::vector<Value>> values = display.expression.evaluateAll(in.session.focus().context());
    if (values && display.format == 'i') {
      u64 address = values->front().integer();
      one["text"] = in.session.code().isInstruction(address) ? text(in.session.code().text(address)) : "";
    } else if (values)
      one["text"] =
          text(display.expression.isRange() ? in.formatRange(display.expression, *values, display.format)
                                            : in.format(values->front(), display.format));
    else
      one["error"] = text(StringRef(toString(values.takeError())).split('\n').first);
    all.push_back(std::move(one));
  }
  return all;
}

} // namespace leno::dbg
