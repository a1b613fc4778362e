//===- Tlb.h - Translations that an SM keeps [S1] -------------------------===//
// S1: a memory management unit maps virtual addresses to physical ones, and a
// lookaside buffer of an SM has those used last. What is not there is filled
// from the page table of the context, a word of 8 bytes for each page, which
// lies in the driver's memory and is asked for on the way of all requests.
// Physical addresses, of local memory and of stacks, need none.
//
// CHOICE: one level of table; empty when a launch begins and when other work
// comes to the SM, with contexts.perSm of that context's entries. The host's addresses are the host
// interface's to map [S3].
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/MachineConfig.h"
#include "emu/memory/ReadCache.h"

namespace leno {

class Tlb final : public MemoryModel {
public:
  /// Of all SMs; `config` has been checked.
  explicit Tlb(const MachineConfig &config);
  std::unique_ptr<MemoryModel> clone() const override { return std::make_unique<Tlb>(*this); }

  MemoryAnswer access(const MemoryRequest &request, u64 cycle, const MemoryBehind &behind) override;
  void arrive(unsigned sm, u64 context) override;
  CountTables counts() const override;
  std::vector<CacheView> cacheViews() const override;
  void addTo(StateHash &hash) const override {
    for (const ReadCache &entries : sms)
      entries.addTo(hash);
  }

  /// Where a context's page table is in the memory of its driver: above stacks and local memory.
  static constexpr u64 tableAddress = u64(3) << 40;
  static constexpr u64 entryBytes = 8;

private:
  u64 fill(const MemoryRequest &request, u64 page, u64 cycle, const MemoryBehind &behind) const;

  u64 latency;
  bool isShared;              ///< by several contexts
  std::vector<ReadCache> sms; ///< their entries
};

} // namespace leno
