#include "emu/program/SharedStores.h"
#include "emu/program/OpFacts.h"
#include "llvm/ADT/STLExtras.h"

using namespace leno;
using isa::Flow;

/// It changes shared memory or its locks, or may.
static bool stores(const Op &op) {
  std::optional<isa::MemoryFacts> memory = factsOf(op).memory;
  return memory && (memory->space == MemorySpace::Shared || memory->space == MemorySpace::Generic) &&
         (memory->writes || memory->lock != isa::Lock::None);
}

/// Every warp of the CTA has to come to it before this one goes on.
static bool waitsForAll(const Op &op) {
  return flowOf(op.semantic) == Flow::Barrier && op.extra == allWarps && op.guard == truePredicate &&
         !op.guardFlip;
}

/// Where the one at `index` leads to, or what it pushes. None: it has no such place, or traps instead.
static std::optional<size_t> targetOf(const Op &op, size_t index, size_t size) {
  const s64 place = s64(index) + 1 + op.immediate;
  return op.flags & Op::hasTarget && place >= 0 && place <= s64(size) ? std::optional(size_t(place))
                                                                      : std::nullopt;
}

/// A way is followed against its direction. What the stack holds is not known: whoever pops may come to every
/// place that anybody has pushed.
SharedStores::SharedStores(const Program &program) {
  const size_t size = program.size();
  const llvm::ArrayRef<Op> ops = program.ops().take_front(size);
  // Who has arrived and goes on is waited for no more.
  if (llvm::any_of(ops, [](const Op &op) { return op.semantic == Semantic::BAR_ARV; })) {
    canCome.assign(size + 1, true);
    return;
  }
  canCome.assign(size + 1, false);
  std::vector<size_t> pushed;
  for (size_t i = 0; i < size; ++i) {
    const Flow flow = flowOf(ops[i].semantic);
    canCome[i] = stores(ops[i]) || flow == Flow::Indirect || flow == Flow::Opaque;
    if (ops[i].flags & Op::setSync)
      pushed.push_back(i + 1 + ops[i].b);
    if (flow == Flow::Branch || flow == Flow::Call)
      pushed.push_back(i + 1);
    else if (std::optional<size_t> target = targetOf(ops[i], i, size))
      pushed.push_back(*target);
  }
  bool canComeFromStack = false, changed = true;
  auto note = [&](auto &&place, bool can) {
    changed |= can && !place;
    place = place || can;
  };
  while (changed) {
    changed = false;
    note(canComeFromStack, llvm::any_of(pushed, [&](size_t place) { return bool(canCome[place]); }));
    for (size_t i = size; i-- > 0;) {
      const Op &op = ops[i];
      const Flow flow = flowOf(op.semantic);
      const bool pops = op.flags & Op::popSync || flow == Flow::Brk || flow == Flow::Cont ||
                        flow == Flow::Ret || flow == Flow::Exit;
      const std::optional<size_t> target = targetOf(op, i, size);
      if (!waitsForAll(op))
        note(canCome[i], canCome[i + 1] || (pops && canComeFromStack) || (target && canCome[*target]));
    }
  }
}
