//===- Examine.h - Memory and the strings in it ---------------------------===//
#pragma once

#include "dbg/Interpreter.h"

namespace leno::dbg {

/// The command x.
llvm::Error examineMemory(Interpreter &in, const Invocation &invocation);
/// Prints the string that begins where the expression `text` names memory.
llvm::Error printString(Interpreter &in, llvm::StringRef text);

} // namespace leno::dbg
