//===- CompiledTier.h - The tier that runs a kernel's machine code --------===//
// From leader to leader in compiled code, and what has no compiled form in the
// interpreter. Where somebody wants to hear of what compiled code does not
// tell, or the operations are not what was compiled, all is the interpreter's;
// the two change over between any two operations.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/compiled/CompiledKernel.h"
#include "emu/engine/Interpreter.h"

namespace leno {

class GridRun;

class CompiledTier final : public Tier {
public:
  /// `code`: the grid's.
  CompiledTier(const GridRun &grid, const LaunchCode &code,
               std::shared_ptr<const compiled::CompiledKernel> kernel);
  Ran run(Warp &warp, u64 budget) override;

private:
  bool isUsable();
  /// The number of the leader that the warp can be entered at now, or none.
  u32 leaderOf(const Warp &warp) const;
  void enter(Warp &warp, u32 leader, u64 &left);

  const GridRun &grid;
  const LaunchCode &code;
  std::shared_ptr<const compiled::CompiledKernel> kernel;
  Interpreter interpreter;
  u64 generation = ~u64(0);
  bool isAsCompiled = false; ///< in this generation
};

} // namespace leno
