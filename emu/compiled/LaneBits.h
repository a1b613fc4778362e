//===- LaneBits.h - Bits of masks, lane by lane ---------------------------===//
#pragma once
#include "llvm/IR/Function.h"

namespace leno::compiled {

/// Each lane's bit of a mask, as the flags' is for .X, is taken from the mask at once and not by shifting it
/// for each lane.
void takeBitsAtOnce(llvm::Function &function);
/// One lane's word, of a number known when code runs, is taken by AVX-512 from registers.
void takeWordsAtOnce(llvm::Function &function);
/// x + (y in some lanes, and zero in the others) is x + y in these, and x elsewhere, and so for all that has
/// such a neutral number; a lane's bit is a one of that kind; and arithmetic in some lanes is chosen as numbers:
/// one masked instruction of AVX-512. To be called when instructions have been combined.
void chooseResults(llvm::Function &function);

} // namespace leno::compiled
