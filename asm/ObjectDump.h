//===- ObjectDump.h - Objects and executables as text ---------------------===//
#pragma once

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace llvm {
class raw_ostream;
}

namespace leno {

struct DumpOptions {
  bool disassemble = true;
  bool kernels = false; ///< a table of the kernels' metadata
  bool raw = false;     ///< addresses and words beside each instruction
  bool source = false;  ///< source lines between the instructions
};

/// Prints a file. The plain disassembly assembles back to the same bytes: labels stand for branch targets and
/// relocated values, `.kernel` blocks for the metadata.
llvm::Error dump(llvm::MemoryBufferRef file, const DumpOptions &options, llvm::raw_ostream &os);

} // namespace leno
