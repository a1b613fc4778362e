//===- ObjectDump.h - Objects and executables as text ---------------------===//
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace leno {

class BlockHeat;

struct DumpOptions {
  bool disassemble = true;
  bool kernels = false;                 ///< a table of the kernels' metadata
  bool raw = false;                     ///< addresses and words beside each instruction
  bool source = false;                  ///< source lines between the instructions
  bool live = false;                    ///< which registers are needed later, beside each instruction
  bool graph = false;                   ///< only the control-flow graph, for Graphviz
  const BlockHeat *heat = nullptr;      ///< what colours it
  std::vector<std::string> kernelNames; ///< only these kernels
  std::vector<std::string> symbols;     ///< and what begins at these labels of code

  bool selects() const { return !kernelNames.empty() || !symbols.empty(); }
};

/// Words of a program without its file: 64-bit hexadecimal numbers in text, with blanks or commas between
/// them and # before comments, or (`isBinary`) eight bytes each, the lowest first. Gives an object to dump.
llvm::Expected<llvm::SmallVector<char, 0>> objectOfWords(llvm::MemoryBufferRef file, bool isBinary);

/// Prints a file. The plain disassembly assembles back to the same bytes: labels stand for branch targets and
/// relocated values, `.kernel` blocks for the metadata.
llvm::Error dump(llvm::MemoryBufferRef file, const DumpOptions &options, llvm::raw_ostream &os);

} // namespace leno
