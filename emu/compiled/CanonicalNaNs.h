//===- CanonicalNaNs.h - Where the one NaN is needed ----------------------===//
// Each result of arithmetic is made canonical: a NaN becomes the one NaN
// (Architecture.md 4). Arithmetic and comparisons cannot tell one NaN from
// another: they take a value as it was.
//===----------------------------------------------------------------------===//
#pragma once
#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"

namespace leno::compiled {

/// What the value is made of where it is a number or the one NaN; else null. It may be seen as other types.
llvm::Value *beforeCanonical(llvm::Value *value);
/// The same value as of numbers like `like`, each the number or the one NaN.
llvm::Value *makeCanonical(llvm::IRBuilder<> &ir, llvm::Value *value, llvm::Type *like);
/// Whoever uses the value there cannot tell one NaN from another.
bool isForgetful(const llvm::Use &use);

/// What nobody else wants to be canonical falls away. To be called before instructions are combined.
void makeNaNsLazy(llvm::Function &function);

/// Makes what is left canonical by one instruction of AVX-512 each.
void fixNaNsAtOnce(llvm::Function &function);

} // namespace leno::compiled
