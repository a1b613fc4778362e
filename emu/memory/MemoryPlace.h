//===- MemoryPlace.h - The four places where a message can be [S3] --------===//
// S3's table 1: the memory of either side, or the cache before it. A place is
// of a page, and stands in the upper bits of its physical address, so that the
// address alone says whose it is. Pages that nobody has placed are the
// device's, behind its slices.
//
// Pages that were placed are for messages: what is stored there is posted, and
// lands for all, the storing lane included, when the write is complete.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/warp/Lanes.h"
#include <optional>
#include <string_view>

namespace leno {

enum class MemoryPlace : u8 {
  CoreCache,    ///< a slice of the L2 [S3: the L2 cache of a core]
  PpuMemory,    ///< the device's memory, past its slices
  CpuCache,     ///< the CPU's cache
  SystemMemory, ///< the CPU's memory, past its cache
};

/// "core-cache", as users write it.
inline constexpr const char *memoryPlaceNames[] = {"core-cache", "ppu-memory", "cpu-cache", "system-memory"};
inline constexpr const char *memoryPlaceChoices = "core-cache, ppu-memory, cpu-cache or system-memory";
inline const char *placeName(MemoryPlace place) { return memoryPlaceNames[size_t(place)]; }
inline std::optional<MemoryPlace> memoryPlaceNamed(std::string_view name) {
  for (size_t i = 0; i < std::size(memoryPlaceNames); ++i)
    if (name == memoryPlaceNames[i])
      return MemoryPlace(i);
  return std::nullopt;
}
/// It is the CPU's.
constexpr bool isOfHost(MemoryPlace place) { return place >= MemoryPlace::CpuCache; }

/// Of physical addresses.
struct PlaceBits {
  static constexpr u64 host = u64(1) << 61; ///< the CPU's
  static constexpr u64 past = u64(1) << 62; ///< past the cache
  static constexpr u64 posted = u64(1) << 63;
  static constexpr u64 all = host | past | posted;
  static constexpr u64 of(MemoryPlace place) {
    bool isPast = place == MemoryPlace::PpuMemory || place == MemoryPlace::SystemMemory;
    return posted | (isOfHost(place) ? host : 0) | (isPast ? past : 0);
  }
};

} // namespace leno
