//===- StackRegion.h - A warp's spilled entries in device memory ----------===//
// S0: the stack spill storage, a part of graphics memory. The driver sets it
// aside for each place a warp can have; its addresses lie above the 40 bits
// of a guest's address, so no program reads or writes it.
//===----------------------------------------------------------------------===//
#pragma once
#include "asm/support/Assert.h"
#include "emu/warp/Lanes.h"
#include <algorithm>
#include <vector>

namespace leno {

class StackRegion {
public:
  static constexpr u64 firstAddress = u64(1) << 40;
  static constexpr unsigned entryBytes = 8;

  /// Room for `capacity` entries from device address `base`.
  StackRegion(u64 base, size_t capacity) : base(base), capacity(capacity) {}

  u64 addressOf(size_t entry) const { return base + entry * entryBytes; }
  void write(size_t entry, u64 bits) { *forWriting(entry, 1) = bits; }
  u64 read(size_t entry) const { return *forReading(entry, 1); }
  /// Where `count` entries from `first` on are.
  u64 *forWriting(size_t first, size_t count) {
    LENO_ASSERT(first + count <= capacity, "an entry is spilled past the end of its warp's region");
    if (first + count > words.size()) // pages come as they are touched: the nesting limit may be far
      words.resize(std::min(capacity, std::max<size_t>(pageEntries, (first + count) * 2)));
    return &words[first];
  }
  const u64 *forReading(size_t first, size_t count) const {
    LENO_ASSERT(first + count <= words.size(), "an entry is restored that never was spilled");
    return &words[first];
  }

private:
  static constexpr size_t pageEntries = 512;
  u64 base;
  size_t capacity;
  std::vector<u64> words;
};

} // namespace leno
