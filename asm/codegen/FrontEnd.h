//===- FrontEnd.h - C and OpenCL C to LLVM IR, by clang ---------------------------===//
#pragma once

#include "asm/support/RunFiles.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>
#include <vector>

namespace leno {

/// Whether a file's name says that it is C or OpenCL C: .c, .cl.
bool isSourceOfC(llvm::StringRef path);

struct FrontEndOptions {
  std::string language;           ///< c or cl; empty: as the file's name ends
  std::vector<std::string> words; ///< clang's options, as they are: -I, -D, -W, -f, -cl-, -std=, -M, ...
  unsigned level = 2;
};

/// Runs clang for its target amdgcn, whose address spaces and sizes are ours, without its optimizer. What
/// clang says goes to standard error. The result is bitcode. `leno/kernel.h` is found by #include, and OpenCL
/// C has its builtin functions.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> compileToIR(const std::string &path,
                                                                const FrontEndOptions &options);

/// Runs clang the same way for something else than IR: -E, -M, -MM or -fsyntax-only, which write to `output`
/// or to standard output.
llvm::Error runClang(const std::string &path, const FrontEndOptions &options, const std::string &action,
                     const std::string &output);

} // namespace leno
