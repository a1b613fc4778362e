#include "Lanes.h"

namespace leno::test {

Lanes::Lanes() {
  state.frame = reinterpret_cast<unsigned char *>(&rows[below]);
  state.active = allLanes;
  for (LaneMask &predicate : state.predicates)
    predicate = allLanes;
  op.a = A * s32(rowBytes), op.b = B * s32(rowBytes), op.c = C * s32(rowBytes), op.d = 6 * s32(rowBytes);
  op.p = 0, op.u = 1, op.v = 2;
}

void Lanes::execute(const Engine &) { op.fn(state, op); }

const unsigned sparsity = 1;

std::vector<std::pair<const Engine *, unsigned>> enginesFor(unsigned tuples) {
  std::vector<std::pair<const Engine *, unsigned>> result;
  for (const Engine *engine : availableEngines())
    result.insert(result.begin(), {engine, engine == availableEngines().back() ? tuples : tuples / 16});
  return result;
}

} // namespace leno::test
