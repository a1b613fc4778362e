// A checker, as those who run it see it.
#pragma once

#include "emu/observe/Observer.h"
#include "runtime/checks/FindingList.h"
#include <functional>

namespace leno {
class Executable;
struct KernelInfo;
} // namespace leno

namespace leno::checks {

/// What a grid runs, as far as its file tells.
struct RunningProgram {
  const Executable *executable = nullptr;
  const KernelInfo *kernel = nullptr;
  u64 globalBase = 0; ///< where the program's own global data are
};

/// What lanes of a warp do with an operation, and by which calls they came there.
Action actionOf(const Warp &warp, const Op &op, std::string what, LaneMask lanes);

/// What is at an address of global or shared memory, `bytes` of it, 8 at most; none: it is outside.
std::optional<u64> valueAt(const Warp &warp, MemorySpace space, u64 address, unsigned bytes);

/// A checker: an observer that gathers findings. They come in the order in which a machine with one host
/// thread meets them, equal ones counted at the first.
class Check : public Observer {
public:
  /// Those since the last take().
  const std::vector<Finding> &found() const { return findings.all(); }
  std::vector<Finding> take() { return findings.take(); }
  /// Told of each that no equal one came before, in the middle of what shows it.
  void onFinding(std::function<void(const Finding &)> tell) { findings.onNew = std::move(tell); }
  /// What it could not follow, as a sentence; empty: all was followed.
  virtual std::string limits() const { return ""; }
  /// Of shadow memory that grows with what is touched, at its largest; 0: it does not tell.
  virtual u64 shadowBytes() const { return 0; }

  // From who adds it.
  /// Shadow memory in bytes, at most.
  virtual void setMemory(u64 bytes) {}
  /// Unset: nothing is known of programs.
  std::function<RunningProgram(const GridRun &)> programOf;

protected:
  FindingList findings;
};

} // namespace leno::checks
