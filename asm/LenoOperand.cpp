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
    return sign & Absolute   ? "an absolute value"
           : sign & Negated  ? "a negated register"
           : sign & Inverted ? "an inverted register"
                             : "a register";
  case Kind::Predicate:
    return sign ? "a negated predicate" : "a predicate";
  case Kind::Immediate:
    return expr ? "a label or expression" : number ? "a float" : "an integer";
  case Kind::Constant:
    return reg ? "an indexed constant" : sign ? "a constant with a sign" : "a constant";
  case Kind::Address:
    return value ? "a 64-bit memory address" : "a memory address";
  case Kind::Special:
    return "a special register";
  }
  return "an operand";
}

std::optional<uint32_t> LenoOperand::floatBits() const {
  if (kind != Kind::Immediate || expr)
    return std::nullopt;
  if (!number) {
    if (hexadecimal)
      return isInt<32>(value) || isUInt<32>(uint64_t(value)) ? std::optional(uint32_t(value)) : std::nullopt;
    APFloat converted(APFloat::IEEEsingle());
    converted.convertFromAPInt(APInt(64, uint64_t(value), true), true, APFloat::rmNearestTiesToEven);
    return uint32_t(converted.bitcastToAPInt().getZExtValue());
  }
  APFloat single = *number;
  bool lost;
  single.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &lost);
  return uint32_t(single.bitcastToAPInt().getZExtValue());
}

} // namespace leno
