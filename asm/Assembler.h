//===- Assembler.h - Text to object, as a library -------------------------===//
#pragma once

#include "asm/CheckReport.h"
#include "asm/support/RunFiles.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace leno {

struct AssembleOptions {
  std::vector<std::string> includeDirs;
  std::vector<std::string> defines; ///< "SYM=VALUE"; the value is an integer in any radix, 1 when absent
  bool debugLines = false;          ///< DWARF line table for the assembly source
  /// What paths in the line table begin with, and what they begin with instead: builds in two folders give
  /// the same bytes.
  std::vector<std::pair<std::string, std::string>> prefixMap;
  bool standalone =
      false; ///< no other object will be linked: an undefined label is an error, told where it is used
  /// For those who run the program at once: the object tells which instructions name shared variables
  /// (KernelInfo::sharedUses), which no text of a disassembler would.
  bool sharedUses = false;
  unsigned maxErrors = 0; ///< stop telling after so many; 0: tell all
  bool colours = false;
  uint8_t optimization = 2;       ///< of what leno-cc compiles: 0 to 3
  WarningOptions warnings;        ///< of the static checker
  std::string *listing = nullptr; ///< where `-l` puts its text; null: none is made
  RunFiles *files = nullptr;      ///< notes what is read, `.include` and `.incbin` too
};

/// A `-D SYM[=VALUE]`, read. The error names the mistake.
struct Definition {
  llvm::StringRef name; ///< of `text`
  int64_t value;
};
llvm::Expected<Definition> readDefinition(llvm::StringRef text);

/// Assembles a file. Diagnostics (file:line:column, the source line, a caret) go to `diagnostics`; the error
/// says how many there were.
llvm::Expected<llvm::SmallVector<char, 0>> assemble(std::unique_ptr<llvm::MemoryBuffer> source,
                                                    const AssembleOptions &options,
                                                    llvm::raw_ostream &diagnostics);

/// The same, as text with each instruction's bytes (`--show-encoding`).
llvm::Error assembleToText(std::unique_ptr<llvm::MemoryBuffer> source, const AssembleOptions &options,
                           llvm::raw_ostream &out, llvm::raw_ostream &diagnostics);

} // namespace leno
