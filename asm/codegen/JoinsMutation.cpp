//===- JoinsMutation.cpp - Joins made wrong, to see that it is found ----------===//
#include "asm/codegen/JoinsMutation.h"

#include "asm/codegen/LenoCode.h"

#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/CommandLine.h"

using namespace llvm;

static cl::opt<int> mutate("leno-mutate-joins", cl::Hidden, cl::init(-1),
                           cl::desc("Make the joins of lanes wrong in the N-th way"));

JoinsMutation::JoinsMutation() : wanted(mutate) {}

void JoinsMutation::apply(MachineFunction &function) {
  if (!isWanted())
    return;
  using Block = MachineBasicBlock;
  const TargetInstrInfo &names = *function.getSubtarget().getInstrInfo();
  auto is = [&] { return count++ == wanted; };
  auto nextOf = [&](Block *block) { return block->getNextNode() ? block->getNextNode() : &function.front(); };
  auto retarget = [&](MachineInstr &inst, unsigned operand) {
    Block *now = nextOf(inst.getOperand(operand).getMBB());
    now->setLabelMustBeEmitted();
    inst.getOperand(operand).setMBB(now);
  };
  auto otherName = [&](unsigned opcode) {
    return opcode == CODE::SSY    ? CODE::PBK
           : opcode == CODE::PBK  ? CODE::SSY
           : opcode == CODE::SYNC ? CODE::BRK
                                  : CODE::SYNC;
  };
  for (Block &block : function)
    for (MachineInstr &inst : block) {
      unsigned opcode = inst.getOpcode();
      DebugLoc where = inst.getDebugLoc();
      if (opcode == CODE::SSY || opcode == CODE::PBK) {
        if (is())
          return inst.eraseFromParent();
        if (is())
          return inst.setDesc(names.get(otherName(opcode)));
        if (is())
          return retarget(inst, 0);
        if (is()) { // it comes a block earlier in the text
          Block *before = &block == &function.front() ? &function.back() : block.getPrevNode();
          MachineInstr *moved = inst.removeFromParent();
          before->insert(before->getFirstTerminator(), moved);
          return;
        }
        if (is()) { // and once more
          BuildMI(block, inst, where, names.get(opcode)).addMBB(inst.getOperand(0).getMBB());
          return;
        }
      } else if (opcode == CODE::SYNC || opcode == CODE::BRK) {
        Register guard = inst.getOperand(0).getReg();
        int64_t negated = inst.getOperand(1).getImm();
        if (is()) { // lanes do not wait: they go on with the block that follows
          inst.eraseFromParent();
          return;
        }
        for (Block *way : block.successors())
          if (is()) { // nor with where they meet
            BuildMI(block, inst, where, names.get(CODE::BRA))
                .addReg(guard)
                .addImm(negated)
                .addImm(0)
                .addImm(0)
                .addImm(0)
                .addMBB(way);
            way->setLabelMustBeEmitted();
            return inst.eraseFromParent();
          }
        if (is()) {
          bool breaks = opcode == CODE::SYNC;
          MachineInstrBuilder other =
              BuildMI(block, inst, where, names.get(otherName(opcode))).addReg(guard).addImm(negated);
          if (breaks)
            other.addImm(0);
          return inst.eraseFromParent();
        }
        if (guard != CODE::PT && is())
          return inst.getOperand(1).setImm(!negated);
      } else if (opcode == CODE::BRA) {
        if (is())
          return retarget(inst, 5);
        if (inst.getOperand(0).getReg() != CODE::PT) {
          if (is())
            return inst.getOperand(1).setImm(!inst.getOperand(1).getImm());
          if (!inst.getOperand(3).getImm() && is())
            return inst.getOperand(3).setImm(1);
        }
      }
    }
}

void JoinsMutation::finish(LLVMContext &context) {
  if (wanted >= count)
    context.emitError("there are only " + Twine(count) + " ways to make these joins wrong");
}
