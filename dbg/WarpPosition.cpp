#include "dbg/WarpPosition.h"
#include "emu/sm/Cta.h"

namespace leno::dbg {

WarpPosition WarpPosition::of(const Warp &warp) {
  const GridRun &grid = warp.grid();
  return {warp.cta().index(), warp.index(), grid.device().contextId(), grid.gridId()};
}

Warp *findWarp(const Machine &machine, const WarpPosition &at) {
  GridRun *run = machine.grid(at.context, at.launch);
  Cta *home = run ? run->findCta(at.cta) : nullptr;
  return home && at.warp < home->warps().size() ? home->warps()[at.warp] : nullptr;
}

} // namespace leno::dbg
