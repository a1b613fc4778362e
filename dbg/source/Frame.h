//===- Frame.h - A lane in a function, and its variables there ------------===//
#pragma once

#include "dbg/WarpText.h"
#include "dbg/source/Object.h"
#include "dbg/source/Program.h"

namespace leno::dbg::source {

/// One lane where a call that is looked at stands: which registers are still those of then, and where the
/// others are kept (isa/CallingConvention.md).
struct LaneFrame {
  u64 pc = 0;
  bool isInnermost = true;
  std::optional<u32> stackPointer; ///< of a caller
  std::map<unsigned, u64> saved;   ///< registers: where in local memory

  /// A register, or where it is kept.
  Piece place(unsigned number) const;
};

/// How a function moved the stack pointer on the way to an instruction, and what it has saved.
struct Prologue {
  u64 pushed = 0;
  std::map<unsigned, s64> saved; ///< registers: from the stack pointer's old place
};
Prologue prologueOf(const Executable &program, u64 begin, u64 pc);

/// `level`: how many calls out. Fails when the lane is not in that call.
llvm::Expected<LaneFrame> laneFrame(const Warp &warp, const LaneContext &context, const Executable &program,
                                    const Program *source, unsigned lane, size_t level);

/// The scope that frame `number` of `frames` is in; null: unknown.
const Scope *scopeOf(llvm::ArrayRef<CallFrame> frames, size_t number, const Program &program);

/// What is needed of a launch to find a variable.
struct Surroundings {
  const Executable &executable;
  const KernelInfo &kernel;
  std::optional<u64> globalBase;
  const LaneContext &context;
};
Object place(const Variable &variable, const LaneFrame &frame, unsigned lane, const Surroundings &around);

} // namespace leno::dbg::source
