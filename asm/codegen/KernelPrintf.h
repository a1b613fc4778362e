//===- KernelPrintf.h - OpenCL C's printf ---------------------------------------------===//
#pragma once

namespace llvm {
class Module;
} // namespace llvm

namespace leno {

/// Each call of printf becomes a record in the launch's buffer, which the host prints when the kernel has ended:
/// words of 64 bits, the address of the format first, then the arguments, vectors element by element; floats of
/// every width are doubles. Where there is no room, or the launch has no buffer, the call gives -1.
void lowerPrintf(llvm::Module &module);

} // namespace leno
