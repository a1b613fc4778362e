// What a stop is called, once for all who tell of it: people, programs (Json.md) and editors (the protocol's
// reasons).
#pragma once

#include "dbg/Session.h"

namespace leno::dbg {

struct StopWords {
  llvm::StringRef json;
  llvm::StringRef dap; ///< one of the protocol's reasons
  llvm::StringRef sentence;
};

/// Of watchpoints and catchpoints: by the first of those that were met.
StopWords wordsOf(const StopEvent &event, Session &session);

} // namespace leno::dbg
