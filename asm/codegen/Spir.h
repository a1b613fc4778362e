//===- Spir.h - IR for SPIR, as SPIR-V becomes, made ours -------------------------===//
#pragma once

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>

namespace llvm {
class Module;
} // namespace llvm

namespace leno {

/// SPIR's number of an address space (private, global, constant, local, generic) to ours (LenoSpace).
unsigned spaceFromSpir(unsigned space);

/// SPIR-V to bitcode for SPIR, by llvm-spirv.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> translateSpirv(const llvm::MemoryBuffer &spirv);

/// Whether this is IR that clang's targets spir and spir64 or llvm-spirv made.
bool isForSpir(const llvm::Module &module);

/// Its address spaces, calling conventions, names of functions and parameters by value become those that
/// clang's target amdgcn gives.
llvm::Error adoptSpir(llvm::Module &module);

} // namespace leno
