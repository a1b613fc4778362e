//===- CanonicalNaNs.h - Where the one NaN is needed ----------------------===//
// Each result of arithmetic is made canonical: a NaN becomes the one NaN
// (Architecture.md 4).
//===----------------------------------------------------------------------===//
#pragma once
#include "llvm/IR/Function.h"

namespace leno::compiled {

/// Arithmetic and comparisons cannot tell one NaN from another: they take a value as it was, and what nobody
/// else wants to be canonical falls away. To be called before instructions are combined.
void makeNaNsLazy(llvm::Function &function);

/// Makes what is left canonical by one instruction of AVX-512 each.
void fixNaNsAtOnce(llvm::Function &function);

} // namespace leno::compiled
