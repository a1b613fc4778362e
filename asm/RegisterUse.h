//===- RegisterUse.h - Which registers an instruction reaches -------------===//
#pragma once

#include "llvm/MC/MCInst.h"

#include <optional>

namespace llvm {
class MCRegisterInfo;
}

namespace leno {

/// An operand of several words that does not begin where it must.
struct MisalignedOperand {
  unsigned index; ///< in the MCInst; of a constant, its byte offset
  unsigned words;
  bool isConstant;
  bool isPastEnd; ///< aligned, but it would reach past R254
};

struct RegisterUse {
  unsigned registers = 0; ///< one more than the highest register
  std::optional<MisalignedOperand> misaligned;
};

/// Works out the pairs and quads from the record's Wide, and from 64-bit addresses.
RegisterUse registerUse(const llvm::MCInst &inst, const llvm::MCRegisterInfo &registerInfo);

} // namespace leno
