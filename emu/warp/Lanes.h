//===- Lanes.h - Thirty-two lanes at once ---------------------------------===//
// Architecture.md 2: a register is a row of 32 words, a predicate ONE 32-bit mask,
// so guards, votes and branches are bit operations.
//===----------------------------------------------------------------------===//
#pragma once
#include <stddef.h>
#include <stdint.h>

namespace leno {

using u8 = uint8_t;
using u16 = uint16_t;
using u32 = uint32_t;
using s32 = int32_t;
using u64 = uint64_t;
using s64 = int64_t;
using f32 = float;
using f64 = double;

/// One bit per lane; lane 0 is bit 0.
using LaneMask = uint32_t;

inline constexpr unsigned laneCount = 32;
inline constexpr LaneMask allLanes = ~LaneMask(0);
inline constexpr unsigned rowBytes = laneCount * 4;

/// A register of a warp: one 32-bit word per lane.
struct alignas(rowBytes) Row {
  u32 lane[laneCount];
};
static_assert(sizeof(Row) == rowBytes);

} // namespace leno
