//===- Compile.h - LLVM's IR to assembly text: the door of the code generator ---===//
#pragma once

#include "llvm/Support/Error.h"

#include <memory>
#include <string>

namespace llvm {
class LLVMContext;
class MemoryBuffer;
class Module;
class raw_ostream;
} // namespace llvm

namespace leno {

struct CompileOptions {
  unsigned level = 2;         ///< 0 to 3, as clang's -O
  bool debugInfo = false;     ///< the text says what of the source it comes from (DWARF): lines, variables, types
  bool wholeProgram = true;   ///< nothing else is linked to it: only its kernels are called from outside
  bool hostWords = false;     ///< launches give a global offset and printf's buffer (LaunchConfig::hostWords)
  unsigned stackBytes = 4096; ///< of local memory, for calls whose depth is not known
};

/// IR as text or bitcode, or SPIR-V; what is for SPIR becomes ours. The error is located in the text.
llvm::Expected<std::unique_ptr<llvm::Module>> readModule(const llvm::MemoryBuffer &input,
                                                         llvm::LLVMContext &context);

/// The module as the code generator gets it, optimized; diagnostics and errors as compileModule's.
llvm::Error optimizeModule(llvm::Module &module, const CompileOptions &options,
                           llvm::raw_ostream &diagnostics);

/// Turns a module into the text that leno-as reads. Its functions with the calling convention amdgpu_kernel,
/// spir_kernel or ptx_kernel are its kernels. Diagnostics go to `diagnostics`; the error says how many there
/// were. The module is changed on the way. The same bytes come out on every host.
llvm::Expected<std::string> compileModule(llvm::Module &module, const CompileOptions &options,
                                          llvm::raw_ostream &diagnostics);

/// Where the code generator is, for the message of an end that LLVM finds: "a.c:3:5: in 'f': ", or nothing.
std::string placeOfCompilation();

} // namespace leno
