//===- RegisterUse.cpp - Which registers an instruction reaches -----------===//
#include "asm/RegisterUse.h"

#include "asm/LenoMCTargetDesc.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/MC/MCRegisterInfo.h"

using namespace llvm;

namespace leno {

#define GET_LENO_WIDE_OPERANDS
#include "isa/LenoAsmTables.inc"

RegisterUse registerUse(const MCInst &inst, const MCRegisterInfo &registerInfo) {
  RegisterUse use;
  SmallVector<unsigned, 12> words(inst.getNumOperands(), 1);
  for (const WideOperand &wide : wideOperands(inst)) {
    auto index = unsigned(wide.index);
    words[index] = wide.words;
    // A label's offset is not known yet; the machine traps when it turns out misaligned.
    if (wide.isConstant && inst.getOperand(index).isImm() &&
        inst.getOperand(index).getImm() % (4 * wide.words))
      use.misaligned = {index, wide.words, true, false};
  }
  int address = operandIndex(inst.getOpcode(), OperandName::addr_);
  if (address >= 0 && inst.getOperand(unsigned(address) + 1).getImm())
    words[size_t(address)] = 2;
  for (unsigned i = 0; i < inst.getNumOperands(); ++i) {
    const MCOperand &operand = inst.getOperand(i);
    if (!operand.isReg() || operand.getReg() == LENO::RZ ||
        !registerInfo.getRegClass(LENO::GPRRegClassID).contains(operand.getReg()))
      continue;
    unsigned number = registerInfo.getEncodingValue(operand.getReg()), span = words[i];
    use.registers = std::max(use.registers, number + span);
    if (!use.misaligned && (number % span || number + span > 255))
      use.misaligned = {i, span, false, number % span == 0};
  }
  return use;
}

} // namespace leno
