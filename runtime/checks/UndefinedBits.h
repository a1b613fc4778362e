//===- UndefinedBits.h - Which bits of a warp's state nobody wrote -----------===//
// A bit that is set here has no value that the program gave it (Memcheck's V
// bits). Cells are those of asm/Effects.h: R0 to R254, P0 to P6, CC.
//===----------------------------------------------------------------------===//
#pragma once
#include "asm/Effects.h"
#include "emu/warp/Warp.h"
#include <array>
#include <vector>

namespace leno::checks {

/// A set of cells.
class CellSet {
public:
  void set(unsigned cell) { words[cell / 64] |= u64(1) << cell % 64; }
  void reset(unsigned cell) { words[cell / 64] &= ~(u64(1) << cell % 64); }
  bool has(unsigned cell) const { return words[cell / 64] >> cell % 64 & 1; }
  bool meets(const CellSet &other) const {
    u64 both = 0;
    for (unsigned k = 0; k < words.size(); ++k)
      both |= words[k] & other.words[k];
    return both;
  }
  /// For each cell of both.
  template <class F> void forBoth(const CellSet &other, F &&use) const {
    for (unsigned k = 0; k < words.size(); ++k)
      for (u64 left = words[k] & other.words[k]; left; left &= left - 1)
        use(k * 64 + unsigned(std::countr_zero(left)));
  }

private:
  std::array<u64, (cellCount + 63) / 64> words{};
};

/// What an instruction reads and writes, its guard apart.
struct CellUse {
  CellSet reads, writes;
  CellSet all;              ///< with the guard
  u8 guard = truePredicate; ///< predicate
};

/// Of a warp.
class UndefinedBits {
public:
  /// Of a warp of these lanes: all of so many registers, and all predicates.
  UndefinedBits(unsigned registers, LaneMask lanes)
      : bits(size_t(registers) * laneCount), origins(cellCount) {
    for (unsigned reg = 0; reg < registers; ++reg) {
      cells.set(reg);
      for (unsigned lane = 0; lane < laneCount; ++lane)
        row(reg)[lane] = 0 - (lanes >> lane & 1);
    }
    for (unsigned cell = firstPredicate; cell < cellCount; ++cell)
      cells.set(cell);
    masks.fill(lanes);
  }

  /// Cells with any bit.
  CellSet cells;
  /// Where what a cell holds was born; 0: nobody has written it.
  u32 &origin(unsigned cell) { return origins[cell]; }

  u32 *row(unsigned reg) { return bits.data() + size_t(reg) * laneCount; }
  /// Of a predicate, or of CC.
  LaneMask &mask(unsigned cell) { return masks[cell - firstPredicate]; }
  /// Lanes in which the cell has any.
  LaneMask lanesOf(unsigned cell) {
    if (!cells.has(cell))
      return 0;
    if (cell >= firstPredicate)
      return mask(cell);
    LaneMask lanes = 0;
    for (unsigned lane = 0; lane < laneCount; ++lane)
      lanes |= LaneMask(row(cell)[lane] != 0) << lane;
    return lanes;
  }
  /// These lanes of a cell have values now.
  void define(unsigned cell, LaneMask lanes) {
    if (!cells.has(cell))
      return;
    if (cell >= firstPredicate)
      mask(cell) &= ~lanes;
    else
      for (LaneMask left = lanes; left; left &= left - 1)
        row(cell)[std::countr_zero(left)] = 0;
    if (lanes == allLanes || !lanesOf(cell))
      cells.reset(cell);
  }
  void set(unsigned reg, unsigned lane, u32 undefined, u32 from) {
    if (undefined) {
      cells.set(reg);
      origins[reg] = from;
    }
    row(reg)[lane] = undefined;
  }
  void setMask(unsigned cell, LaneMask lanes, LaneMask undefined, u32 from) {
    mask(cell) = (mask(cell) & ~lanes) | (undefined & lanes);
    mask(cell) ? cells.set(cell) : cells.reset(cell);
    if (undefined & lanes)
      origins[cell] = from;
  }

private:
  std::vector<u32> bits; ///< by register and lane
  std::array<LaneMask, cellCount - firstPredicate> masks;
  std::vector<u32> origins;
};

/// Carries undefined bits over an operation that is no access to memory and is about to execute; `from`:
/// where they were born. What it writes and this leaves alone is defined.
void carryUndefined(const Warp &warp, const Op &op, const CellUse &use, LaneMask executing,
                    UndefinedBits &bits, u32 from);

} // namespace leno::checks
