// What a stop is called, once for all who tell of it: people, programs (Json.md) and editors (the protocol's
// reasons).
#pragma once

#include "dbg/Stops.h"

namespace leno::dbg {

struct StopWords {
  llvm::StringRef json;
  llvm::StringRef dap; ///< one of the protocol's reasons
  llvm::StringRef sentence;
};

/// Of watchpoints and catchpoints: by the first of those that were met.
StopWords wordsOf(const StopEvent &event, const Breakpoints &points);
/// "cycle 120: SM 2 saves 4096 bytes of context a"
std::string sentenceOf(const DeviceEvent &event, const Focus &focus);

} // namespace leno::dbg
