//===- Page.h - The warp view ----------------------------------------------===//
// One page with all it needs in it, in two homes: with a debugger behind it, or with what one has answered
// before. Its parts stand in page/.
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

namespace leno::dbg::web {

/// With a socket beside it.
std::string livePage();
/// Without: `recording` is JSON (Recording.h).
void writePage(llvm::raw_ostream &os, llvm::StringRef recording);
/// The commands whose answers the page shows at every stop.
llvm::SmallVector<llvm::StringRef, 16> commandsOfStop();

} // namespace leno::dbg::web
