//===- TileMapping.h - Which SM has which part of a 2-D grid [S4] ---------===//
// S4's screen space mapping: "cores only need to process data using a fixed
// subset of the screen coordinates", for locality. Here the grid is the
// screen: it is cut in tiles of CTAs, and each tile belongs to one of the SMs
// that the context has. Addresses do not pass through it, so that it changes
// without anything being moved in memory.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/Trap.h"

namespace leno {

struct TileMapping {
  u32 tileX = 0, tileY = 0; ///< CTAs of a tile along each axis; 0: no mapping, CTAs go where there is room

  explicit operator bool() const { return tileX && tileY; }
  bool operator==(const TileMapping &) const = default;
  /// Which of `sms` SMs has a CTA. CHOICE: along diagonals, so that tiles beside one another, along either
  /// axis, belong to different SMs.
  u64 smOf(Dim3 cta, u64 sms) const { return (u64(cta.x) / tileX + cta.y / tileY) % sms; }
};

} // namespace leno
