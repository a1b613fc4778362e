//===- LenoGuards.cpp - Short ways that become guarded instructions ------------===//
// Where a branch goes round a few instructions, or chooses between a few and a
// few others, they stand in its place with its predicate as their guard: that
// costs less than parting lanes and joining them (SSY, a branch, two SYNCs).
// What waits for other lanes, or looks at them, keeps its branch.
#include "asm/codegen/LenoCode.h"

#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"

using namespace llvm;

namespace {

using Block = MachineBasicBlock;

class Guards : public MachineFunctionPass {
public:
  static char ID;
  Guards() : MachineFunctionPass(ID) {}
  StringRef getPassName() const override { return "Leno guards"; }
  bool runOnMachineFunction(MachineFunction &machineFunction) override;

private:
  /// A branch that lanes take apart costs three instructions more than its sides, one that they take
  /// together a single one.
  static constexpr unsigned most = 6, mostUniform = 2;

  bool guardSides(Block &block);
  /// Instructions of a side that may be guarded by the predicate, -1: some may not.
  int cost(const Block &side, Register predicate) const;
  void take(Block &into, Block &side, Register predicate, bool negated);

  MachineFunction *function;
  const TargetInstrInfo *instructions;
};
char Guards::ID;

int Guards::cost(const Block &side, Register predicate) const {
  const TargetRegisterInfo &registers = *function->getSubtarget().getRegisterInfo();
  int count = 0;
  for (const MachineInstr &inst : side) {
    if (inst.isMetaInstruction() || inst.getOpcode() == CODE::JUMP)
      continue;
    if (inst.isTerminator() || inst.isCall() || inst.isConvergent() || inst.isInlineAsm() || inst.isPosition() ||
        inst.modifiesRegister(predicate, &registers) ||
        function->getInfo<LenoFunctionInfo>()->guards.contains(&inst))
      return -1;
    switch (inst.getOpcode()) { // two of the machine
    case CODE::ADD64:
    case CODE::SUB64:
    case CODE::ADD64I:
    case CODE::ADD64C:
    case CODE::CMP64:
    case CODE::CMP64_I:
    case CODE::SPILL_P:
    case CODE::FILL_P:
      ++count;
      break;
    }
    ++count;
  }
  return count;
}

void Guards::take(Block &into, Block &side, Register predicate, bool negated) {
  auto &guards = function->getInfo<LenoFunctionInfo>()->guards;
  for (MachineInstr &inst : make_early_inc_range(side)) {
    if (inst.isDebugInstr() || inst.isTerminator())
      continue;
    for (MachineOperand &operand : inst.operands())
      if (operand.isReg() && operand.isUse())
        operand.setIsKill(false);
    inst.removeFromParent();
    into.push_back(&inst);
    if (inst.isMetaInstruction())
      continue;
    inst.addOperand(*function, MachineOperand::CreateReg(predicate, false, /*isImp=*/true));
    guards[&inst] = {predicate, negated};
  }
  while (!side.succ_empty())
    side.removeSuccessor(side.succ_begin());
  into.removeSuccessor(&side);
  side.eraseFromParent();
}

bool Guards::guardSides(Block &block) {
  Block *taken = nullptr, *otherwise = nullptr;
  SmallVector<MachineOperand, 3> condition;
  if (instructions->analyzeBranch(block, taken, otherwise, condition, false) || condition.empty())
    return false;
  if (!otherwise)
    otherwise = block.getNextNode();
  if (!otherwise || taken == otherwise)
    return false;
  Register predicate = condition[0].getReg();
  bool negated = condition[1].getImm(), uniform = condition[2].getImm();
  auto onlyFrom = [&](Block *side) {
    return side != &block && side->pred_size() == 1 && side->succ_size() == 1 && !side->hasAddressTaken();
  };
  auto ends = [](Block *target) {
    auto first = target->getFirstNonDebugInstr();
    return first != target->end() && first->getOpcode() == CODE::FINISH;
  };
  bool takenSide = onlyFrom(taken), otherSide = onlyFrom(otherwise);
  bool both = takenSide && otherSide && *taken->succ_begin() == *otherwise->succ_begin();
  if (!both) {
    takenSide &= taken != otherwise && taken->isSuccessor(otherwise);
    otherSide &= otherwise->isSuccessor(taken);
    if (takenSide == otherSide)
      return false;
  }
  Block *join = both ? *taken->succ_begin() : takenSide ? otherwise : taken;
  if (join == &block || ends(join))
    return false;
  int total = 0;
  for (Block *side : {takenSide ? taken : nullptr, otherSide ? otherwise : nullptr}) {
    if (!side)
      continue;
    int own = cost(*side, predicate);
    if (own < 0 || own > int(uniform ? mostUniform : most))
      return false;
    total += own;
  }
  if (uniform && total > int(mostUniform))
    return false;
  DebugLoc where = block.findBranchDebugLoc();
  instructions->removeBranch(block);
  if (takenSide)
    take(block, *taken, predicate, negated);
  if (otherSide)
    take(block, *otherwise, predicate, !negated);
  if (!block.isSuccessor(join))
    block.addSuccessor(join);
  instructions->insertBranch(block, join, nullptr, {}, where);
  return true;
}

bool Guards::runOnMachineFunction(MachineFunction &machineFunction) {
  function = &machineFunction;
  instructions = function->getSubtarget().getInstrInfo();
  bool changed = false;
  for (auto block = function->begin(); block != function->end(); ++block)
    changed |= guardSides(*block);
  return changed;
}

} // namespace

FunctionPass *llvm::createLenoGuards() { return new Guards; }
