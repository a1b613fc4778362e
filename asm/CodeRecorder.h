//===- CodeRecorder.h - What the static checker gets from the parser ------===//
#pragma once

#include "asm/KernelInfo.h"
#include "asm/checker/Checker.h"

#include "llvm/ADT/DenseMap.h"

namespace llvm {
class MCExpr;
class MCSection;
class MCSymbol;
} // namespace llvm

namespace leno {

/// Notes instructions, labels and kernels as they are parsed; at the end, labels become instruction numbers.
class CodeRecorder {
public:
  void instruction(const llvm::MCInst &inst, const llvm::MCRegisterInfo &registers,
                   const llvm::MCSection *section);
  /// Data in code: words of which nothing is known.
  void data(llvm::SMLoc loc, const llvm::MCSection *section);
  void label(const llvm::MCSymbol &symbol, const llvm::MCSection *section);
  void beginKernel(llvm::StringRef name);
  void endKernel();

  /// Checks what was recorded: every label is known now.
  void finish();

  const check::Code &recorded() const { return code; }
  const std::vector<check::Finding> &findings() const { return result.findings; }
  StackDepth depthOf(size_t kernel) const {
    return kernel < result.depths.size() ? result.depths[kernel] : StackDepth();
  }

private:
  void enter(const llvm::MCSection *section);
  uint32_t resolve(const llvm::MCExpr *expr) const;
  void noteAddresses(const llvm::MCExpr *expr);

  struct Branch {
    uint32_t at;
    const llvm::MCExpr *target, *join; ///< null when it has none, or gives a number
  };
  check::Code code;
  check::Result result;
  std::vector<Branch> branches;
  llvm::DenseMap<const llvm::MCSymbol *, uint32_t> labels;
  std::vector<const llvm::MCSymbol *> named; ///< labels whose address is taken, or which other files may see
  std::vector<uint32_t> outside;             ///< where code outside of kernels begins
  const llvm::MCSection *current = nullptr;
  llvm::SmallVector<const llvm::MCSection *, 2> left; ///< sections of code before this one
  bool inKernel = false;
  bool mixed = false; ///< sections of code took turns: their order is not that of the text
};

} // namespace leno
