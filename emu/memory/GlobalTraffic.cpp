#include "emu/memory/GlobalTraffic.h"

using namespace leno;

static CacheShape shapeOf(const MachineConfig::L2 &config) {
  return {config.bytes, config.lineBytes, config.ways};
}

GlobalTraffic::GlobalTraffic(const MachineConfig &config)
    : timed(config.timing.model == MachineConfig::Timing::Cycles), lineBytes(config.l2.lineBytes),
      l2Latency(config.l2.latency), memoryLatency(config.timing.memoryLatency),
      routes(unsigned(config.sm.count), unsigned(config.l2.slices), config.l2.lineBytes,
             timed ? config.l2.interval : 0),
      l2(config.l2.slices, L2Slice(shapeOf(config.l2), nullptr)), perSm(config.sm.count) {}

void GlobalTraffic::access(unsigned sm, const MemoryAccess &access, WarpClock &clock) {
  requests.clear();
  for (LaneMask left = access.lanes; left; left &= left - 1) {
    u64 address = access.addresses[__builtin_ctz(left)], line = address / lineBytes;
    // Natural alignment: no access crosses a line. Neighbours come one after the other: look back first.
    auto same =
        std::find_if(requests.rbegin(), requests.rend(), [&](const Request &r) { return r.line == line; });
    Request &request = same == requests.rend() ? requests.emplace_back(Request{line, {}}) : *same;
    for (unsigned i = 0; i < access.bytes; ++i)
      request.bytes.set(address % lineBytes + i);
  }
  ++perSm[sm].accesses;
  u64 done = 0;
  for (const Request &request : requests)
    done = std::max(done, send(sm, request, access.kind, clock.now()));
  if (timed && access.kind != MemoryAccess::Kind::Store)
    perSm[sm].waitCycles += clock.waitUntil(done);
}

u64 GlobalTraffic::send(unsigned sm, const Request &request, MemoryAccess::Kind kind, u64 cycle) {
  u64 address = request.line * lineBytes;
  unsigned slice = routes.sliceOf(address);
  u64 within = routes.withinSlice(address) / lineBytes, start = routes.route(sm, slice, cycle);
  // An atomic reads and writes in the slice: one request.
  bool hit = kind == MemoryAccess::Kind::Store ? l2[slice].store(within, request.bytes)
                                               : l2[slice].load(within, request.bytes);
  if (kind == MemoryAccess::Kind::Atomic)
    l2[slice].store(within, request.bytes);
  ++perSm[sm].requests;
  perSm[sm].hits += hit;
  return start + l2Latency + (hit ? 0 : memoryLatency);
}

u64 GlobalTraffic::requestsOf(unsigned number) const {
  u64 sum = 0;
  for (unsigned sm = 0; sm < sms(); ++sm)
    sum += routes.requestsOf(sm, number);
  return sum;
}
