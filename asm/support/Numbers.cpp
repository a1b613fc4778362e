#include "asm/support/Numbers.h"

#include "llvm/ADT/StringExtras.h"

namespace leno {

static unsigned takeUnitShift(llvm::StringRef &digits) {
  static constexpr struct {
    llvm::StringLiteral suffix;
    unsigned shift;
  } Units[] = {{"KiB", 10}, {"MiB", 20}, {"GiB", 30}};
  for (const auto &unit : Units)
    if (digits.consume_back(unit.suffix))
      return unit.shift;
  return 0;
}

ScannedInteger scanInteger(llvm::StringRef text, bool byteUnits) {
  ScannedInteger result;
  auto malformed = [&](size_t column, std::string message) {
    result.status = ScannedInteger::Malformed;
    result.column = column;
    result.message = std::move(message);
    return result;
  };
  llvm::StringRef digits = text;
  result.negative = digits.starts_with("-");
  if (digits.starts_with("-") || digits.starts_with("+"))
    digits = digits.drop_front();

  unsigned radix = 10;
  if (digits.starts_with_insensitive("0x"))
    radix = 16;
  else if (digits.starts_with_insensitive("0b"))
    radix = 2;
  else if (digits.starts_with_insensitive("0o"))
    radix = 8;
  if (radix != 10)
    digits = digits.drop_front(2);
  unsigned shift = byteUnits && radix == 10 ? takeUnitShift(digits) : 0;
  size_t start = digits.data() - text.data();
  if (digits.empty())
    return malformed(start, "expected an integer, such as 12, -3, 0x1f, 0b101 or 0o17");
  if (radix == 10 && digits.size() > 1 && digits[0] == '0' && llvm::isDigit(digits[1]))
    return malformed(start, "a leading zero is ambiguous: write 0o" + digits.ltrim('0').str() +
                                " for octal, or the decimal number without it");

  bool overflow = false;
  for (size_t i = 0; i < digits.size(); ++i) {
    unsigned digit = llvm::hexDigitValue(digits[i]);
    if (digit >= radix)
      return malformed(start + i, "'" + digits.substr(i, 1).str() + "' is not a digit of a base " +
                                      std::to_string(radix) + " integer");
    overflow |= __builtin_mul_overflow(result.magnitude, uint64_t(radix), &result.magnitude);
    overflow |= __builtin_add_overflow(result.magnitude, uint64_t(digit), &result.magnitude);
  }
  overflow |= __builtin_mul_overflow(result.magnitude, uint64_t(1) << shift, &result.magnitude);
  if (overflow)
    result.status = ScannedInteger::TooLarge;
  return result;
}

} // namespace leno
