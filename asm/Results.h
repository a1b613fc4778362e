//===- Results.h - What an instruction writes and reads -------------------===//
#pragma once

#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace llvm {
class MCInst;
class MCInstrInfo;
class MCRegisterInfo;
} // namespace llvm

namespace leno {

/// The destinations that its record names; RZ and PT, which swallow, are left out. The flags of .CC and the
/// predicates that R2P's mask names are not among them.
struct Results {
  struct Registers {
    unsigned first, count;
  };
  llvm::SmallVector<Registers, 2> registers;
  uint8_t predicates = 0; ///< a bit each
  llvm::SmallVector<Registers, 4> sources;
  uint8_t sourcePredicates = 0; ///< the guard among them

  bool writesRegister(unsigned number) const { return has(registers, number); }
  bool readsRegister(unsigned number) const { return has(sources, number); }

private:
  static bool has(const llvm::SmallVectorImpl<Registers> &all, unsigned number) {
    for (const Registers &r : all)
      if (number >= r.first && number - r.first < r.count)
        return true;
    return false;
  }
};

Results resultsOf(const llvm::MCInst &inst, const llvm::MCInstrInfo &instrInfo,
                  const llvm::MCRegisterInfo &registerInfo);

} // namespace leno
