//===- CompilerProcess.h - Code that is made beside the launch ------------===//
// By a process of its own, of low priority: it can be left at any time, and
// what goes wrong in it is nobody else's. It keeps what it makes on disk, also
// that which this process does not wait for any more.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/compiled/CodeCache.h"
#include <mutex>
#include <string>
#include <sys/types.h>

namespace leno::compiled {

class CompilerProcess {
public:
  ~CompilerProcess() { close(); }
  /// The image of a region; empty: it could not be made. `program`: leno-compile-region.
  std::string imageOf(const Region &region, const CodeCache::Key &key, const std::string &program);
  /// All that was asked for is made: there is no such process until the next is.
  void close();
  /// Leaves what runs now, and from now on nothing is made. For any thread.
  void end();

private:
  bool start(const std::string &program);

  std::mutex mutex;
  pid_t child = 0; ///< 0: none
  int socket = -1; ///< to it
  bool hasEnded = false;
};

} // namespace leno::compiled
