//===- LenoMCAsmInfo.h - Lexical conventions of the assembly text ---------===//
#pragma once

#include "llvm/MC/MCAsmInfoELF.h"

namespace leno {

class LenoMCAsmInfo : public llvm::MCAsmInfoELF {
public:
  LenoMCAsmInfo();
  /// lo(label), hi(label)
  void printSpecifierExpr(llvm::raw_ostream &os, const llvm::MCSpecifierExpr &expr) const override;
};

} // namespace leno
