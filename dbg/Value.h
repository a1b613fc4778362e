//===- Value.h - What expressions compute ---------------------------------===//
#pragma once

#include "emu/warp/Lanes.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace leno::dbg {

namespace source {
struct Type;
} // namespace source

/// Word is a register or a word of memory nobody has given a type: an s32 in arithmetic, as it prints, but a
/// u32 beside an unsigned value and in an address; a cast keeps its bits. Mask (a bit per lane) and Address
/// (of code) are a u32 and a u64 that print their own way.
enum class ValueType : u8 { Bool, U8, S8, U16, S16, U32, S32, U64, S64, F32, F64, Word, Mask, Address };

struct Value {
  ValueType type = ValueType::U32;
  u64 bits = 0; ///< in the low bytes; those above the type's are zero
  bool literal =
      false;      ///< typed: a float takes the type of the float beside it, an integer is as wide as need be
  u32 single = 0; ///< of a float that was typed: its text as an f32, which two roundings might miss
  const source::Type *of = nullptr; ///< of the source, where that prints or computes in its own way

  static Value boolean(bool value) { return {ValueType::Bool, value}; }
  static Value u32Of(u32 value) { return {ValueType::U32, value}; }
  static Value ofDouble(double value);
  static Value ofFloat(float value);
  static Value ofLiteral(double value, u32 single) {
    Value literal = ofDouble(value);
    literal.literal = true;
    literal.single = single;
    return literal;
  }

  bool isFloat() const { return type == ValueType::F32 || type == ValueType::F64; }
  bool isSigned() const;
  bool truth() const;
  /// As a 64-bit integer, sign-extended when signed; a float is truncated and clamped, NaN gives 0.
  u64 integer() const;
  double number() const;
  bool operator==(const Value &) const = default;
};

unsigned sizeOf(ValueType type);
llvm::StringRef nameOf(ValueType type);
/// u8 s8 i8 u16 s16 i16 u32 s32 i32 u64 s64 i64 f32 f64 bool.
std::optional<ValueType> valueTypeNamed(llvm::StringRef name);

/// Keeps the number: 5 becomes 5.0. A Word keeps its bits instead.
Value convert(const Value &value, ValueType type);
/// Keeps the bits.
Value reinterpret(u64 bits, ValueType type);

/// What a print format may be, besides 0 (the value's own way): x d u f t b o c a.
bool isValueFormat(char format);
/// `describe` names an address of code. /x /o /t /b /c show the bits of a float, /d and /u its integer part;
/// /f shows the bits of a 32- or 64-bit integer as a float.
std::string formatValue(const Value &value, char format, llvm::function_ref<std::string(u64)> describe);
/// The shortest decimal that reads back as the same float, never without a point or an exponent.
std::string formatFloat(const Value &value);

} // namespace leno::dbg
