//===- Replacing.h - Files that a command writes --------------------------===//
#pragma once

#include "dbg/Interpreter.h"

namespace leno::dbg {

/// Takes "-f" from the start of a command's arguments.
bool consumeForce(llvm::StringRef &arguments);

/// Whether `command` may write `path`. Never a file that this run reads or writes otherwise. One that is
/// there and not of the command's own kind (`isOwn`; else it is `whatElse`: "no saved session") only when it
/// is told so: by -f, or by the answer to a question where there is somebody to ask.
llvm::Error mayReplace(Interpreter &in, llvm::StringRef command, llvm::StringRef path, bool isForced,
                       bool isOwn, llvm::StringRef whatElse);

} // namespace leno::dbg
