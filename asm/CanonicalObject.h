//===- CanonicalObject.h - Symbols of an object in one order --------------===//
#pragma once

#include "llvm/ADT/SmallVector.h"

namespace leno {

/// Sorts the symbol table of an object that the assembler made by section, value and name, whatever the text
/// mentioned first, so that text which was disassembled makes the same bytes.
void sortSymbols(llvm::SmallVectorImpl<char> &object);

} // namespace leno
