//===- LaneBits.h - Bits of masks, lane by lane ---------------------------===//
#pragma once
#include "llvm/IR/Function.h"

namespace leno::compiled {

/// Each lane's bit of a mask, as the flags' is for .X, is taken from the mask at once and not by shifting it
/// for each lane.
void takeBitsAtOnce(llvm::Function &function);

} // namespace leno::compiled
