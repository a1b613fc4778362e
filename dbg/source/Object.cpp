#include "dbg/source/Object.h"
#include "dbg/Text.h"
#include "emu/memory/AddressSpace.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace leno::dbg::source {

static constexpr StringLiteral optimizedOut = "<optimized out>";

//===--- Parts ------------------------------------------------------------===//

Object Object::part(u64 offset, const Type &as) const {
  Object result{.type = &as, .lane = lane, .absent = absent};
  u64 left = as.size, at = 0;
  for (const Piece &piece : pieces) {
    u64 begin = std::max(offset, at), end = std::min(offset + as.size, at + piece.size);
    // What a pointer points to is as large as one likes: an index may lead behind an array.
    bool goesOn = pieces.size() == 1 && piece.kind == Piece::Memory;
    if (goesOn)
      begin = offset, end = offset + as.size;
    if (begin < end) {
      Piece some = piece;
      some.size = end - begin;
      some.shift += unsigned(begin - at);
      some.address += begin - at;
      if (piece.kind == Piece::Bytes)
        some.bytes.assign(piece.bytes.begin() + ptrdiff_t(begin - at), piece.bytes.begin() + ptrdiff_t(end - at));
      left -= some.size;
      result.pieces.push_back(std::move(some));
    }
    at += piece.size;
  }
  if (left && !isAbsent())
    result.absent = optimizedOut;
  return result;
}

Object Object::member(const Type::Member &member) const {
  Object result = part(member.offset, *member.type);
  result.bitOffset = member.bitOffset;
  result.bitSize = member.bitSize;
  return result;
}

Object Object::element(u64 index) const {
  const Type &element = *type->plain().target;
  return part(index * element.size, element);
}

std::optional<Object> memberNamed(const Object &object, StringRef name) {
  const Type &plain = object.type->plain();
  for (const Type::Member &member : plain.members) {
    if (member.name == name)
      return object.member(member);
    if (member.name.empty() && member.type->isRecord())
      if (std::optional<Object> inner = memberNamed(object.member(member), name))
        return inner;
  }
  // v.x, v.s3 of OpenCL C's vectors.
  if (plain.kind == Type::Vector) {
    size_t index = name.size() == 1 ? StringRef("xyzw").find(name[0]) : StringRef::npos;
    unsigned digit;
    if (name.size() == 2 && (name[0] == 's' || name[0] == 'S') && !name.drop_front().getAsInteger(16, digit))
      index = digit;
    if (index < plain.count)
      return object.element(index);
  }
  return std::nullopt;
}

Object objectOf(const Value &value, const Type &type, unsigned lane) {
  Piece piece{.kind = Piece::Bytes, .size = type.size};
  u64 bits = bitsOf(type, value);
  for (u64 i = 0; i < type.size; ++i)
    piece.bytes.push_back(uint8_t(i < 8 ? bits >> 8 * i : 0));
  return {.type = &type, .lane = lane, .pieces = {piece}};
}

Object pointee(const Value &pointer, unsigned lane) {
  const Type &type = pointer.of->plain();
  Piece piece{.kind = Piece::Memory, .size = type.target->size, .space = type.space, .address = pointer.bits};
  if (type.space == MemorySpace::Generic)
    std::tie(piece.space, piece.address) = mapGeneric(pointer.bits);
  return {.type = type.target, .lane = lane, .pieces = {piece}};
}

//===--- Bytes ------------------------------------------------------------===//

Expected<std::vector<uint8_t>> Object::read(const LaneContext &context) const {
  if (isAbsent())
    return createStringError(absent);
  std::vector<uint8_t> bytes;
  for (const Piece &piece : pieces) {
    std::vector<uint8_t> some(piece.size);
    switch (piece.kind) {
    case Piece::Absent:
      return createStringError(optimizedOut);
    case Piece::Register:
      for (u64 i = 0; i < piece.size; ++i) {
        Expected<u32> word = context.readRegister(piece.number + unsigned((piece.shift + i) / 4), lane);
        if (!word)
          return word.takeError();
        some[i] = uint8_t(*word >> 8 * ((piece.shift + i) % 4));
      }
      break;
    case Piece::Predicate: {
      Expected<LaneMask> mask = context.readPredicate(piece.number);
      if (!mask)
        return mask.takeError();
      some[0] = *mask >> lane & 1;
      break;
    }
    case Piece::Memory:
      if (Error error = context.read(piece.space, piece.bank, piece.address, lane, some))
        return std::move(error);
      break;
    case Piece::Bytes:
      some = piece.bytes;
      break;
    }
    bytes.insert(bytes.end(), some.begin(), some.end());
  }
  return bytes;
}

static u64 littleEndian(ArrayRef<uint8_t> bytes) {
  u64 bits = 0;
  for (size_t i = 0; i < bytes.size() && i < 8; ++i)
    bits |= u64(bytes[i]) << 8 * i;
  return bits;
}

static u64 lowBits(unsigned count) { return count >= 64 ? ~u64(0) : (u64(1) << count) - 1; }

Expected<Value> Object::value(const LaneContext &context) const {
  Expected<std::vector<uint8_t>> bytes = read(context);
  if (!bytes)
    return bytes.takeError();
  u64 bits = littleEndian(*bytes);
  if (bitSize) {
    bits = bits >> bitOffset & lowBits(bitSize);
    if (Value{type->plain().scalar, 0}.isSigned() && bits >> (bitSize - 1) & 1)
      bits |= ~lowBits(bitSize);
  }
  return valueOf(*type, bits);
}

Error Object::write(const Value &value, LaneContext &context) const {
  if (isAbsent())
    return createStringError("it has no place here: " + absent);
  u64 bits = bitsOf(*type, value);
  if (bitSize) {
    Expected<std::vector<uint8_t>> old = read(context);
    if (!old)
      return old.takeError();
    u64 mask = lowBits(bitSize) << bitOffset;
    bits = (littleEndian(*old) & ~mask) | (bits << bitOffset & mask);
  }
  for (const Piece &piece : pieces)
    if (piece.kind == Piece::Absent || piece.kind == Piece::Bytes)
      return createStringError("it has no place that could be changed: it is " + whereabouts());
    else if (piece.kind == Piece::Memory && piece.space == MemorySpace::Constant)
      return createStringError("it is a parameter in the constant bank: a launch has its own copy of them, and it "
                               "cannot be set");
  u64 at = 0;
  for (const Piece &piece : pieces) {
    std::vector<uint8_t> some;
    for (u64 i = 0; i < piece.size; ++i)
      some.push_back(uint8_t(at + i < 8 ? bits >> 8 * (at + i) : 0));
    at += piece.size;
    if (piece.kind == Piece::Memory) {
      if (Error error = context.write(piece.space, piece.address, lane, some))
        return error;
    } else if (piece.kind == Piece::Predicate) {
      Expected<LaneMask> mask = context.readPredicate(piece.number);
      if (!mask)
        return mask.takeError();
      LaneMask bit = LaneMask(1) << lane;
      if (Error error = context.writePredicate(piece.number, some[0] ? *mask | bit : *mask & ~bit))
        return error;
    } else {
      // A char in a register fills it, as the compiler has it there.
      if (pieces.size() == 1 && piece.size < 4 && !piece.shift) {
        u64 whole = reinterpret(bits, type->plain().scalar).integer();
        if (Error error = context.writeRegister(piece.number, lane, u32(whole)))
          return error;
        continue;
      }
      for (u64 i = 0; i < piece.size; ++i) {
        unsigned number = piece.number + unsigned((piece.shift + i) / 4), shift = 8 * ((piece.shift + i) % 4);
        Expected<u32> word = context.readRegister(number, lane);
        if (!word)
          return word.takeError();
        if (Error error =
                context.writeRegister(number, lane, (*word & ~(0xffu << shift)) | u32(some[i]) << shift))
          return error;
      }
    }
  }
  return Error::success();
}

Expected<Value> Object::address() const {
  const Piece *piece = memory();
  if (isAbsent())
    return createStringError("it has no place here: " + absent);
  if (!piece || piece->space == MemorySpace::Constant)
    return createStringError("it has no address: it is " + whereabouts());
  if (bitSize)
    return createStringError("a bit field has no address");
  u64 window = piece->space == MemorySpace::Shared  ? AddressSpace::sharedWindow
               : piece->space == MemorySpace::Local ? AddressSpace::localWindow
                                                    : 0;
  return valueOf(*pointerTo(*type), window + piece->address);
}

std::string Object::whereabouts() const {
  std::string text;
  for (const Piece &piece : pieces) {
    std::string one;
    switch (piece.kind) {
    case Piece::Absent:
      one = "nowhere";
      break;
    case Piece::Register:
      one = "in R" + std::to_string(piece.number);
      break;
    case Piece::Predicate:
      one = "in P" + std::to_string(piece.number);
      break;
    case Piece::Memory:
      one = piece.space == MemorySpace::Constant
                ? formatv("in c[{0}][{1:x}]", piece.bank, piece.address).str()
                : formatv("in {0} memory at {1:x}", nameOf(piece.space), piece.address).str();
      break;
    case Piece::Bytes:
      one = "a value that stands nowhere";
      break;
    }
    text += (text.empty() ? "" : " and ") + one;
  }
  return text;
}

//===--- Text -------------------------------------------------------------===//

namespace {

class Formatter {
public:
  Formatter(const LaneContext &context, char letter, function_ref<std::string(u64)> describe)
      : context(context), letter(letter), describe(describe) {}

  std::string text(const Object &object, bool isInner = false) {
    constexpr unsigned deepest = 20;
    if (object.isAbsent())
      return object.absent;
    const Type &type = object.type->plain();
    if (type.isRecord() || type.isList()) {
      if (++depth > deepest)
        return "{...}";
      std::string all = type.isRecord() ? record(object) : list(object);
      --depth;
      return all;
    }
    if (!type.isScalar())
      return object.memory() ? formatv("{{{0}} {1:x}", spell(type), object.memory()->address).str() : spell(type);
    Expected<Value> value = object.value(context);
    if (!value)
      return inAngles(value.takeError());
    return value->of && !letter ? formatTyped(*value, isInner) : formatValue(*value, letter, describe);
  }

private:
  static std::string inAngles(Error error) {
    std::string message = toString(std::move(error));
    return StringRef(message).starts_with("<") ? message : "<" + message + ">";
  }
  std::string record(const Object &object) {
    std::string all;
    for (const Type::Member &member : object.type->plain().members)
      all += (all.empty() ? "" : ", ") + (member.name.empty() ? "" : member.name + " = ") +
             text(object.member(member), true);
    return "{" + all + "}";
  }
  std::string list(const Object &object) {
    const Type &type = object.type->plain();
    if (type.target->plain().isCharacter && type.kind == Type::Array && !letter)
      if (std::optional<std::string> string = characters(object))
        return *string;
    std::string all;
    u64 shown = std::min(type.count, mostElements);
    for (u64 i = 0; i < shown;) {
      std::string one = text(object.element(i), true);
      u64 times = 1;
      while (i + times < shown && text(object.element(i + times), true) == one)
        ++times;
      constexpr u64 fewest = 10; // gdb's
      u64 told = times >= fewest ? 1 : times;
      for (u64 k = 0; k < told; ++k)
        all += (all.empty() ? "" : ", ") + one;
      if (times >= fewest)
        all += formatv(" <repeats {0} times>", times);
      i += times;
    }
    return "{" + all + (shown < type.count ? "..." : "") + "}";
  }
  /// As a string, up to its end.
  std::optional<std::string> characters(const Object &object) {
    Expected<std::vector<uint8_t>> bytes = object.read(context);
    if (!bytes) {
      consumeError(bytes.takeError());
      return std::nullopt;
    }
    StringRef whole = toStringRef(*bytes).take_front(mostElements);
    StringRef string = whole.take_front(whole.find('\0'));
    std::string shown;
    raw_string_ostream os(shown);
    printEscapedString(string, os);
    return "\"" + shown + "\"" + (string.size() == mostElements && bytes->size() > mostElements ? "..." : "");
  }

  const LaneContext &context;
  char letter;
  function_ref<std::string(u64)> describe;
  unsigned depth = 0;
};

} // namespace

std::string format(const Object &object, const LaneContext &context, char letter,
                   function_ref<std::string(u64)> describe) {
  return Formatter(context, letter, describe).text(object);
}

} // namespace leno::dbg::source
