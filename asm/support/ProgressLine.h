//===- ProgressLine.h - How far long work has come ------------------------===//
// A line on standard error that is written over again, and goes when the work is done. Only on a terminal,
// and not for what is over within a second.
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>

namespace leno {

class ProgressLine {
public:
  ProgressLine() : onTerminal(llvm::sys::Process::StandardErrIsDisplayed()) {}
  ~ProgressLine() {
    if (shown)
      llvm::errs() << "\r\x1b[K";
  }
  ProgressLine(const ProgressLine &) = delete;
  ProgressLine &operator=(const ProgressLine &) = delete;

  double seconds() const { return std::chrono::duration<double>(Clock::now() - start).count(); }
  /// To be called often; `describe` writes the line, and is asked five times a second.
  template <class Describe> void update(Describe describe) {
    if (!onTerminal || seconds() < next)
      return;
    next = seconds() + 0.2;
    shown = true;
    llvm::errs() << "\r\x1b[K";
    describe(llvm::errs());
  }

private:
  using Clock = std::chrono::steady_clock;
  bool onTerminal, shown = false;
  Clock::time_point start = Clock::now();
  double next = 1;
};

} // namespace leno
