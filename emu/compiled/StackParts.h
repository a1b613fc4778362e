//===- StackParts.h - A stack's parts, for the tier that keeps its top ----===//
// While compiled code runs, the upper entries and the lanes that wait are with
// it. Nobody else may set these.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/warp/DivergenceStack.h"

namespace leno::compiled::parts {

LaneMask *waiting(DivergenceStack &stack); ///< by Reason
TokenStorage &storage(DivergenceStack &stack);
size_t &deepest(DivergenceStack &stack);
StackCounters &counts(TokenStorage &storage);

} // namespace leno::compiled::parts
