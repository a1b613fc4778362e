#include "asm/Results.h"

#include "asm/LenoMCTargetDesc.h"

#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"

using namespace llvm;

namespace leno {

#define GET_LENO_WIDE_OPERANDS
#include "isa/LenoAsmTables.inc"

Results resultsOf(const MCInst &inst, const MCInstrInfo &instrInfo, const MCRegisterInfo &registerInfo) {
  Results results;
  unsigned destinations = instrInfo.get(inst.getOpcode()).getNumDefs();
  int address = operandIndex(inst.getOpcode(), OperandName::addr_);
  for (unsigned i = 0; i < inst.getNumOperands(); ++i) {
    if (!inst.getOperand(i).isReg())
      continue;
    MCRegister reg = inst.getOperand(i).getReg();
    unsigned number = registerInfo.getEncodingValue(reg);
    if (!registerInfo.getRegClass(LENO::GPRRegClassID).contains(reg)) {
      if (reg != LENO::PT)
        (i < destinations ? results.predicates : results.sourcePredicates) |= uint8_t(1u << number);
      continue;
    }
    if (reg == LENO::RZ)
      continue;
    unsigned words = 1;
    for (const WideOperand &wide : wideOperands(inst))
      if (wide.index == int(i))
        words = wide.words;
    if (int(i) == address && inst.getOperand(i + 1).getImm())
      words = 2; // a 64-bit address
    if (i < destinations)
      results.registers.push_back({number, words});
    else
      results.sources.push_back({number, words});
  }
  return results;
}

} // namespace leno
