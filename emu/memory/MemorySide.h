//===- MemorySide.h - Slices, their memories and the ways to them ---------===//
// S3: cores on one side of the crossbar, on the other L2 slices, each with a
// portion of the memory that no other slice reaches. Port 0 is the host
// interface, ports 1 and up are SMs. Any number of both.
//
// Time (S3): a slice answers in l2Latency cycles, its memory in memoryLatency
// more; what goes past the caches takes memoryLatency alone. Writes are posted:
// a write lands when it is complete, and a read sees what has landed in the
// cycle in which it is issued (CHOICE: S3 counts a poll from then).
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/memory/Crossbar.h"
#include "emu/memory/L2Slice.h"
#include "llvm/Support/Error.h"
#include <map>

namespace leno {

struct MemorySideConfig {
  u64 slices = 4;
  CacheShape slice{131072, 128, 16};
  u64 l2Latency = 50, memoryLatency = 250; ///< S3's T/5 and T for T = 250
  u64 interval = 1;                        ///< between two requests to a slice
  llvm::Error check() const;
};

class MemorySide {
public:
  static constexpr unsigned hostPort = 0;
  static constexpr unsigned portOf(unsigned sm) { return sm + 1; }
  enum class Way { ThroughL2, PastL2 };
  struct Done {
    u64 cycle; ///< when the whole access is complete
    bool hit;  ///< every line of it was there
  };

  MemorySide(const MemorySideConfig &config, unsigned smCount);

  /// Accesses of any length, issued at `cycle` by a port that is `away` cycles further from the slices than
  /// an SM; they are cut at lines. Reads come in the order of their cycles. What is accessed past the L2 must
  /// not be accessed through it.
  Done read(unsigned port, u64 physical, llvm::MutableArrayRef<u8> bytes, u64 cycle, Way way = Way::ThroughL2,
            u64 away = 0);
  /// When the write is complete, and lands.
  u64 write(unsigned port, u64 physical, llvm::ArrayRef<u8> bytes, u64 cycle, Way way = Way::ThroughL2,
            u64 away = 0);

  const Crossbar &crossbar() const { return routes; }
  const L2Slice &slice(unsigned number) const { return *slices[number]; }
  const Dram &dram(unsigned number) const { return *drams[number]; }
  /// Everything posted lands, and all slices write back what they have.
  void flush();

private:
  struct Posted {
    unsigned slice;
    u64 address; ///< within the slice
    Way way;
    std::vector<u8> bytes;
  };
  /// Calls `each(slice, address within it, first byte, count, start)` for each line's part.
  template <typename Each> void cut(unsigned port, u64 physical, size_t bytes, u64 cycle, const Each &each);
  void land(u64 cycle);

  MemorySideConfig config;
  Crossbar routes;
  std::vector<std::unique_ptr<Dram>> drams;
  std::vector<std::unique_ptr<L2Slice>> slices;
  std::multimap<u64, Posted> posted; ///< by when they land; those of one cycle in the order of their issue
};

} // namespace leno
