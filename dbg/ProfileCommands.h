//===- ProfileCommands.h - info profile, profile ----------------------------===//
#pragma once

#include "dbg/Command.h"

namespace leno::dbg {

/// Rows of commands/Profile.cpp.
llvm::ArrayRef<Command> profileCommands();

} // namespace leno::dbg
