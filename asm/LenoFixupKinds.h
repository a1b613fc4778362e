//===- LenoFixupKinds.h - Fixups and the relocations they become ----------===//
#pragma once

#include "llvm/MC/MCFixup.h"

namespace leno {

enum LenoFixup : llvm::MCFixupKind {
  fixup_target24 = llvm::FirstTargetFixupKind, ///< words from the next instruction, bits 44-21
  fixup_join20,                                ///< words from the next instruction, bits 48-45 and 20-5
  fixup_imm32,                                 ///< absolute, bits 52-21
  fixup_address24,                             ///< absolute, in words, bits 44-21
  fixup_last
};

/// ELF relocation types. P is the address of the instruction (or datum), S + A the target.
enum LenoRelocation : unsigned {
  R_LENO_NONE = 0,
  R_LENO_32 = 1,        ///< datum of 4 bytes: S + A
  R_LENO_64 = 2,        ///< datum of 8 bytes: S + A
  R_LENO_TARGET24 = 3,  ///< (S + A - P - 8) / 8 in bits 44-21
  R_LENO_IMM32 = 4,     ///< S + A in bits 52-21
  R_LENO_JOIN20 = 5,    ///< (S + A - P - 8) / 8 in bits 48-45 and 20-5
  R_LENO_ADDRESS24 = 6, ///< (S + A) / 8 in bits 44-21
};

/// A distance in words put into its field, and the bits of that field.
struct WordDistance {
  unsigned width;
  uint64_t place(int64_t words) const {
    return width == 24 ? (uint64_t(words) & 0xffffff) << 21
                       : (uint64_t(words) & 0xffff) << 5 | (uint64_t(words) >> 16 & 15) << 45;
  }
  uint64_t field() const { return place(-1); }
};

} // namespace leno
