#include "asm/support/Interrupts.h"

#include "llvm/Support/Signals.h"
#include <pthread.h>

namespace leno {

static constexpr int Numbers[] = {SIGINT, SIGTERM, SIGHUP};
static struct sigaction usual[std::size(Numbers)];
static std::atomic<bool> interrupted = false;

InterruptsHeld::InterruptsHeld() {
  sigset_t held;
  sigemptyset(&held);
  for (int number : Numbers)
    sigaddset(&held, number);
  pthread_sigmask(SIG_BLOCK, &held, &before);
  for (unsigned i = 0; i < std::size(handled); ++i)
    sigaction(handled[i], nullptr, &actions[i]);
}

InterruptsHeld::~InterruptsHeld() {
  for (unsigned i = 0; i < std::size(handled); ++i)
    if (actions[i].sa_handler == SIG_IGN)
      sigaction(handled[i], &actions[i], nullptr);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

static void restore() {
  for (unsigned i = 0; i < std::size(Numbers); ++i)
    sigaction(Numbers[i], &usual[i], nullptr);
}

Interrupts::Interrupts() {
  {
    InterruptsHeld hold;
    llvm::sys::SetInterruptFunction(
        nullptr); // installs LLVM's handlers, which would else come over ours later
  }
  struct sigaction note{};
  note.sa_handler = [](int) {
    interrupted = true;
    restore();
  };
  sigemptyset(&note.sa_mask);
  note.sa_flags = SA_RESTART;
  for (unsigned i = 0; i < std::size(Numbers); ++i) {
    sigaction(Numbers[i], nullptr, &usual[i]);
    if (usual[i].sa_handler != SIG_IGN)
      sigaction(Numbers[i], &note, nullptr);
  }
}

std::atomic<bool> &Interrupts::flag() { return interrupted; }
Interrupts::~Interrupts() { restore(); }

} // namespace leno
