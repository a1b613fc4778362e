//===- CompilerProcess.h - Code that is made beside the launch ------------===//
// By a process of its own, of low priority: it can be ended at any
// time, and what goes wrong in it is nobody else's.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/compiled/CompiledCode.h"
#include <mutex>
#include <string>
#include <sys/types.h>

namespace leno::compiled {

class CompilerProcess {
public:
  /// The image of a region; empty: it could not be made. `program`: leno-compile-region.
  std::string imageOf(const Region &region, const std::string &program);
  /// Ends what runs now, and from now on nothing is made. For any thread.
  void end();

private:
  std::mutex mutex;
  pid_t child = 0; ///< 0: none
  bool hasEnded = false;
};

} // namespace leno::compiled
