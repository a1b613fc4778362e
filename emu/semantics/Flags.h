//===- Flags.h - The condition codes of one lane [S1] ---------------------===//
// Of results with carry and overflow, such as sums, each family tells them.
// The others' follow from the value alone.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/warp/Lanes.h"

namespace leno::sem {

struct Flags {
  bool overflow, carry, sign, zero;
};

/// LOP, SHL.
constexpr Flags flagsOf(u32 word) { return {false, false, s32(word) < 0, word == 0}; }
/// Floats: a NaN is unordered to zero, which CSETP reads from both (CHOICE).
constexpr Flags flagsOf(f32 x) { return {false, false, !(x >= 0), !(x < 0 || x > 0)}; }
constexpr Flags flagsOf(f64 x) { return {false, false, !(x >= 0), !(x < 0 || x > 0)}; }

} // namespace leno::sem
