#include "emu/compiled/CompiledTier.h"
#include "asm/support/Assert.h"
#include "emu/compiled/StackParts.h"
#include "emu/compiled/TierChoice.h"
#include "emu/launch/GridRun.h"
#include "emu/warp/Warp.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cstdlib>

using namespace leno;
using compiled::CompiledKernel;
namespace parts = compiled::parts;
using compiled::StackEntry;
using compiled::StackShape;

std::optional<TierChoice> leno::tierNamed(llvm::StringRef name) {
  if (name == "interpreter")
    return TierChoice::Interpreter;
  if (name == "compiled")
    return TierChoice::Compiled;
  return std::nullopt;
}

llvm::Expected<TierChoice> leno::usualTier() {
  const char *named = std::getenv(tierVariable);
  if (!named || !*named)
    return TierChoice::Interpreter;
  if (std::optional<TierChoice> tier = tierNamed(named))
    return *tier;
  return llvm::createStringError(llvm::formatv("{0} in the environment: there is no tier '{1}': it can be {2}",
                                               tierVariable, named, tierNames));
}

CompiledTier::CompiledTier(const GridRun &grid, const LaunchCode &code,
                           std::shared_ptr<const CompiledKernel> kernel)
    : grid(grid), code(code), kernel(std::move(kernel)) {}

bool CompiledTier::isUsable() {
  constexpr Observer::Interests untold = Observer::eachInstruction | Observer::Counts | Observer::Memory |
                                         Observer::GenericMemory | Observer::Constants | Observer::Divergence |
                                         Observer::Stack;
  if (generation != code.generation()) {
    generation = code.generation();
    isAsCompiled = kernel->isMadeOf(code);
  }
  return isAsCompiled && !(canBeWatched && grid.wants(untold));
}

u32 CompiledTier::leaderOf(const Warp &warp) const {
  // Compiled code pushes up to a shape's entries without a look at the limit, and ends lanes without one at
  // their locks.
  const DivergenceStack &stack = warp.divergence();
  if (stack.depth() + StackShape::most > stack.limit() || warp.locksHeld)
    return CompiledKernel::none;
  return kernel->leaderAt(grid.indexOf(*warp.pc));
}

/// The upper entries of the warp's stack are with the code while it runs.
void CompiledTier::enter(Warp &warp, u32 leader, u64 &left) {
  DivergenceStack &stack = warp.divergence();
  const StackShape &before = kernel->shapeAt(leader);
  compiled::Kept kept;
  kept.left = left;
  kept.depth = kept.deepest = stack.depth();
  kept.pushes = kept.pops = 0;
  std::copy_n(parts::waiting(stack), 5, kept.waiting);
  u64 taken = 0;
  for (unsigned k = StackShape::most; k-- > 0;) {
    kept.masks[k] = 0;
    if (k >= before.depth || !stack.depth())
      continue;
    Token top = stack.at(stack.depth() - 1);
    if (StackEntry{u8(top.type), top.pc} != before.entries[k])
      continue;
    kept.masks[k] = Token::unpack(parts::storage(stack).pop()).mask;
    ++taken;
  }
  warp.pc = grid.opAt(kernel->run(warp, leader, kept));
  left = kept.left;
  std::copy_n(kept.waiting, 5, parts::waiting(stack));
  const StackShape &after = kernel->shape(kept.stack);
  u64 given = 0;
  for (unsigned k = 0; k < after.depth; ++k)
    if (kept.masks[k]) {
      const StackEntry &entry = after.entries[k];
      parts::storage(stack).push(Token{TokenType(entry.type), kept.masks[k], entry.pc}.pack());
      ++given;
    }
  // What was taken and given back only changed hands.
  StackCounters &counts = parts::counts(parts::storage(stack));
  counts.pushes += kept.pushes - given;
  counts.pops += kept.pops - taken;
  counts.deepest = std::max<u64>(counts.deepest, kept.deepest);
  parts::deepest(stack) = std::max<size_t>(parts::deepest(stack), kept.deepest);
  LENO_ASSERT(stack.depth() == kept.depth, "compiled code has lost an entry of the stack");
}

Tier::Ran CompiledTier::run(Warp &warp, u64 budget) {
  if (!isUsable())
    return interpreter.run(warp, budget);
  u64 left = budget;
  bool isEntered = !warp.stepOver; // else its operation was told already, and is not to be met again
  while (left > 0) {
    u32 leader = isEntered ? leaderOf(warp) : CompiledKernel::none;
    if (leader != CompiledKernel::none)
      enter(warp, leader, left);
    isEntered = true;
    if (!left)
      break;
    // Where it has left, at least one operation, and then on to the next leader.
    Ran ran = interpreter.runUntil(warp, left, [&](const Op *op) {
      return kernel->leaderAt(grid.indexOf(*op)) != CompiledKernel::none;
    });
    left -= ran.instructions;
    if (warp.status != WarpStatus::Ready)
      return {budget - left, ran.why};
  }
  return {budget, Why::Budget};
}
