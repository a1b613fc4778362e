//===- Interrupt.h - Ctrl-C as a question the session asks ----------------===//
#pragma once

namespace leno::dbg {

/// From now on SIGINT only sets a flag.
void catchInterrupts();
bool interruptRequested();
void clearInterrupt();

} // namespace leno::dbg
