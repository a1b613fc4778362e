//===- Page.h - The warp view ----------------------------------------------===//
// One page with all it needs in it: with a debugger behind it, in a browser or in an editor, or with what one
// has answered before. Its parts stand in page/.
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"

namespace leno::dbg::web {

/// With a socket beside it.
std::string livePage();
/// In an editor, which passes on what it says. Nothing but what stands in it may be executed or loaded.
std::string panelPage();
/// With neither: `recording` is JSON (Recording.h).
void writePage(llvm::raw_ostream &os, llvm::StringRef recording);
/// The commands whose answers the page shows at every stop.
llvm::SmallVector<llvm::StringRef, 16> commandsOfStop();

} // namespace leno::dbg::web
