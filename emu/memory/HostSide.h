//===- HostSide.h - The link to the CPU, its cache and its memory [S3] ----===//
// S3: T cycles to the CPU's own memory, T/5 to its own cache; the other side's
// take the link's cycles more. It stands before the slices: what is the CPU's
// is answered here, and the device's own goes on. Cores that access the CPU's
// go over the link. The CPU goes over it, too, before its requests come here
// (device/HostProcessor.h): they are in the crossbar when they get there, and
// not when they leave.
//
// The cache has tags and times, as every model (MemoryModel.h), and lines as
// long as the slices'.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/MachineConfig.h"
#include "emu/memory/L2Slice.h"
#include "emu/memory/MemoryModel.h"
#include "emu/memory/MemoryPlace.h"

namespace leno {

/// One direction of the link.
class HostLink {
public:
  explicit HostLink(const MachineConfig::Host &config) : latency(config.link), interval(config.linkInterval) {}
  /// When a request that could start at `cycle` is over it, and in `waited` how long it could not start.
  u64 cross(u64 cycle, u64 &waited) {
    u64 start = std::max(cycle, nextStart);
    nextStart = start + interval;
    waited = start - cycle;
    waits += waited;
    ++crossings;
    return start + latency;
  }
  void addTo(StateHash &hash) const { hash.add(nextStart, crossings, waits); }
  CountTable counts(const char *key, const char *title) const {
    static constexpr CountName names[] = {{"requests", "requests"}, {"waitCycles", "wait cycles"}};
    return {key, title, "", names, {{crossings, waits}}, CountTable::Sentence};
  }

private:
  u64 latency, interval, nextStart = 0, crossings = 0, waits = 0;
};

/// Fails where the machine has no such place, with what to set.
llvm::Error checkPlace(const MachineConfig &config, MemoryPlace place);

class HostSide final : public MemoryModel {
public:
  /// `config` has been checked.
  explicit HostSide(const MachineConfig &config);
  std::unique_ptr<MemoryModel> clone() const override { return std::make_unique<HostSide>(*this); }

  MemoryAnswer access(const MemoryRequest &request, u64 cycle, const MemoryBehind &behind) override;
  CountTables counts() const override;
  std::vector<CacheView> cacheViews() const override;
  void addTo(StateHash &hash) const override {
    link.addTo(hash);
    cache.addTo(hash);
  }

private:
  HostLink link;
  u64 cacheLatency, memoryLatency, bytesOfLine;
  L2Slice cache;
};

} // namespace leno
