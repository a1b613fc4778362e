//===- BuiltinIncludes.h - Include files that every assembler has ---------===//
#pragma once

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace leno {

/// The folder that is searched after all others. It exists in withBuiltinFiles() alone: programs that assemble
/// with the library need no installed files.
constexpr const char *builtinFolder = "/leno-builtin";

/// The other files, and over them asm/include under builtinFolder.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
withBuiltinFiles(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> others);

/// Whether messages call one of them by that name.
bool isBuiltinFile(llvm::StringRef name);

/// The include file that defines a macro; empty when none does.
llvm::StringRef builtinFileOfMacro(llvm::StringRef macro);

} // namespace leno
