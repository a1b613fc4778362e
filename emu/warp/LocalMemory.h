//===- LocalMemory.h - Memory of each lane --------------------------------===//
// Architecture.md 8: local memory belongs to a lane; the stack region of a warp
// stands apart from it. One block holds the places of all warps that can be
// resident at once; a warp keeps its place for all the CTAs it runs.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/warp/WarpState.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace leno {

class LocalMemory {
public:
  /// Zeroed, for `warps` warps of `laneBytes` bytes a lane. Fails past `limit` bytes in all.
  static llvm::Expected<LocalMemory> create(u32 laneBytes, u64 warps, u64 limit);

  /// The memory of the driver's that it is, above guests' addresses and stacks (StackRegion.h).
  static constexpr u64 firstAddress = u64(1) << 41;
  /// Grids of a context that run side by side have it in places of their own, as far as these go.
  static constexpr unsigned placeBits = 35, places = 1 << (40 - placeBits);
  u64 physicalOf(const MemoryWindow &place) const { return firstAddress + u64(place.host - first); }

  /// The next warp's: base 0, the bytes of one lane, all lanes interleaved (localOffset).
  MemoryWindow place();

private:
  struct Free {
    void operator()(void *p) const;
  };
  u32 laneBytes = 0;
  u64 left = 0; ///< places not given away
  unsigned char *first = nullptr, *next = nullptr;
  std::unique_ptr<void, Free> block;
};

} // namespace leno
