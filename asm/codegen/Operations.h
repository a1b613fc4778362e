//===- Operations.h - Operations that are calls of the device library -------------===//
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace leno {

/// Turns operations that selection has no code for into calls of functions of the device library, and says
/// whether there were any. Divisions of integers, division and roots of doubles, the functions of math.
bool callForOperations(llvm::Module &module);

/// Atomic operations on generic addresses ask at run time whether the address is of shared memory.
void splitGenericAtomics(llvm::Module &module);

} // namespace leno
