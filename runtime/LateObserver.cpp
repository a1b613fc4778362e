#include "runtime/LateObserver.h"
#include "emu/sm/Cta.h"

void leno::runtime::tellBeginning(Observer &observer, const GridRun &grid) {
  observer.gridStart(grid);
  for (const Cta *cta : grid.residentCtas()) {
    observer.ctaStart(*cta);
    for (const Warp *warp : cta->warps())
      observer.warpStart(*warp);
  }
}
