//===- Place.h - A register, predicate, flag or piece of memory -----------===//
#pragma once

#include "dbg/LaneContext.h"
#include "dbg/WarpPosition.h"
#include <optional>

namespace leno::dbg {

/// What an expression such as `R3[7]`, `P0.mask` or `shared[4].f32` names, for those who wait for changes;
/// and the warp, or of shared memory the CTA, that it belongs to.
struct Place : WarpPosition {
  enum Kind : u8 { Register, Predicate, FlagBit, Memory } kind;
  unsigned number = 0; ///< of the register, predicate or Flag
  unsigned words = 1;  ///< registers
  LaneMask lanes = 0;  ///< whose; of shared and global memory nobody's
  MemorySpace space = MemorySpace::Global;
  u64 address = 0;
  unsigned bytes = 0;
  ValueType type = ValueType::Word; ///< how its value is to be read

  bool isOfWarp() const { return kind != Memory || space == MemorySpace::Local; }
  bool isOfCta() const { return isOfWarp() || space == MemorySpace::Shared; }
  bool isOf(const GridRun &run) const;
  bool isOf(const Warp &warp) const;
  bool isOf(const Cta &cta) const;
  /// Of the lanes, those whose access of `size` bytes at `at` touches it.
  LaneMask lanesThatTouch(const MemoryAccess &access, const Warp &warp) const;

  /// What stands there now: of each of its lanes in turn, or once. Nothing when its warp does not run.
  using Bits = std::optional<std::vector<u64>>;
  Bits read(const Machine &machine) const;
  /// "3  0x00000003 to 4  0x00000004", with its lane in front of each that changed when it has several.
  std::string describeChange(const std::vector<u64> &before, const std::vector<u64> &after) const;
};

} // namespace leno::dbg
