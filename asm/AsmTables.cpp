//===- AsmTables.cpp - Mnemonics, modifiers and operand kinds as data -----===//
#include "asm/AsmTables.h"

#include "asm/LenoOperand.h"

#include "llvm/ADT/STLExtras.h"

namespace leno {

#define GET_LENO_TABLES
#include "isa/LenoAsmTables.inc"

int ModGroupInfo::valueOf(llvm::StringRef spelling) const {
  for (const auto &texts : {spellings, synonyms})
    for (size_t i = 0; i < texts.size(); ++i)
      if (!texts[i].empty() && spelling.equals_insensitive(texts[i]))
        return int(i);
  return -1;
}

const ModGroupInfo &modGroup(LenoMod mod) { return modGroups[unsigned(mod)]; }
llvm::ArrayRef<MnemonicInfo> allMnemonics() { return mnemonics; }
const OperandKindInfo &operandKind(OperandKind kind) { return operandKinds[unsigned(kind)]; }
bool matches(OperandKind kind, const LenoOperand &operand) { return isOperandKind(kind, operand); }

const ModRule *brokenRule(const llvm::MCInst &inst) {
  for (const ModRule &rule : modRules) {
    if (rule.opcode != inst.getOpcode())
      continue;
    auto isOneOf = [&](int index, uint32_t values) {
      return values >> inst.getOperand(unsigned(index)).getImm() & 1;
    };
    if ((rule.conditionIndex < 0 || isOneOf(rule.conditionIndex, rule.when)) &&
        !isOneOf(rule.index, rule.allowed))
      return &rule;
  }
  return nullptr;
}

const MnemonicInfo *findMnemonic(llvm::StringRef key) {
  const auto *it =
      llvm::lower_bound(mnemonics, key, [](const MnemonicInfo &m, llvm::StringRef k) { return m.key < k; });
  return it != std::end(mnemonics) && it->key == key ? it : nullptr;
}

llvm::ArrayRef<SpecialRegisterInfo> allSpecialRegisters() { return specialRegisters; }

const SpecialRegisterInfo *specialRegister(unsigned value) {
  const auto *it =
      llvm::find_if(specialRegisters, [&](const SpecialRegisterInfo &r) { return r.value == value; });
  return it == std::end(specialRegisters) ? nullptr : it;
}

const SpecialRegisterInfo *findSpecialRegister(llvm::StringRef text) {
  const auto *it = llvm::find_if(
      specialRegisters, [&](const SpecialRegisterInfo &r) { return text.equals_insensitive(r.text); });
  return it == std::end(specialRegisters) ? nullptr : it;
}

} // namespace leno
