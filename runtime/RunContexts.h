// leno-run --contexts: several contexts on one device, each with a stream of its own.
#pragma once

#include "runtime/PreparedContexts.h"
#include <atomic>

namespace leno::runtime {

struct RunContextsOptions {
  ContextOptions contexts;
  bool statistics = false, json = false;
  std::string trace; ///< a file for the device's events, "-", or empty
};

/// The exit status. `interrupted` becomes true when the user wants no more.
int runContexts(const char *tool, const RunContextsOptions &options, const std::atomic<bool> &interrupted);

} // namespace leno::runtime
