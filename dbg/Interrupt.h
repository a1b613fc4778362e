//===- Interrupt.h - Ctrl-C as a question the session asks ----------------===//
#pragma once

#include <functional>

namespace leno::dbg {

/// From now on SIGINT only sets a flag; where it is ignored (nohup) it stays so.
void catchInterrupts();
bool interruptRequested();
void clearInterrupt();
/// Somebody else who may ask for a stop, until he asks no more: clearing takes only Ctrl-C back. Empty:
/// nobody. He is asked wherever Ctrl-C is looked for, also while interrupts are ignored, and may use the time
/// to answer those who wait.
void setInterruptSource(std::function<bool()> source);

/// While it lives nothing is interrupted: what was begun has to be completed.
class InterruptsIgnored {
public:
  InterruptsIgnored();
  ~InterruptsIgnored();
  InterruptsIgnored(const InterruptsIgnored &) = delete;
  InterruptsIgnored &operator=(const InterruptsIgnored &) = delete;
};

} // namespace leno::dbg
