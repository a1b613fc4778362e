//===- BuiltinIncludes.h - Include files that every assembler has ---------===//
#pragma once

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace leno {

/// The folder that is searched after all others. It exists in builtinFiles() alone: programs that assemble
/// with the library need no installed files.
constexpr const char *builtinFolder = "/leno-builtin";

class RunFiles;

/// The host's files, and over them asm/include under builtinFolder. Those of the host that are opened are
/// noted in `opened`.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> builtinFiles(RunFiles *opened = nullptr);

/// Whether messages call one of them by that name.
bool isBuiltinFile(llvm::StringRef name);

/// The include file that defines a macro; empty when none does.
llvm::StringRef builtinFileOfMacro(llvm::StringRef macro);

} // namespace leno
