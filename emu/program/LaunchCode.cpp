#include "emu/program/LaunchCode.h"
#include "emu/engine/Services.h"
#include "emu/observe/OperationCounts.h"

using namespace leno;

LaunchCode::LaunchCode(const Program &program)
    : program(program), operations(program.ops()), patches(operations.size()) {
  for (Op &op : operations)
    op.fn = service::wrapped(op);
}

bool LaunchCode::put(Patch patch, size_t index, bool on) {
  if (has(patch, index) == on)
    return false;
  patches[index] ^= bit(patch);
  return true;
}

void LaunchCode::lay(Patch patch, llvm::function_ref<bool(const Op &)> where) {
  bool isChange = false;
  for (size_t i = 0; i < operations.size(); ++i)
    isChange |= put(patch, i, where(program.ops()[i]));
  if (isChange)
    renewAll();
}

void LaunchCode::set(Patch patch, size_t index, bool on) {
  if (!put(patch, index, on))
    return;
  if (patch != Patch::Breakpoint && isCounted) // its neighbours may be counted in another way then
    return renewAll();
  renew(index);
  ++changes;
}

void LaunchCode::count(bool on) {
  if (isCounted == on)
    return;
  isCounted = on;
  renewAll();
}

/// An operation that traps instead of what its semantic does stays as it is.
Handler LaunchCode::forHostThreads(const Op &op) const {
  const Engine &engine = program.engine();
  Handler shared = op.semantic == Semantic::MEMBAR ? service::fence : engine.sharedHandler(op.semantic);
  return shared && op.inner == engine.handler(op.semantic, 0, false) ? shared : op.inner;
}

void LaunchCode::renew(size_t index) {
  const Op &original = program.ops()[index];
  Op &op = operations[index];
  bool isBad = has(Patch::BadConstant, index), stops = has(Patch::Breakpoint, index);
  op.inner = isBad                                                            ? service::badConstantSource
             : has(Patch::HostThreads, index) || has(Patch::ToldFence, index) ? forHostThreads(original)
                                                                              : original.inner;
  op.flags = original.flags;
  if (!isBad && has(Patch::ThroughCaches, index))
    op.flags |= Op::readsConstants;
  if (stops)
    op.flags |= Op::breakpoint;
  if (isBad || op.flags & (Op::readsConstants | Op::breakpoint))
    op.flags &= u8(~(Op::alone | Op::steers));
  op.fn = stops ? service::breakpoint : service::wrapped(op);
}

void LaunchCode::renewAll() {
  for (Op &op : operations)
    op.counting = Counting::WithOthers;
  for (size_t i = 0; i < operations.size(); ++i)
    renew(i);
  if (isCounted) { // how each is counted depends on what it is now
    markCounting(operations);
    for (size_t i = 0; i < operations.size(); ++i)
      renew(i);
  }
  ++changes;
}
