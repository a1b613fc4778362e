//===- GlobalTraffic.h - A grid's global accesses through the L2 ----------===//
// S3's memory side behind the SMs of a launch, as a model: which slice each
// access of a warp goes to, what is there, what that takes. Lanes that access
// one line make one request. The bytes themselves stay where the guest's
// memory is, so that results cannot depend on the model; addresses are taken
// as physical (one context). The slices are empty when a grid starts (CHOICE:
// the same launch, the same counts).
//
// With the cycle model a load or atomic makes its warp wait for the slowest of
// its lines; stores are posted. Without it nothing waits, and all is counted.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/MachineConfig.h"
#include "emu/Observer.h"
#include "emu/memory/Crossbar.h"
#include "emu/memory/L2Slice.h"

namespace leno {

class GlobalTraffic {
public:
  /// Of one SM.
  struct Counts {
    u64 accesses = 0;   ///< of warps
    u64 requests = 0;   ///< lines asked for or stored to
    u64 hits = 0;       ///< of the requests
    u64 waitCycles = 0; ///< of warps, with the cycle model
  };

  /// `config` has been checked.
  explicit GlobalTraffic(const MachineConfig &config);
  /// A warp of SM `sm` accesses memory; accesses that are not global do not come here. Moves `clock`.
  void access(unsigned sm, const MemoryAccess &access, WarpClock &clock);

  unsigned slices() const { return routes.slices(); }
  const L2Slice::Counts &slice(unsigned number) const { return l2[number].counts(); }
  /// Requests that came to the slice, of all SMs.
  u64 requestsOf(unsigned number) const;
  unsigned sms() const { return unsigned(perSm.size()); }
  const Counts &sm(unsigned number) const { return perSm[number]; }

private:
  struct Request {
    u64 line;
    L2Slice::ByteMask bytes;
  };
  u64 send(unsigned sm, const Request &request, MemoryAccess::Kind kind, u64 cycle);

  bool timed;
  u64 lineBytes, l2Latency, memoryLatency;
  Crossbar routes;
  std::vector<L2Slice> l2;
  std::vector<Counts> perSm;
  std::vector<Request> requests; ///< of the access at hand
};

} // namespace leno
