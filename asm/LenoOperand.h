//===- LenoOperand.h - A parsed operand -----------------------------------===//
#pragma once

#include "asm/AsmTables.h"
#include "asm/FloatLiteral.h"
#include "asm/KernelInfo.h"

#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCParser/MCParsedAsmOperand.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace leno {

/// What the parser saw, before it is known which form of the instruction it belongs to. Predicates and
/// renderers are named in isa/Operands.td.
class LenoOperand : public llvm::MCParsedAsmOperand {
public:
  enum class Kind { Token, Guard, Mod, Register, Predicate, Immediate, Constant, Address, Special, FlagTest };
  /// How a source is written: -x, |x|, ~x (registers, constants), !p (predicates).
  enum Sign : unsigned { Plain = 0, Negated = 1, Absolute = 2, Inverted = 4 };

  Kind kind;
  llvm::SMLoc start, end;
  llvm::StringRef text;     ///< Token
  LenoMod mod = LenoMod::S; ///< Mod
  bool given = false;       ///< Mod: written, not implied
  int64_t value = 0;        ///< Mod, Special, FlagTest, absolute Immediate; Constant: bank; Address: wide
  llvm::MCRegister reg;     ///< Register, Predicate, Guard; base of Address and indexed Constant
  unsigned sign = Plain;
  const llvm::MCExpr *expr = nullptr; ///< Immediate, or offset of a Constant, that needs a fixup
  std::optional<std::string> number;  ///< Immediate written as a float: its text, with the sign
  bool isParameter = false;           ///< Immediate that is the name of a parameter: its offset
  bool hexadecimal = false;           ///< Immediate written in another radix than ten: a bit pattern
  int64_t offset = 0;                 ///< Constant, Address
  std::optional<unsigned> part;       ///< Register, Constant: the part written behind it, such as .B1

  LenoOperand(Kind kind, llvm::SMLoc start, llvm::SMLoc end) : kind(kind), start(start), end(end) {}

  bool isToken() const override { return kind == Kind::Token; }
  bool isImm() const override { return kind == Kind::Immediate; }
  bool isReg() const override {
    return (kind == Kind::Register || kind == Kind::Predicate) && sign == Plain && !part;
  }
  bool isMem() const override { return kind == Kind::Address; }
  llvm::MCRegister getReg() const override { return reg; }
  llvm::StringRef getToken() const { return text; }
  llvm::SMLoc getStartLoc() const override { return start; }
  llvm::SMLoc getEndLoc() const override { return end; }
  void print(llvm::raw_ostream &os, const llvm::MCAsmInfo &) const override { os << describe(); }
  /// "a register", "an address": what the user wrote, for messages.
  std::string describe() const;

  // Predicates.
  template <LenoMod Wanted> bool isMod() const { return kind == Kind::Mod && mod == Wanted; }
  bool isGuard() const { return kind == Kind::Guard; }
  bool isRegDest() const { return isRegSource<Plain>(); }
  template <unsigned Signs> bool isRegPart() const { return kind == Kind::Register && !(sign & ~Signs); }
  template <unsigned Signs> bool isRegSource() const { return isRegPart<Signs>() && !part; }
  bool isRegInverted() const { return isRegSource<Inverted>(); }
  bool isPredDest() const { return kind == Kind::Predicate && sign == Plain; }
  bool isPredSource() const { return kind == Kind::Predicate; }
  template <unsigned Signs> bool isWordOfBank() const {
    return kind == Kind::Constant && !reg && !(sign & ~Signs) && offset % 4 == 0;
  }
  template <unsigned Signs> bool isConst() const { return isWordOfBank<Signs>() && !part; }
  bool isConstInverted() const { return isConst<Inverted>(); }
  bool isConstPart() const { return isWordOfBank<Plain>(); }
  bool isConstAddress() const { return kind == Kind::Constant && sign == Plain && !part; }
  template <bool Wide, unsigned Bits = 24> bool isAddress() const {
    return kind == Kind::Address && (Wide || !value) && llvm::isInt<Bits>(offset);
  }
  bool isFlagTest() const { return kind == Kind::FlagTest; }
  bool isSpecial() const { return kind == Kind::Special; }
  bool isAbsolute() const { return kind == Kind::Immediate && !expr && !number; }
  template <unsigned Width> bool isUImm() const {
    return isAbsolute() && llvm::isUInt<Width>(uint64_t(value));
  }
  bool isThreadCount() const { return isUImm<12>() && value % 32 == 0 && value > 0; }
  /// A signed value of Width bits, or a 32-bit pattern that is one sign-extended (0xffffffff is -1).
  template <unsigned Width> bool isSImm() const {
    return isAbsolute() && (llvm::isInt<Width>(value) ||
                            (hexadecimal && llvm::isUInt<32>(value) && llvm::isInt<Width>(int32_t(value))));
  }
  bool isFImm20() const { return isFloatOf<32>(); }
  bool isFImm32() const { return floatBits().has_value(); }
  bool isDImm20() const { return isFloatOf<64>(); }
  bool isImm32() const {
    return kind == Kind::Immediate &&
           (expr     ? true
            : number ? floatBits().has_value()
                     : llvm::isInt<32>(value) || llvm::isUInt<32>(uint64_t(value)));
  }
  bool isCodeAddress() const {
    return kind == Kind::Immediate && (expr || (isUImm<27>() && value % wordBytes == 0));
  }
  bool isTarget() const { return kind == Kind::Immediate && expr && !llvm::isa<llvm::MCSpecifierExpr>(expr); }

  /// The bits of an immediate as a single-precision float: a float literal rounds to nearest, a decimal
  /// integer is its value, another radix is the pattern itself. None when it is outside the format's range.
  std::optional<uint32_t> floatBits() const;
  /// Likewise as a double.
  std::optional<uint64_t> doubleBits() const;
  /// The text of the number that a float's immediate stands for.
  std::string numberText() const { return number ? *number : std::to_string(value); }

  // Renderers.
  void addRegOperands(llvm::MCInst &inst, unsigned) const {
    inst.addOperand(llvm::MCOperand::createReg(reg));
  }
  void addPredicateOperands(llvm::MCInst &inst, unsigned) const {
    addRegOperands(inst, 1);
    addValue(inst, sign & Inverted ? 1 : 0);
  }
  void addRegSourceOperands(llvm::MCInst &inst, unsigned) const {
    addRegOperands(inst, 1);
    addValue(inst, flags());
  }
  void addConstSourceOperands(llvm::MCInst &inst, unsigned) const {
    addValue(inst, value);
    addOffset(inst);
    addValue(inst, flags());
  }
  void addRegPartOperands(llvm::MCInst &inst, unsigned) const {
    addRegSourceOperands(inst, 2);
    addValue(inst, part.value_or(0));
  }
  void addConstPartOperands(llvm::MCInst &inst, unsigned) const {
    addConstSourceOperands(inst, 3);
    addValue(inst, part.value_or(0));
  }
  template <unsigned Flip> void addFlippedRegOperands(llvm::MCInst &inst, unsigned) const {
    addRegOperands(inst, 1);
    addValue(inst, flags() ^ Flip);
  }
  template <unsigned Flip> void addFlippedConstOperands(llvm::MCInst &inst, unsigned) const {
    addValue(inst, value);
    addValue(inst, offset);
    addValue(inst, flags() ^ Flip);
  }
  void addConstAddressOperands(llvm::MCInst &inst, unsigned) const {
    addValue(inst, value);
    inst.addOperand(llvm::MCOperand::createReg(reg ? reg : llvm::MCRegister(LENO::RZ)));
    addOffset(inst);
  }
  void addAddressOperands(llvm::MCInst &inst, unsigned) const {
    addRegOperands(inst, 1);
    addValue(inst, value);
    addValue(inst, offset);
  }
  void addImmOperands(llvm::MCInst &inst, unsigned) const {
    if (expr)
      inst.addOperand(llvm::MCOperand::createExpr(expr));
    else
      addValue(inst, number                                   ? int64_t(*floatBits())
                     : kind == Kind::Immediate && hexadecimal ? int32_t(value)
                                                              : value);
  }
  void addFloatImmOperands(llvm::MCInst &inst, unsigned) const { addValue(inst, *floatBits()); }
  void addDoubleImmOperands(llvm::MCInst &inst, unsigned) const { addValue(inst, int64_t(*doubleBits())); }

  /// The numbers around a float's immediate that upper 20 of `Width` bits hold, as text.
  template <unsigned Width> std::pair<std::string, std::string> floatsAround() const;
  /// As it stands in the source.
  llvm::StringRef written() const {
    return {start.getPointer(), size_t(end.getPointer() - start.getPointer())};
  }

private:
  /// Whether the upper 20 of `Bits` bits hold the very number: what is lost is said, and not rounded away.
  template <unsigned Bits> bool isFloatOf() const;
  static void addValue(llvm::MCInst &inst, int64_t v) { inst.addOperand(llvm::MCOperand::createImm(v)); }
  void addOffset(llvm::MCInst &inst) const {
    if (expr)
      inst.addOperand(llvm::MCOperand::createExpr(expr));
    else
      addValue(inst, offset);
  }
  /// Bit 0 negates or inverts, bit 1 takes the absolute value (isa/Operands.td).
  int64_t flags() const { return (sign & (Negated | Inverted) ? 1 : 0) | (sign & Absolute ? 2 : 0); }
};

} // namespace leno
