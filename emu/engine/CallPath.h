// The calls that a warp is in.
#pragma once
#include "emu/Trap.h"

namespace leno {

class Warp;

/// The innermost first; those from one place in a row are one.
std::vector<CallSite> callPath(const Warp &warp);

} // namespace leno
