//===- LenoCode.h - The code generator's own classes -----------------------===//
// Inside asm/codegen only; the door of the room is Compile.h. The numbers of
// registers and instructions here are not those of asm/LenoMCTargetDesc.h: the
// two namespaces keep them apart.
#pragma once

#include "llvm/CodeGen/AsmPrinter.h"
#include "llvm/CodeGen/CodeGenTargetMachineImpl.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/SelectionDAGTargetInfo.h"
#include "llvm/CodeGen/TargetFrameLowering.h"
#include "llvm/CodeGen/TargetInstrInfo.h"
#include "llvm/CodeGen/TargetLowering.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/MC/MCInst.h"

#include <optional>

#define GET_REGINFO_ENUM
#include "asm/codegen/LenoCodeGenRegisterInfo.inc"
#define GET_INSTRINFO_ENUM
#include "asm/codegen/LenoCodeGenInstrInfo.inc"
#define GET_REGINFO_HEADER
#include "asm/codegen/LenoCodeGenRegisterInfo.inc"
#define GET_INSTRINFO_HEADER
#include "asm/codegen/LenoCodeGenInstrInfo.inc"
#define GET_SUBTARGETINFO_HEADER
#include "asm/codegen/LenoCodeGenSubtargetInfo.inc"

namespace llvm {

/// Address spaces of LLVM's IR: those of clang's target amdgcn.
namespace LenoSpace {
enum : unsigned { Generic = 0, Global = 1, Shared = 3, Constant = 4, Local = 5 };
}

namespace LenoISD {
enum NodeType : unsigned {
  FIRST_NUMBER = ISD::BUILTIN_OP_END,
  CONSTANT, ///< a word of a constant bank: bank, byte offset
  FINISH,   ///< the end of a kernel or function
  CALL,     ///< a symbol or an address, registers, mask
  RCP,      ///< 1 / x, correctly rounded
  RSQ,      ///< 1 / sqrt(x), correctly rounded
  WIDE,     ///< IMAD.WIDE: sign (MulSign's number), a, b, a pair c
  UPPER,    ///< the upper word of a pair
  ADDRESS,  ///< the address of a variable in global memory: two words
  SHARED,   ///< the address of a variable in shared memory
  SPECIAL,  ///< a special register: its number
  CLOCK,    ///< one that changes from read to read
  VOTE,     ///< mode, predicate
  BALLOT,
  SHUFFLE,      ///< mode, a, b, c
  BARRIER,      ///< number
  MEMBAR,       ///< scope
  LOAD_VECTOR,  ///< its elements, words or pairs, in one access: an address
  STORE_VECTOR, ///< the elements, an address
};
}

/// A function that a program may call by name for what C has no word for.
struct LenoBuiltin {
  unsigned node;   ///< of LenoISD
  unsigned number; ///< special register, mode, scope
  bool divergent;  ///< surely differs from lane to lane
};
/// By its name: `leno_tid_x`, `leno_ballot`, ... (CodeGenerator.md lists them).
std::optional<LenoBuiltin> findBuiltin(StringRef name);

/// Says at an instruction of the program that there is no code for it; the compilation then fails.
void sayUnsupported(const Function &function, const DebugLoc &where, const Twine &what);

class LenoCodeFrameLowering : public TargetFrameLowering {
public:
  LenoCodeFrameLowering() : TargetFrameLowering(StackGrowsDown, Align(16), 0, Align(16)) {}
  void emitPrologue(MachineFunction &function, MachineBasicBlock &block) const override;
  void emitEpilogue(MachineFunction &function, MachineBasicBlock &block) const override;
  void processFunctionBeforeFrameFinalized(MachineFunction &function, RegScavenger *) const override;
  /// The room for a call's arguments is part of the frame, but where variables of a size that is not known
  /// come between.
  MachineBasicBlock::iterator eliminateCallFramePseudoInstr(MachineFunction &function,
                                                            MachineBasicBlock &block,
                                                            MachineBasicBlock::iterator at) const override;
  /// Whether R1 is the stack pointer. A kernel that calls nobody has its frame at the bottom of its local
  /// memory, so that no register is needed for it.
  static bool usesStackPointer(const MachineFunction &function);
  /// Where R1 goes on from the frame's bottom: for variables of a size that is not known.
  static bool usesFramePointer(const MachineFunction &function);

protected:
  bool hasFPImpl(const MachineFunction &function) const override { return usesFramePointer(function); }
};

class LenoCodeRegisterInfo : public LenoCodeGenRegisterInfo {
public:
  LenoCodeRegisterInfo();
  const MCPhysReg *getCalleeSavedRegs(const MachineFunction *) const override;
  const uint32_t *getCallPreservedMask(const MachineFunction &, CallingConv::ID) const override;
  BitVector getReservedRegs(const MachineFunction &) const override;
  bool eliminateFrameIndex(MachineBasicBlock::iterator at, int spAdjustment, unsigned operand,
                           RegScavenger *) const override;
  Register getFrameRegister(const MachineFunction &function) const override {
    if (LenoCodeFrameLowering::usesFramePointer(function))
      return framePointer;
    return LenoCodeFrameLowering::usesStackPointer(function) ? CODE::R1 : CODE::RZ;
  }
  /// A region is looked for around each of 250 registers, most of which a call overwrites: a third of the time
  /// of large functions with calls, for hardly an instruction.
  bool shouldRegionSplitForVirtReg(const MachineFunction &function, const LiveInterval &interval) const override {
    return function.size() <= 64 && LenoCodeGenRegisterInfo::shouldRegionSplitForVirtReg(function, interval);
  }
  /// The first that lives across calls.
  static constexpr MCPhysReg framePointer = CODE::R16;
};

class LenoCodeInstrInfo : public LenoCodeGenInstrInfo {
public:
  LenoCodeInstrInfo(const TargetSubtargetInfo &subtarget, const LenoCodeRegisterInfo &registers);
  void copyPhysReg(MachineBasicBlock &block, MachineBasicBlock::iterator at, const DebugLoc &where,
                   Register to, Register from, bool kill, bool, bool) const override;
  void storeRegToStackSlot(MachineBasicBlock &block, MachineBasicBlock::iterator at, Register from, bool kill,
                           int frameIndex, const TargetRegisterClass *type, Register,
                           MachineInstr::MIFlag) const override;
  void loadRegFromStackSlot(MachineBasicBlock &block, MachineBasicBlock::iterator at, Register to,
                            int frameIndex, const TargetRegisterClass *type, Register, unsigned,
                            MachineInstr::MIFlag) const override;
  bool analyzeBranch(MachineBasicBlock &block, MachineBasicBlock *&taken, MachineBasicBlock *&otherwise,
                     SmallVectorImpl<MachineOperand> &condition, bool) const override;
  unsigned removeBranch(MachineBasicBlock &block, int *) const override;
  unsigned insertBranch(MachineBasicBlock &block, MachineBasicBlock *taken, MachineBasicBlock *otherwise,
                        ArrayRef<MachineOperand> condition, const DebugLoc &where, int *) const override;
  bool reverseBranchCondition(SmallVectorImpl<MachineOperand> &condition) const override;
};

class LenoSubtarget;
class LenoTargetLowering : public TargetLowering {
public:
  LenoTargetLowering(const TargetMachine &machine, const LenoSubtarget &subtarget);
  const char *getTargetNodeName(unsigned opcode) const override;
  EVT getSetCCResultType(const DataLayout &, LLVMContext &context, EVT type) const override;
  SDValue LowerOperation(SDValue op, SelectionDAG &dag) const override;
  /// Types that the machine does not have are LLVM's to replace, in LLVM's ways; but for what one load reads.
  void ReplaceNodeResults(SDNode *node, SmallVectorImpl<SDValue> &results, SelectionDAG &dag) const override;
  SDValue PerformDAGCombine(SDNode *node, DAGCombinerInfo &info) const override;
  SDValue LowerFormalArguments(SDValue chain, CallingConv::ID convention, bool isVarArg,
                               const SmallVectorImpl<ISD::InputArg> &ins, const SDLoc &where,
                               SelectionDAG &dag, SmallVectorImpl<SDValue> &values) const override;
  bool CanLowerReturn(CallingConv::ID, MachineFunction &, bool, const SmallVectorImpl<ISD::OutputArg> &outs,
                      LLVMContext &, const Type *) const override;
  SDValue LowerReturn(SDValue chain, CallingConv::ID, bool, const SmallVectorImpl<ISD::OutputArg> &outs,
                      const SmallVectorImpl<SDValue> &values, const SDLoc &where,
                      SelectionDAG &dag) const override;
  SDValue LowerCall(CallLoweringInfo &call, SmallVectorImpl<SDValue> &values) const override;
  bool isSDNodeSourceOfDivergence(const SDNode *node, FunctionLoweringInfo *info,
                                  UniformityInfo *uniformity) const override;
  AtomicExpansionKind shouldExpandAtomicRMWInIR(AtomicRMWInst *rmw) const override;
  // Atomics alone order nothing: MEMBAR stands before what releases and behind what acquires.
  bool shouldInsertFencesForAtomic(const Instruction *) const override { return true; }
  Instruction *emitLeadingFence(IRBuilderBase &builder, Instruction *inst, AtomicOrdering order) const override;
  Instruction *emitTrailingFence(IRBuilderBase &builder, Instruction *inst, AtomicOrdering order) const override;
  ConstraintType getConstraintType(StringRef constraint) const override;
  std::pair<unsigned, const TargetRegisterClass *>
  getRegForInlineAsmConstraint(const TargetRegisterInfo *info, StringRef constraint, MVT type) const override;
  bool isFMAFasterThanFMulAndFAdd(const MachineFunction &, EVT) const override { return true; }
  bool isLegalAddressingMode(const DataLayout &, const AddrMode &mode, Type *, unsigned,
                             Instruction *) const override;
  bool isOffsetFoldingLegal(const GlobalAddressSDNode *) const override { return false; }
  MVT getScalarShiftAmountTy(const DataLayout &, EVT) const override { return MVT::i32; }
  bool isTruncateFree(Type *from, Type *to) const override;
  bool isTruncateFree(EVT from, EVT to) const override;
  bool shouldReduceLoadWidth(SDNode *load, ISD::LoadExtType, EVT type,
                             std::optional<unsigned>) const override;
  bool isFPImmLegal(const APFloat &, EVT, bool) const override { return true; }

private:
  const LenoSubtarget &subtarget;
  SDValue lowerBuiltin(const LenoBuiltin &builtin, CallLoweringInfo &call,
                       SmallVectorImpl<SDValue> &values) const;
  SDValue lowerBySplitting(SDValue op, SelectionDAG &dag) const;
  SDValue lowerWide(SDValue op, SelectionDAG &dag) const;
  SDValue lowerDivision(SDValue op, SelectionDAG &dag) const;
  SDValue lowerCast(SDValue op, SelectionDAG &dag) const;
  /// Whether one access moves a vector: aligned as the machine wants it.
  static bool isOneAccess(const MemSDNode &node);
  /// Of what is moved and has no type the scheduler asks, too.
  std::pair<const TargetRegisterClass *, uint8_t> findRepresentativeClass(const TargetRegisterInfo *info,
                                                                          MVT type) const override {
    return type == MVT::Untyped ? std::pair(&CODE::GPR128RegClass, uint8_t(1))
                                : TargetLowering::findRepresentativeClass(info, type);
  }
};

class LenoSelectionInfo : public SelectionDAGTargetInfo {
public:
  bool isTargetMemoryOpcode(unsigned opcode) const override {
    return opcode == LenoISD::LOAD_VECTOR || opcode == LenoISD::STORE_VECTOR;
  }
};

class LenoSubtarget : public LenoCodeGenSubtargetInfo {
public:
  explicit LenoSubtarget(const TargetMachine &machine);
  const LenoCodeInstrInfo *getInstrInfo() const override { return &instructions; }
  const LenoCodeFrameLowering *getFrameLowering() const override { return &frame; }
  const LenoCodeRegisterInfo *getRegisterInfo() const override { return &registers; }
  const LenoTargetLowering *getTargetLowering() const override { return &lowering; }
  const SelectionDAGTargetInfo *getSelectionDAGInfo() const override { return &selection; }
  bool enableIndirectBrExpand() const override { return true; }

private:
  LenoCodeRegisterInfo registers;
  LenoCodeInstrInfo instructions;
  LenoCodeFrameLowering frame;
  LenoTargetLowering lowering;
  LenoSelectionInfo selection;
};

/// What is being selected, for leno::placeOfCompilation.
struct LenoPlace {
  const Function *function = nullptr;
  DebugLoc where;
};
LenoPlace &placeOfSelection();

/// What a function's machine code knows beside LLVM's own.
struct LenoFunctionInfo : MachineFunctionInfo {
  LenoFunctionInfo(const Function &, const TargetSubtargetInfo *) {}
  /// Guards of instructions (LenoGuards): the predicate, and whether it is negated.
  DenseMap<const MachineInstr *, std::pair<Register, bool>> guards;
  std::optional<int> savedFramePointer; ///< where in the frame the caller's is
  bool joined = false; ///< LenoJoins has run: branches are the machine's, and LLVM no longer takes them apart
};

/// Where a parameter of a kernel lies in c[0]: its offset, for each in its order.
SmallVector<uint32_t> parameterOffsets(const Function &kernel);
/// Whether a launch may name the function.
bool isKernel(const Function &function);

FunctionPass *createLenoISel(TargetMachine &machine, CodeGenOptLevel level);
FunctionPass *createLenoGuards();
FunctionPass *createLenoJoins();
AsmPrinter *createLenoAsmPrinter(TargetMachine &machine, std::unique_ptr<MCStreamer> &&streamer);

} // namespace llvm
