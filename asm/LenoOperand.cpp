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

/// The bits of an immediate in a format of `Bits` bits, or nothing when it is none or a pattern too long.
template <unsigned Bits>
static std::optional<uint64_t> bitsIn(const fltSemantics &format, const LenoOperand &operand) {
  if (!operand.isImm() || operand.expr)
    return std::nullopt;
  if (!operand.number && operand.hexadecimal) {
    if (!isInt<Bits>(operand.value) && !isUInt<Bits>(uint64_t(operand.value)))
      return std::nullopt;
    return uint64_t(operand.value) & maskTrailingOnes<uint64_t>(Bits);
  }
  APFloat result(format);
  bool lost;
  if (operand.number) {
    result = *operand.number;
    result.convert(format, APFloat::rmNearestTiesToEven, &lost);
  } else {
    result.convertFromAPInt(APInt(64, uint64_t(operand.value), true), true, APFloat::rmNearestTiesToEven);
  }
  return result.bitcastToAPInt().getZExtValue();
}

std::optional<uint32_t> LenoOperand::floatBits() const { return bitsIn<32>(APFloat::IEEEsingle(), *this); }
std::optional<uint64_t> LenoOperand::doubleBits() const { return bitsIn<64>(APFloat::IEEEdouble(), *this); }

} // namespace leno
