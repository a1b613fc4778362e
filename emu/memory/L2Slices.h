//===- L2Slices.h - The slices of a device, and the crossbar before them --===//
// S3: slices belong to pieces of memory, so everybody who sends requests meets
// in them. A grid that has the device to itself has them to itself; contexts
// that share a device (S4) share them, and evict each other's lines. They
// count and hold no bytes: results cannot depend on them.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/MachineConfig.h"
#include "emu/memory/Crossbar.h"
#include "emu/memory/L2Slice.h"
#include "emu/memory/MemoryModel.h"

namespace leno {

class L2Slices final : public MemoryModel {
public:
  /// `config` has been checked.
  explicit L2Slices(const MachineConfig &config);
  std::unique_ptr<MemoryModel> clone() const override { return std::make_unique<L2Slices>(*this); }

  /// An atomic reads and writes in the slice: one request. A store needs nothing from memory. In lines of any
  /// size: each of its own is a request.
  MemoryAnswer access(const MemoryRequest &request, u64 cycle, const MemoryBehind &behind) override;
  u64 lineBytes() const override { return bytesOfLine; }
  CountTables counts() const override;
  std::vector<CacheView> cacheViews() const override;
  void addTo(StateHash &hash) const override {
    routes.addTo(hash);
    for (const L2Slice &slice : slices)
      slice.addTo(hash);
  }

  unsigned count() const { return routes.slices(); }
  const L2Slice::Counts &slice(unsigned number) const { return slices[number].counts(); }
  /// Requests that came to the slice, of all SMs and the host.
  u64 requestsOf(unsigned number) const;

private:
  MemoryAnswer accessLine(const MemoryRequest &request, u64 cycle, const MemoryBehind &behind);

  Divisor bytesOfLine;
  u64 latency;
  Crossbar routes;
  std::vector<L2Slice> slices;
};

} // namespace leno
