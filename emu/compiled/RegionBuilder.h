//===- RegionBuilder.h - A region's function, before it is optimized ------===//
#pragma once
#include "emu/compiled/CompiledCode.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <string>

namespace leno::compiled {

/// Its function's name, which profilers of the host show: the warps that it is for and the kernel's address.
std::string regionName(const Region &region);
/// Marks where code is left, which writes the rows, where a warp ends, whose rows nobody needs, and where one
/// of a group begins, whose rows are zero.
inline constexpr const char leavingRows[] = "leno_leaving", endingRows[] = "leno_ending",
                            enteringRows[] = "leno_entering";
/// Gives, where code is entered at the leader of that number, whether rows are as the code needs them.
inline constexpr const char sharedRows[] = "leno_shared";

/// Gives, where code is left at a barrier, whether it goes on behind it instead, which it does not: so it is
/// known what comes to there, but for changes that others make.
inline constexpr const char passedBarrier[] = "leno_passed";
/// Of a branch by that: the way that is not gone.
const llvm::BasicBlock *behindBarrier(const llvm::BasicBlock &block);

/// Adds the region's function to the lazily read module of the forms, which loses all that is not called.
llvm::Error buildRegion(llvm::Module &forms, const Region &region);

} // namespace leno::compiled
