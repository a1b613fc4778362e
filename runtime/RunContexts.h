// leno-run --contexts: several contexts on one device, each with a stream of its own.
#pragma once

#include "runtime/PreparedContexts.h"

namespace leno::runtime {

struct RunContextsOptions {
  ContextOptions contexts;
  bool statistics = false, json = false;
  std::string trace; ///< a file for the device's events, "-", or empty
};

/// The exit status.
int runContexts(const char *tool, const RunContextsOptions &options);

} // namespace leno::runtime
