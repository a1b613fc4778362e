//===- LenoJoins.cpp - Where lanes part and where they meet --------------------===//
// The last pass. A branch that lanes take apart is right as it is (isa/manual:
// the lanes that do not take it wait on the stack), but slow, and no barrier may
// follow while they are apart. So each gets the place where they meet: SSY in
// front and SYNC at the ends of its sides; a loop whose lanes leave one by one,
// PBK in front and BRK where they leave.
//
// One level of loops at a time, from the innermost out, each a graph without
// circles: an inner loop is one node, ways out of the loop and back to its head
// are cut, and so are ends of the kernel. The join of a node is its immediate
// post-dominator among those nodes that reach the level's end, its sink. A
// region that has another way in than its node is left without a join.
// JoinsVerifier then proves the result; where it cannot, the function is compiled again with its control flow
// structured (ControlFlow.cpp).
#include "asm/codegen/ControlFlow.h"
#include "asm/codegen/JoinsMutation.h"
#include "asm/codegen/JoinsVerifier.h"
#include "asm/codegen/LenoCode.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {

using Block = MachineBasicBlock;

/// How control leaves a block: plainly, or by taking lanes out of the active ones.
struct Way {
  enum Kind { Goto, Sync, Break, Exit } kind;
  Block *to; ///< null for Exit
};

struct Ends {
  Register predicate; ///< of the first way, if there are two
  bool negated = false, uniform = false;
  SmallVector<Way, 2> ways;
  Block *push = nullptr; ///< SSY or, with `breaks`, PBK: the place to meet
  bool breaks = false;
};

struct Loop {
  int parent;
  Block *header;
  Block *front = nullptr; ///< the one block in front of it
  Block *latch = nullptr;
  bool partsLanes = false; ///< its lanes may leave at different times
  bool kept = false;       ///< and they wait for each other by PBK
};

struct Region {
  Block *node; ///< where lanes part; of a loop its front
  int loop;    ///< the loop, or -1 for a branch
  Block *join;
  SetVector<Block *> blocks; ///< between, without node and join
};

class Joins : public MachineFunctionPass {
public:
  static char ID;
  Joins() : MachineFunctionPass(ID) {}
  StringRef getPassName() const override { return "Leno joins of lanes"; }
  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.addRequired<MachineLoopInfoWrapperPass>();
    MachineFunctionPass::getAnalysisUsage(usage);
  }
  bool doInitialization(Module &module) override {
    convergent = ConvergentFunctions(module);
    mutation.emplace();
    return false;
  }
  bool doFinalization(Module &module) override {
    mutation->finish(module.getContext());
    return false;
  }
  bool runOnMachineFunction(MachineFunction &machineFunction) override;

private:
  void prove(JoinsVerifier &verifier);
  void readEnds();
  void readLoops(MachineLoopInfo &info);
  void exitInPlace();
  void normalize(int loop);
  void joinLevel(int loop);
  void apply(MutableArrayRef<Region> regions);
  void skipEmptyBlocks();
  void write();

  Block *newBlock(int loop, Block *to, Block *before);
  /// Redirects the ways of `from` that lead to `old`.
  void redirect(Block *from, Block *old, Block *now);
  /// The node that stands for a block at a level: itself, the front of the loop just inside, or null outside.
  Block *nodeOf(Block *block, int level);
  /// Blocks of a node.
  bool within(Block *block, int loop);
  SmallVector<Block *> blocksOf(Block *node, int level);

  ConvergentFunctions convergent;
  std::optional<JoinsMutation> mutation;
  MachineFunction *function;
  const TargetInstrInfo *instructions;
  DenseMap<Block *, Ends> ends;
  DenseMap<Block *, int> loopOf;
  std::vector<Loop> loops;
};
char Joins::ID;

void Joins::readEnds() {
  for (Block &block : *function) {
    Ends &end = ends[&block];
    Block *next = block.getNextNode();
    bool done = false;
    for (MachineInstr &inst : block.terminators()) {
      if (inst.getOpcode() == CODE::JUMP_IF) {
        end.predicate = inst.getOperand(0).getReg();
        end.negated = inst.getOperand(1).getImm();
        end.uniform = inst.getOperand(2).getImm();
        end.ways.push_back({Way::Goto, inst.getOperand(3).getMBB()});
      } else if (inst.getOpcode() == CODE::JUMP) {
        end.ways.push_back({Way::Goto, inst.getOperand(0).getMBB()});
        done = true;
      } else if (inst.getOpcode() == CODE::FINISH) {
        end.ways.push_back({Way::Exit, nullptr});
        done = true;
      }
    }
    if (!done && block.succ_empty())
      end.ways.push_back({Way::Exit, nullptr}); // behind a trap, or where the program says that nobody comes
    else if (!done)
      end.ways.push_back({Way::Goto, next});
    if (end.ways.size() == 2 && end.ways[0].to == end.ways[1].to)
      end.ways.pop_back();
  }
}

void Joins::readLoops(MachineLoopInfo &info) {
  DenseMap<MachineLoop *, int> numbers;
  for (MachineLoop *loop : info.getLoopsInPreorder()) {
    numbers[loop] = int(loops.size());
    MachineLoop *parent = loop->getParentLoop();
    loops.push_back({parent ? numbers[parent] : -1, loop->getHeader()});
  }
  for (Block &block : *function) {
    MachineLoop *loop = info.getLoopFor(&block);
    loopOf[&block] = loop ? numbers[loop] : -1;
  }
}

// A block that only ends the kernel is no place to meet: lanes end where they would go there.
void Joins::exitInPlace() {
  for (Block &block : make_early_inc_range(*function)) {
    if (&block == &function->front() || block.getFirstNonDebugInstr() == block.end() ||
        block.getFirstNonDebugInstr()->getOpcode() != CODE::FINISH)
      continue;
    for (auto &[from, end] : ends) {
      for (Way &way : end.ways)
        if (way.to == &block)
          way = {Way::Exit, nullptr};
      if (end.ways.size() == 2 && end.ways[0].kind == Way::Exit && end.ways[1].kind == Way::Exit)
        end.ways.pop_back();
    }
    ends.erase(&block);
    loopOf.erase(&block);
    while (!block.pred_empty())
      (*block.pred_begin())->removeSuccessor(&block);
    block.eraseFromParent();
  }
}

Block *Joins::newBlock(int loop, Block *to, Block *before) {
  Block *block = function->CreateMachineBasicBlock();
  function->insert(before->getIterator(), block);
  ends[block].ways.push_back({Way::Goto, to});
  loopOf[block] = loop;
  return block;
}

void Joins::redirect(Block *from, Block *old, Block *now) {
  for (Way &way : ends[from].ways)
    if (way.to == old)
      way.to = now;
}

bool Joins::within(Block *block, int loop) {
  int at = loopOf.lookup(block);
  while (at > loop)
    at = loops[at].parent;
  return at == loop;
}

// One block in front of the loop and one that goes back.
void Joins::normalize(int loop) {
  Block *header = loops[loop].header;
  SmallVector<Block *> outside, inside;
  for (Block &block : *function)
    if (any_of(ends[&block].ways, [&](const Way &way) { return way.to == header; }))
      (within(&block, loop) ? inside : outside).push_back(&block);
  loops[loop].front = newBlock(loops[loop].parent, header, header);
  for (Block *block : outside)
    redirect(block, header, loops[loop].front);
  if (inside.size() == 1 && loopOf[inside[0]] == loop && ends[inside[0]].ways.size() == 1) {
    loops[loop].latch = inside[0];
    return;
  }
  // Behind the last of them in the text, which may then run into it.
  Block *last = inside[0];
  for (Block *block : inside)
    if (block->getNumber() > last->getNumber() || block == last)
      last = block;
  Block *latch = function->CreateMachineBasicBlock();
  function->insert(std::next(last->getIterator()), latch);
  ends[latch].ways.push_back({Way::Goto, header});
  loopOf[latch] = loop;
  for (Block *block : inside)
    redirect(block, header, latch);
  loops[loop].latch = latch;
}

Block *Joins::nodeOf(Block *block, int level) {
  int at = loopOf.lookup(block), inner = -1;
  while (at != level && at >= 0) {
    inner = at;
    at = loops[at].parent;
  }
  if (at != level)
    return nullptr;
  return inner >= 0 ? loops[inner].header : block;
}

SmallVector<Block *> Joins::blocksOf(Block *node, int level) {
  if (loopOf[node] == level)
    return {node};
  int loop = loopOf[node];
  while (loops[loop].parent != level)
    loop = loops[loop].parent;
  SmallVector<Block *> result;
  for (Block &block : *function)
    if (within(&block, loop))
      result.push_back(&block);
  return result;
}

void Joins::joinLevel(int level) {
  Block *entry = level < 0 ? &function->front() : loops[level].header;
  // The graph of the level; an inner loop is its header's node.
  DenseMap<Block *, SmallVector<Block *, 4>> next, before;
  DenseMap<Block *, bool> leaves; // a way out of the level's graph besides its nodes
  SmallVector<Block *> order;     // sources before targets, in the end
  DenseMap<Block *, unsigned> place;
  auto visit = [&](auto &self, Block *node) -> void {
    place[node] = 0;
    SetVector<Block *> targets;
    for (Block *block : blocksOf(node, level))
      for (const Way &way : ends[block].ways) {
        Block *target = way.to ? nodeOf(way.to, level) : nullptr;
        if (!target || (level >= 0 && way.to == loops[level].header))
          leaves[node] = true;
        else if (target != node)
          targets.insert(target);
      }
    next[node] = SmallVector<Block *, 4>(targets.begin(), targets.end());
    for (Block *target : targets) {
      before[target].push_back(node);
      if (!place.count(target))
        self(self, target);
    }
    order.push_back(node);
  };
  visit(visit, entry);
  std::reverse(order.begin(), order.end());
  for (unsigned i = 0; i < order.size(); ++i)
    place[order[i]] = i;

  // Sinks: the latch, or the kernel's ends, from the one that most nodes lead to.
  SmallVector<std::pair<unsigned, Block *>> sinks;
  auto leadingTo = [&](Block *sink) {
    SetVector<Block *> found;
    found.insert(sink);
    for (unsigned i = 0; i < found.size(); ++i)
      for (Block *node : before[found[i]])
        found.insert(node);
    return found;
  };
  if (level >= 0)
    sinks.push_back({0, loops[level].latch});
  else
    for (Block *node : order)
      if (next[node].empty())
        sinks.push_back({unsigned(leadingTo(node).size()), node});
  stable_sort(sinks, [](const auto &a, const auto &b) { return a.first > b.first; });
  DenseMap<Block *, Block *> sinkOf, joinOf;
  for (auto &[count, sink] : sinks)
    for (Block *node : leadingTo(sink))
      sinkOf.try_emplace(node, sink);
  for (Block *node : reverse(order)) {
    Block *join = nullptr;
    for (Block *target : next[node]) {
      if (sinkOf.lookup(target) != sinkOf.lookup(node) || node == sinkOf.lookup(node))
        continue;
      Block *other = target;
      if (!join)
        join = other;
      while (join && other && join != other) {
        if (place[join] < place[other])
          join = joinOf[join];
        else
          other = joinOf[other];
      }
      if (!other)
        join = nullptr;
    }
    joinOf[node] = join;
  }

  SmallVector<Region> regions;
  SetVector<Block *> apart; // blocks that some lanes of this level's reach without others
  for (Block *node : order) {
    bool isLoop = loopOf[node] != level;
    int loop = isLoop ? loopOf[node] : -1;
    Ends &end = ends[node];
    bool parts = isLoop ? loops[loop].partsLanes : end.ways.size() == 2 && !end.uniform;
    if (!parts)
      continue;
    Region region{isLoop ? loops[loop].front : node, loop, joinOf[node], {}};
    SetVector<Block *> nodes;
    nodes.insert(node);
    for (unsigned i = 0; i < nodes.size(); ++i)
      for (Block *target : next[nodes[i]])
        if (target != region.join)
          nodes.insert(target);
    bool oneWayIn = true;
    for (Block *inner : nodes) {
      if (inner == node)
        continue;
      for (Block *from : before[inner])
        oneWayIn &= nodes.contains(from);
    }
    for (Block *inner : nodes)
      if (inner != node || isLoop)
        for (Block *block : blocksOf(inner, level)) {
          region.blocks.insert(block);
          if (inner != node)
            apart.insert(block);
        }
    // Where one way only leaves, nobody has to wait.
    bool waits = isLoop || nodes.size() > 1;
    if (isLoop && leaves[node]) {
      // A way that ends the kernel is nothing to the loop; one out of two loops at once would stop at this
      // one's PBK.
      for (Block *block : blocksOf(node, level))
        for (const Way &way : ends[block].ways)
          if (way.to && !nodeOf(way.to, level))
            waits = false;
    }
    if (!waits || !oneWayIn || !region.join)
      continue;
    if (isLoop)
      loops[loop].kept = true;
    regions.push_back(std::move(region));
  }
  if (level >= 0) {
    bool parts = false;
    for (Block *node : order)
      for (Block *block : blocksOf(node, level))
        for (const Way &way : ends[block].ways)
          if (way.to && !within(way.to, level))
            parts |= loopOf[block] != level || apart.contains(block) ||
                     (ends[block].ways.size() == 2 && !ends[block].uniform);
    loops[level].partsLanes = parts;
  }
  apply(regions);
}

void Joins::apply(MutableArrayRef<Region> regions) {
  stable_sort(regions, [](const Region &a, const Region &b) { return a.blocks.size() < b.blocks.size(); });
  for (Region &region : regions) {
    auto inside = [&](Block *block) {
      return region.blocks.contains(block) || (region.loop < 0 && block == region.node);
    };
    bool shared = false;
    SmallVector<Block *> last;
    for (Block &block : *function)
      if (any_of(ends[&block].ways, [&](const Way &way) { return way.to == region.join; })) {
        if (inside(&block))
          last.push_back(&block);
        else
          shared = true;
      }
    Block *join = region.join;
    if (shared) {
      join = newBlock(loopOf[region.join], region.join, region.join);
      for (Region &outer : regions)
        if (&outer != &region && outer.blocks.contains(region.node) && outer.join != join)
          outer.blocks.insert(join);
      for (Block *block : last)
        redirect(block, region.join, join);
    }
    for (Block *block : last)
      for (Way &way : ends[block].ways)
        if (way.to == join)
          way.kind = region.loop < 0 ? Way::Sync : Way::Break;
    ends[region.node].push = join;
    ends[region.node].breaks = region.loop >= 0;
  }
}

// What only goes on elsewhere is gone round.
void Joins::skipEmptyBlocks() {
  auto isEmpty = [&](Block *block) {
    Ends &end = ends[block];
    return end.ways.size() == 1 && end.ways[0].kind == Way::Goto && end.ways[0].to != block && !end.push &&
           all_of(*block,
                  [](const MachineInstr &inst) { return inst.isTerminator() || inst.isDebugInstr(); });
  };
  auto target = [&](Block *block) {
    for (size_t turns = function->size(); turns-- && isEmpty(block);) // a circle of them stays
      block = ends[block].ways[0].to;
    return block;
  };
  for (Block &block : *function) {
    Ends &end = ends[&block];
    for (Way &way : end.ways)
      if (way.to)
        way.to = target(way.to);
    if (end.push)
      end.push = target(end.push);
  }
  SmallPtrSet<Block *, 16> used = {&function->front()};
  for (Block &block : *function) {
    for (const Way &way : ends[&block].ways)
      used.insert(way.to);
    used.insert(ends[&block].push);
  }
  for (Block &block : make_early_inc_range(*function)) {
    if (used.contains(&block) || !isEmpty(&block))
      continue;
    while (!block.pred_empty())
      (*block.pred_begin())->removeSuccessor(&block);
    while (!block.succ_empty())
      block.removeSuccessor(block.succ_begin());
    ends.erase(&block);
    loopOf.erase(&block);
    block.eraseFromParent();
  }
}

void Joins::write() {
  for (Block &block : make_early_inc_range(*function)) {
    Ends &end = ends[&block];
    DebugLoc where = block.findBranchDebugLoc();
    while (!block.empty() && block.back().isTerminator())
      block.back().eraseFromParent();
    while (!block.succ_empty())
      block.removeSuccessor(block.succ_begin());
    if (end.push) {
      BuildMI(&block, where, instructions->get(end.breaks ? CODE::PBK : CODE::SSY)).addMBB(end.push);
      end.push->setLabelMustBeEmitted();
    }
    Block *next = block.getNextNode();
    auto emit = [&](const Way &way, Register predicate, bool negated) {
      unsigned opcode = way.kind == Way::Goto               ? CODE::BRA
                        : way.kind == Way::Sync             ? CODE::SYNC
                        : way.kind == Way::Break            ? CODE::BRK
                        : isKernel(function->getFunction()) ? CODE::EXIT
                                                            : CODE::RET;
      MachineInstrBuilder inst =
          BuildMI(&block, where, instructions->get(opcode)).addReg(predicate).addImm(negated);
      if (opcode == CODE::SYNC)
        return;
      inst.addImm(0);
      if (opcode != CODE::BRA)
        return;
      inst.addImm(end.uniform && predicate != CODE::PT).addImm(0).addMBB(way.to);
      way.to->setLabelMustBeEmitted();
    };
    auto falls = [&](const Way &way) { return way.kind == Way::Goto && way.to == next; };
    if (end.ways.size() == 2) {
      // What leaves goes first, and so does a branch whose other side follows.
      bool swap = falls(end.ways[0]) || (end.ways[0].kind == Way::Goto && end.ways[1].kind != Way::Goto);
      // But of a loop's last branch the way back: a turn then costs one instruction, not two.
      for (bool side : {false, true})
        if (any_of(loops, [&](const Loop &loop) { return loop.header == end.ways[side].to; }) &&
            end.ways[side].kind == Way::Goto && end.ways[!side].kind == Way::Break)
          swap = side;
      emit(end.ways[swap], end.predicate, end.negated != swap);
      if (!falls(end.ways[!swap]))
        emit(end.ways[!swap], CODE::PT, false);
    } else if (!falls(end.ways[0])) {
      emit(end.ways[0], CODE::PT, false);
    }
    for (const Way &way : end.ways)
      if (way.to && !block.isSuccessor(way.to))
        block.addSuccessor(way.to);
  }
}

bool Joins::runOnMachineFunction(MachineFunction &machineFunction) {
  function = &machineFunction;
  instructions = function->getSubtarget().getInstrInfo();
  ends.clear();
  loopOf.clear();
  loops.clear();
  function->RenumberBlocks();
  MachineLoopInfo &info = getAnalysis<MachineLoopInfoWrapperPass>().getLI();
  JoinsVerifier verifier(*function, info, convergent);
  readEnds();
  readLoops(info);
  exitInPlace();
  for (int loop = int(loops.size()) - 1; loop >= 0; --loop)
    normalize(loop);
  for (int loop = int(loops.size()) - 1; loop >= -1; --loop)
    joinLevel(loop);
  skipEmptyBlocks();
  write();
  function->getInfo<LenoFunctionInfo>()->joined = true;
  function->getProperties().reset(MachineFunctionProperties::Property::TracksLiveness);
  function->RenumberBlocks();
  mutation->apply(*function);
  prove(verifier);
  return true;
}

void Joins::prove(JoinsVerifier &verifier) {
  std::optional<JoinsVerifier::Fault> fault = verifier.verify();
  if (!fault)
    return;
  Function &source = function->getFunction();
  if (mutation->isWanted())
    sayUnsupported(source, fault->where, "the joins of lanes are wrong: " + fault->what);
  else if (!source.hasFnAttribute(leno::structured))
    source.addFnAttr(leno::unproven);
  else
    sayUnsupported(source, fault->where,
                   "that lanes are together is not proven here: " + fault->what +
                       "; this is a mistake of leno-cc's");
}

} // namespace

FunctionPass *llvm::createLenoJoins() { return new Joins; }
