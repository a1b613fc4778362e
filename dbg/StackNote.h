//===- StackNote.h - What a changed PC leaves out -------------------------===//
#pragma once

#include "emu/warp/Lanes.h"
#include <string>

namespace leno::dbg {

class Interpreter;

/// A line about the instructions between two places that push or pop entries of the divergence stack, which a
/// warp that is moved from one to the other does not execute; empty when there are none.
std::string stackNote(Interpreter &in, u64 from, u64 to);

} // namespace leno::dbg
