//===- LenoInstPrinter.cpp - Instructions to text -------------------------===//
#include "asm/LenoInstPrinter.h"

#include "asm/AsmTables.h"
#include "asm/FloatLiteral.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace leno {

#include "isa/LenoGenAsmWriter.inc"

void LenoInstPrinter::printRegName(raw_ostream &os, MCRegister reg) { os << getRegisterName(reg); }

void LenoInstPrinter::printInst(const MCInst *inst, uint64_t address, StringRef annotation,
                                const MCSubtargetInfo &, raw_ostream &os) {
  int guard = operandIndex(inst->getOpcode(), OperandName::guard_);
  if (guard >= 0) {
    const MCOperand &reg = inst->getOperand(guard);
    bool negate = inst->getOperand(guard + 1).getImm();
    if (reg.getReg() != LENO::PT || negate)
      os << '@' << (negate ? "!" : "") << getRegisterName(reg.getReg()) << ' ';
  }
  // The tab between mnemonic and operands becomes a space: columns are the caller's.
  SmallString<96> text;
  raw_svector_ostream buffer(text);
  printInstruction(inst, address, buffer);
  StringRef body = StringRef(text).trim("\t ");
  auto [mnemonic, operands] = body.split('\t');
  os << mnemonic;
  if (!operands.empty())
    os << ' ' << operands;
  if (semicolon)
    os << ';';
  printAnnotation(os, annotation);
}

template <LenoMod Mod> void LenoInstPrinter::printMod(const MCInst *inst, unsigned index, raw_ostream &os) {
  const ModGroupInfo &group = modGroup(Mod);
  auto value = size_t(inst->getOperand(index).getImm());
  if (int(value) != group.implicit && value < group.spellings.size())
    os << '.' << group.spellings[value];
}

void LenoInstPrinter::printOperand(const MCInst *inst, unsigned index, raw_ostream &os) {
  const MCOperand &operand = inst->getOperand(index);
  if (operand.isReg())
    os << getRegisterName(operand.getReg());
  else if (operand.isImm())
    os << operand.getImm();
  else
    MAI.printExpr(os, *operand.getExpr());
}

void LenoInstPrinter::printSigned(const MCInst *inst, unsigned flagsIndex, raw_ostream &os,
                                  function_ref<void()> inner) {
  int64_t flags = inst->getOperand(flagsIndex).getImm();
  os << (flags & 1 ? "-" : "") << (flags & 2 ? "|" : "");
  inner();
  os << (flags & 2 ? "|" : "");
}

void LenoInstPrinter::printRegSource(const MCInst *inst, unsigned index, raw_ostream &os) {
  printSigned(inst, index + 1, os, [&] { printOperand(inst, index, os); });
}

void LenoInstPrinter::printRegInverted(const MCInst *inst, unsigned index, raw_ostream &os) {
  os << (inst->getOperand(index + 1).getImm() ? "~" : "");
  printOperand(inst, index, os);
}

void LenoInstPrinter::printPlainConst(const MCInst *inst, unsigned index, raw_ostream &os) {
  const MCOperand &offset = inst->getOperand(index + 1);
  os << "c[" << inst->getOperand(index).getImm() << "][";
  if (offset.isImm())
    os << format_hex(offset.getImm(), 1);
  else
    MAI.printExpr(os, *offset.getExpr());
  os << ']';
}

void LenoInstPrinter::printConst(const MCInst *inst, unsigned index, raw_ostream &os) {
  printSigned(inst, index + 2, os, [&] { printPlainConst(inst, index, os); });
}

void LenoInstPrinter::printConstInverted(const MCInst *inst, unsigned index, raw_ostream &os) {
  os << (inst->getOperand(index + 2).getImm() ? "~" : "");
  printPlainConst(inst, index, os);
}

void LenoInstPrinter::printRegPart(const MCInst *inst, unsigned index, raw_ostream &os) {
  printRegSource(inst, index, os);
  printMod<LenoMod::SubWord>(inst, index + 2, os);
}

void LenoInstPrinter::printConstPart(const MCInst *inst, unsigned index, raw_ostream &os) {
  printConst(inst, index, os);
  printMod<LenoMod::SubWord>(inst, index + 3, os);
}

void LenoInstPrinter::printOptRegSource(const MCInst *inst, unsigned index, raw_ostream &os) {
  if (inst->getOperand(index).getReg() == LENO::RZ)
    return;
  os << ", ";
  printOperand(inst, index, os);
}

void LenoInstPrinter::printImm(const MCInst *inst, unsigned index, raw_ostream &os) {
  printOperand(inst, index, os);
}

void LenoInstPrinter::printHex8(const MCInst *inst, unsigned index, raw_ostream &os) {
  os << format_hex(uint8_t(inst->getOperand(index).getImm()), 4);
}

void LenoInstPrinter::printHex(const MCInst *inst, unsigned index, raw_ostream &os) {
  const MCOperand &operand = inst->getOperand(index);
  if (operand.isImm())
    os << format_hex(uint64_t(operand.getImm()), 1);
  else
    MAI.printExpr(os, *operand.getExpr());
}

void LenoInstPrinter::printHex32(const MCInst *inst, unsigned index, raw_ostream &os) {
  const MCOperand &operand = inst->getOperand(index);
  if (operand.isImm())
    os << format_hex(uint32_t(operand.getImm()), 10);
  else
    MAI.printExpr(os, *operand.getExpr());
}

// What the assembler takes for exactly this float; infinities and NaNs as bits.
void LenoInstPrinter::printSingle(const MCInst *inst, unsigned index, raw_ostream &os) {
  printFloat(inst, index, APFloat::IEEEsingle(), os);
}
void LenoInstPrinter::printDouble(const MCInst *inst, unsigned index, raw_ostream &os) {
  printFloat(inst, index, APFloat::IEEEdouble(), os);
}

void LenoInstPrinter::printFloat(const MCInst *inst, unsigned index, const fltSemantics &format,
                                 raw_ostream &os) {
  const MCOperand &operand = inst->getOperand(index);
  if (!operand.isImm())
    return printOperand(inst, index, os);
  unsigned bits = APFloat::getSizeInBits(format);
  // A code generator's words have a sign.
  uint64_t word = uint64_t(operand.getImm()) & maskTrailingOnes<uint64_t>(bits);
  APFloat value(format, APInt(bits, word));
  if (!value.isFinite()) {
    os << format_hex(word, 2 + bits / 4);
    return;
  }
  // An immediate of 20 bits is no rounded number; of a whole word the shortest text reads back as the same.
  bool exact = !(word & maskTrailingOnes<uint64_t>(bits - 20));
  os << (exact ? exactText(value) : shortestText(value));
}

void LenoInstPrinter::printSpecial(const MCInst *inst, unsigned index, raw_ostream &os) {
  if (const SpecialRegisterInfo *info = specialRegister(unsigned(inst->getOperand(index).getImm())))
    os << info->text;
}

void LenoInstPrinter::printPredSource(const MCInst *inst, unsigned index, raw_ostream &os) {
  os << (inst->getOperand(index + 1).getImm() ? "!" : "");
  printOperand(inst, index, os);
}

void LenoInstPrinter::printOptPredSource(const MCInst *inst, unsigned index, raw_ostream &os) {
  if (inst->getOperand(index).getReg() == LENO::PT && !inst->getOperand(index + 1).getImm())
    return;
  os << ", ";
  printPredSource(inst, index, os);
}

void LenoInstPrinter::printOptPredDest(const MCInst *inst, unsigned index, raw_ostream &os) {
  if (inst->getOperand(index).getReg() == LENO::PT)
    return;
  os << ", ";
  printOperand(inst, index, os);
}

void LenoInstPrinter::printLeadingPredDest(const MCInst *inst, unsigned index, raw_ostream &os) {
  if (inst->getOperand(index).getReg() == LENO::PT)
    return;
  printOperand(inst, index, os);
  os << ", ";
}

void LenoInstPrinter::printOptRegDest(const MCInst *inst, unsigned index, raw_ostream &os) {
  if (inst->getOperand(index).getReg() == LENO::RZ)
    return;
  printOperand(inst, index, os);
  os << ", ";
}

void LenoInstPrinter::printThreadCount(const MCInst *inst, unsigned index, raw_ostream &os) {
  if (inst->getOperand(index).getImm())
    os << ", " << inst->getOperand(index).getImm();
}

static void printOffset(int64_t offset, bool alone, raw_ostream &os) {
  if (offset < 0)
    os << "-" << format_hex(uint64_t(-offset), 1);
  else if (offset || alone)
    os << (alone ? "" : "+") << format_hex(uint64_t(offset), 1);
}

void LenoInstPrinter::printAddress(const MCInst *inst, unsigned index, raw_ostream &os) {
  MCRegister base = inst->getOperand(index).getReg();
  bool wide = inst->getOperand(index + 1).getImm(), bare = base == LENO::RZ && !wide;
  os << '[';
  if (!bare)
    os << getRegisterName(base) << (wide ? ".64" : "");
  printOffset(inst->getOperand(index + 2).getImm(), bare, os);
  os << ']';
}

void LenoInstPrinter::printConstAddress(const MCInst *inst, unsigned index, raw_ostream &os) {
  MCRegister base = inst->getOperand(index + 1).getReg();
  os << "c[" << inst->getOperand(index).getImm() << "][";
  if (base != LENO::RZ)
    os << getRegisterName(base);
  const MCOperand &offset = inst->getOperand(index + 2);
  if (offset.isImm()) {
    printOffset(offset.getImm(), base == LENO::RZ, os);
  } else {
    os << (base == LENO::RZ ? "" : "+");
    MAI.printExpr(os, *offset.getExpr());
  }
  os << ']';
}

void LenoInstPrinter::printPlace(const MCInst *inst, unsigned index, const std::string &name,
                                 raw_ostream &os) {
  const MCOperand &operand = inst->getOperand(index);
  if (!operand.isImm())
    return MAI.printExpr(os, *operand.getExpr());
  if (!name.empty()) {
    os << name;
    return;
  }
  int64_t offset = operand.getImm() + wordBytes;
  os << '.' << (offset < 0 ? "-" : "+") << std::abs(offset);
}

void LenoInstPrinter::printFlagTest(const MCInst *inst, unsigned index, raw_ostream &os) {
  if (auto test = size_t(inst->getOperand(index).getImm()))
    os << "CC." << modGroup(LenoMod::CCTest).spellings[test] << ", ";
}

void LenoInstPrinter::printCodeAddress(const MCInst *inst, unsigned index, raw_ostream &os) {
  if (targetName.empty())
    printHex(inst, index, os);
  else
    os << targetName;
}

void LenoInstPrinter::printOptCodeAddress(const MCInst *inst, unsigned index, raw_ostream &os) {
  const MCOperand &operand = inst->getOperand(index);
  if (operand.isImm() && !operand.getImm() && targetName.empty())
    return;
  os << ", ";
  printCodeAddress(inst, index, os);
}

std::unique_ptr<MCInstPrinter> createInstPrinter(const MCAsmInfo &asmInfo, const MCInstrInfo &instrInfo,
                                                 const MCRegisterInfo &registerInfo) {
  return std::make_unique<LenoInstPrinter>(asmInfo, instrInfo, registerInfo);
}

} // namespace leno
