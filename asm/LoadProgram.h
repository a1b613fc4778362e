//===- LoadProgram.h - Any kind of input file to an executable ------------===//
#pragma once

#include "asm/Assembler.h"
#include "asm/Executable.h"

namespace leno {

/// Loads a program from assembly text (assembled with line tables and linked in memory), an object (linked),
/// an executable, or what leno-cc compiles (CompileSource.h). "-" is standard input, none of the last. The
/// assembler's and the compiler's diagnostics go to `diagnostics`; the error is one line.
llvm::Expected<Executable> loadProgram(llvm::StringRef path, const AssembleOptions &options,
                                       llvm::raw_ostream &diagnostics);

/// The bytes of the executable that such a file makes.
llvm::Expected<llvm::SmallVector<char, 0>> linkProgram(llvm::StringRef path, const AssembleOptions &options,
                                                       llvm::raw_ostream &diagnostics);

/// The same as linkProgram and loadProgram from text in memory, or the bytes of such a file; `name` stands for
/// the file in messages.
llvm::Expected<llvm::SmallVector<char, 0>> linkProgramText(llvm::StringRef text, llvm::StringRef name,
                                                           const AssembleOptions &options,
                                                           llvm::raw_ostream &diagnostics);
llvm::Expected<Executable> loadProgramText(llvm::StringRef text, llvm::StringRef name,
                                           const AssembleOptions &options, llvm::raw_ostream &diagnostics);

} // namespace leno
