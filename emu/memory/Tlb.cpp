#include "emu/memory/Tlb.h"
#include "emu/MachineKey.h"
#include "emu/memory/PageTable.h"
#include "llvm/Support/FormatVariadic.h"

using namespace leno;
using llvm::ArrayRef;
using llvm::Error;

//===--- Its keys ---------------------------------------------------------===//

ArrayRef<MachineKey> MachineConfig::Tlb::keys() {
  static constexpr MachineKey rows[] = {
      {"tlb.model", MachineKey::Choice, 0, 1, "",
       "tlb: global accesses of an SM look their pages up, and are counted there",
       [](MachineConfig &c) -> uint64_t & { return c.tlb.model; }, "none|tlb"},
      {"tlb.entries", MachineKey::Integer, 1, 1 << 16, "pages", "that the TLB of an SM keeps",
       [](MachineConfig &c) -> uint64_t & { return c.tlb.entries; }},
      {"tlb.ways", MachineKey::Integer, 1, 1 << 16, "", "entries of a set of it",
       [](MachineConfig &c) -> uint64_t & { return c.tlb.ways; }},
      {"tlb.latency", MachineKey::Integer, 0, 1 << 20, "cycles",
       "of a look-up; a miss asks for the page table's word then, and waits for it",
       [](MachineConfig &c) -> uint64_t & { return c.tlb.latency; }},
  };
  return rows;
}

Error MachineConfig::Tlb::check() const {
  if (entries % ways == 0)
    return Error::success();
  return llvm::createStringError(llvm::formatv(
      "the machine's tlb.ways is {0}; it must divide the number of entries, {1}", ways, entries));
}

//===--- The buffers ------------------------------------------------------===//

Tlb::Tlb(const MachineConfig &config)
    : latency(config.tlb.latency), isShared(config.contexts.perSm > 1),
      sms(config.sm.count, ReadCache(CacheShape{config.tlb.entries, 1, config.tlb.ways})) {}

/// When the entry is there.
u64 Tlb::fill(const MemoryRequest &request, u64 page, u64 cycle, const MemoryBehind &behind) const {
  u64 word = request.context + tableAddress + page * entryBytes, inLine = word % request.lineBytes;
  MemoryRequest walk = request;
  walk.address = walk.physical = word - inLine;
  walk.bytes = ByteMask::range(inLine, entryBytes);
  walk.kind = MemoryAccess::Kind::Load;
  walk.sender = MemoryRequest::Walk;
  return behind.access(walk, cycle).cycle;
}

MemoryAnswer Tlb::access(const MemoryRequest &request, u64 cycle, const MemoryBehind &behind) {
  if (request.sender != MemoryRequest::Global)
    return behind.access(request, cycle);
  u64 page = request.address / PageTable::pageBytes;
  u64 *count = behind.row(request.port);
  u64 number = request.addressInContext() / PageTable::pageBytes;
  MemoryAnswer entry =
      sms[request.port].read(number, cycle, latency, {count[0], count[1], count[2]},
                             [&](u64 missed) { return fill(request, page, missed, behind); });
  return behind.access(request, entry.cycle);
}

void Tlb::arrive(unsigned sm, u64 context) {
  sms[sm].drop(context / PageTable::pageBytes,
               (context + MemoryRequest::contextBytes) / PageTable::pageBytes);
}

std::vector<CacheView> Tlb::cacheViews() const {
  std::vector<CacheView> all;
  for (size_t i = 0; i < sms.size(); ++i) {
    all.push_back(sms[i].viewInContexts(CacheView::numbered("tlb", "TLB of SM", i, PageTable::pageBytes)));
    all.back().ofContexts = isShared;
  }
  return all;
}

CountTables Tlb::counts() const {
  static constexpr CountName names[] = {{"hits", "hits", "tlbHits", "TLB hits"},
                                        {"misses", "misses", "tlbMisses", "TLB misses"},
                                        {"evictions", "evictions"}};
  return {{"tlbBySm", "TLB by SM", "SM", names}};
}
