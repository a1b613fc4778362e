#include "asm/support/Interrupts.h"

#include "llvm/Support/Signals.h"
#include <csignal>
#include <iterator>

namespace leno {

static constexpr int Numbers[] = {SIGINT, SIGTERM, SIGHUP};
static struct sigaction usual[std::size(Numbers)];
static std::atomic<bool> interrupted = false;

static void restore() {
  for (unsigned i = 0; i < std::size(Numbers); ++i)
    sigaction(Numbers[i], &usual[i], nullptr);
}

Interrupts::Interrupts() {
  llvm::sys::SetInterruptFunction(nullptr); // installs LLVM's handlers, which would else come over ours later
  struct sigaction note{};
  note.sa_handler = [](int) {
    interrupted = true;
    restore();
  };
  sigemptyset(&note.sa_mask);
  note.sa_flags = SA_RESTART;
  for (unsigned i = 0; i < std::size(Numbers); ++i)
    sigaction(Numbers[i], &note, &usual[i]);
}

std::atomic<bool> &Interrupts::flag() { return interrupted; }
Interrupts::~Interrupts() { restore(); }

} // namespace leno
