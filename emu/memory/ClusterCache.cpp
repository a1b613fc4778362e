#include "emu/memory/ClusterCache.h"
#include "emu/MachineKey.h"

using namespace leno;
using llvm::ArrayRef;
using llvm::Error;

//===--- Their keys -------------------------------------------------------===//

ArrayRef<MachineKey> MachineConfig::ClusterCache::keys() {
  static constexpr MachineKey rows[] = {
      {"icache.model", MachineKey::Choice, 0, 1, "",
       "cache: warps fetch their instructions through a cache of their SM's, and wait for them",
       [](MachineConfig &c) -> uint64_t & { return c.icache.model; }, "none|cache"},
      {"icache.bytes", MachineKey::Bytes, 16, 64 << 20, "bytes", "of an instruction cache",
       [](MachineConfig &c) -> uint64_t & { return c.icache.bytes; }},
      {"icache.lineBytes", MachineKey::Bytes, 16, 256, "bytes", "of a line of it, a power of two",
       [](MachineConfig &c) -> uint64_t & { return c.icache.lineBytes; }, "",
       "a line holds at least two instructions"},
      {"icache.ways", MachineKey::Integer, 1, 1 << 20, "", "lines of a set of it",
       [](MachineConfig &c) -> uint64_t & { return c.icache.ways; }},
      {"icache.latency", MachineKey::Integer, 1, 1 << 20, "cycles",
       "of a hit; the first is the instruction's own. A miss asks what is behind it so much later",
       [](MachineConfig &c) -> uint64_t & { return c.icache.latency; }},
      {"icache.sms", MachineKey::Integer, 1, 1024, "", "SMs that share one",
       [](MachineConfig &c) -> uint64_t & { return c.icache.sms; }},
      {"l15.model", MachineKey::Choice, 0, 1, "",
       "cache: what instruction caches and the caches of constants miss goes through an L1.5 of a cluster of "
       "SMs",
       [](MachineConfig &c) -> uint64_t & { return c.l15.model; }, "none|cache"},
      {"l15.bytes", MachineKey::Bytes, 16, 64 << 20, "bytes", "of an L1.5",
       [](MachineConfig &c) -> uint64_t & { return c.l15.bytes; }},
      {"l15.lineBytes", MachineKey::Bytes, 16, 256, "bytes", "of a line of it, a power of two",
       [](MachineConfig &c) -> uint64_t & { return c.l15.lineBytes; }, "",
       "a line holds at least two instructions"},
      {"l15.ways", MachineKey::Integer, 1, 1 << 20, "", "lines of a set of it",
       [](MachineConfig &c) -> uint64_t & { return c.l15.ways; }},
      {"l15.latency", MachineKey::Integer, 1, 1 << 20, "cycles",
       "of a hit; a miss asks what is behind it so much later",
       [](MachineConfig &c) -> uint64_t & { return c.l15.latency; }},
      {"l15.sms", MachineKey::Integer, 1, 1024, "", "SMs of a cluster",
       [](MachineConfig &c) -> uint64_t & { return c.l15.sms; }},
  };
  return rows;
}

static CacheShape shapeOf(const MachineConfig::ClusterCache &config) {
  return {config.bytes, config.lineBytes, config.ways};
}

Error MachineConfig::checkClusterCaches() const {
  if (icache.model != ClusterCache::None && timing.model != Timing::Cycles)
    return llvm::createStringError("icache.model=cache needs a clock: set timing.model=cycles, too");
  if (l15.model != ClusterCache::None && icache.model == ClusterCache::None &&
      constants.model == Constants::None)
    return llvm::createStringError("l15.model=cache has nobody before it: set icache.model=cache or "
                                   "constants.model=caches, too");
  if (Error error = shapeOf(icache).check("icache."))
    return error;
  return shapeOf(l15).check("l15.");
}

//===--- The caches -------------------------------------------------------===//

static const MachineConfig::ClusterCache &settingsOf(const MachineConfig &config, ClusterCache::Kind kind) {
  return kind == ClusterCache::L15 ? config.l15 : config.icache;
}

ClusterCache::ClusterCache(const MachineConfig &config, Kind kind)
    : kind(kind), bytesOfLine(settingsOf(config, kind).lineBytes), sms(settingsOf(config, kind).sms),
      latency(settingsOf(config, kind).latency),
      caches((config.sm.count + sms - 1) / sms, Cache{ReadCache(shapeOf(settingsOf(config, kind)))}) {}

MemoryAnswer ClusterCache::access(const MemoryRequest &request, u64 cycle, const MemoryBehind &behind) {
  if (!serves(request.sender))
    return behind.access(request, cycle);
  Cache &cache = caches[sms.quotient(request.port)];
  MemoryAnswer all{cycle, true};
  inLines(request, bytesOfLine, [&](MemoryRequest line) {
    line.bytes = ByteMask::range(0, bytesOfLine);
    MemoryAnswer one = cache.lines.read(bytesOfLine.quotient(line.physical), cycle, latency,
                                        [&](u64 missed) { return behind.access(line, missed).cycle; });
    if (request.sender == MemoryRequest::Constant)
      ++(one.hit ? cache.constantHits : cache.constantMisses);
    all = {std::max(all.cycle, one.cycle), all.hit && one.hit};
  });
  return all;
}

std::vector<CacheView> ClusterCache::cacheViews() const {
  auto [name, title] =
      kind == L15 ? std::pair("l15", "L1.5 of cluster") : std::pair("icache", "instruction cache");
  std::vector<CacheView> all;
  for (size_t i = 0; i < caches.size(); ++i)
    all.push_back(caches[i].lines.view(CacheView::numbered(name, title, i, bytesOfLine)));
  return all;
}

CountTables ClusterCache::counts() const {
  static constexpr CountName ofInstructions[] = {
      {"hits", "hits", "icacheHits", "instruction cache hits"},
      {"misses", "misses", "icacheMisses", "instruction cache misses"},
      {"evictions", "evictions"}};
  static constexpr CountName ofClusters[] = {{"instructionHits", "instruction hits"},
                                             {"instructionMisses", "instruction misses"},
                                             {"constantHits", "constant hits"},
                                             {"constantMisses", "constant misses"},
                                             {"evictions", "evictions"}};
  CountTable table = kind == L15 ? CountTable{"l15Caches", "L1.5 by cluster", "cluster", ofClusters}
                                 : CountTable{"icaches", "instruction caches", "cache", ofInstructions};
  for (const Cache &cache : caches) {
    const ReadCache::Counts &c = cache.lines.counts();
    if (kind == L15)
      table.rows.push_back({c.hits - cache.constantHits, c.misses - cache.constantMisses, cache.constantHits,
                            cache.constantMisses, c.evictions});
    else
      table.rows.push_back({c.hits, c.misses, c.evictions});
  }
  return {table};
}
