//===- AsmTables.h - Mnemonics, modifiers and operand kinds as data -------===//
// Views of the tables that isa/gen/generate.py makes from the records.
//===----------------------------------------------------------------------===//
#pragma once

#include "asm/LenoMCTargetDesc.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace leno {

/// A modifier group: value i is written spellings[i]; `implicit` is the value when none is written, -1 if one
/// must be.
struct ModGroupInfo {
  llvm::StringLiteral name;
  llvm::ArrayRef<llvm::StringLiteral> spellings;
  llvm::ArrayRef<llvm::StringLiteral> synonyms; ///< other texts, by value; none when the group has none
  int implicit;
  llvm::StringLiteral what;

  /// The value written so (in either case), or -1.
  int valueOf(llvm::StringRef spelling) const;
};

enum class OperandKind : uint8_t;

struct OperandKindInfo {
  llvm::StringLiteral expects; ///< what a message says was expected
  bool optional;
};

struct MnemonicInfo {
  llvm::StringLiteral key; ///< lower case
  llvm::StringLiteral text;
  llvm::ArrayRef<LenoMod> mods; ///< in the order they are written
  llvm::ArrayRef<llvm::ArrayRef<OperandKind>> forms;
  bool guarded;
  llvm::StringLiteral summary;
};

struct SpecialRegisterInfo {
  llvm::StringLiteral text;
  unsigned value;
  llvm::StringLiteral summary;
};

/// A record's `Only`: which values of a modifier operand are allowed, when another has one of some values.
struct ModRule {
  unsigned opcode;
  int conditionIndex; ///< in the MCInst; -1: always
  LenoMod condition;
  uint32_t when; ///< a bit a value
  int index;
  LenoMod mod;
  uint32_t allowed;
};
/// The first rule of its record that an instruction breaks, or null.
const ModRule *brokenRule(const llvm::MCInst &inst);

class LenoOperand;

const ModGroupInfo &modGroup(LenoMod mod);
llvm::ArrayRef<MnemonicInfo> allMnemonics();
/// The mnemonic of that lower-case name, or null.
const MnemonicInfo *findMnemonic(llvm::StringRef key);
const OperandKindInfo &operandKind(OperandKind kind);
/// Whether a parsed operand can serve as an operand of that kind.
bool matches(OperandKind kind, const LenoOperand &operand);
llvm::ArrayRef<SpecialRegisterInfo> allSpecialRegisters();
const SpecialRegisterInfo *specialRegister(unsigned value);
const SpecialRegisterInfo *findSpecialRegister(llvm::StringRef text);

} // namespace leno
