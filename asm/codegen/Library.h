//===- Library.h - The device library -----------------------------------------------===//
// libclc's functions with ours in front (device/), as bitcode inside of the tool.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
class FunctionType;
class Module;
} // namespace llvm

namespace leno {

/// Links what the module declares and the library has, by OpenCL C's names or C's, and what that needs; it
/// becomes the module's own.
llvm::Error linkLibrary(llvm::Module &module);

/// What OpenCL C calls a function of these parameters: numbers, vectors of them, and pointers to local
/// memory.
std::string overloaded(llvm::StringRef name, llvm::FunctionType *type);

} // namespace leno
