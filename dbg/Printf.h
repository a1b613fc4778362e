//===- Printf.h - Texts with values in them -------------------------------===//
#pragma once

#include "dbg/Interpreter.h"

namespace leno::dbg {

/// `\n`, `\t`, `\"`, `\\`, `\e`, `\a` and octal numbers as the characters that they are.
std::string withoutEscapes(llvm::StringRef text);

/// What C's printf makes of `"FORMAT", EXPRESSION, ...`; %s takes an address of global memory, or a generic
/// one. Errors are TextErrors.
llvm::Expected<std::string> formatPrintf(llvm::StringRef arguments, const WarpContext &context);
/// Whether it can be read at all, without any value.
llvm::Error checkPrintf(llvm::StringRef arguments);

} // namespace leno::dbg
