//===- Examine.cpp - x, and the strings of print/s ------------------------===//
#include "dbg/Examine.h"
#include "dbg/Facts.h"
#include "dbg/Focus.h"
#include "dbg/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace leno::dbg {

static constexpr u64 mostUnits = 1 << 16;

unsigned bytesOfUnit(char unit) { return unit == 'b' ? 1 : unit == 'h' ? 2 : unit == 'g' ? 8 : 4; }

/// "8xw": a count, a format and a unit, each of which may be missing: then it is that of the last time,
/// behind `-` that of the first. "-8xw": as many, up to the address.
static Error readFormat(StringRef text, Interpreter::Examine &examine, bool &isBefore) {
  const Interpreter::Examine first;
  StringRef rest = text;
  isBefore = rest.size() > 1 && rest[0] == '-' && isDigit(rest[1]);
  if (isBefore)
    rest = rest.drop_front();
  if (!rest.empty() && isDigit(rest[0])) {
    if (rest.consumeInteger(10, examine.count) || examine.count == 0 || examine.count > mostUnits)
      return textError(text, 0, "the count of units is from 1 to " + Twine(mostUnits));
  } else
    examine.count = 1;
  for (char c : rest) {
    if (StringRef("bhwg").contains(c))
      examine.unit = c;
    else if (c == '-')
      std::tie(examine.format, examine.unit) = std::pair(first.format, first.unit);
    else if (c == 'z') // hexadecimal is padded anyway
      examine.format = 'x';
    else if (isValueFormat(c) || c == 's' || c == 'i')
      examine.format = c;
    else
      return textError(text, size_t(rest.find(c) + (text.size() - rest.size())),
                       "expected a count, a format (x d u f t o c a s i) and a unit (b h w g)");
  }
  return Error::success();
}

Error readAddress(Interpreter &in, StringRef text, Interpreter::Examine &examine) {
  StringRef rest = text;
  examine.bank = 0;
  size_t colon = text.find(':');
  StringRef prefix = colon == StringRef::npos ? StringRef() : text.take_front(colon).trim();
  examine.space = MemorySpace::Global;
  if (colon != StringRef::npos) {
    rest = text.substr(colon + 1);
    if (prefix == "shared")
      examine.space = MemorySpace::Shared;
    else if (prefix == "local")
      examine.space = MemorySpace::Local;
    else if (prefix == "const" || prefix == "c")
      examine.space = MemorySpace::Constant;
    else if (prefix.starts_with("c") && !prefix.drop_front().getAsInteger(10, examine.bank) &&
             examine.bank < 16)
      examine.space = MemorySpace::Constant;
    else if (prefix != "global")
      return textError(
          text, 0, "expected global:, shared:, local:, const: (bank 0) or c0: to c15: before the address");
  }
  Expected<Expression> expression = Expression::parse(rest);
  if (!expression)
    return expression.takeError();
  Expected<u64> address = expression->address(in.session.focus().context());
  if (!address)
    return address.takeError();
  examine.next = *address;
  if (auto [space, next] = mapGeneric(*address);
      examine.space == MemorySpace::Global || examine.space == space)
    std::tie(examine.space, examine.next) = std::pair(space, next);
  if (prefix.empty())
    if (Expected<Value> value = in.evaluate(rest))
      examine.isCode = value->type == ValueType::Address;
    else
      consumeError(value.takeError());
  else
    examine.isCode = false;
  return Error::success();
}

std::string nameOfAddress(Interpreter &in, const Interpreter::Examine &examine, u64 address) {
  if (examine.space == MemorySpace::Shared || examine.space == MemorySpace::Local)
    return formatv("{0}:{1}", nameOf(examine.space), hexAddress(address));
  if (examine.space == MemorySpace::Constant)
    return formatv("c[{0}][{1}]", examine.bank, hexAddress(address));
  std::string text = hexAddress(address, 5);
  if (const AddressSpace::Allocation *found = in.session.focus().device().memory().find(address))
    text += formatv(" <{0}+{1}>", found->name, address - found->window.base);
  return text;
}

/// Of what is told of memory to programs: where it begins.
static json::Object factsOf(const Interpreter::Examine &examine, StringRef kind) {
  json::Object found{{"kind", kind}, {"space", nameOf(examine.space)}, {"address", facts::hex(examine.next)}};
  if (examine.space == MemorySpace::Constant)
    found["bank"] = int64_t(examine.bank);
  return found;
}

static Error examineInstructions(Interpreter &in, Interpreter::Examine &examine) {
  json::Array found;
  for (u64 i = 0; i < examine.count; ++i, examine.next += 8) {
    if (!in.session.code().isInstruction(examine.next))
      return createStringError(formatv("there is no instruction at {0:x}", examine.next));
    in.printInstruction(examine.next, in.session.focus().pc());
    found.push_back(facts::place(in, examine.next));
  }
  in.note({{"kind", "instructions"}, {"instructions", std::move(found)}});
  return Error::success();
}

namespace {
/// The characters up to a zero byte, or the first of very many.
struct StoredString {
  std::string characters;
  bool ended = false;
  std::string quoted() const {
    std::string text;
    raw_string_ostream os(text);
    os << '"';
    printEscapedString(characters, os);
    os << (ended ? "\"" : "\"...");
    return text;
  }
};
} // namespace

/// `examine.next` is behind them afterwards.
static Expected<StoredString> stringAt(const WarpContext &context, Interpreter::Examine &examine,
                                       u64 mostCharacters) {
  StoredString found;
  u64 address = examine.next;
  uint8_t c = 0;
  while (found.characters.size() < mostCharacters && !found.ended) {
    if (Error error = context.read(examine.space, examine.bank, examine.next, context.lane(), c)) {
      if (examine.next == address)
        return std::move(error);
      consumeError(std::move(error)); // the memory ends, and the text with it
      found.ended = true;
      break;
    }
    ++examine.next;
    found.ended = c == 0;
    if (!found.ended)
      found.characters += char(c);
  }
  return found;
}

Expected<std::string> stringAt(const WarpContext &context, u64 address) {
  Interpreter::Examine examine;
  std::tie(examine.space, examine.next) = mapGeneric(address);
  Expected<StoredString> text = stringAt(context, examine, 200);
  return text ? Expected<std::string>(std::move(text->characters)) : text.takeError();
}

static Error examineString(Interpreter &in, const WarpContext &context, Interpreter::Examine &examine) {
  for (u64 i = 0; i < examine.count; ++i) {
    std::string name = nameOfAddress(in, examine, examine.next);
    json::Object found = factsOf(examine, "string");
    Expected<StoredString> text = stringAt(context, examine, in.settings.stringLimit);
    if (!text)
      return text.takeError();
    in.out << name << ":  " << text->quoted() << '\n';
    found["text"] = facts::text(text->characters);
    found["ended"] = text->ended;
    in.note(std::move(found));
  }
  return Error::success();
}

Error printString(Interpreter &in, StringRef text) {
  Expected<Place> place = Expression::placeOf(text, in.session.focus().context());
  if (!place)
    return place.takeError();
  if (place->kind != Place::Memory)
    return textError(text, 0, "a string stands in memory: print/s [ADDRESS]");
  Interpreter::Examine examine;
  examine.space = place->space;
  examine.next = place->address;
  json::Object found = factsOf(examine, "string");
  Expected<StoredString> characters =
      stringAt(in.session.focus().context(), examine, in.settings.stringLimit);
  if (!characters)
    return characters.takeError();
  in.out << text << " = " << characters->quoted() << '\n';
  found["text"] = facts::text(characters->characters);
  found["ended"] = characters->ended;
  in.note(std::move(found));
  return Error::success();
}

static Value unitValue(u64 bits, char format, char unit) {
  unsigned bytes = bytesOfUnit(unit);
  ValueType type = bytes == 1   ? ValueType::U8
                   : bytes == 2 ? ValueType::U16
                   : bytes == 8 ? ValueType::U64
                                : ValueType::U32;
  if (format == 'f' && bytes >= 4)
    type = bytes == 8 ? ValueType::F64 : ValueType::F32;
  return reinterpret(bits, type);
}

/// Units of bytes, as many lines as they need.
static Error examineUnits(Interpreter &in, const WarpContext &context, Interpreter::Examine &examine) {
  unsigned bytes = bytesOfUnit(examine.unit),
           perLine = examine.format == 't' || examine.format == 'b' ? 2 : 16 / bytes;
  json::Object found = factsOf(examine, "memory");
  json::Array units;
  std::string line;
  for (u64 i = 0; i < examine.count; ++i, examine.next += bytes) {
    uint8_t buffer[8] = {};
    if (Error error = context.read(examine.space, examine.bank, examine.next, context.lane(),
                                   MutableArrayRef(buffer, bytes))) {
      in.out << line << (line.empty() ? "" : "\n");
      return error;
    }
    if (i % perLine == 0)
      line += (line.empty() ? "" : "\n") + nameOfAddress(in, examine, examine.next) + ":";
    Value value = unitValue(support::endian::read64le(buffer), examine.format, examine.unit);
    line += "  " + in.format(value, examine.format);
    units.push_back(facts::value(in, value, examine.format));
  }
  in.out << line << '\n';
  found["bytesOfUnit"] = int64_t(bytes);
  found["units"] = std::move(units);
  in.note(std::move(found));
  return Error::success();
}

Error examineMemory(Interpreter &in, const Invocation &invocation) {
  Interpreter::Examine examine = in.examineNext.value_or(Interpreter::Examine());
  bool isBefore = false;
  if (!invocation.repeated) {
    if (Error error = readFormat(invocation.format, examine, isBefore))
      return error;
    if (!invocation.arguments.empty()) {
      if (Error error = readAddress(in, invocation.arguments, examine))
        return error;
    } else if (!in.examineNext)
      return textError("x", 1, "expected an address, as in x/4xw 0x10000");
  }
  // Code is a space of its own: it has instructions only.
  if (examine.isCode && !invocation.repeated && !invocation.arguments.empty() && examine.format != 'i') {
    if (invocation.format.find_if([](char c) { return !isDigit(c) && c != '-'; }) != StringRef::npos)
      return textError(invocation.arguments, 0,
                       "this is a place in the code, which holds instructions: `x/i " + invocation.arguments +
                           "` shows them");
    examine.format = 'i';
  }
  if (examine.format == 'i' && !invocation.format.contains('i') && !invocation.repeated &&
      !invocation.arguments.empty() && !examine.isCode && !in.session.code().isInstruction(examine.next))
    examine.format = 'x'; // instructions were looked at before, these are data
  if (examine.format == 'c' && invocation.format.find_first_of("bhwg") == StringRef::npos &&
      !invocation.repeated)
    examine.unit = 'b';
  if (isBefore && examine.format == 's')
    return textError(invocation.format, 0, "strings are shown from their beginning: `x/s ADDRESS`");
  if (isBefore) {
    u64 bytes = examine.count * (examine.format == 'i' ? 8 : bytesOfUnit(examine.unit));
    if (bytes > examine.next)
      return textError(invocation.format, 0, "that is before address 0");
    examine.next -= bytes;
  }
  WarpContext context = in.session.focus().context();
  if (examine.format != 'i' && examine.format != 's') {
    if (Error error = examineUnits(in, context, examine))
      return error;
    in.examineNext = examine;
    return Error::success();
  }
  Error error =
      examine.format == 'i' ? examineInstructions(in, examine) : examineString(in, context, examine);
  in.examineNext = examine;
  return error;
}

} // namespace leno::dbg
