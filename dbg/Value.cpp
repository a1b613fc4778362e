#include "dbg/Value.h"
#include "dbg/Text.h"
#include "dbg/source/Type.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include <charconv>
#include <cmath>

using namespace llvm;

namespace leno::dbg {

Value Value::ofDouble(double value) { return {ValueType::F64, llvm::bit_cast<u64>(value)}; }
Value Value::ofFloat(float value) { return {ValueType::F32, llvm::bit_cast<u32>(value)}; }

namespace {
struct TypeInfo {
  StringLiteral name;
  unsigned size;
  bool isSigned;
};
} // namespace

static const TypeInfo &infoOf(ValueType type) {
  static constexpr TypeInfo table[] = {
      {"bool", 1, false}, {"u8", 1, false},  {"s8", 1, true},    {"u16", 2, false},    {"s16", 2, true},
      {"u32", 4, false},  {"s32", 4, true},  {"u64", 8, false},  {"s64", 8, true},     {"f32", 4, true},
      {"f64", 8, true},   {"b32", 4, false}, {"mask", 4, false}, {"address", 8, false}};
  return table[unsigned(type)];
}

unsigned sizeOf(ValueType type) { return infoOf(type).size; }
StringRef nameOf(ValueType type) { return infoOf(type).name; }

std::optional<ValueType> valueTypeNamed(StringRef name) {
  using enum ValueType;
  return StringSwitch<std::optional<ValueType>>(name)
      .Case("bool", Bool)
      .Case("u8", U8)
      .Cases({"s8", "i8"}, S8)
      .Case("u16", U16)
      .Cases({"s16", "i16"}, S16)
      .Case("u32", U32)
      .Cases({"s32", "i32"}, S32)
      .Case("u64", U64)
      .Cases({"s64", "i64"}, S64)
      .Case("f32", F32)
      .Case("f64", F64)
      .Default(std::nullopt);
}

bool Value::isSigned() const { return infoOf(type).isSigned; }

double Value::number() const {
  if (type == ValueType::F64)
    return llvm::bit_cast<double>(bits);
  if (type == ValueType::F32)
    return llvm::bit_cast<float>(u32(bits));
  return isSigned() ? double(s64(integer())) : double(integer());
}

u64 Value::integer() const {
  if (isFloat()) {
    double value = number();
    if (std::isnan(value))
      return 0;
    if (value >= 0x1p63)
      return value >= 0x1p64 ? ~u64(0) : u64(value);
    return value < -0x1p63 ? u64(1) << 63 : u64(s64(value));
  }
  unsigned shift = 64 - 8 * sizeOf(type);
  return isSigned() ? u64(s64(bits << shift) >> shift) : bits;
}

bool Value::truth() const { return isFloat() ? number() != 0 : bits != 0; }

Value reinterpret(u64 bits, ValueType type) {
  if (type == ValueType::Bool)
    return Value::boolean(bits != 0);
  unsigned size = sizeOf(type);
  return {type, size == 8 ? bits : bits & ((u64(1) << 8 * size) - 1)};
}

Value convert(const Value &value, ValueType type) {
  if (type == ValueType::Bool)
    return Value::boolean(value.truth());
  if (value.type == ValueType::Word && sizeOf(type) <= 4)
    return reinterpret(value.bits, type);
  if (value.type == ValueType::Word)
    return convert(reinterpret(value.bits, ValueType::S32), type);
  if (type == ValueType::F32 && value.literal && value.isFloat())
    return {type, value.single};
  // A float goes to f32 in one rounding: the detour through double is exact for it.
  if (type == ValueType::F32)
    return value.isFloat() || value.isSigned()
               ? Value::ofFloat(value.isFloat() ? float(value.number()) : float(s64(value.integer())))
               : Value::ofFloat(float(value.integer()));
  if (type == ValueType::F64)
    return Value::ofDouble(value.number());
  return reinterpret(value.integer(), type);
}

std::string formatFloat(const Value &value) {
  char buffer[64];
  double number = value.number();
  if (std::isnan(number))
    return formatv("nan(0x{0:x-})", value.bits);
  if (std::isinf(number))
    return number < 0 ? "-inf" : "inf";
  auto end = value.type == ValueType::F32 ? std::to_chars(buffer, buffer + sizeof(buffer), float(number)).ptr
                                          : std::to_chars(buffer, buffer + sizeof(buffer), number).ptr;
  std::string text(buffer, end);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

bool isValueFormat(char format) { return StringRef("xduftboca").contains(format); }

static std::string inBase2(u64 bits, unsigned width) {
  std::string text;
  for (unsigned i = width; i-- > 0;)
    text += char('0' + (bits >> i & 1));
  return "0b" + text;
}

static std::string character(u64 bits) {
  unsigned char c = (unsigned char)(bits);
  if (c >= 0x20 && c < 0x7f && c != '\'' && c != '\\')
    return formatv("{0} '{1}'", unsigned(c), char(c));
  return formatv("{0} '\\x{1}'", unsigned(c), utohexstr(c, /*LowerCase=*/true, /*Width=*/2));
}

static std::string hexadecimal(u64 bits, unsigned bytes) { return hexAddress(bits, 2 * bytes); }

/// A raw word's faces: signed, hexadecimal, and float where that is likely meant (2^-64 to 2^64).
static std::string formatWord(u64 bits) {
  std::string text = formatv("{0}  {1}", s32(bits), hexadecimal(bits, 4));
  unsigned exponent = bits >> 23 & 0xff;
  if (exponent >= 127 - 64 && exponent <= 127 + 64)
    text += "  " + formatFloat({ValueType::F32, bits}) + "f";
  return text;
}

std::string formatValue(const Value &value, char format, function_ref<std::string(u64)> describe) {
  if (value.of && !format)
    return source::formatTyped(value);
  unsigned bytes = sizeOf(value.type);
  switch (format) {
  case 'x':
    return hexadecimal(value.bits, bytes);
  case 'o':
    return value.bits ? "0o" + [](u64 bits) {
      std::string text;
      for (; bits; bits >>= 3)
        text.insert(text.begin(), char('0' + (bits & 7)));
      return text;
    }(value.bits)
                      : "0";
  case 't':
  case 'b':
    return inBase2(value.bits, value.type == ValueType::Bool ? 1 : bytes * 8);
  case 'c':
    return character(value.bits);
  case 'a':
    return hexadecimal(value.integer(), 2) + " <" + describe(value.integer()) + ">";
  case 'd': {
    u64 integer = value.integer();
    if (!value.isFloat() && !value.isSigned() && bytes < 8) // the bits as signed
      integer = u64(s64(integer << (64 - 8 * bytes)) >> (64 - 8 * bytes));
    return std::to_string(s64(integer));
  }
  case 'u':
    return std::to_string(value.isFloat() ? value.integer() : value.bits);
  case 'f':
    if (value.isFloat())
      return formatFloat(value);
    return bytes >= 4 ? formatFloat({bytes == 8 ? ValueType::F64 : ValueType::F32, value.bits})
                      : formatFloat(Value::ofFloat(float(value.number())));
  default:
    break;
  }
  switch (value.type) {
  case ValueType::Bool:
    return value.bits ? "true" : "false";
  case ValueType::F32:
  case ValueType::F64:
    return formatFloat(value);
  case ValueType::Word:
    return formatWord(value.bits);
  case ValueType::Mask:
    return hexadecimal(value.bits, 4) + " (" + describeLanes(LaneMask(value.bits)) + ")";
  case ValueType::Address:
    return hexadecimal(value.bits, 2) + " <" + describe(value.bits) + ">";
  default:
    return value.isSigned() ? std::to_string(s64(value.integer())) : std::to_string(value.bits);
  }
}

} // namespace leno::dbg
