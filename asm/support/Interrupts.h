// Ctrl-C in leno-run: the run ends early, and what it has written so far is kept.
#pragma once

#include <atomic>

namespace leno {

/// While it lives, the first SIGINT, SIGTERM or SIGHUP sets a flag. A second one ends the process, and
/// removes files that are half written, as the first does afterwards. LLVM's own interrupt function would
/// remove a trace that shall be kept. One at a time.
class Interrupts {
public:
  Interrupts();
  /// From here on an interrupt has its usual effect.
  ~Interrupts();
  Interrupts(const Interrupts &) = delete;
  Interrupts &operator=(const Interrupts &) = delete;

  static std::atomic<bool> &flag();
};

} // namespace leno
