//===- SharedStores.h - Where stores to shared memory are still to come ----===//
// A warp whose way leads to none before it waits at a barrier for all of its CTA
// leaves shared memory as it is until then. Whoever knows that of all warps of a
// CTA can read there before others have had their turns (engine/RunAhead.h).
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/program/Program.h"

namespace leno {

class SharedStores {
public:
  explicit SharedStores(const Program &program);
  /// From operation `index` on, on some way through the program.
  bool canComeFrom(size_t index) const { return canCome[index]; }

private:
  std::vector<bool> canCome; ///< by operation, the one behind the last included
};

} // namespace leno
