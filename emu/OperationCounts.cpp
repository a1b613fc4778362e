#include "emu/OperationCounts.h"
#include "emu/Program.h"
#include "emu/semantics/Control.h"
#include "emu/semantics/Memory.h"

using namespace leno;

/// Control flow acts on the warp as a whole; all else goes on to the next operation with the same mask.
template <class S> static bool actsOnWarp() {
  return requires { &S::warp; };
}

static bool actsOnWarp(Semantic semantic) {
  switch (semantic) {
#define LENO_SEMANTIC(name)                                                                                  \
  case Semantic::name:                                                                                       \
    return actsOnWarp<sem::name>();
#include "isa/LenoSemantics.def"
  default:
    return true;
  }
}

void leno::markOps(std::vector<Op> &ops, bool counted) {
  for (Op &op : ops) {
    op.flags &= u8(~(Op::guardCounted | Op::lookedAt));
    if (!counted)
      continue;
    if (op.guard != truePredicate || op.guardFlip)
      op.flags |= Op::guardCounted;
    bool isGeneric =
        op.semantic == Semantic::LD || op.semantic == Semantic::ST; // those who watch ask for the pc
    if (op.flags & (Op::popSync | Op::setSync) || isGeneric || actsOnWarp(op.semantic))
      op.flags |= Op::lookedAt;
  }
}
