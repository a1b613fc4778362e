//===- WarpPosition.h - Which warp of which CTA, launch and context -------===//
#pragma once

#include "emu/Machine.h"

namespace leno::dbg {

/// A warp by position, not by pointer: its place on its multiprocessor is used again once its CTA has
/// finished, and a machine that goes back makes its warps anew.
struct WarpPosition {
  Dim3 cta{0, 0, 0};
  unsigned warp = 0; ///< of the CTA
  u32 context = 0;
  u32 launch = 0; ///< of the context, by GridRun::gridId(); 0: any

  static WarpPosition of(const Warp &warp);
  bool operator==(const WarpPosition &) const = default;
};

struct LanePosition : WarpPosition {
  unsigned lane = 0;
};

/// The warp there, be it in context storage or not; null: it does not run.
Warp *findWarp(const Machine &machine, const WarpPosition &at);

} // namespace leno::dbg
