//===- LenoOperand.cpp - A parsed operand ---------------------------------===//
#include "asm/LenoOperand.h"

using namespace llvm;

namespace leno {

std::string LenoOperand::describe() const {
  switch (kind) {
  case Kind::Token:
    return text.str();
  case Kind::Guard:
    return "a guard";
  case Kind::Mod:
    return "a modifier";
  case Kind::Register:
    return part              ? "a part of a register"
           : sign & Absolute ? "an absolute value"
           : sign & Negated  ? "a negated register"
           : sign & Inverted ? "an inverted register"
                             : "a register";
  case Kind::Predicate:
    return sign ? "a negated predicate" : "a predicate";
  case Kind::Immediate:
    return expr ? "a label or expression" : number ? "a float" : "an integer";
  case Kind::Constant:
    return part   ? "a part of a constant"
           : reg  ? "an indexed constant"
           : sign ? "a constant with a sign"
                  : "a constant";
  case Kind::Address:
    return value ? "a 64-bit memory address" : "a memory address";
  case Kind::FlagTest:
    return "a test of the flags";
  case Kind::Special:
    return "a special register";
  }
  return "an operand";
}

namespace {
struct Bits {
  uint64_t bits;
  bool exact; ///< nothing was rounded
};
} // namespace

/// The bits of an immediate in a format of `Width` bits, or nothing when it is none, a pattern too long or a
/// number out of range.
template <unsigned Width> static std::optional<Bits> bitsIn(const LenoOperand &operand) {
  if (!operand.isImm() || operand.expr)
    return std::nullopt;
  if (!operand.number && operand.hexadecimal) {
    if (!isInt<Width>(operand.value) && !isUInt<Width>(uint64_t(operand.value)))
      return std::nullopt;
    return Bits{uint64_t(operand.value) & maskTrailingOnes<uint64_t>(Width), true};
  }
  FloatLiteral read =
      readFloat(operand.numberText(), Width == 32 ? APFloat::IEEEsingle() : APFloat::IEEEdouble());
  if (read.status != FloatLiteral::Ok)
    return std::nullopt;
  return Bits{read.bits(), read.exact};
}

template <unsigned Width> bool LenoOperand::isFloatOf() const {
  std::optional<Bits> found = bitsIn<Width>(*this);
  return found && found->exact && !(found->bits & maskTrailingOnes<uint64_t>(Width - 20));
}
template bool LenoOperand::isFloatOf<32>() const;
template bool LenoOperand::isFloatOf<64>() const;

template <unsigned Width> std::pair<std::string, std::string> LenoOperand::floatsAround() const {
  constexpr uint64_t low = maskTrailingOnes<uint64_t>(Width - 20), signBit = uint64_t(1) << (Width - 1);
  const fltSemantics &format = Width == 32 ? APFloat::IEEEsingle() : APFloat::IEEEdouble();
  uint64_t bits = uint64_t(value) & maskTrailingOnes<uint64_t>(Width);
  bool roundedUp = false;
  if (number || !hexadecimal) {
    FloatLiteral read = readFloat(numberText(), format);
    bits = read.bits();
    roundedUp = read.roundedUp;
  }
  auto text = [&](uint64_t magnitude) {
    APFloat at(format, APInt(Width, magnitude | (bits & signBit)));
    return at.isFinite()     ? exactText(at)
           : at.isInfinity() ? std::string(at.isNegative() ? "-inf" : "inf")
                             : "nan";
  };
  uint64_t magnitude = bits & ~signBit;
  uint64_t below = (roundedUp && !(magnitude & low) ? magnitude - 1 : magnitude) & ~low;
  return {text(below), text(below + low + 1)};
}
template std::pair<std::string, std::string> LenoOperand::floatsAround<32>() const;
template std::pair<std::string, std::string> LenoOperand::floatsAround<64>() const;

std::optional<uint32_t> LenoOperand::floatBits() const {
  std::optional<Bits> found = bitsIn<32>(*this);
  return found ? std::optional(uint32_t(found->bits)) : std::nullopt;
}
std::optional<uint64_t> LenoOperand::doubleBits() const {
  std::optional<Bits> found = bitsIn<64>(*this);
  return found ? std::optional(found->bits) : std::nullopt;
}

} // namespace leno
