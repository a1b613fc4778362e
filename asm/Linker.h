//===- Linker.h - Objects to one executable, as a library -----------------===//
// Merges sections by name, resolves symbols, applies relocations (also in
// .debug_*), and joins the kernels' metadata. Code starts at byte address 0.
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <string>
#include <vector>

namespace leno {

/// What kind of file the bytes claim to be, and an error when they are no Leno file at all.
enum class FileKind { Source, Object, Executable };
llvm::Expected<FileKind> identifyFile(llvm::MemoryBufferRef file);

struct LinkOptions {
  bool relocatable =
      false;               ///< one object for a later link, nothing resolved that another file may still tell
  bool gcSections = false; ///< leave out sections that no kernel and no name in `undefined` leads to
  std::vector<std::string> undefined;          ///< names that must be defined, and are kept
  std::string *map = nullptr;                  ///< where everything lies, as a table
  std::vector<std::string> *removed = nullptr; ///< the sections that were left out: "a.o:(.text.f)"
};

/// Links objects into an executable. All undefined and duplicate symbols are told together.
llvm::Expected<llvm::SmallVector<char, 0>> link(llvm::ArrayRef<llvm::MemoryBufferRef> objects,
                                                const LinkOptions &options = {});

} // namespace leno
