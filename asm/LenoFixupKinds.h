//===- LenoFixupKinds.h - Fixups and the relocations they become ----------===//
#pragma once

#include "llvm/MC/MCFixup.h"

namespace leno {

enum LenoFixup : llvm::MCFixupKind {
  fixup_target24 = llvm::FirstTargetFixupKind, ///< words from the next instruction, bits 44-21
  fixup_join20,                                ///< words from the next instruction, bits 48-45 and 20-5
  fixup_imm32,                                 ///< absolute, bits 52-21
  fixup_address24,                             ///< absolute, in words, bits 44-21
  fixup_lo32,                                  ///< lower half of a 64-bit address, bits 52-21
  fixup_hi32,                                  ///< upper half
  fixup_constant14,                            ///< offset in a bank in words, bits 34-21
  fixup_constant16,                            ///< offset in a bank in bytes, bits 36-21
  fixup_last
};

/// ELF relocation types. P is the address of the instruction (or datum), S + A the target.
enum LenoRelocation : unsigned {
  R_LENO_NONE = 0,
  R_LENO_32 = 1,          ///< datum of 4 bytes: S + A
  R_LENO_64 = 2,          ///< datum of 8 bytes: S + A
  R_LENO_TARGET24 = 3,    ///< (S + A - P - 8) / 8 in bits 44-21
  R_LENO_IMM32 = 4,       ///< S + A in bits 52-21
  R_LENO_JOIN20 = 5,      ///< (S + A - P - 8) / 8 in bits 48-45 and 20-5
  R_LENO_ADDRESS24 = 6,   ///< (S + A) / 8 in bits 44-21
  R_LENO_LO32 = 7,        ///< the lower 32 bits of S + A in bits 52-21
  R_LENO_HI32 = 8,        ///< the upper 32 bits of S + A in bits 52-21
  R_LENO_CONSTANT14 = 9,  ///< (S + A) / 4 in bits 34-21: S lies in the bank that the word names in 38-35
  R_LENO_CONSTANT16 = 10, ///< S + A in bits 36-21: S lies in the bank that the word names in 40-37
};

/// "R_LENO_64"; "unknown" for a number that is none of them.
inline const char *relocationName(unsigned type) {
  constexpr const char *names[] = {"R_LENO_NONE",  "R_LENO_32",         "R_LENO_64",        "R_LENO_TARGET24",
                                   "R_LENO_IMM32", "R_LENO_JOIN20",     "R_LENO_ADDRESS24", "R_LENO_LO32",
                                   "R_LENO_HI32",  "R_LENO_CONSTANT14", "R_LENO_CONSTANT16"};
  return type < sizeof names / sizeof *names ? names[type] : "unknown";
}

/// Bits 52-21, where MOV32I keeps its word.
constexpr uint64_t imm32Field = uint64_t(0xffffffff) << 21;
/// Bits 44-21, where JMP keeps the number of a word.
constexpr uint64_t address24Field = uint64_t(0xffffff) << 21;

/// The offset of a constant and its bank, as two kinds of instructions keep them.
struct ConstantField {
  bool inWords; ///< else in bytes
  uint64_t field() const { return uint64_t(inWords ? 0x3fff : 0xffff) << 21; }
  uint64_t place(uint64_t bytes) const { return ((inWords ? bytes >> 2 : bytes) << 21) & field(); }
  unsigned bank(uint64_t word) const { return word >> (inWords ? 35 : 37) & 15; }
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
