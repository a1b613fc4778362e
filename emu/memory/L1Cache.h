//===- L1Cache.h - The data cache between an SM and the crossbar [S1] ----===//
// Each SM has one, for what its warps access in global and local memory. Loads
// take lines as a whole. Stores go through to what is behind, and a line that is
// not there stays so: write-through, no allocate on write. Atomics are the
// slices' to do, and their lines are dropped. Loads with .cg go past it, and with
// .cv they drop the line too (PTX: cache operators). Stack entries have a cache of
// their own (StackCache.h) and go past.
//
// CHOICE: it is coherent by time only. It holds no bytes, so that a program
// reads what memory has; what other SMs and the host write takes no line away.
// It is empty when a launch begins and when other work comes to the SM; with
// contexts.perSm, of that context's lines, and of those of the others it is not.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/MachineConfig.h"
#include "emu/memory/ReadCache.h"

namespace leno {

class L1Cache final : public MemoryModel {
public:
  /// Of all SMs; `config` has been checked.
  explicit L1Cache(const MachineConfig &config);
  std::unique_ptr<MemoryModel> clone() const override { return std::make_unique<L1Cache>(*this); }

  MemoryAnswer access(const MemoryRequest &request, u64 cycle, const MemoryBehind &behind) override;
  u64 lineBytes() const override { return bytesOfLine; }
  void arrive(unsigned sm, u64 context) override;
  CountTables counts() const override;
  std::vector<CacheView> cacheViews() const override;
  void addTo(StateHash &hash) const override {
    for (const ReadCache &lines : sms)
      lines.addTo(hash);
  }
  enum Count { ReadHits, ReadMisses, WriteHits, WriteMisses, Evictions, ReadsPast };

private:
  Divisor bytesOfLine;
  u64 latency;
  bool isShared; ///< by several contexts
  std::vector<ReadCache> sms;
};

} // namespace leno
