//===- Lanes.h - Operations of one warp, 32 operands at a time ------------===//
// The same tests with one of two sources: Lanes.cpp calls an engine's own
// handlers, HostLanes.cpp launches kernels from hosts that have changed their
// floating-point environment.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/engine/Engine.h"
#include "emu/program/Op.h"
#include "emu/warp/WarpState.h"
#include <cstring>
#include <vector>

namespace leno::test {

/// A bare warp: sources in R0, R2, R4 (pairs), results in R6, predicates all true but P0, which the caller
/// sets.
class Lanes {
public:
  Lanes();
  enum Source { A = 0, B = 2, C = 4 };
  void set(Source source, unsigned lane, u64 bits) {
    row(source).lane[lane] = u32(bits);
    row(source + 1).lane[lane] = u32(bits >> 32);
  }
  u64 result(unsigned lane) const {
    return rows[below + 6].lane[lane] | u64(rows[below + 7].lane[lane]) << 32;
  }
  u32 word(unsigned lane) const { return rows[below + 6].lane[lane]; }
  LaneMask &selector() { return state.predicates[0]; }
  LaneMask outcome() const { return state.predicates[1]; }

  template <class Mods> void run(const Engine &engine, Semantic semantic, const Mods &mods) {
    static_assert(sizeof(Mods) <= sizeof(Op::mods));
    op.semantic = semantic;
    std::memcpy(op.mods, &mods, sizeof(mods));
    op.fn = op.inner = handlerFor(engine, semantic, mods);
    execute(engine);
  }

private:
  void execute(const Engine &engine);

  static constexpr unsigned below = 8;
  Row &row(unsigned number) { return rows[below + number]; }

  WarpState state = {};
  Op op;
  Row rows[below + 8] = {};
};

/// Of as many operands as were wanted one is tried.
extern const unsigned sparsity;

/// The engines to test, the widest first, and how many tuples each gets: the widest all (by sparsity), the
/// others a sixteenth of it.
std::vector<std::pair<const Engine *, unsigned>> enginesFor(unsigned tuples);

} // namespace leno::test
