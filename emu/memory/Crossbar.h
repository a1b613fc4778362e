//===- Crossbar.h - From any core to any slice ----------------------------===//
// S3: "each processor may access a cache line in any one of the L2 caches by
// determining the correct memory controller based on the physical cache line
// address and then issuing a request directly to that memory controller ...
// cache misses are not broadcast". Lines go to slices in turn. Each slice takes
// one request every `interval` cycles, whoever sends it; the ways through the
// crossbar do not meet anywhere else.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/StateHash.h"
#include "emu/memory/Divisor.h"
#include <algorithm>
#include <vector>

namespace leno {

class Crossbar {
public:
  Crossbar(unsigned ports, unsigned slices, u64 lineBytes, u64 interval)
      : lineBytes(lineBytes), ofSlices(slices), interval(interval), nextStart(slices),
        requests(ports * slices) {}

  unsigned slices() const { return unsigned(nextStart.size()); }
  unsigned ports() const { return unsigned(requests.size() / nextStart.size()); }
  unsigned sliceOf(u64 physical) const { return unsigned(ofSlices.remainder(lineBytes.quotient(physical))); }
  /// The line within the slice's own memory, so that all its sets are used.
  u64 lineWithinSlice(u64 physical) const { return ofSlices.quotient(lineBytes.quotient(physical)); }
  /// A request of `port` to `slice` that could start at `cycle`; when it does.
  u64 route(unsigned port, unsigned slice, u64 cycle) {
    ++requests[port * nextStart.size() + slice];
    u64 start = std::max(cycle, nextStart[slice]);
    nextStart[slice] = start + interval;
    waited += start - cycle;
    return start;
  }
  void addTo(StateHash &hash) const { hash.all(nextStart); }
  u64 requestsOf(unsigned port, unsigned slice) const { return requests[port * nextStart.size() + slice]; }
  /// Cycles that requests lost to others at the same slice.
  u64 waitCycles() const { return waited; }

private:
  Divisor lineBytes, ofSlices;
  u64 interval, waited = 0;
  std::vector<u64> nextStart;
  std::vector<u64> requests; ///< by port and slice
};

} // namespace leno
