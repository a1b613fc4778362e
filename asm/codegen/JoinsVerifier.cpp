//===- JoinsVerifier.cpp - Proof that joins lead where the program does ------===//
#include "asm/codegen/JoinsVerifier.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/CodeGen/MachineLoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// Stacks deeper and places more than a program's control flow has: a push that comes again and again.
constexpr size_t maxDepth = 500, maxPlaces = 100000;

ConvergentFunctions::ConvergentFunctions(const Module &module) {
  SmallVector<const Function *> queue;
  auto mark = [&](const Function *function) {
    if (found.insert(function).second)
      queue.push_back(function);
  };
  for (const Function &function : module) {
    if (function.isIntrinsic())
      continue;
    if (function.isDeclaration() && !findBuiltin(function.getName()))
      mark(&function);
    for (const Instruction &inst : instructions(function)) {
      auto *call = dyn_cast<CallBase>(&inst);
      if (!call || isa<IntrinsicInst>(call))
        continue;
      const Function *callee = call->getCalledFunction();
      std::optional<LenoBuiltin> builtin = callee ? findBuiltin(callee->getName()) : std::nullopt;
      if (!callee || (builtin && is_contained({unsigned(LenoISD::VOTE), unsigned(LenoISD::BALLOT),
                                               unsigned(LenoISD::SHUFFLE), unsigned(LenoISD::BARRIER)},
                                              builtin->node)))
        mark(&function);
    }
  }
  while (!queue.empty())
    for (const User *user : queue.pop_back_val()->users())
      if (auto *call = dyn_cast<CallBase>(user))
        mark(call->getFunction());
}

bool ConvergentFunctions::isOperation(const MachineInstr &inst) const {
  switch (inst.getOpcode()) {
  case CODE::READ_CLOCK:
    return false;
  case CODE::CALL: {
    const MachineOperand &callee = inst.getOperand(0);
    return !callee.isGlobal() || !isa<Function>(callee.getGlobal()) ||
           contains(cast<Function>(callee.getGlobal()));
  }
  default:
    return inst.isConvergent();
  }
}

JoinsVerifier::JoinsVerifier(MachineFunction &function, const MachineLoopInfo &loops,
                             const ConvergentFunctions &convergent)
    : function(function), convergent(convergent) {
  readGraph(loops);
}

void JoinsVerifier::readGraph(const MachineLoopInfo &info) {
  for (Block &block : function) {
    numberOf[&block] = unsigned(nodes.size());
    nodes.emplace_back();
  }
  DenseMap<const MachineLoop *, int> loopNumbers;
  for (MachineLoop *loop : info.getLoopsInPreorder()) {
    loopNumbers[loop] = int(loops.size());
    MachineLoop *parent = loop->getParentLoop();
    loops.push_back({parent ? loopNumbers[parent] : -1, numberOf[loop->getHeader()], loop->getLoopDepth()});
  }
  for (Block &block : function) {
    Node &node = nodes[numberOf[&block]];
    if (const MachineLoop *loop = info.getLoopFor(&block))
      node.loop = loopNumbers[loop];
    node.where = block.findBranchDebugLoc();
    node.stops = any_of(
        block, [](const MachineInstr &inst) { return !inst.isTerminator() && !inst.isDebugInstr(); });
    std::optional<unsigned> taken, other;
    for (const MachineInstr &inst : block.terminators()) {
      if (inst.getOpcode() == CODE::JUMP_IF) {
        node.predicate = inst.getOperand(0).getReg();
        node.negated = inst.getOperand(1).getImm();
        node.parts = !inst.getOperand(2).getImm();
        taken = numberOf[inst.getOperand(3).getMBB()];
      } else if (inst.getOpcode() == CODE::JUMP) {
        other = numberOf[inst.getOperand(0).getMBB()];
      } else if (inst.getOpcode() == CODE::FINISH) {
        other = leaves;
        node.ends = !node.stops;
      }
      if (other)
        break;
    }
    if (!other)
      other = block.succ_empty() ? leaves : numberOf[block.getNextNode()];
    if (taken && *taken != *other) {
      node.ways = {*taken, *other};
      if (node.negated)
        std::swap(node.ways[0], node.ways[1]);
      node.stops = true;
    } else {
      node.ways = {*other};
      node.parts = false;
    }
  }
}

bool JoinsVerifier::contains(int loop, int inner) const {
  while (inner > loop)
    inner = loops[inner].parent;
  return inner == loop;
}

int JoinsVerifier::common(int a, int b) const {
  while (!contains(a, b))
    a = loops[a].parent;
  return a;
}

// A circle that is no loop with one way in: turns of it are not told apart.
bool JoinsVerifier::isIrreducible() const {
  enum State : uint8_t { New, Open, Done };
  std::vector<State> states(nodes.size(), New);
  SmallVector<std::pair<unsigned, unsigned>> path = {{0, 0}};
  states[0] = Open;
  while (!path.empty()) {
    auto &[at, way] = path.back();
    if (way == nodes[at].ways.size()) {
      states[at] = Done;
      path.pop_back();
      continue;
    }
    unsigned to = nodes[at].ways[way++];
    if (to == leaves)
      continue;
    int loop = nodes[to].loop;
    if (loop >= 0 && loops[loop].header == to && contains(loop, nodes[at].loop))
      continue;
    if (states[to] == Open)
      return true;
    if (states[to] == New) {
      states[to] = Open;
      path.push_back({to, 0});
    }
  }
  return false;
}

unsigned JoinsVerifier::follow(unsigned from, unsigned to, SmallVectorImpl<int> &turned) const {
  for (size_t hops = 0; to != leaves && hops <= nodes.size(); ++hops) {
    const Node &node = nodes[to];
    if (node.loop >= 0 && loops[node.loop].header == to && contains(node.loop, nodes[from].loop))
      turned.push_back(node.loop);
    if (node.ends && to)
      return leaves;
    if (node.stops)
      return to;
    from = to;
    to = node.ways[0];
  }
  return to == leaves ? leaves : unsigned(nodes.size()); // a circle in which nothing happens
}

const BitVector &JoinsVerifier::reach(unsigned from, int loop) {
  auto [it, isNew] = reached.try_emplace({from, loop});
  BitVector &result = it->second;
  if (!isNew)
    return result;
  result.resize(unsigned(nodes.size()) + 1);
  SmallVector<unsigned> queue;
  auto enter = [&](unsigned node) {
    if (node == leaves || node >= nodes.size() || result.test(node) ||
        (loop >= 0 && node == loops[loop].header))
      return;
    result.set(node);
    queue.push_back(node);
  };
  enter(from);
  while (!queue.empty())
    for (unsigned way : nodes[queue.pop_back_val()].ways)
      enter(way);
  return result;
}

bool JoinsVerifier::say(const DebugLoc &where, const Twine &what, bool apart) {
  fault = Fault{where, what.str(), apart};
  return false;
}

static std::string lineOf(const DebugLoc &where) {
  return where ? " in line " + std::to_string(where.getLine()) : "";
}

// The place's block is a node: each operation in it is to be reached by all.
bool JoinsVerifier::checkOperations(const Place &place, const Lanes &lanes) {
  for (const MachineInstr &inst : *place.block) {
    if (inst.isTerminator())
      break;
    if (!convergent.isOperation(inst))
      continue;
    unsigned here = numberOf[place.block];
    int loop = nodes[here].loop;
    for (const Apart &apart : lanes.levels)
      for (auto [branch, turn] : apart) {
        int outer = common(turn, loop);
        if (all_of(nodes[branch].ways, [&](unsigned way) { return reach(way, outer).test(here); }))
          return say(inst.getDebugLoc(),
                     "lanes that part at the branch" + lineOf(nodes[branch].where) +
                         " come here at different times",
                     true);
      }
    for (const Entry &entry : place.stack) {
      unsigned node = leaves;
      // What LenoJoins has put in only goes on; what it has taken out was an end.
      for (Block *block = entry.resume; node == leaves && block;) {
        auto it = numberOf.find(block);
        if (it != numberOf.end() && !nodes[it->second].ends)
          node = it->second;
        block = block->succ_empty() ? nullptr : *block->succ_begin();
      }
      if (node != leaves && reach(node, common(entry.loop, loop)).test(here))
        return say(inst.getDebugLoc(), "lanes that wait to meet come here at different times", true);
    }
  }
  return true;
}

bool JoinsVerifier::go(Place &place, Lanes &lanes, bool holds, Block *&stop) {
  unsigned from = numberOf[place.block];
  const Node node = nodes[from];
  for (size_t hops = 0; hops < function.size() + 2; ++hops) {
    Block *next = place.block->getNextNode();
    bool goes = false;
    for (MachineInstr &inst : *place.block) {
      unsigned opcode = inst.getOpcode();
      if (opcode == CODE::SSY || opcode == CODE::PBK) {
        Entry entry{opcode == CODE::PBK, inst.getOperand(0).getMBB(), place.block, node.loop};
        if (any_of(place.stack, [&](const Entry &other) {
              return other.pusher == entry.pusher && other.breaks == entry.breaks;
            }) ||
            place.stack.size() > maxDepth)
          return say(inst.getDebugLoc(), "a place to meet is pushed again while it waits");
        place.stack.push_back(entry);
        lanes.levels.emplace_back();
        continue;
      }
      if (!is_contained({CODE::BRA, CODE::SYNC, CODE::BRK, CODE::EXIT, CODE::RET}, opcode))
        continue;
      Register guard = inst.getOperand(0).getReg();
      if (guard != CODE::PT && (hops || guard != node.predicate || node.ways.size() != 2))
        return say(inst.getDebugLoc(), "a branch asks what the program does not");
      bool isTaken = (guard == CODE::PT || holds) != bool(inst.getOperand(1).getImm());
      if (opcode == CODE::BRA && inst.getOperand(3).getImm() && node.parts)
        return say(inst.getDebugLoc(), "lanes are said to agree that may not");
      if (opcode == CODE::BRA && guard != CODE::PT && node.parts)
        lanes.levels.back().try_emplace(from, node.loop);
      if (!isTaken)
        continue;
      goes = true;
      if (opcode == CODE::EXIT || opcode == CODE::RET) {
        stop = nullptr;
        return true;
      }
      if (opcode == CODE::BRA) {
        next = inst.getOperand(5).getMBB();
        break;
      }
      while (!place.stack.empty() && place.stack.back().breaks != (opcode == CODE::BRK)) {
        place.stack.pop_back();
        lanes.levels.pop_back();
      }
      if (place.stack.empty())
        return say(inst.getDebugLoc(), "lanes go to meet where nothing says where");
      next = place.stack.back().resume;
      place.stack.pop_back();
      lanes.levels.pop_back();
      break;
    }
    if (!goes && !next)
      return say(node.where, "lanes run past the end");
    place.block = next;
    auto it = numberOf.find(next);
    if (it != numberOf.end() && nodes[it->second].stops) {
      stop = next;
      return true;
    }
  }
  stop = place.block; // a circle in which nothing happens
  return true;
}

void JoinsVerifier::arrive(Place place, Lanes lanes) {
  auto [it, isNew] = known.try_emplace(place);
  auto &[before, queued] = it->second;
  bool changed = isNew;
  if (isNew)
    before = std::move(lanes);
  else
    for (auto [mine, theirs] : zip(before.levels, lanes.levels))
      for (auto [branch, turn] : theirs) {
        auto [at, added] = mine.try_emplace(branch, turn);
        if (!added && turn < at->second && contains(turn, at->second)) {
          at->second = turn;
          changed = true;
        }
        changed |= added;
      }
  if (changed && !queued) {
    queued = true;
    queue.push_back(std::move(place));
  }
}

bool JoinsVerifier::visit(const Place &place) {
  auto &entry = known[place];
  entry.second = false;
  const Lanes lanes = entry.first;
  if (!checkOperations(place, lanes))
    return false;
  unsigned from = numberOf[place.block];
  const Node &node = nodes[from];
  for (unsigned way = 0; way < node.ways.size(); ++way) {
    Place to = place;
    Lanes rest = lanes;
    Block *stop;
    if (!go(to, rest, way == 0, stop))
      return false;
    SmallVector<int, 4> turned;
    unsigned wanted = follow(from, node.ways[way], turned);
    unsigned got = leaves;
    if (stop) {
      auto it = numberOf.find(stop);
      got = it != numberOf.end() && nodes[it->second].stops ? it->second : unsigned(nodes.size());
    }
    if (wanted != got)
      return say(node.where, "a branch leads elsewhere than the program's");
    if (got == leaves || got == nodes.size())
      continue;
    for (Apart &apart : rest.levels)
      for (auto &[branch, turn] : apart)
        for (int loop : turned)
          if (contains(loop, turn) && contains(loop, nodes[branch].loop))
            turn = loops[loop].parent;
    to.block = stop;
    arrive(std::move(to), std::move(rest));
  }
  return true;
}

std::optional<JoinsVerifier::Fault> JoinsVerifier::verify() {
  bool operations = any_of(function, [&](const Block &block) {
    return any_of(block, [&](const MachineInstr &inst) { return convergent.isOperation(inst); });
  });
  if (operations && isIrreducible()) {
    say(DebugLoc(), "lanes go in circles that have several ways in", true);
    return fault;
  }
  Block *first = &function.front();
  if (auto [it, isNew] = numberOf.try_emplace(first, unsigned(nodes.size())); isNew)
    nodes.emplace_back().ways = {0};
  nodes[numberOf[first]].stops = true;
  Lanes lanes;
  lanes.levels.emplace_back();
  arrive({first, {}}, std::move(lanes));
  while (!queue.empty() && known.size() < maxPlaces) {
    Place place = std::move(queue.back());
    queue.pop_back();
    if (!visit(place))
      return fault;
  }
  if (!queue.empty())
    say(DebugLoc(), "lanes come to places with too many stacks");
  return fault;
}
