//===- WarpText.h - States of warps and lanes in words --------------------===//
#pragma once

#include "asm/Executable.h"
#include "emu/warp/Warp.h"
#include <string>
#include <vector>

namespace leno::dbg {

namespace source {
class Program;
struct Scope;
} // namespace source

/// "running", "at barrier 0", "exited", "trapped".
std::string describeState(const Warp &warp);

/// Which lanes wait for each entry of the divergence stack, entry 0 the oldest. A lane in several entries
/// waits for the youngest that its reason fits (Architecture.md 5: the unwinding rule).
std::vector<LaneMask> lanesWaitingFor(const Warp &warp);

/// A call that a warp is in, or where it stands.
struct CallFrame {
  u64 at;        ///< the instruction that it stands before, or the call that it will return behind
  u64 returnsTo; ///< where it goes on
  LaneMask lanes;
  size_t level = 0;                        ///< how many calls out; of inlined functions the same
  const source::Scope *function = nullptr; ///< of the source, where that is known
};
/// Where the warp stands, then the calls that led there, the innermost first. With a source, those that were
/// taken in are among them.
std::vector<CallFrame> callFrames(const Warp &warp, const source::Program *source = nullptr);

/// The source line where a frame stands: of what has a function taken in, the line of that call.
std::optional<SourceLine> lineOf(llvm::ArrayRef<CallFrame> frames, size_t number, const Executable &program);

struct LaneState {
  std::string state;  ///< "active", "waiting", "inactive", "exited", "no thread"
  std::string reason; ///< "" for an active lane of a running warp
};
LaneState describeLane(const Warp &warp, unsigned lane);

} // namespace leno::dbg
