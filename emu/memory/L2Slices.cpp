#include "emu/memory/L2Slices.h"

using namespace leno;

static CacheShape shapeOf(const MachineConfig::L2 &config) {
  return {config.bytes, config.lineBytes, config.ways};
}

L2Slices::L2Slices(const MachineConfig &config)
    : timed(config.timing.model == MachineConfig::Timing::Cycles), bytesOfLine(config.l2.lineBytes),
      l2Latency(config.l2.latency), memoryLatency(config.timing.memoryLatency),
      routes(unsigned(config.sm.count) + 1, unsigned(config.l2.slices), config.l2.lineBytes,
             timed ? config.l2.interval : 0),
      slices(config.l2.slices, L2Slice(shapeOf(config.l2), nullptr)) {}

L2Slices::Answer L2Slices::request(unsigned port, u64 line, const L2Slice::ByteMask &bytes,
                                   MemoryAccess::Kind kind, u64 cycle) {
  u64 address = line * bytesOfLine;
  unsigned number = routes.sliceOf(address);
  u64 within = routes.withinSlice(address) / bytesOfLine, start = routes.route(port, number, cycle);
  L2Slice &slice = slices[number];
  bool isStore = kind == MemoryAccess::Kind::Store;
  bool hit = isStore ? slice.store(within, bytes) : slice.load(within, bytes);
  if (kind == MemoryAccess::Kind::Atomic)
    slice.store(within, bytes);
  // A store needs nothing from memory.
  return {start + l2Latency + (hit || isStore ? 0 : memoryLatency), hit};
}

u64 L2Slices::requestsOf(unsigned number) const {
  u64 sum = 0;
  for (unsigned port = 0; port < routes.ports(); ++port)
    sum += routes.requestsOf(port, number);
  return sum;
}
