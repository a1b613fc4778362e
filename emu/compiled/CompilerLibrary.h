//===- CompilerLibrary.h - The compiler, when it is wanted ----------------===//
// LLVM's code generator is large: who compiles nothing does not load it.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/compiled/CompiledCode.h"
#include "llvm/Support/Error.h"
#include <string>

namespace leno::compiled {

/// Where it lies: beside the program that runs, where it is installed, or where the host's loader looks.
/// Fails, and says where it was looked for, when it is not there.
llvm::Expected<std::string> compilerFile();
/// LLVM's library, that it is linked with; its name alone where that is not in a usual place.
std::string fileOfLLVM();
/// Loads it once. Fails where that fails, or where it is not of this build.
llvm::Expected<const Compiler *> compilerLibrary();
/// Fails as these do, but loads nothing: what can't be loaded is told once something was to be made.
llvm::Error checkCompiler();
/// The program that makes code beside a launch, which stands where the library does; empty: it is not there.
std::string compilerProgram();

} // namespace leno::compiled
