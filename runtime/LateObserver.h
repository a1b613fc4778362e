//===- LateObserver.h - Somebody who comes when a grid has begun -----------===//
#pragma once

#include "emu/launch/GridRun.h"

namespace leno::runtime {

/// What a grid that has executed nothing told before the observer came.
void tellBeginning(Observer &observer, const GridRun &grid);

} // namespace leno::runtime
