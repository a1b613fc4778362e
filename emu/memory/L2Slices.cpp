#include "emu/memory/L2Slices.h"
#include "emu/MachineKey.h"
#include "emu/memory/MemoryPlace.h"

using namespace leno;
using llvm::ArrayRef;
using llvm::Error;

//===--- Its keys ---------------------------------------------------------===//

ArrayRef<MachineKey> MachineConfig::L2::keys() {
  static constexpr MachineKey rows[] = {
      {"l2.model", MachineKey::Choice, 0, 1, "",
       "slices: global accesses go through L2 slices, and are counted there",
       [](MachineConfig &c) -> uint64_t & { return c.l2.model; }, "off|slices"},
      {"l2.slices", MachineKey::Integer, 1, 1024, "", "of the L2, each with a portion of the memory",
       [](MachineConfig &c) -> uint64_t & { return c.l2.slices; }},
      {"l2.bytes", MachineKey::Bytes, 16, 1 << 30, "bytes", "of a slice",
       [](MachineConfig &c) -> uint64_t & { return c.l2.bytes; }},
      {"l2.lineBytes", MachineKey::Bytes, 16, 256, "bytes",
       "of a line, a power of two; lines go to slices in turn",
       [](MachineConfig &c) -> uint64_t & { return c.l2.lineBytes; }, "",
       "a line holds at least the 16 bytes of a lane's access"},
      {"l2.ways", MachineKey::Integer, 1, 1 << 20, "", "lines of a set",
       [](MachineConfig &c) -> uint64_t & { return c.l2.ways; }},
      {"l2.latency", MachineKey::Integer, 1, 1 << 20, "cycles",
       "of a hit; a miss takes timing.memoryLatency more",
       [](MachineConfig &c) -> uint64_t & { return c.l2.latency; }},
      {"l2.interval", MachineKey::Integer, 1, 1 << 20, "cycles", "between two requests to a slice",
       [](MachineConfig &c) -> uint64_t & { return c.l2.interval; }},
  };
  return rows;
}

static CacheShape shapeOf(const MachineConfig::L2 &config) {
  return {config.bytes, config.lineBytes, config.ways};
}

Error MachineConfig::L2::check() const {
  MachineConfig whole;
  whole.l2 = *this;
  if (Error error = checkLimits(keys(), whole))
    return error;
  return shapeOf(*this).check("l2.");
}

//===--- The slices -------------------------------------------------------===//

L2Slices::L2Slices(const MachineConfig &config)
    : bytesOfLine(config.l2.lineBytes), latency(config.l2.latency),
      routes(unsigned(config.sm.count) + 1, unsigned(config.l2.slices), config.l2.lineBytes,
             config.timing.model == MachineConfig::Timing::Cycles ? config.l2.interval : 0),
      slices(config.l2.slices, L2Slice(shapeOf(config.l2))) {}

MemoryAnswer L2Slices::access(const MemoryRequest &request, u64 cycle, const MemoryBehind &behind) {
  if (request.lineBytes == bytesOfLine) [[likely]]
    return accessLine(request, cycle, behind);
  MemoryAnswer all{cycle, true};
  inLines(request, bytesOfLine, [&](const MemoryRequest &line) {
    MemoryAnswer one = accessLine(line, cycle, behind);
    all = {std::max(all.cycle, one.cycle), all.hit && one.hit};
  });
  return all;
}

MemoryAnswer L2Slices::accessLine(const MemoryRequest &request, u64 cycle, const MemoryBehind &behind) {
  u64 physical = request.physical & ~PlaceBits::all;
  unsigned number = routes.sliceOf(physical);
  u64 within = routes.lineWithinSlice(physical);
  u64 start = routes.route(request.port, number, cycle), waited = start - cycle, answer = start + latency;
  if (request.physical & PlaceBits::past) // S3: the memory's time alone
    return {behind.access(request, start).cycle, false, waited};
  L2Slice &slice = slices[number];
  bool isStore = request.kind == MemoryAccess::Kind::Store;
  bool hit = isStore ? slice.store(within, request.bytes) : slice.load(within, request.bytes);
  if (request.kind == MemoryAccess::Kind::Atomic)
    slice.store(within, request.bytes);
  if (hit || isStore)
    return {answer, hit, waited};
  return {behind.access(request, answer).cycle, false, waited};
}

u64 L2Slices::requestsOf(unsigned number) const {
  u64 sum = 0;
  for (unsigned port = 0; port < routes.ports(); ++port)
    sum += routes.requestsOf(port, number);
  return sum;
}

std::vector<CacheView> L2Slices::cacheViews() const {
  std::vector<CacheView> all;
  for (unsigned i = 0; i < count(); ++i)
    all.push_back(slices[i].view(CacheView::numbered("l2", "L2 slice", i, bytesOfLine), i, count()));
  return all;
}

CountTables L2Slices::counts() const {
  static constexpr CountName names[] = {{"requests", "requests"},        {"readHits", "read hits"},
                                        {"readMisses", "read misses"},   {"writeHits", "write hits"},
                                        {"writeMisses", "write misses"}, {"evictions", "evictions"},
                                        {"writeBacks", "write-backs"}};
  CountTable table{"l2Slices", "memory by L2 slice", "slice", names};
  for (unsigned i = 0; i < count(); ++i) {
    const L2Slice::Counts &c = slice(i);
    table.rows.push_back(
        {requestsOf(i), c.readHits, c.readMisses, c.writeHits, c.writeMisses, c.evictions, c.writeBacks});
  }
  return {table};
}
