//===- RowAccesses.h - What is known of the rows of a frame ---------------===//
#pragma once
#include "emu/compiled/CompiledCode.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Function.h"
#include <optional>

namespace leno::compiled {

/// Where in the frame a pointer leads, if that is known: in bytes from R0.
std::optional<s64> placeInFrame(const llvm::Value *pointer, const llvm::Argument *frame,
                                const llvm::DataLayout &layout);

/// Immediates and RZ are constants, a constant of the launch is one word for all lanes, and what is written
/// to RZ is not written.
void replaceKnownRows(llvm::Function &function, const Region &region);

/// Copies of several rows, which compilers make of loops, become loads and stores of each.
void copyRowByRow(llvm::Function &function);

/// Rows that are only read and written at places known now become values, loaded where code is entered and
/// stored where it leaves. Others stay in the frame: those of which lanes are taken one by one.
void promoteRows(llvm::Function &function);

/// Ways into code that loads of their own would make longer than all else.
bool areMany(size_t waysIn);

/// `own`: what happens in blocks. Of each block that can be come to, what may have on the ways to its end.
using BitsOfBlocks = llvm::DenseMap<const llvm::BasicBlock *, llvm::BitVector>;
BitsOfBlocks onWaysToEnds(llvm::Function &function, const BitsOfBlocks &own, size_t bits);

/// Where code is left through `last`: before an instruction each, with what has happened on the ways to it.
struct WayOut {
  llvm::Instruction *before;
  llvm::BitVector happened;
};
/// A block of its own for each way out; where they are many, one for all on which the same has happened.
llvm::SmallVector<WayOut> waysOut(llvm::BasicBlock *last,
                                  llvm::function_ref<llvm::BitVector(const llvm::BasicBlock *)> happened);

} // namespace leno::compiled
