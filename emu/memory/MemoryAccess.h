//===- MemoryAccess.h - What lanes of a warp access -----------------------===//
#pragma once
#include "emu/warp/Lanes.h"
#include "isa/FactNames.h"
#include "isa/Modifiers.h"

namespace leno {

struct MemoryAccess {
  using Space = MemorySpace;
  Space space; ///< where it went: never generic
  enum class Kind : uint8_t { Load, Store, Atomic } kind;
  unsigned bytes;                            ///< of each lane
  LaneMask lanes;                            ///< that take part
  const u64 *addresses;                      ///< 32 of them; those outside `lanes` mean nothing
  isa::LoadCache cache = isa::LoadCache::CA; ///< of a load: which caches it asks
};

} // namespace leno
