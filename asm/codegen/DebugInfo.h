//===- DebugInfo.h - Variables' places, as our debugger knows them -------------===//
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/PassManager.h"

#include <cstdint>
#include <string>

namespace llvm {
class Function;
class FunctionPass;
class Module;
} // namespace llvm

namespace leno {

/// Kernels whose front end does not say what C their parameters are (`kernel_arg_type`, as OpenCL's has it)
/// get it from their debug information: numbers and pointers to numbers, by name.
void describeParameters(llvm::Module &module);

/// The same of what lies `offset` bytes into a parameter; "": it does not say.
std::string typeOfPart(const llvm::Function &kernel, unsigned parameter, uint64_t offset);

/// clang tells of variables as its own target's debuggers want it; `wanted`: somebody will read it.
void translateDebugInfo(llvm::Module &module, bool wanted);

/// A variable that is a vector is its elements, where these are numbers of their own: registers hold no whole
/// vectors.
struct PlaceElements : llvm::PassInfoMixin<PlaceElements> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

/// A variable that is a kernel's parameter is the word of c[0] where that lies, whether or not a register
/// holds it too. In DWARF: the offset, and `constu 4, swap, xderef`.
void placeParameters(llvm::Function &kernel, llvm::ArrayRef<uint32_t> offsets);

/// Those places hold from the kernel's first instruction on: selection has put them somewhere in its first
/// block.
llvm::FunctionPass *createParametersFromStart();

} // namespace leno
