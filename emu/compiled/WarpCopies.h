//===- WarpCopies.h - What code loads and stores of a warp ----------------===//
#pragma once
#include "llvm/IR/Function.h"

namespace leno::compiled {

/// A region's function copies what it keeps of a warp once, before it comes to a leader, and back once, where
/// it leaves. From now on each way in has its own copies, of which those that nobody reads are dead, and each
/// way out those that may have changed on the ways to it; but where these ways areMany().
void copyWhereNeeded(llvm::Function &function);

} // namespace leno::compiled
