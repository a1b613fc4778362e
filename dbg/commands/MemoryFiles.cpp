//===- MemoryFiles.cpp - find, dump, append, restore ----------------------===//
#include "asm/support/InputFile.h"
#include "asm/support/Tool.h"
#include "dbg/Examine.h"
#include "dbg/Facts.h"
#include "dbg/Replacing.h"
#include "dbg/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace leno::dbg {

/// No range is longer: it is held in one piece.
static constexpr u64 mostBytes = u64(1) << 32;

static Expected<std::vector<uint8_t>> readFile(StringRef path) {
  Expected<std::vector<uint8_t>> bytes = leno::readBytes(path, mostBytes);
  if (!bytes)
    return createStringError("cannot read '" + path + "': " + toString(bytes.takeError()));
  return bytes;
}

/// At commas that stand in no brackets, parentheses or quotes.
static SmallVector<StringRef, 8> splitAtCommas(StringRef text) {
  SmallVector<StringRef, 8> parts;
  int depth = 0;
  bool quoted = false;
  size_t start = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    quoted ^= c == '"';
    if (quoted)
      continue;
    depth += (c == '(' || c == '[') - (c == ')' || c == ']');
    if (c == ',' && depth == 0) {
      parts.push_back(text.slice(start, i));
      start = i + 1;
    }
  }
  parts.push_back(text.substr(start));
  return parts;
}

/// Where `end` is: an address, or `+BYTES` from `start`.
static Expected<u64> readEnd(Interpreter &in, StringRef text, u64 start) {
  bool isLength = text.trim().starts_with("+");
  Expected<Value> value = in.evaluate(isLength ? text.trim().drop_front() : text);
  if (!value)
    return value.takeError();
  u64 end = value->integer() + (isLength ? start : 0);
  if (!isLength)
    end = mapGeneric(end).second;
  if (end <= start || end - start > mostBytes)
    return textError(
        text, 0, formatv("the end {0:x} must be after the start {1:x}, by 4 GiB at most", end, start).str());
  return end;
}

static Expected<std::vector<uint8_t>> readBytes(Interpreter &in, const Interpreter::Examine &from, u64 end) {
  std::vector<uint8_t> bytes(end - from.next);
  WarpContext context = in.session.focus().context();
  if (Error error = context.read(from.space, from.bank, from.next, context.lane(), bytes))
    return std::move(error);
  return bytes;
}

//===--- find -------------------------------------------------------------===//

/// The bytes of a pattern: a string in quotes, or a value of `unit` (0: of its own size).
static Error addPattern(Interpreter &in, StringRef text, char unit, std::vector<uint8_t> &pattern) {
  text = text.trim();
  if (text.size() > 1 && text.starts_with("\"") && text.ends_with("\"")) {
    StringRef characters = text.drop_front().drop_back();
    pattern.insert(pattern.end(), characters.bytes_begin(), characters.bytes_end());
    return Error::success();
  }
  Expected<Value> value = in.evaluate(text);
  if (!value)
    return value.takeError();
  Value kept = *value;
  if (kept.literal && kept.isFloat() && unit != 'g') // 1.5 is looked for as an f32
    kept = convert(kept, ValueType::F32);
  unsigned bytes = unit ? bytesOfUnit(unit) : sizeOf(kept.type);
  uint8_t buffer[8];
  support::endian::write64le(buffer, kept.isFloat() ? kept.bits : kept.integer());
  pattern.insert(pattern.end(), buffer, buffer + bytes);
  return Error::success();
}

static Error find(Interpreter &in, const Invocation &invocation) {
  char unit = 0;
  u64 most = ~u64(0);
  StringRef format = invocation.format;
  if (!format.empty() && isDigit(format[0]) && format.consumeInteger(10, most))
    return textError(invocation.format, 0, "the number of places is too large");
  for (char c : format)
    if (StringRef("bhwg").contains(c))
      unit = c;
    else
      return textError(invocation.format, 0, "expected a unit (b h w g), after how many places are wanted");
  if (!format.empty() && isDigit(format.back()))
    return textError(invocation.format, 0, "how many places are wanted comes first, as in `find/4w`");
  SmallVector<StringRef, 8> parts = splitAtCommas(invocation.arguments);
  if (parts.size() < 3)
    return textError(invocation.arguments, invocation.arguments.size(),
                     "expected START, END or +BYTES, and what is looked for, as in `find x, +64, 5`");
  Interpreter::Examine from;
  if (Error error = readAddress(in, parts[0].trim(), from))
    return error;
  Expected<u64> end = readEnd(in, parts[1], from.next);
  if (!end)
    return end.takeError();
  std::vector<uint8_t> pattern;
  for (StringRef part : ArrayRef(parts).drop_front(2))
    if (Error error = addPattern(in, part, unit, pattern))
      return error;
  Expected<std::vector<uint8_t>> bytes = readBytes(in, from, *end);
  if (!bytes)
    return bytes.takeError();
  json::Array found;
  u64 start = from.next;
  for (auto at = bytes->begin(); found.size() < most; ++at) {
    at = std::search(at, bytes->end(), pattern.begin(), pattern.end());
    if (at == bytes->end() || pattern.empty())
      break;
    from.next = start + u64(at - bytes->begin());
    in.out << nameOfAddress(in, from, from.next) << '\n';
    found.push_back(facts::hex(from.next));
  }
  if (found.empty())
    in.out << "Not found.\n";
  else
    in.out << plural(found.size(), "place") << " found.\n";
  in.note({{"kind", "found"}, {"addresses", std::move(found)}});
  return Error::success();
}

//===--- Files ------------------------------------------------------------===//

/// The words of `dump [binary] memory FILE START END` behind what may be left out.
static StringRef takeWord(StringRef &text) {
  text = text.ltrim();
  size_t end = std::min(text.find_first_of(" \t"), text.size());
  StringRef word = text.take_front(end);
  text = text.substr(end).ltrim();
  return word;
}

/// `START END` or `START, END`: the middle blank outside of brackets.
static std::pair<StringRef, StringRef> splitRange(StringRef text) {
  SmallVector<StringRef, 8> parts = splitAtCommas(text);
  if (parts.size() == 2)
    return {parts[0].trim(), parts[1].trim()};
  return {text.split(' ').first, text.split(' ').second.trim()};
}

template <bool appends> static Error dump(Interpreter &in, const Invocation &invocation) {
  StringRef rest = invocation.arguments;
  StringRef what = takeWord(rest);
  if (what == "binary")
    what = takeWord(rest);
  for (StringRef other : {"ihex", "srec", "tekhex", "verilog"})
    if (what == other)
      return textError(invocation.arguments, 0,
                       "memory is dumped as its bytes: `dump memory FILE START END`");
  bool isValue = what == "value" || what == "val";
  if (!isValue && what != "memory" && what != "mem")
    return textError(invocation.arguments, 0, "expected `memory FILE START END` or `value FILE EXPRESSION`");
  bool isForced = consumeForce(rest);
  StringRef path = takeWord(rest);
  if (rest.empty())
    return textError(invocation.arguments, invocation.arguments.size(),
                     isValue ? "expected an expression" : "expected where it starts and ends");
  std::vector<uint8_t> bytes;
  if (isValue) {
    Expected<Expression> expression = Expression::parse(rest);
    if (!expression)
      return expression.takeError();
    Expected<std::vector<Value>> values = expression->evaluateAll(in.session.focus().context());
    if (!values)
      return values.takeError();
    for (const Value &value : *values) {
      uint8_t buffer[8];
      support::endian::write64le(buffer, value.bits);
      bytes.insert(bytes.end(), buffer, buffer + sizeOf(value.type));
    }
  } else {
    auto [startText, endText] = splitRange(rest);
    Interpreter::Examine from;
    if (Error error = readAddress(in, startText, from))
      return error;
    if (endText.empty())
      return textError(invocation.arguments, invocation.arguments.size(),
                       "expected where it ends: an address, or +BYTES");
    Expected<u64> end = readEnd(in, endText, from.next);
    if (!end)
      return end.takeError();
    Expected<std::vector<uint8_t>> read = readBytes(in, from, *end);
    if (!read)
      return read.takeError();
    bytes = std::move(*read);
  }
  if (Error error = mayReplace(in, ("dump " + what).str(), path, isForced || appends, false, "another file"))
    return error;
  std::string whole;
  if (appends && sys::fs::exists(path)) {
    Expected<std::vector<uint8_t>> old = readFile(path);
    if (!old)
      return old.takeError();
    whole = toStringRef(*old).str();
  }
  whole.append(bytes.begin(), bytes.end());
  if (Error error = writeWhole({{path, whole}}))
    return error;
  in.note({{"kind", "dumped"}, {"file", facts::text(path)}, {"bytes", int64_t(bytes.size())}});
  in.out << "Wrote " << plural(bytes.size(), "byte") << " to " << path << ".\n";
  return Error::success();
}

static Error restore(Interpreter &in, const Invocation &invocation) {
  StringRef rest = invocation.arguments, path = takeWord(rest);
  StringRef after = rest;
  if (takeWord(after) == "binary")
    rest = after;
  if (rest.empty())
    return textError(invocation.arguments, invocation.arguments.size(),
                     "expected FILE and the address its bytes go to, as in `restore x.bin x`");
  // FILE [binary] ADDRESS [FIRST END]: the address ends where its expression does.
  size_t colon = rest.take_until([](char c) { return isSpace(c); }).find(':');
  StringRef expression = colon == StringRef::npos ? rest : rest.substr(colon + 1), range;
  Expected<Expression> address = Expression::parsePrefix(expression, range);
  if (!address)
    return address.takeError();
  StringRef addressText = rest.drop_back(range.size()).rtrim(" \t,");
  Expected<std::vector<uint8_t>> file = readFile(path);
  if (!file)
    return file.takeError();
  StringRef bytes = toStringRef(*file);
  if (!range.trim().empty()) {
    auto [first, last] = range.trim().split(' ');
    Expected<Value> begin = in.evaluate(first), end = in.evaluate(last.empty() ? "0x100000000" : last);
    if (!begin || !end)
      return joinErrors(begin.takeError(), end.takeError());
    bytes = bytes.slice(begin->integer(), end->integer());
  }
  Interpreter::Examine to;
  if (Error error = readAddress(in, addressText, to))
    return error;
  if (to.space == MemorySpace::Constant)
    return textError(invocation.arguments, columnIn(invocation.arguments, addressText),
                     "constants cannot be set: a launch has its own copy of them");
  if (bytes.empty())
    return createStringError("'" + path + "' has no bytes there");
  WarpContext context = in.session.focus().context();
  if (Error error = context.write(to.space, to.next, context.lane(), arrayRefFromStringRef(bytes)))
    return error;
  in.note({{"kind", "restored"}, {"file", facts::text(path)}, {"bytes", int64_t(bytes.size())}});
  in.out << "Wrote " << plural(bytes.size(), "byte") << " at " << nameOfAddress(in, to, to.next) << ".\n";
  return Error::success();
}

ArrayRef<Command> memoryFileCommands() {
  static constexpr Command commands[] = {
      {"find", "", Command::Looking, Command::TakesFormat, "[SPACE:]START, END | +BYTES, EXPRESSION...",
       "look for values in memory",
       "Each place where the values (or a \"string\") stand one after another. The format is how many places "
       "are wanted and a\n"
       "unit (b 1, h 2, w 4, g 8 bytes); without one a value has its own size, and 1.5 is an f32.\n"
       "\n"
       "(leno) find/2w x, +64, 0",
       find},
      {"dump", "", Command::Looking, Command::Outside,
       "memory [-f] FILE START END | value [-f] FILE EXPRESSION", "write memory or values to a file",
       "The bytes, without a header. END is the first address behind them, or +BYTES; START may name a "
       "space, "
       "as in `x`.\n"
       "A file that is there is kept, unless -f says otherwise.\n"
       "\n"
       "(leno) dump memory x.bin x +64",
       dump<false>},
      {"append", "", Command::Looking, Command::Outside, "memory FILE START END | value FILE EXPRESSION",
       "write memory or values behind those of a file",
       "As `dump`.\n"
       "\n"
       "(leno) append value x.bin R0[*]",
       dump<true>},
      {"restore", "", Command::Looking, Command::Outside | Command::NeedsLaunch,
       "FILE [SPACE:]ADDRESS [FIRST END]", "read memory from a file",
       "All its bytes, or those from FIRST up to END. Stepping back undoes it.\n"
       "\n"
       "(leno) restore x.bin x",
       restore},
  };
  return commands;
}

} // namespace leno::dbg
