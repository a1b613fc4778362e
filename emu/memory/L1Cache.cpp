#include "emu/memory/L1Cache.h"
#include "emu/MachineKey.h"
#include "emu/memory/MemoryPlace.h"

using namespace leno;
using llvm::ArrayRef;
using llvm::Error;

//===--- Its keys ---------------------------------------------------------===//

ArrayRef<MachineKey> MachineConfig::L1::keys() {
  static constexpr MachineKey rows[] = {
      {"l1.model", MachineKey::Choice, 0, 1, "",
       "cache: global and local accesses of an SM go through an L1, and are counted there",
       [](MachineConfig &c) -> uint64_t & { return c.l1.model; }, "none|cache"},
      {"l1.bytes", MachineKey::Bytes, 16, 1 << 20, "bytes", "of the L1 of an SM",
       [](MachineConfig &c) -> uint64_t & { return c.l1.bytes; }},
      {"l1.lineBytes", MachineKey::Bytes, 16, 256, "bytes", "of a line of it, a power of two",
       [](MachineConfig &c) -> uint64_t & { return c.l1.lineBytes; }, "",
       "a line holds at least the 16 bytes of a lane's access"},
      {"l1.ways", MachineKey::Integer, 1, 1 << 16, "", "lines of a set of it",
       [](MachineConfig &c) -> uint64_t & { return c.l1.ways; }},
      {"l1.latency", MachineKey::Integer, 1, 1 << 20, "cycles",
       "of a hit; a miss asks what is behind it so much later",
       [](MachineConfig &c) -> uint64_t & { return c.l1.latency; }},
  };
  return rows;
}

static CacheShape shapeOf(const MachineConfig::L1 &config) {
  return {config.bytes, config.lineBytes, config.ways};
}

Error MachineConfig::L1::check() const { return shapeOf(*this).check("l1."); }

//===--- The caches -------------------------------------------------------===//

L1Cache::L1Cache(const MachineConfig &config)
    : bytesOfLine(config.l1.lineBytes), latency(config.l1.latency), isShared(config.contexts.perSm > 1),
      sms(config.sm.count, ReadCache(shapeOf(config.l1))) {}

MemoryAnswer L1Cache::access(const MemoryRequest &request, u64 cycle, const MemoryBehind &behind) {
  bool isPlaced = request.physical & PlaceBits::all; // and so others write it, or it is the host's
  if (isPlaced || (request.sender != MemoryRequest::Global && request.sender != MemoryRequest::Local))
    return behind.access(request, cycle);
  ReadCache &lines = sms[request.port];
  u64 *count = behind.row(request.port);
  u64 number = bytesOfLine.quotient(request.addressInContext());
  if (request.kind == MemoryAccess::Kind::Load && request.cache == isa::LoadCache::CA)
    return lines.read(number, cycle, latency, {count[ReadHits], count[ReadMisses], count[Evictions]},
                      [&](u64 missed) {
                        MemoryRequest whole = request;
                        whole.bytes = ByteMask::range(0, bytesOfLine);
                        return behind.access(whole, missed).cycle;
                      });
  if (request.kind == MemoryAccess::Kind::Load)
    ++count[ReadsPast];
  if (request.cache == isa::LoadCache::CG)
    return behind.access(request, cycle);
  if (request.kind == MemoryAccess::Kind::Store)
    ++count[lines.touch(number) ? WriteHits : WriteMisses];
  else
    lines.drop(number);
  return behind.access(request, cycle);
}

void L1Cache::arrive(unsigned sm, u64 context) {
  sms[sm].drop(bytesOfLine.quotient(context), bytesOfLine.quotient(context + MemoryRequest::contextBytes));
}

std::vector<CacheView> L1Cache::cacheViews() const {
  std::vector<CacheView> all;
  for (size_t i = 0; i < sms.size(); ++i) {
    all.push_back(sms[i].viewInContexts(CacheView::numbered("l1", "L1 of SM", i, bytesOfLine)));
    all.back().ofContexts = isShared;
  }
  return all;
}

CountTables L1Cache::counts() const {
  static constexpr CountName names[] = {{"readHits", "read hits", "l1Hits", "L1 read hits"},
                                        {"readMisses", "read misses", "l1Misses", "L1 read misses"},
                                        {"writeHits", "write hits"},
                                        {"writeMisses", "write misses"},
                                        {"evictions", "evictions"},
                                        {"readsPast", "reads past it"}};
  return {{"l1BySm", "L1 by SM", "SM", names}};
}
