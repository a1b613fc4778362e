//===- Linker.h - Objects to one executable, as a library -----------------===//
// Merges sections by name, resolves symbols, applies relocations (also in
// .debug_*), and joins the kernels' metadata. Code starts at byte address 0.
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace leno {

/// What kind of file the bytes claim to be, and an error when they are no Leno file at all.
enum class FileKind { Source, Object, Executable };
llvm::Expected<FileKind> identifyFile(llvm::MemoryBufferRef file);

/// Links objects into an executable. All undefined and duplicate symbols are told together.
llvm::Expected<llvm::SmallVector<char, 0>> link(llvm::ArrayRef<llvm::MemoryBufferRef> objects);

} // namespace leno
