//===- ClusterCache.h - Caches of what is only read, of SMs together ------===//
// Two of a kind, one behind the other:
//
//   the instruction cache of an SM, or of a few [S0: instructions are fetched
//     from it, and it reads memory]
//   the L1.5 of a cluster of SMs, behind their instruction caches and the
//     caches of constants [S1: of instructions, uniform data and constants]
//
// CHOICE: both stand on the memory side, where what they hold is known by
// physical addresses: who shares an SM or a cluster shares them, whatever its
// context, and nothing is dropped when an SM changes hands.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/MachineConfig.h"
#include "emu/memory/ReadCache.h"

namespace leno {

class ClusterCache final : public MemoryModel {
public:
  enum Kind : u8 { OfInstructions, L15 };
  /// `config` has been checked.
  ClusterCache(const MachineConfig &config, Kind kind);
  std::unique_ptr<MemoryModel> clone() const override { return std::make_unique<ClusterCache>(*this); }

  /// Requests in lines of any size.
  MemoryAnswer access(const MemoryRequest &request, u64 cycle, const MemoryBehind &behind) override;
  CountTables counts() const override;
  std::vector<CacheView> cacheViews() const override;
  void addTo(StateHash &hash) const override {
    for (const Cache &cache : caches)
      cache.lines.addTo(hash);
  }

private:
  struct Cache {
    ReadCache lines;
    u64 constantHits = 0, constantMisses = 0; ///< of all, those of constants
  };
  bool serves(MemoryRequest::Sender sender) const {
    return sender == MemoryRequest::Instruction || (kind == L15 && sender == MemoryRequest::Constant);
  }

  Kind kind;
  Divisor bytesOfLine, sms;
  u64 latency;
  std::vector<Cache> caches;
};

} // namespace leno
