//===- CompilerLibrary.h - The compiler, when it is wanted ----------------===//
// LLVM's code generator is large: who compiles nothing does not load it.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/compiled/CompiledCode.h"
#include "llvm/Support/Error.h"

namespace leno::compiled {

/// Loads it once, from beside the program that runs or from where it is installed. Fails, and says where it
/// was looked for, when it is not there or is not of this build.
llvm::Expected<const Compiler *> compilerLibrary();
/// The program that makes code beside a launch, which stands where the library does; empty: it is not there,
/// or nobody but the host's loader knows where, before the library is loaded.
std::string compilerProgram(const Compiler *loaded = nullptr);

} // namespace leno::compiled
