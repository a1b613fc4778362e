//===- LenoInstPrinter.h - Instructions to text ---------------------------===//
#pragma once

#include "asm/LenoMCTargetDesc.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/MC/MCInstPrinter.h"

namespace leno {

/// Prints `@!P1 FADD.RZ R1, -R2, |R3|;`: guard, mnemonic, modifiers that are not implicit, operands.
class LenoInstPrinter : public llvm::MCInstPrinter {
public:
  using MCInstPrinter::MCInstPrinter;

  void printInst(const llvm::MCInst *inst, uint64_t address, llvm::StringRef annotation,
                 const llvm::MCSubtargetInfo &subtarget, llvm::raw_ostream &os) override;
  std::pair<const char *, uint64_t> getMnemonic(const llvm::MCInst &inst) const override;
  void printRegName(llvm::raw_ostream &os, llvm::MCRegister reg) override;

  /// The name of a branch target, when the caller knows it; otherwise targets print relative to the
  /// instruction.
  std::string targetName;
  /// The same for the join of a set-sync form.
  std::string joinName;
  /// Whether to end with the semicolon.
  bool semicolon = true;

private:
  void printInstruction(const llvm::MCInst *MI, uint64_t Address, llvm::raw_ostream &O);
  static const char *getRegisterName(llvm::MCRegister Reg);

  using Inst = llvm::MCInst;
  using Stream = llvm::raw_ostream;
  void printOperand(const Inst *inst, unsigned index, Stream &os);
  void printNothing(const Inst *, unsigned, Stream &) {}
  template <LenoMod Mod> void printMod(const Inst *inst, unsigned index, Stream &os);
  void printSigned(const Inst *inst, unsigned flagsIndex, Stream &os, llvm::function_ref<void()> inner);
  void printRegSource(const Inst *inst, unsigned index, Stream &os);
  void printRegInverted(const Inst *inst, unsigned index, Stream &os);
  void printConst(const Inst *inst, unsigned index, Stream &os);
  void printConstInverted(const Inst *inst, unsigned index, Stream &os);
  void printRegPart(const Inst *inst, unsigned index, Stream &os);
  void printConstPart(const Inst *inst, unsigned index, Stream &os);
  void printOptRegSource(const Inst *inst, unsigned index, Stream &os);
  void printPlainConst(const Inst *inst, unsigned index, Stream &os);
  void printImm(const Inst *inst, unsigned index, Stream &os);
  void printHex8(const Inst *inst, unsigned index, Stream &os);
  void printHex(const Inst *inst, unsigned index, Stream &os);
  void printHex32(const Inst *inst, unsigned index, Stream &os);
  void printSingle(const Inst *inst, unsigned index, Stream &os);
  void printDouble(const Inst *inst, unsigned index, Stream &os);
  void printFloat(const Inst *inst, unsigned index, const llvm::fltSemantics &format, Stream &os);
  void printSpecial(const Inst *inst, unsigned index, Stream &os);
  void printPredSource(const Inst *inst, unsigned index, Stream &os);
  void printOptPredSource(const Inst *inst, unsigned index, Stream &os);
  void printOptPredDest(const Inst *inst, unsigned index, Stream &os);
  void printLeadingPredDest(const Inst *inst, unsigned index, Stream &os);
  void printOptRegDest(const Inst *inst, unsigned index, Stream &os);
  void printThreadCount(const Inst *inst, unsigned index, Stream &os);
  void printAddress(const Inst *inst, unsigned index, Stream &os);
  void printConstAddress(const Inst *inst, unsigned index, Stream &os);
  void printFlagTest(const Inst *inst, unsigned index, Stream &os);
  void printCodeAddress(const Inst *inst, unsigned index, Stream &os);
  void printOptCodeAddress(const Inst *inst, unsigned index, Stream &os);
  void printTarget(const Inst *inst, uint64_t, unsigned index, Stream &os) {
    printPlace(inst, index, targetName, os);
  }
  void printJoin(const Inst *inst, uint64_t, unsigned index, Stream &os) {
    printPlace(inst, index, joinName, os);
  }
  void printPlace(const Inst *inst, unsigned index, const std::string &name, Stream &os);
};

} // namespace leno
