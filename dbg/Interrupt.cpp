#include "dbg/Interrupt.h"
#include <csignal>

namespace leno::dbg {

static volatile std::sig_atomic_t requested = 0;
static std::function<bool()> otherSource;
static unsigned ignored = 0;

void catchInterrupts() {
  struct sigaction action{};
  if (sigaction(SIGINT, nullptr, &action) == 0 && action.sa_handler == SIG_IGN)
    return;
  action = {};
  action.sa_handler = [](int) { requested = 1; };
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART; // the line being typed goes on
  sigaction(SIGINT, &action, nullptr);
}

bool interruptRequested() {
  bool other = otherSource && otherSource();
  return !ignored && (requested || other);
}
void clearInterrupt() { requested = 0; }
void setInterruptSource(std::function<bool()> source) { otherSource = std::move(source); }

InterruptsIgnored::InterruptsIgnored() { ++ignored; }
InterruptsIgnored::~InterruptsIgnored() { --ignored; }

} // namespace leno::dbg
