#include "emu/memory/HostSide.h"
#include "emu/MachineKey.h"
#include "llvm/Support/FormatVariadic.h"

using namespace leno;
using llvm::ArrayRef;
using llvm::Error;

//===--- Its keys ---------------------------------------------------------===//

ArrayRef<MachineKey> MachineConfig::Host::keys() {
  static constexpr MachineKey rows[] = {
      {"host.model", MachineKey::Choice, 0, 1, "",
       "clock: the CPU is on the machine's clock, with a link, a cache and a memory of its own",
       [](MachineConfig &c) -> uint64_t & { return c.host.model; }, "off|clock"},
      {"host.link", MachineKey::Integer, 0, 1 << 20, "cycles",
       "that an access takes longer when it goes to the other side's memory or cache",
       [](MachineConfig &c) -> uint64_t & { return c.host.link; }},
      {"host.linkInterval", MachineKey::Integer, 0, 1 << 20, "cycles",
       "between two requests over the link in one direction",
       [](MachineConfig &c) -> uint64_t & { return c.host.linkInterval; }},
      {"host.memoryLatency", MachineKey::Integer, 1, 1 << 20, "cycles", "of the CPU's memory",
       [](MachineConfig &c) -> uint64_t & { return c.host.memoryLatency; }},
      {"host.cache.latency", MachineKey::Integer, 1, 1 << 20, "cycles",
       "of a hit in the CPU's cache; a miss takes host.memoryLatency more",
       [](MachineConfig &c) -> uint64_t & { return c.host.cacheLatency; }},
      {"host.cache.bytes", MachineKey::Bytes, 16, 1 << 30, "bytes", "of the CPU's cache, with lines of l2.lineBytes",
       [](MachineConfig &c) -> uint64_t & { return c.host.cacheBytes; }},
      {"host.cache.ways", MachineKey::Integer, 1, 1 << 20, "", "lines of a set of it",
       [](MachineConfig &c) -> uint64_t & { return c.host.cacheWays; }},
      {"host.pollInterval", MachineKey::Integer, 0, 1 << 20, "cycles",
       "between the end of a poll of the CPU's and the next one",
       [](MachineConfig &c) -> uint64_t & { return c.host.pollInterval; }},
  };
  return rows;
}

static CacheShape shapeOf(const MachineConfig &config) {
  return {config.host.cacheBytes, config.l2.lineBytes, config.host.cacheWays};
}

Error MachineConfig::Host::check(const MachineConfig &whole) const {
  if (model == Off)
    return Error::success();
  if (whole.timing.model != Timing::Cycles)
    return llvm::createStringError("host.model=clock needs a clock: set timing.model=cycles, too");
  return shapeOf(whole).check("host.cache.");
}

Error leno::checkPlace(const MachineConfig &config, MemoryPlace place) {
  if (config.host.model == MachineConfig::Host::Off)
    return llvm::createStringError(
        llvm::formatv("the place {0} needs the host on the machine's clock: set host.model=clock and "
                      "timing.model=cycles",
                      placeName(place)));
  if (place == MemoryPlace::CoreCache && config.l2.model == MachineConfig::L2::Off)
    return llvm::createStringError(
        "the place core-cache is a slice of the L2, and the machine has none: set l2.model=slices");
  return Error::success();
}

//===--- The link, and what is behind it ----------------------------------===//

HostSide::HostSide(const MachineConfig &config)
    : link(config.host), cacheLatency(config.host.cacheLatency), memoryLatency(config.host.memoryLatency),
      bytesOfLine(config.l2.lineBytes), cache(shapeOf(config)) {}

MemoryAnswer HostSide::access(const MemoryRequest &request, u64 cycle, const MemoryBehind &behind) {
  if (!(request.physical & PlaceBits::host))
    return behind.access(request, cycle);
  MemoryAnswer answer{cycle, false};
  if (request.sender != MemoryRequest::Host)
    answer.cycle = link.cross(cycle, answer.atLink);
  if (request.physical & PlaceBits::past) {
    answer.cycle += memoryLatency;
    return answer;
  }
  u64 line = (request.physical & ~PlaceBits::all) / bytesOfLine;
  bool isStore = request.kind == MemoryAccess::Kind::Store;
  answer.hit = isStore ? cache.store(line, request.bytes) : cache.load(line, request.bytes);
  if (request.kind == MemoryAccess::Kind::Atomic)
    cache.store(line, request.bytes);
  answer.cycle += cacheLatency + (answer.hit || isStore ? 0 : memoryLatency);
  return answer;
}

std::vector<CacheView> HostSide::cacheViews() const {
  return {cache.view({"host", "CPU's cache", bytesOfLine})};
}

CountTables HostSide::counts() const {
  static constexpr CountName names[] = {{"readHits", "read hits"},     {"readMisses", "read misses"},
                                        {"writeHits", "write hits"},   {"writeMisses", "write misses"},
                                        {"evictions", "evictions"},    {"writeBacks", "write-backs"}};
  const L2Slice::Counts &c = cache.counts();
  return {link.counts("linkToHost", "link to the host"),
          {.key = "hostCache",
           .title = "CPU's cache",
           .of = "",
           .names = names,
           .rows = {{c.readHits, c.readMisses, c.writeHits, c.writeMisses, c.evictions, c.writeBacks}},
           .shape = CountTable::Sentence}};
}
