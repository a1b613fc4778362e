//===- SharedWords.h - Rows that one word tells ---------------------------===//
#pragma once
#include "emu/compiled/CompiledCode.h"
#include "llvm/IR/Function.h"

namespace leno::compiled {

/// Rows whose lanes hold one word, or words that differ by what is known now, as addresses of words side by side
/// do, are computed as that word. Whether such lanes lie as an access would have them is known, too. Where code is
/// entered it is looked at whether rows are such, as far as somebody needs it.
void computeSharedWords(llvm::Function &function, const Region &region);

/// What only ways out need, as rows and flags are that are written where code leaves, is computed on these.
void computeWhereLeft(llvm::Function &function);

} // namespace leno::compiled
