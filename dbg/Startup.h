//===- Startup.h - Commands that every session begins with ----------------===//
#pragma once

#include "dbg/Interpreter.h"

namespace leno::dbg {

/// leno/dbginit in $XDG_CONFIG_HOME (or ~/.config), else ~/.lenodbginit; nothing when there is neither. Its
/// lines are not shown.
llvm::Error readStartupFile(Interpreter &interpreter);
/// .lenodbginit of this folder, which may have come with somebody's files: run only where `set auto-load
/// safe-path` says so, else told of.
llvm::Error readStartupFileHere(Interpreter &interpreter);

} // namespace leno::dbg
