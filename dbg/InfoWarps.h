//===- InfoWarps.h - The table of warps -----------------------------------===//
#pragma once

#include "dbg/Interpreter.h"

namespace leno::dbg {

/// The command info warps.
llvm::Error infoWarps(Interpreter &in, const Invocation &invocation);

} // namespace leno::dbg
