//===- ServiceWarp.h - The warp that a handler's state is part of ---------===//
// For the services only: engines see no more than the state.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/warp/Warp.h"

namespace leno {

inline Warp &warpOf(WarpState &state) { return static_cast<Warp &>(state); }
inline unsigned lowest(LaneMask lanes) { return unsigned(__builtin_ctz(lanes)); }

} // namespace leno
