//===- Kernels.h - Kernels and their functions, as clang has them ----------------===//
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"

namespace llvm {
class DebugLoc;
class Function;
class GlobalVariable;
class Module;
class Value;
} // namespace llvm

namespace leno {

/// What clang hands over that LLVM's verifier takes offence at: kernels that are called like functions become
/// both; thread-local variables, constructors and kernels with `...` are told of, with their places.
void mendKernels(llvm::Module &module);

/// Of OpenCL C every kernel is a function, which others may call, and a kernel around it. A kernel that
/// nobody else calls is its function: one frame, and at -O0 no call.
void fuseKernels(llvm::Module &module);
/// Whether it is such a function.
bool isKernelsFunction(const llvm::Function &function);

/// The variable that a value is, or is an address in, where `is` says so; null: none.
const llvm::GlobalVariable *variableIn(const llvm::Value *value,
                                       llvm::function_ref<bool(const llvm::GlobalVariable &)> is);

/// Where a function is in its source.
llvm::DebugLoc placeOf(const llvm::Function &function);

} // namespace leno
