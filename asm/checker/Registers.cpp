//===- Registers.cpp - What was written, and what differs by lane ---------===//
#include "asm/checker/Registers.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace leno::check {
namespace {

using WrittenByCallee = function_ref<Cells(uint32_t)>;

/// A forward analysis over the blocks that a walk reached: what holds where each begins.
class Dataflow {
public:
  Dataflow(const Blocks &blocks, const StackWalk &walk)
      : blocks(blocks), walk(walk), successors(walk.reached.size()) {
    for (uint32_t i = 0; i < walk.reached.size(); ++i)
      place.try_emplace(walk.reached[i], i);
    for (auto [from, to] : walk.edges)
      successors[place.lookup(from)].push_back(place.lookup(to));
  }

  /// The walk's first block begins with nothing set. `transfer` changes the cells over a block, `join` takes
  /// what comes along an edge into what a block begins with, and tells whether that changed.
  std::vector<Cells> solve(Cells initial, function_ref<void(const Block &, Cells &)> transfer,
                           function_ref<bool(Cells &, const Cells &)> join) {
    std::vector<Cells> begins(walk.reached.size(), initial);
    std::vector<bool> queued(walk.reached.size(), true);
    SmallVector<uint32_t, 32> queue;
    for (uint32_t i = uint32_t(walk.reached.size()); i-- > 0;)
      queue.push_back(i);
    if (!begins.empty())
      begins[0].reset();
    while (!queue.empty()) {
      uint32_t at = queue.pop_back_val();
      queued[at] = false;
      Cells cells = begins[at];
      transfer(blocks.blocks[walk.reached[at]], cells);
      for (uint32_t next : successors[at])
        if (join(begins[next], cells) && !queued[next]) {
          queued[next] = true;
          queue.push_back(next);
        }
    }
    return begins;
  }

private:
  const Blocks &blocks;
  const StackWalk &walk;
  DenseMap<uint32_t, uint32_t> place;
  std::vector<SmallVector<uint32_t, 2>> successors;
};

void addWrites(const Code &code, const Instruction &inst, Cells &cells, WrittenByCallee writtenByCallee) {
  if (inst.flow == Flow::Opaque)
    cells.set();
  if (inst.flow == Flow::Call)
    cells |= writtenByCallee(inst.target);
  for (const Effect &effect : code.effectsOf(inst))
    if (effect.writes)
      for (unsigned i = 0; i < effect.count; ++i)
        cells.set(effect.cell + i);
}

/// Carries "differs by lane" over one instruction.
void addVarying(const Code &code, const Instruction &inst, Cells &cells, WrittenByCallee writtenByCallee) {
  if (inst.flow == Flow::Opaque)
    cells.reset();
  if (inst.flow == Flow::Call)
    cells &= ~writtenByCallee(inst.target);
  unsigned differing = 0;
  for (const Effect &effect : code.effectsOf(inst))
    if (!effect.writes && effect.cell < firstPredicate)
      differing += cells[effect.cell];
  // Two sources that differ may make up for each other.
  bool varies = inst.byLane || (inst.distinct && differing == 1);
  for (const Effect &effect : code.effectsOf(inst))
    if (effect.writes)
      for (unsigned i = 0; i < effect.count; ++i) {
        bool kept = !inst.conditional || cells[effect.cell + i];
        cells.set(effect.cell + i, varies && kept && effect.cell != flagsCell);
      }
}

} // namespace

Cells writtenBy(const Code &code, const Blocks &blocks, const StackWalk &walk,
                WrittenByCallee writtenByCallee) {
  Cells cells;
  for (uint32_t block : walk.reached)
    for (uint32_t i = blocks.blocks[block].begin; i < blocks.blocks[block].end; ++i)
      addWrites(code, code.instructions[i], cells, writtenByCallee);
  if (!walk.complete)
    cells.set();
  return cells;
}

std::vector<UnsetRead> unsetReads(const Code &code, const Blocks &blocks, const StackWalk &walk,
                                  WrittenByCallee writtenByCallee) {
  Dataflow flow(blocks, walk);
  auto transfer = [&](const Block &block, Cells &cells) {
    for (uint32_t i = block.begin; i < block.end && !cells.all(); ++i)
      addWrites(code, code.instructions[i], cells, writtenByCallee);
  };
  std::vector<Cells> begins = flow.solve(Cells(), transfer, [](Cells &into, const Cells &cells) {
    Cells before = into;
    into |= cells;
    return into != before;
  });
  // Block by block as the text has them, so that the first read in the text is told.
  std::vector<uint32_t> order(walk.reached.size());
  for (uint32_t i = 0; i < order.size(); ++i)
    order[i] = i;
  llvm::sort(order, [&](uint32_t a, uint32_t b) { return walk.reached[a] < walk.reached[b]; });
  Cells told;
  std::vector<UnsetRead> result;
  for (uint32_t number : order) {
    const Block &block = blocks.blocks[walk.reached[number]];
    Cells cells = begins[number];
    for (uint32_t i = block.begin; i < block.end; ++i) {
      const Instruction &inst = code.instructions[i];
      for (const Effect &effect : code.effectsOf(inst)) {
        if (effect.writes || effect.isMasked) // to save all predicates is to mean none of them
          continue;
        // Low words of a pair are left zero on purpose: those of the double 1.0 are.
        unsigned first = 0;
        for (unsigned k = 0; k < effect.count; ++k)
          if (cells[effect.cell + k])
            first = k;
        for (unsigned cell = effect.cell + first; cell < effect.cell + effect.count; ++cell)
          if (!cells[cell] && !told[cell]) {
            told.set(cell);
            result.push_back({i, uint16_t(cell), effect.cell});
          }
      }
      addWrites(code, inst, cells, writtenByCallee);
    }
  }
  return result;
}

BitVector varyingGuards(const Code &code, const Blocks &blocks, const StackWalk &walk,
                        WrittenByCallee writtenByCallee) {
  Dataflow flow(blocks, walk);
  auto transfer = [&](const Block &block, Cells &cells) {
    for (uint32_t i = block.begin; i < block.end; ++i)
      addVarying(code, code.instructions[i], cells, writtenByCallee);
  };
  std::vector<Cells> begins = flow.solve(Cells().set(), transfer, [](Cells &into, const Cells &cells) {
    Cells before = into;
    into &= cells;
    return into != before;
  });
  BitVector result(unsigned(code.instructions.size()));
  for (uint32_t number = 0; number < walk.reached.size(); ++number) {
    Cells cells = begins[number];
    const Block &block = blocks.blocks[walk.reached[number]];
    for (uint32_t i = block.begin; i < block.end; ++i) {
      const Instruction &inst = code.instructions[i];
      if (unsigned predicate = inst.guard & 7; predicate < 7 && cells[firstPredicate + predicate])
        result.set(i);
      addVarying(code, inst, cells, writtenByCallee);
    }
  }
  return result;
}

} // namespace leno::check
