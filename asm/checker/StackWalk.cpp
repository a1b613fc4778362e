//===- StackWalk.cpp - Every stack a lane can arrive with -----------------===//
#include "asm/checker/StackWalk.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace llvm;

namespace leno::check {
namespace {
/// More stacks than programs have that people can follow: the walk gives up.
constexpr size_t maxNodes = 200'000, maxEntriesKnown = 4096;
constexpr unsigned lanes = 32;

bool endsBlock(const Instruction &inst) {
  return inst.sync || (inst.flow != Flow::Next && inst.flow != Flow::Opaque);
}
} // namespace

Blocks::Blocks(const Code &code) : blockOf(code.instructions.size()), boundary(code.instructions.size() + 1) {
  size_t count = code.instructions.size();
  std::vector<bool> leads(count + 1);
  boundary[count] = true;
  for (const Kernel &kernel : code.kernels)
    boundary[kernel.begin] = boundary[kernel.end] = true;
  for (size_t i = 0; i < count; ++i) {
    const Instruction &inst = code.instructions[i];
    boundary[i] = boundary[i] || inst.startsSection;
    if (inst.labelled || boundary[i])
      leads[i] = true;
    if (endsBlock(inst))
      leads[i + 1] = true;
    for (uint32_t place : {inst.target, inst.join})
      if (place <= count)
        leads[place] = true;
  }
  for (size_t i = 0; i < count; ++i) {
    if (i == 0 || leads[i])
      blocks.push_back({uint32_t(i), uint32_t(i)});
    blocks.back().end = uint32_t(i + 1);
    blockOf[i] = uint32_t(blocks.size() - 1);
  }
}

/// Whether lanes may go on with what stands behind an instruction, without having waited anywhere.
static bool mayFallThrough(const Instruction &inst) {
  bool leaves =
      inst.sync ||
      is_contained({Flow::Branch, Flow::Indirect, Flow::Brk, Flow::Cont, Flow::Ret, Flow::Exit}, inst.flow);
  return !leaves || inst.conditional;
}

/// Visits the blocks that lanes can come to from the instruction `place` on. `enter` says whether a block is
/// new; `visit` is told its number and last instruction, and adds where that leads besides falling through.
/// It ends the walk by returning false.
template <typename Enter, typename Visit>
static void walk(const Code &code, const Blocks &blocks, uint32_t place, Enter &&enter, Visit &&visit) {
  SmallVector<uint32_t, 16> todo{place};
  while (!todo.empty()) {
    uint32_t at = todo.pop_back_val();
    if (at >= code.instructions.size() || !enter(blocks.blockOf[at]))
      continue;
    uint32_t block = blocks.blockOf[at], last = blocks.blocks[block].end - 1;
    const Instruction &inst = code.instructions[last];
    if (!visit(block, inst, todo))
      return;
    if (mayFallThrough(inst))
      todo.push_back(last + 1);
  }
}

std::vector<uint32_t> flood(const Code &code, const Blocks &blocks, uint32_t place, std::vector<bool> &seen) {
  std::vector<uint32_t> reached;
  auto enter = [&](uint32_t block) {
    bool isNew = !seen[block];
    seen[block] = true;
    return isNew;
  };
  walk(code, blocks, place, enter, [&](uint32_t block, const Instruction &inst, auto &todo) {
    reached.push_back(block);
    todo.push_back(inst.target);
    todo.push_back(inst.join);
    return true;
  });
  return reached;
}

uint32_t StackWalk::intern(Entry entry) {
  auto [it, inserted] = entryIndex.try_emplace(
      std::tuple(entry.below, entry.kind, entry.resume, entry.pusher, entry.divergedBy),
      uint32_t(entries.size()));
  if (inserted)
    entries.push_back(entry);
  return it->second;
}

uint32_t StackWalk::push(uint32_t stack, EntryKind entryKind, uint32_t resume, uint32_t pusher, bool &grows) {
  for (uint32_t at = stack; at != none; at = entries[at].below)
    if (entries[at].pusher == pusher && entries[at].kind == entryKind)
      grows = true;
  if (Push pair(pusher, entryKind == EntryKind::Sync); !is_contained(pushes, pair))
    pushes.push_back(pair);
  return intern({stack, entryKind, resume, pusher, none, entries[stack].depth + 1});
}

uint32_t StackWalk::markDiverged(uint32_t stack, uint32_t level, uint32_t by) {
  Entry entry = entries[stack];
  if (stack == level)
    entry.divergedBy = entry.divergedBy == none ? by : entry.divergedBy;
  else
    entry.below = markDiverged(entry.below, level, by);
  return intern(entry);
}

uint32_t StackWalk::divergedBy(uint32_t stack) const {
  for (; stack != none; stack = entries[stack].below)
    if (entries[stack].divergedBy != none)
      return entries[stack].divergedBy;
  return none;
}

void StackWalk::fault(StackFault faultKind, uint32_t at, uint32_t other) {
  if (faultSet.insert(uint64_t(at) << 8 | uint64_t(faultKind)).second)
    faults.push_back({faultKind, at, other});
}

void StackWalk::measure(uint32_t stack, const Counts &divergences, unsigned extra) {
  // Lanes of different DIV entries differ: a warp has at most 31 at a time.
  unsigned divs = std::min(lanes - 1, std::accumulate(divergences.begin(), divergences.end(), 0u));
  unsigned depth = entries[stack].depth + extra;
  maxEntries = std::max(maxEntries, depth);
  maxDivergences = std::max(maxDivergences, divs);
  maxTotal = std::max(maxTotal, depth + divs);
}

void StackWalk::go(uint32_t instruction, uint32_t stack, Counts divergences) {
  if (instruction == none) {
    complete = false;
    return;
  }
  if (instruction >= code.instructions.size()) {
    if (from != none)
      fault(StackFault::RunsOut, blocks.blocks[from].end - 1);
    return;
  }
  uint32_t block = blocks.blockOf[instruction];
  if (from != none && edgeSet.insert(uint64_t(from) << 32 | block).second)
    edges.emplace_back(from, block);
  if (!seen[block]) {
    seen[block] = true;
    reached.push_back(block);
  }
  if (nodes.size() > maxNodes || entries.size() > maxEntriesKnown) {
    complete = false;
    return;
  }
  auto [it, inserted] = nodeIndex.try_emplace({block, stack}, uint32_t(nodes.size()));
  if (inserted)
    nodes.push_back({block, stack, std::move(divergences)});
  Node &node = nodes[it->second];
  bool changed = inserted;
  if (!inserted) {
    for (size_t i = 0; i < node.divergences.size(); ++i)
      if (divergences[i] > node.divergences[i]) {
        // A divergent loop leaves an entry each turn, until one lane is left.
        node.divergences[i] = node.updates > 4 ? uint8_t(lanes - 1) : divergences[i];
        changed = true;
      }
    node.updates += changed;
  }
  if (changed && !node.queued) {
    node.queued = true;
    queue.push_back(it->second);
  }
}

void StackWalk::fallThrough(uint32_t at, uint32_t stack, Counts divergences) {
  if (!blocks.boundary[at + 1])
    return go(at + 1, stack, std::move(divergences));
  fault(StackFault::RunsOut, at);
}

/// Where the innermost entry of that kind lies, the lane goes on; gives the entry, or none.
uint32_t StackWalk::leave(EntryKind wanted, uint32_t at, uint32_t stack, const Counts &divergences) {
  uint32_t level = stack;
  bool acrossCall = false;
  for (; entries[level].kind != wanted && entries[level].kind != EntryKind::Base;
       level = entries[level].below)
    acrossCall |= entries[level].kind == EntryKind::Call;
  const Entry entry = entries[level];
  if (entry.kind == EntryKind::Base) {
    if (wanted != EntryKind::Call || kind == RootKind::Kernel) {
      fault(StackFault::NoEntry, at);
      return none;
    }
    returns = true;
    for (uint32_t e = stack; e != level; e = entries[e].below)
      pendingAtReturn.emplace_back(at, Push(entries[e].pusher, entries[e].kind == EntryKind::Sync));
    return level;
  }
  if (acrossCall && wanted != EntryKind::Call) {
    fault(StackFault::AcrossCall, at);
    return none;
  }
  resumed.insert({entry.pusher, entry.kind == EntryKind::Sync});
  Counts rest(divergences.begin(), divergences.begin() + entries[entry.below].depth + 1);
  go(entry.resume, entry.below, std::move(rest));
  return level;
}

/// Whether lanes that go there may wait for others; lanes that can only exit make nobody wait.
bool StackWalk::mayWait(uint32_t instruction) {
  if (instruction == none)
    return true;
  auto [it, inserted] = waits.try_emplace(instruction, false);
  if (!inserted)
    return it->second;
  DenseSet<uint32_t> visited;
  bool result = false;
  auto enter = [&](uint32_t block) { return visited.insert(block).second; };
  walk(code, blocks, instruction, enter, [&](uint32_t, const Instruction &inst, auto &todo) {
    result = inst.sync || is_contained({Flow::Brk, Flow::Cont, Flow::Ret, Flow::Indirect}, inst.flow);
    if (inst.flow == Flow::Branch)
      todo.push_back(inst.target);
    return !result;
  });
  return waits[instruction] = result;
}

void StackWalk::visit(uint32_t number) {
  nodes[number].queued = false;
  uint32_t stack = nodes[number].stack;
  Counts counts = nodes[number].divergences;
  from = nodes[number].block;
  uint32_t at = blocks.blocks[from].end - 1;
  const Instruction &inst = code.instructions[at];
  bool varies = varying && varying->test(at);
  measure(stack, counts);

  bool grows = false;
  auto pushing = [&](EntryKind entryKind, uint32_t resume) {
    stack = push(stack, entryKind, resume, at, grows);
    counts.push_back(0);
    measure(stack, counts);
  };
  if (inst.setSync)
    pushing(EntryKind::Sync, inst.join);
  // The lanes that stay when others left for the entry at `level`.
  auto stay = [&](uint32_t level) {
    if (inst.conditional)
      fallThrough(at, varies && level != none ? markDiverged(stack, level, at) : stack, counts);
  };
  switch (inst.flow) {
  case Flow::Ssy:
    pushing(EntryKind::Sync, inst.target);
    break;
  case Flow::Pbk:
    pushing(EntryKind::Brk, inst.target);
    break;
  case Flow::Pcnt:
    pushing(EntryKind::Cont, inst.target);
    break;
  case Flow::Pret:
    pushing(EntryKind::Call, inst.target);
    break;
  default:
    break;
  }
  if (grows) {
    fault(StackFault::Grows, at);
    return;
  }
  switch (inst.flow) {
  case Flow::Branch: {
    if (inst.sync)
      complete = false;
    bool diverges = inst.conditional && !inst.uniform && !inst.never;
    bool surely = diverges && varies;
    if (!inst.never) {
      Counts taken = counts;
      if (diverges)
        taken.back() = std::min<uint8_t>(uint8_t(lanes - 1), taken.back() + 1);
      go(inst.target, surely ? markDiverged(stack, stack, at) : stack, taken);
    }
    if (inst.conditional)
      fallThrough(at, surely && mayWait(inst.target) ? markDiverged(stack, stack, at) : stack, counts);
    return;
  }
  case Flow::Indirect:
    complete = false;
    stay(none);
    return;
  case Flow::Call: {
    measure(stack, counts, 1);
    unsigned divs = std::accumulate(counts.begin(), counts.end(), 0u);
    calls.push_back({at, inst.target, entries[stack].depth + 1, std::min(divs, lanes - 1)});
    if ((*ask)(inst.target).returns)
      fallThrough(at, stack, counts);
    return;
  }
  case Flow::Brk:
  case Flow::Cont:
  case Flow::Ret: {
    EntryKind wanted = inst.flow == Flow::Brk    ? EntryKind::Brk
                       : inst.flow == Flow::Cont ? EntryKind::Cont
                                                 : EntryKind::Call;
    stay(inst.never ? none : leave(wanted, at, stack, counts));
    return;
  }
  case Flow::Exit:
    stay(none);
    return;
  case Flow::Barrier:
    hasBarrier = true;
    if (uint32_t by = divergedBy(stack); by != none)
      fault(StackFault::DivergentBarrier, at, by);
    else if (varies)
      fault(StackFault::DivergentBarrier, at, at);
    break;
  default:
    break;
  }
  if (!inst.sync)
    return fallThrough(at, stack, counts);
  stay(inst.never ? none : leave(EntryKind::Sync, at, stack, counts));
}

/// RET discards what is above the call. That is how lanes return out of a loop; an SSY that nobody joins, or
/// a loop's entry that no lane ever used and all lanes return past, was left there by mistake.
void StackWalk::finishPending() {
  for (auto [at, push] : pendingAtReturn)
    if (!resumed.contains(push) && (push.second || !code.instructions[at].conditional))
      fault(StackFault::Pending, at, push.first);
}

std::vector<uint32_t> StackWalk::neverResumed() const {
  std::vector<uint32_t> result;
  for (Push push : pushes)
    if (push.second && !resumed.contains(push))
      result.push_back(push.first);
  return result;
}

void StackWalk::run(AskCallee askCallee, const BitVector *varyingGuards) {
  ask = &askCallee;
  varying = varyingGuards;
  seen.assign(blocks.blocks.size(), false);
  intern({none, EntryKind::Base, none, none, none, 0});
  go(root, 0, Counts{0});
  while (!queue.empty()) {
    uint32_t node = queue.back();
    queue.pop_back();
    visit(node);
  }
  from = none;
  auto alsoReach = [&](uint32_t place) {
    if (place < code.instructions.size() && !seen[blocks.blockOf[place]])
      append_range(alsoReached, flood(code, blocks, place, seen));
  };
  // Entries nobody resumes at, and branches turned off by @!PT: what they name is reached as far as the text
  // tells.
  for (Push push : pushes) {
    const Instruction &inst = code.instructions[push.first];
    uint32_t place = push.second && inst.setSync ? inst.join : inst.target;
    if (!resumed.contains(push))
      alsoReach(place);
  }
  for (uint32_t block : std::vector<uint32_t>(reached))
    if (const Instruction &last = code.instructions[blocks.blocks[block].end - 1]; last.never)
      alsoReach(last.target);
  finishPending();
}

} // namespace leno::check
