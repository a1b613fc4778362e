//===- CompileSource.h - Programs in C, by leno-cc ------------------------===//
// The compiler is a process of its own: who runs programs links neither LLVM's code generator nor clang.
//===----------------------------------------------------------------------===//
#pragma once

#include "asm/Assembler.h"

namespace leno {

/// C (.c), OpenCL C (.cl), LLVM's IR as text (.ll) or bitcode (.bc), SPIR-V (.spv), by the name's ending.
bool isCompiled(llvm::StringRef path);

/// The executable that leno-cc makes of such a file: LENO_CC in the environment, else the one beside this
/// program, else the first in PATH. Its `defines`, `includeDirs` and `optimization` are the compiler's. What
/// it says goes to `diagnostics`; the error is one line.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
compileSource(llvm::StringRef path, const AssembleOptions &options, llvm::raw_ostream &diagnostics);

/// Runs leno-cc with these words. What it says goes to `diagnostics`; the error is one line.
llvm::Error runCompiler(llvm::ArrayRef<std::string> words, llvm::raw_ostream &diagnostics);

} // namespace leno
