//===- WarpText.h - States of warps and lanes in words --------------------===//
#pragma once

#include "emu/warp/Warp.h"
#include <string>
#include <vector>

namespace leno::dbg {

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
};
/// Where the warp stands, then the calls that led there, the innermost first.
std::vector<CallFrame> callFrames(const Warp &warp);

struct LaneState {
  std::string state;  ///< "active", "waiting", "inactive", "exited", "no thread"
  std::string reason; ///< "" for an active lane of a running warp
};
LaneState describeLane(const Warp &warp, unsigned lane);

} // namespace leno::dbg
