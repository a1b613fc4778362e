//===- Encodings.h - The bits of each encoding ----------------------------===//
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace leno {

struct EncodingField {
  llvm::StringLiteral name; ///< of the operand
  uint64_t bits;
};

/// An encoding: the bits it fixes, opcode and unclaimed zeroes among them, and its fields.
struct EncodingInfo {
  llvm::StringLiteral mnemonic;
  uint64_t fixed, value;
  llvm::ArrayRef<EncodingField> fields;
};

llvm::ArrayRef<EncodingInfo> allEncodings();
/// Where an instruction's constant keeps its offset in the MCInst; -1: it has no constant.
int constantOffsetIndex(unsigned opcode);
/// "47", "48-45", "63-57, 3".
std::string bitRanges(uint64_t bits);

} // namespace leno
