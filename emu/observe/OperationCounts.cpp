#include "emu/observe/OperationCounts.h"
#include "emu/engine/Services.h"
#include "emu/program/OpFacts.h"
#include "emu/program/Program.h"
#include "emu/semantics/All.h"
#include "emu/semantics/Shape.h"
#include <type_traits>

using namespace leno;

StackEvents &StackEvents::operator+=(const StackEvents &other) {
  divergences += other.divergences;
  reconvergences += other.reconvergences;
  addEach(pushes, other.pushes);
  addEach(pops, other.pops);
  popsOnChip += other.popsOnChip;
  spills += other.spills;
  restores += other.restores;
  waits += other.waits;
  stallCycles += other.stallCycles;
  return *this;
}

namespace {

struct Traits {
  /// Control flow acts on the warp as a whole; all else goes on to the next operation with the same mask,
  bool actsOnWarp = true;
  /// or stops instead, as loads and stores may.
  bool mayStop = true;
  /// Bits of a register go to predicates; other writers name theirs in the operation.
  bool writesAnyPredicate = false;
};

template <class S> Traits traitsOf() {
  constexpr Shape shape = shapeOf<S>();
  Traits traits{.actsOnWarp = shape == Shape::Control};
  traits.mayStop =
      shape == Shape::Access || shape == Shape::Atomic || shape == Shape::Lock || shape == Shape::Special;
  if constexpr (shape == Shape::Lane)
    traits.writesAnyPredicate = std::is_same_v<LaneResult<S>, sem::PredicateWrite>;
  return traits;
}

Traits traitsOf(Semantic semantic) {
  switch (semantic) {
#define LENO_SEMANTIC(name)                                                                                  \
  case Semantic::name:                                                                                       \
    return traitsOf<sem::name>();
#include "isa/LenoSemantics.def"
  default:
    return {};
  }
}

} // namespace

/// Nothing happens around it, and it does not only trap.
static bool isBare(const Op &op) { return service::uncounted(op) == op.inner && !service::isFaulty(op); }

/// BRA and JMP that look at nothing but their guard.
static bool isBranch(const Op &op) {
  return op.flags & Op::hasTarget && isBare(op) && flowOf(op.semantic) == isa::Flow::Branch &&
         !branchModsOf(op).testsFlags;
}

void leno::markCounting(llvm::MutableArrayRef<Op> ops) {
  std::vector<bool> isTarget(ops.size() + 1);
  for (size_t i = 0; i < ops.size(); ++i)
    if (s64 target = s64(i) + 1 + ops[i].immediate;
        ops[i].flags & Op::hasTarget && target >= 0 && target < s64(isTarget.size()))
      isTarget[size_t(target)] = true;
  const Op *before = nullptr; // whose group may go on
  for (size_t i = 0; i < ops.size(); ++i) {
    Op &op = ops[i];
    op.counting = Counting::WithOthers;
    Traits traits = traitsOf(op.semantic);
    bool isEach = op.flags & (Op::popSync | Op::setSync) || traits.actsOnWarp;
    bool goesOn =
        before && !isEach && !isTarget[i] && op.guard == before->guard && op.guardFlip == before->guardFlip;
    if (isEach)
      op.counting = isBranch(op) ? Counting::Branch : Counting::Each;
    else if (hasGuard(op) && !goesOn)
      op.counting = traits.mayStop || !isBare(op) ? Counting::GuardIfItEnds : Counting::Guard;
    bool writesGuard = op.u == op.guard || op.v == op.guard || traits.writesAnyPredicate;
    before = hasGuard(op) && !isEach && !writesGuard ? &op : nullptr;
  }
}
