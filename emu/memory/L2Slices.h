//===- L2Slices.h - The slices of a device, and the crossbar before them --===//
// S3: slices belong to pieces of memory, so everybody who sends requests meets
// in them. A grid that has the device to itself has them to itself; contexts
// that share a device (S4) share them, and evict each other's lines. They
// count and hold no bytes: results cannot depend on them.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/MachineConfig.h"
#include "emu/memory/Crossbar.h"
#include "emu/memory/L2Slice.h"
#include "emu/observe/Observer.h"

namespace leno {

class L2Slices {
public:
  /// `config` has been checked.
  explicit L2Slices(const MachineConfig &config);

  struct Answer {
    u64 cycle; ///< in which it comes
    bool hit;
  };
  /// For some bytes of a line, of a port that could send it in `cycle`. An atomic reads and writes in the
  /// slice: one request.
  Answer request(unsigned port, u64 line, const L2Slice::ByteMask &bytes, MemoryAccess::Kind kind, u64 cycle);

  /// A port for each SM, and the host's.
  unsigned hostPort() const { return routes.ports() - 1; }
  /// The last cycle in which somebody had something to send.
  u64 latest() const { return latestCycle; }
  void sends(u64 cycle) { latestCycle = std::max(latestCycle, cycle); }
  bool takesTime() const { return timed; }
  u64 lineBytes() const { return bytesOfLine; }

  unsigned count() const { return routes.slices(); }
  const L2Slice::Counts &slice(unsigned number) const { return slices[number].counts(); }
  /// Requests that came to the slice, of all SMs and the host.
  u64 requestsOf(unsigned number) const;

private:
  bool timed;
  u64 bytesOfLine, l2Latency, memoryLatency;
  Crossbar routes;
  std::vector<L2Slice> slices;
  u64 latestCycle = 0;
};

} // namespace leno
