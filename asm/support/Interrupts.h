// Ctrl-C and its like: held back for a moment, or a run that ends early and keeps what it has written so far.
#pragma once

#include <atomic>
#include <csignal>
#include <iterator>

namespace leno {

/// While it lives no SIGINT, SIGTERM or SIGHUP comes in. What LLVM installs handlers for meanwhile, and was
/// ignored before (nohup, a background job of a script), is ignored again afterwards.
class InterruptsHeld {
public:
  InterruptsHeld();
  ~InterruptsHeld();
  InterruptsHeld(const InterruptsHeld &) = delete;
  InterruptsHeld &operator=(const InterruptsHeld &) = delete;

private:
  /// SIGQUIT and SIGUSR2 are only LLVM's.
  static constexpr int handled[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR2};
  struct sigaction actions[std::size(handled)];
  sigset_t before;
};

/// While it lives, the first SIGINT, SIGTERM or SIGHUP sets a flag. A second one ends the process, and
/// removes files that are half written, as the first does afterwards. LLVM's own interrupt function would
/// remove a trace that shall be kept. One that is ignored stays so. One at a time.
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
