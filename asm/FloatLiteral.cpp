//===- FloatLiteral.cpp - Floats as people write them ---------------------===//
#include "asm/FloatLiteral.h"

#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Error.h"

using namespace llvm;

namespace leno {

StringRef formatName(const fltSemantics &format) {
  unsigned bits = APFloat::getSizeInBits(format);
  return bits == 16 ? "f16" : bits == 32 ? "f32" : "f64";
}

static StringRef largestText(const fltSemantics &format) {
  unsigned bits = APFloat::getSizeInBits(format);
  return bits == 16 ? "65504" : bits == 32 ? "3.4028235e38" : "1.7976931348623157e308";
}

namespace {
/// digits * 10^exponent, without needless zeros; of 0, no digits.
struct Decimal {
  std::string digits;
  int64_t exponent = 0;
  bool operator==(const Decimal &) const = default;
  bool operator<(const Decimal &other) const {
    int64_t point = int64_t(digits.size()) + exponent, others = int64_t(other.digits.size()) + other.exponent;
    if (digits.empty() || other.digits.empty() || point == others)
      return digits < other.digits;
    return point < others;
  }

  void trim() {
    size_t first = std::min(digits.find_first_not_of('0'), digits.size());
    size_t end = digits.find_last_not_of('0') + 1; // npos + 1 is 0
    exponent += int64_t(digits.size() - end);
    digits = first < end ? digits.substr(first, end - first) : "";
    if (digits.empty())
      exponent = 0;
  }
};
} // namespace

/// The magnitude of a finite float: every one is a decimal number too.
static Decimal decimalOf(const APFloat &value) {
  if (value.isZero())
    return {};
  int exponent;
  APFloat fraction = frexp(value, exponent, APFloat::rmNearestTiesToEven);
  auto precision = APFloat::semanticsPrecision(value.getSemantics());
  APSInt integer(precision + 1);
  bool exact;
  abs(scalbn(fraction, int(precision), APFloat::rmNearestTiesToEven))
      .convertToInteger(integer, APFloat::rmTowardZero, &exact);
  exponent -= int(precision);
  unsigned shift = integer.countr_zero();
  exponent += int(shift);
  // Above the point the digits of m * 2^e, below it those of m * 5^-e.
  APInt number = integer.lshr(shift).zext(precision + 8 + 3 * unsigned(std::abs(exponent)));
  for (int i = 0; i < exponent; ++i)
    number <<= 1;
  for (int i = 0; i > exponent; --i)
    number *= APInt(number.getBitWidth(), 5);
  Decimal decimal{toString(number, 10, /*Signed=*/false), std::min(exponent, 0)};
  decimal.trim();
  return decimal;
}

/// That of a text that the conversion has taken for a decimal number.
static Decimal decimalOf(StringRef text) {
  Decimal decimal;
  size_t exponent = text.find_first_of("eE");
  // One too long for 64 bits goes with no number but 0.
  if (exponent != StringRef::npos)
    text.substr(exponent + 1 + (text.substr(exponent + 1).starts_with("+") ? 1 : 0))
        .getAsInteger(10, decimal.exponent);
  auto [whole, part] = text.take_front(exponent).split('.');
  decimal.digits = (whole.ltrim("+-") + part).str();
  decimal.exponent -= int64_t(part.size());
  decimal.trim();
  return decimal;
}

FloatLiteral readFloat(StringRef text, const fltSemantics &format) {
  FloatLiteral result{.value = APFloat(format)};
  auto wrong = [&](FloatLiteral::Status status, const Twine &message) {
    result.status = status;
    result.message = message.str();
    return result;
  };
  StringRef digits = text;
  if (!digits.consume_front("-"))
    digits.consume_front("+");
  bool hexadecimal = digits.starts_with_insensitive("0x");
  if (hexadecimal && !digits.contains_insensitive('p'))
    return wrong(FloatLiteral::Malformed, "a hexadecimal float needs an exponent, as in 0x1.8p3");
  // The conversion takes an exponent without digits for 0.
  if (!digits.empty() && !hexadecimal && isDigit(digits[0]) && StringRef("eE+-").contains(digits.back()))
    return wrong(FloatLiteral::Malformed, "'" + text + "' is not a number: its exponent is missing");
  Expected<APFloat::opStatus> status = result.value.convertFromString(text, APFloat::rmNearestTiesToEven);
  if (!status) {
    consumeError(status.takeError());
    return wrong(FloatLiteral::Malformed, "expected a number such as 2.5, -1e-3, 0x1.8p3, inf or nan");
  }
  if (hexadecimal) {
    APFloat nearZero(format);
    result.exact = *status == APFloat::opOK;
    result.roundedUp =
        nearZero.convertFromString(text, APFloat::rmTowardZero) && !nearZero.bitwiseIsEqual(result.value);
  } else if (result.value.isFinite()) {
    // Of a decimal number the conversion's status and its directed roundings are not to be trusted.
    Decimal number = decimalOf(text), rounded = decimalOf(result.value);
    result.exact = number == rounded;
    result.roundedUp = number < rounded;
  } else {
    result.exact = !(*status & APFloat::opOverflow);
    result.roundedUp = !result.exact;
  }
  if (*status & APFloat::opOverflow)
    return wrong(FloatLiteral::TooLarge, text + " does not fit: the largest " + formatName(format) + " is " +
                                             largestText(format) + "; write inf for infinity");
  if (!result.exact && result.value.isZero())
    return wrong(FloatLiteral::TooSmall, text + " does not fit: it is nearer to 0 than the smallest " +
                                             formatName(format) + "; write 0");
  return result;
}

static std::string textOf(Decimal decimal, bool isNegative) {
  constexpr size_t mostZeros = 3;
  std::string sign = isNegative ? "-" : "", &digits = decimal.digits;
  if (digits.empty())
    return sign + "0.0";
  // A float has a point: "2" would be an integer, "1e-10" one followed by letters.
  int64_t point = int64_t(digits.size()) + decimal.exponent;
  if (point > int64_t(digits.size() + mostZeros) || -point > int64_t(mostZeros))
    return sign + digits.substr(0, 1) + "." + (digits.size() > 1 ? digits.substr(1) : "0") + "e" +
           (point > 0 ? "+" : "") + std::to_string(point - 1);
  if (point <= 0)
    return sign + "0." + std::string(size_t(-point), '0') + digits;
  digits.resize(std::max(digits.size(), size_t(point)), '0');
  std::string behind = digits.substr(size_t(point));
  return sign + digits.substr(0, size_t(point)) + "." + (behind.empty() ? "0" : behind);
}

std::string exactText(const APFloat &value) {
  // What people can read, or compare: an f32 far from 1 has a hundred digits and more.
  constexpr size_t mostDigits = 20;
  Decimal decimal = decimalOf(value);
  if (decimal.digits.size() <= mostDigits)
    return textOf(std::move(decimal), value.isNegative());
  char hexadecimal[64];
  unsigned length = value.convertToHexString(hexadecimal, 0, /*UpperCase=*/false, APFloat::rmTowardZero);
  return std::string(hexadecimal, length);
}

std::string shortestText(const APFloat &value) {
  SmallString<32> text;
  value.toString(text);
  Decimal decimal = decimalOf(text.str());
  return textOf(std::move(decimal), value.isNegative());
}

} // namespace leno
