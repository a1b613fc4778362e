//===- ConstantWordState.h - Where a constant is, and how old -------------===//
// For those who look at the constant caches: one word of c[0..15] at every
// level that S2's protocols have. Looking moves nothing and counts nothing.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/warp/Lanes.h"
#include <optional>
#include <vector>

namespace leno {

struct ConstantWordState {
  struct Copy {
    u32 value;
    bool marked;     ///< in an L1 locked, and dirty, until the L2 has it; in the L2 not yet in memory
    u64 version = 0; ///< protocol A, marked in an L1: the version that wrote it
  };
  struct Sm {
    bool active = false;
    u64 version = 0;       ///< protocol A: of its L1; B: its tag, 0 is current
    bool coherent = false; ///< protocol A: S2's valid flag, the L1 and the L2 have one version
    std::optional<Copy> copy{};
  };
  struct Old {
    u64 tag;
    u32 value;
  };

  std::vector<Sm> sms;
  u64 l2Version = 0, current = 0; ///< protocol A
  std::optional<Copy> l2{};
  u32 memory = 0; ///< behind the L2; of the drained baseline the store
  // Protocol B.
  std::vector<Old> backup{}; ///< the youngest first
  std::vector<u32> posted{}; ///< written, and not yet taken by the L2: the oldest first
};

} // namespace leno
