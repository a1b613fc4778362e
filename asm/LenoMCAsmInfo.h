//===- LenoMCAsmInfo.h - Lexical conventions of the assembly text ---------===//
#pragma once

#include "llvm/MC/MCAsmInfoELF.h"

namespace leno {

class LenoMCAsmInfo : public llvm::MCAsmInfoELF {
public:
  LenoMCAsmInfo();
};

} // namespace leno
