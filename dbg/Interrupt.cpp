#include "dbg/Interrupt.h"
#include <csignal>

namespace leno::dbg {

static volatile std::sig_atomic_t requested = 0;

void catchInterrupts() {
  struct sigaction action{};
  action.sa_handler = [](int) { requested = 1; };
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART; // the line being typed goes on
  sigaction(SIGINT, &action, nullptr);
}

bool interruptRequested() { return requested; }
void clearInterrupt() { requested = 0; }

} // namespace leno::dbg
