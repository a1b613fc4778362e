//===- LenoInstrInfo.cpp - Registers, frame, copies, branches ----------------===//
#include "asm/codegen/LenoCode.h"

#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineInstrBuilder.h"
#include "llvm/CodeGen/MachineMemOperand.h"
#include "llvm/CodeGen/MachineRegisterInfo.h"

#define GET_REGINFO_TARGET_DESC
#include "asm/codegen/LenoCodeGenRegisterInfo.inc"
#define GET_INSTRINFO_CTOR_DTOR
#include "asm/codegen/LenoCodeGenInstrInfo.inc"

using namespace llvm;

LenoCodeRegisterInfo::LenoCodeRegisterInfo() : LenoCodeGenRegisterInfo(CODE::R0) {}

const MCPhysReg *LenoCodeRegisterInfo::getCalleeSavedRegs(const MachineFunction *function) const {
  static const MCPhysReg none[] = {0};
  return function && isKernel(function->getFunction()) ? none : Saved_SaveList;
}
const uint32_t *LenoCodeRegisterInfo::getCallPreservedMask(const MachineFunction &, CallingConv::ID) const {
  return Saved_RegMask;
}

// R1 is the stack pointer, R3 SPILL_P's.
BitVector LenoCodeRegisterInfo::getReservedRegs(const MachineFunction &function) const {
  BitVector reserved(getNumRegs());
  for (MCPhysReg reg : {CODE::R1, CODE::R3, CODE::RZ, CODE::PT})
    markSuperRegs(reserved, reg);
  if (LenoCodeFrameLowering::usesFramePointer(function))
    markSuperRegs(reserved, framePointer);
  return reserved;
}

/// An instruction of isa with its guard and pop-sync bit, both unused.
static MachineInstrBuilder guarded(MachineInstrBuilder builder) {
  return builder.addReg(CODE::PT).addImm(0).addImm(0);
}

/// to = from + number.
static void add(MachineBasicBlock &block, MachineBasicBlock::iterator at, const DebugLoc &where, Register to,
                Register from, int64_t number) {
  const TargetInstrInfo &instructions = *block.getParent()->getSubtarget().getInstrInfo();
  // Flags: carry in, carry out, saturate; a's sign; b's sign.
  auto sum = [&](unsigned opcode) {
    return guarded(BuildMI(block, at, where, instructions.get(opcode), to))
        .addImm(0)
        .addImm(0)
        .addImm(0)
        .addReg(from)
        .addImm(0);
  };
  if (isInt<20>(number)) {
    sum(CODE::IADD_I).addImm(number);
    return;
  }
  guarded(BuildMI(block, at, where, instructions.get(CODE::MOV32I), CODE::R3)).addImm(number);
  sum(CODE::IADD_R).addReg(CODE::R3).addImm(0);
}

// The frame's bottom is where R1 or the frame pointer points to, or address 0.
bool LenoCodeRegisterInfo::eliminateFrameIndex(MachineBasicBlock::iterator at, int, unsigned operand,
                                               RegScavenger *) const {
  MachineInstr &inst = *at;
  MachineFunction &function = *inst.getMF();
  const MachineFrameInfo &frame = function.getFrameInfo();
  int64_t offset = frame.getObjectOffset(inst.getOperand(operand).getIndex()) + int64_t(frame.getStackSize());
  Register base = getFrameRegister(function);
  if (inst.getOpcode() == CODE::MOV_I && base == CODE::RZ && isInt<20>(offset)) {
    inst.getOperand(operand).ChangeToImmediate(offset);
    return false;
  }
  if (inst.getOpcode() == CODE::MOV_I) {
    add(*inst.getParent(), at, inst.getDebugLoc(), inst.getOperand(0).getReg(), base, offset);
    inst.eraseFromParent();
    return true;
  }
  inst.getOperand(operand).ChangeToRegister(base, false);
  MachineOperand &displacement = inst.getOperand(operand + 1);
  displacement.setImm(displacement.getImm() + offset);
  return false;
}

bool LenoCodeFrameLowering::usesStackPointer(const MachineFunction &function) {
  return !isKernel(function.getFunction()) || function.getFrameInfo().hasCalls() ||
         usesFramePointer(function);
}
bool LenoCodeFrameLowering::usesFramePointer(const MachineFunction &function) {
  return function.getFrameInfo().hasVarSizedObjects();
}

void LenoCodeFrameLowering::processFunctionBeforeFrameFinalized(MachineFunction &function,
                                                                RegScavenger *) const {
  if (usesFramePointer(function) && !isKernel(function.getFunction()))
    function.getInfo<LenoFunctionInfo>()->savedFramePointer =
        function.getFrameInfo().CreateStackObject(4, Align(4), /*isSpillSlot=*/false);
}

MachineBasicBlock::iterator
LenoCodeFrameLowering::eliminateCallFramePseudoInstr(MachineFunction &function, MachineBasicBlock &block,
                                                     MachineBasicBlock::iterator at) const {
  int64_t bytes = at->getOperand(0).getImm();
  if (bytes && !hasReservedCallFrame(function))
    add(block, at, at->getDebugLoc(), CODE::R1, CODE::R1,
        at->getOpcode() == CODE::CALL_START ? -bytes : bytes);
  return block.erase(at);
}

/// Reads or writes a register at R1 + offset.
static void access(MachineBasicBlock &block, MachineBasicBlock::iterator at, unsigned opcode, unsigned inst,
                   Register reg, int64_t offset) {
  const TargetInstrInfo &instructions = *block.getParent()->getSubtarget().getInstrInfo();
  BuildMI(block, at, DebugLoc(), instructions.get(opcode))
      .addReg(reg, getDefRegState(opcode == CODE::LOAD_NR))
      .addImm(inst)
      .addImm(0)
      .addReg(CODE::R1)
      .addImm(offset);
}

void LenoCodeFrameLowering::emitPrologue(MachineFunction &function, MachineBasicBlock &block) const {
  if (!usesStackPointer(function))
    return;
  constexpr unsigned localSize = 43; // SR_LOCAL_SIZE: the stack is empty
  if (isKernel(function.getFunction()))
    guarded(BuildMI(block, block.begin(), DebugLoc(), function.getSubtarget().getInstrInfo()->get(CODE::S2R),
                    CODE::R1))
        .addImm(localSize);
  auto at = block.begin();
  if (isKernel(function.getFunction()))
    ++at;
  const MachineFrameInfo &frame = function.getFrameInfo();
  if (uint64_t bytes = frame.getStackSize())
    add(block, at, DebugLoc(), CODE::R1, CODE::R1, -int64_t(bytes));
  if (!usesFramePointer(function))
    return;
  constexpr MCPhysReg pointer = LenoCodeRegisterInfo::framePointer;
  if (std::optional<int> saved = function.getInfo<LenoFunctionInfo>()->savedFramePointer)
    access(block, at, CODE::STORE_NR, CODE::STL, pointer,
           frame.getObjectOffset(*saved) + int64_t(frame.getStackSize()));
  add(block, at, DebugLoc(), pointer, CODE::R1, 0);
}

void LenoCodeFrameLowering::emitEpilogue(MachineFunction &function, MachineBasicBlock &block) const {
  const MachineFrameInfo &frame = function.getFrameInfo();
  uint64_t bytes = frame.getStackSize();
  if (isKernel(function.getFunction()))
    return;
  auto at = block.getFirstTerminator();
  if (std::optional<int> saved = function.getInfo<LenoFunctionInfo>()->savedFramePointer) {
    constexpr MCPhysReg pointer = LenoCodeRegisterInfo::framePointer;
    add(block, at, DebugLoc(), CODE::R1, pointer, 0);
    access(block, at, CODE::LOAD_NR, CODE::LDL, pointer, frame.getObjectOffset(*saved) + int64_t(bytes));
  }
  if (bytes)
    add(block, at, DebugLoc(), CODE::R1, CODE::R1, int64_t(bytes));
}

LenoCodeInstrInfo::LenoCodeInstrInfo(const TargetSubtargetInfo &subtarget,
                                     const LenoCodeRegisterInfo &registers)
    : LenoCodeGenInstrInfo(subtarget, registers, CODE::CALL_START, CODE::CALL_END) {}

void LenoCodeInstrInfo::copyPhysReg(MachineBasicBlock &block, MachineBasicBlock::iterator at,
                                    const DebugLoc &where, Register to, Register from, bool kill, bool,
                                    bool) const {
  if (CODE::PRRegClass.contains(to)) {
    BuildMI(block, at, where, get(CODE::PLOP), to)
        .addImm(0)
        .addReg(from, getKillRegState(kill))
        .addImm(0)
        .addReg(CODE::PT)
        .addImm(0);
    return;
  }
  if (CODE::GPRRegClass.contains(to)) {
    guarded(BuildMI(block, at, where, get(CODE::MOV_R), to)).addReg(from, getKillRegState(kill));
    return;
  }
  static const unsigned parts[] = {CODE::sub0, CODE::sub1, CODE::sub2, CODE::sub3};
  for (unsigned half : ArrayRef(parts).take_front(CODE::GPR128RegClass.contains(to) ? 4 : 2))
    guarded(BuildMI(block, at, where, get(CODE::MOV_R), getRegisterInfo().getSubReg(to, half)))
        .addReg(getRegisterInfo().getSubReg(from, half), getKillRegState(kill));
}

static MachineMemOperand *slot(MachineFunction &function, int frameIndex, MachineMemOperand::Flags flags) {
  MachineFrameInfo &frame = function.getFrameInfo();
  return function.getMachineMemOperand(MachinePointerInfo::getFixedStack(function, frameIndex), flags,
                                       frame.getObjectSize(frameIndex), frame.getObjectAlign(frameIndex));
}

// Numbers of isa/Modifiers.td: MemSize 32 is 0, 64 is 5, 128 is 6. The space is the instruction that reaches
// it.
void LenoCodeInstrInfo::storeRegToStackSlot(MachineBasicBlock &block, MachineBasicBlock::iterator at,
                                            Register from, bool kill, int frameIndex,
                                            const TargetRegisterClass *type, Register,
                                            MachineInstr::MIFlag) const {
  MachineMemOperand *memory = slot(*block.getParent(), frameIndex, MachineMemOperand::MOStore);
  DebugLoc where = block.findDebugLoc(at);
  bool predicate = CODE::PRRegClass.hasSubClassEq(type), pair = CODE::GPR64RegClass.hasSubClassEq(type);
  bool quad = CODE::GPR128RegClass.hasSubClassEq(type);
  unsigned opcode = predicate ? CODE::SPILL_P
                    : quad    ? CODE::STORE_NQ
                    : pair    ? CODE::STORE_NP
                              : CODE::STORE_NR;
  MachineInstrBuilder builder = BuildMI(block, at, where, get(opcode)).addReg(from, getKillRegState(kill));
  if (!predicate)
    builder.addImm(CODE::STL).addImm(quad ? 6 : pair ? 5 : 0);
  builder.addFrameIndex(frameIndex).addImm(0).addMemOperand(memory);
}

void LenoCodeInstrInfo::loadRegFromStackSlot(MachineBasicBlock &block, MachineBasicBlock::iterator at,
                                             Register to, int frameIndex, const TargetRegisterClass *type,
                                             Register, unsigned, MachineInstr::MIFlag) const {
  MachineMemOperand *memory = slot(*block.getParent(), frameIndex, MachineMemOperand::MOLoad);
  DebugLoc where = block.findDebugLoc(at);
  bool predicate = CODE::PRRegClass.hasSubClassEq(type), pair = CODE::GPR64RegClass.hasSubClassEq(type);
  bool quad = CODE::GPR128RegClass.hasSubClassEq(type);
  unsigned opcode = predicate ? CODE::FILL_P : quad ? CODE::LOAD_NQ : pair ? CODE::LOAD_NP : CODE::LOAD_NR;
  MachineInstrBuilder builder = BuildMI(block, at, where, get(opcode), to);
  if (!predicate)
    builder.addImm(CODE::LDL).addImm(quad ? 6 : pair ? 5 : 0);
  builder.addFrameIndex(frameIndex).addImm(0).addMemOperand(memory);
}

// A condition is the predicate, its negation and whether all lanes agree.
bool LenoCodeInstrInfo::analyzeBranch(MachineBasicBlock &block, MachineBasicBlock *&taken,
                                      MachineBasicBlock *&otherwise,
                                      SmallVectorImpl<MachineOperand> &condition, bool) const {
  if (block.getParent()->getInfo<LenoFunctionInfo>()->joined)
    return true;
  SmallVector<MachineInstr *, 2> branches;
  for (MachineInstr &inst : block.terminators()) {
    if (inst.getOpcode() != CODE::JUMP && inst.getOpcode() != CODE::JUMP_IF)
      return true;
    branches.push_back(&inst);
    if (inst.getOpcode() == CODE::JUMP)
      break;
  }
  if (branches.size() > 2 || (branches.size() == 2 && branches[1]->getOpcode() != CODE::JUMP))
    return true;
  for (MachineInstr *inst : branches) {
    if (inst->getOpcode() == CODE::JUMP_IF) {
      taken = inst->getOperand(3).getMBB();
      condition.append({inst->getOperand(0), inst->getOperand(1), inst->getOperand(2)});
    } else {
      (condition.empty() ? taken : otherwise) = inst->getOperand(0).getMBB();
    }
  }
  return false;
}

unsigned LenoCodeInstrInfo::removeBranch(MachineBasicBlock &block, int *) const {
  unsigned count = 0;
  while (!block.empty()) {
    auto last = block.getLastNonDebugInstr();
    if (last == block.end() || (last->getOpcode() != CODE::JUMP && last->getOpcode() != CODE::JUMP_IF))
      break;
    last->eraseFromParent();
    ++count;
  }
  return count;
}

unsigned LenoCodeInstrInfo::insertBranch(MachineBasicBlock &block, MachineBasicBlock *taken,
                                         MachineBasicBlock *otherwise, ArrayRef<MachineOperand> condition,
                                         const DebugLoc &where, int *) const {
  if (condition.empty()) {
    BuildMI(&block, where, get(CODE::JUMP)).addMBB(taken);
    return 1;
  }
  BuildMI(&block, where, get(CODE::JUMP_IF))
      .add(condition[0])
      .add(condition[1])
      .add(condition[2])
      .addMBB(taken);
  if (!otherwise)
    return 1;
  BuildMI(&block, where, get(CODE::JUMP)).addMBB(otherwise);
  return 2;
}

bool LenoCodeInstrInfo::reverseBranchCondition(SmallVectorImpl<MachineOperand> &condition) const {
  condition[1].setImm(!condition[1].getImm());
  return false;
}
