//===- RowAccesses.h - What is known of the rows of a frame ---------------===//
#pragma once
#include "emu/compiled/CompiledCode.h"
#include "llvm/IR/Function.h"

namespace leno::compiled {

/// Immediates and RZ are constants, a constant of the launch is one word for all lanes, and what is written
/// to RZ is not written.
void replaceKnownRows(llvm::Function &function, const Region &region);

} // namespace leno::compiled
