//===- InlineAssembly.h - What asm statements of C need beside their text ------===//
#pragma once

namespace llvm {
class Module;
}

namespace leno {

/// Gives each inline assembly a mark of its line, by which the assembler's messages name the source, and the
/// registers that its text names as clobbered: clang knows only another machine's names.
void prepareInlineAssembly(llvm::Module &module);

} // namespace leno
