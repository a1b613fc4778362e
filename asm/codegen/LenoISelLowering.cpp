//===- LenoISelLowering.cpp - What the machine has, and how to do the rest ---===//
#include "asm/codegen/LenoCode.h"

#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/CodeGen/FunctionLoweringInfo.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/SelectionDAG.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

LenoTargetLowering::LenoTargetLowering(const TargetMachine &machine, const LenoSubtarget &subtarget)
    : TargetLowering(machine, subtarget), subtarget(subtarget) {
  setStackPointerRegisterToSaveRestore(CODE::R1);
  addRegisterClass(MVT::i1, &CODE::PRRegClass);
  addRegisterClass(MVT::i32, &CODE::GPRRegClass);
  addRegisterClass(MVT::f32, &CODE::FPRRegClass);
  addRegisterClass(MVT::i64, &CODE::GPR64RegClass);
  addRegisterClass(MVT::f64, &CODE::GPR64RegClass);
  computeRegisterProperties(subtarget.getRegisterInfo());

  setBooleanContents(ZeroOrOneBooleanContent);
  setMinFunctionAlignment(Align(8));
  setMinimumJumpTableEntries(UINT_MAX);
  setMaxAtomicSizeInBitsSupported(64);
  setMaxDivRemBitWidthSupported(64); // LLVM divides longer ones bit by bit
  setMaxLargeFPConvertBitWidthSupported(64);
  setMinCmpXchgSizeInBits(32);
  setJumpIsExpensive(true);
  MaxStoresPerMemset = MaxStoresPerMemsetOptSize = MaxStoresPerMemcpy = MaxStoresPerMemcpyOptSize =
      MaxStoresPerMemmove = MaxStoresPerMemmoveOptSize = 64;

  for (MVT type : {MVT::i1, MVT::i32, MVT::i64, MVT::f32, MVT::f64}) {
    setOperationAction({ISD::BR_CC, ISD::SELECT_CC}, type, Expand);
    setOperationAction(ISD::DYNAMIC_STACKALLOC, type, Expand);
  }
  for (MVT type : {MVT::i32, MVT::i64}) {
    setOperationAction({ISD::SHL_PARTS, ISD::SRL_PARTS, ISD::SRA_PARTS}, type, Expand);
  }
  setOperationAction({ISD::BRIND, ISD::BR_JT, ISD::STACKSAVE, ISD::STACKRESTORE}, MVT::Other, Expand);
  setOperationAction({ISD::TRAP, ISD::DEBUGTRAP, ISD::UBSANTRAP}, MVT::Other, Legal);

  // Truth values are predicates.
  for (MVT type : {MVT::i32, MVT::i64}) {
    for (auto extension : {ISD::EXTLOAD, ISD::ZEXTLOAD, ISD::SEXTLOAD})
      setLoadExtAction(extension, type, MVT::i1, Promote);
    setTruncStoreAction(type, MVT::i1, Expand);
  }
  setOperationAction(ISD::SELECT, MVT::i1, Promote);
  AddPromotedToType(ISD::SELECT, MVT::i1, MVT::i32);
  setOperationAction({ISD::LOAD, ISD::STORE, ISD::SINT_TO_FP, ISD::UINT_TO_FP}, MVT::i1, Custom);
  setOperationAction(ISD::SIGN_EXTEND_INREG, MVT::i1, Expand);

  // Words.
  setOperationAction({ISD::SDIV, ISD::UDIV, ISD::SREM, ISD::UREM, ISD::SDIVREM, ISD::UDIVREM, ISD::SMUL_LOHI,
                      ISD::UMUL_LOHI, ISD::CTTZ, ISD::CTTZ_ZERO_UNDEF, ISD::CTLZ, ISD::ROTL, ISD::ROTR},
                     MVT::i32, Expand);
  setOperationAction({ISD::SMIN, ISD::SMAX, ISD::UMIN, ISD::UMAX, ISD::FSHL, ISD::FSHR, ISD::MULHS,
                      ISD::MULHU, ISD::BITREVERSE, ISD::BSWAP, ISD::CTPOP, ISD::CTLZ_ZERO_UNDEF},
                     MVT::i32, Legal);

  // Pairs: sums, comparisons, loads and stores are instructions; the rest is done by halves.
  setOperationAction({ISD::AND, ISD::OR, ISD::XOR, ISD::SHL, ISD::SRL, ISD::SRA, ISD::MUL, ISD::SELECT,
                      ISD::CTPOP, ISD::SIGN_EXTEND, ISD::ZERO_EXTEND, ISD::ANY_EXTEND, ISD::BSWAP,
                      ISD::BITREVERSE},
                     MVT::i64, Custom);
  setOperationAction({ISD::SDIV,      ISD::UDIV,
                      ISD::SREM,      ISD::UREM,
                      ISD::SDIVREM,   ISD::UDIVREM,
                      ISD::SMUL_LOHI, ISD::UMUL_LOHI,
                      ISD::MULHS,     ISD::MULHU,
                      ISD::CTTZ,      ISD::CTTZ_ZERO_UNDEF,
                      ISD::CTLZ,      ISD::CTLZ_ZERO_UNDEF,
                      ISD::ROTL,      ISD::ROTR,
                      ISD::FSHL,      ISD::FSHR,
                      ISD::SMIN,      ISD::SMAX,
                      ISD::UMIN,      ISD::UMAX},
                     MVT::i64, Expand);
  setOperationAction(ISD::SIGN_EXTEND_INREG, {MVT::i8, MVT::i16, MVT::i32}, Custom);
  for (MVT narrow : {MVT::i8, MVT::i16, MVT::i32}) {
    for (auto extension : {ISD::EXTLOAD, ISD::ZEXTLOAD, ISD::SEXTLOAD})
      setLoadExtAction(extension, MVT::i64, narrow, Expand);
    setTruncStoreAction(MVT::i64, narrow, Expand);
  }
  setOperationAction(ISD::SELECT, MVT::f64, Custom);

  // Floats.
  setOperationAction(ISD::SELECT, MVT::f32, Promote);
  AddPromotedToType(ISD::SELECT, MVT::f32, MVT::i32);
  for (MVT type : {MVT::f32, MVT::f64}) {
    setOperationAction({ISD::ConstantFP, ISD::FMA, ISD::FMINNUM, ISD::FMAXNUM, ISD::FMINIMUMNUM,
                        ISD::FMAXIMUMNUM, ISD::FFLOOR, ISD::FCEIL, ISD::FTRUNC, ISD::FRINT, ISD::FNEARBYINT,
                        ISD::FROUNDEVEN},
                       type, Legal);
    setOperationAction({ISD::FSUB, ISD::FREM, ISD::FPOW, ISD::FPOWI, ISD::FEXP, ISD::FEXP10, ISD::FLOG,
                        ISD::FLOG10, ISD::FCOPYSIGN, ISD::FSINCOS, ISD::FMINIMUM, ISD::FMAXIMUM, ISD::FROUND},
                       type, Expand);
  }
  setOperationAction({ISD::FSQRT, ISD::FSIN, ISD::FCOS, ISD::FEXP2, ISD::FLOG2}, MVT::f32, Legal);
  setOperationAction({ISD::FSQRT, ISD::FSIN, ISD::FCOS, ISD::FEXP2, ISD::FLOG2, ISD::FDIV}, MVT::f64, Expand);
  setOperationAction({ISD::FNEG, ISD::FABS}, MVT::f64, Custom);
  setOperationAction(ISD::FDIV, MVT::f32, Custom);
  setLoadExtAction(ISD::EXTLOAD, MVT::f64, MVT::f32, Expand);
  setTruncStoreAction(MVT::f64, MVT::f32, Expand);
  for (MVT type : {MVT::f32, MVT::f64}) {
    setOperationAction(ISD::FP16_TO_FP, type, type == MVT::f32 ? Legal : Expand);
    setOperationAction(ISD::FP_TO_FP16, type, Legal);
    setLoadExtAction(ISD::EXTLOAD, type, MVT::f16, Expand);
    setTruncStoreAction(type, MVT::f16, Expand);
  }

  for (MVT type : {MVT::i32, MVT::i64}) {
    setOperationAction({ISD::GlobalAddress, ISD::ADDRSPACECAST}, type, Custom);
  }
  for (MVT type : {MVT::v2i32, MVT::v2f32, MVT::v4i32, MVT::v4f32, MVT::v2i64, MVT::v2f64})
    setOperationAction({ISD::LOAD, ISD::STORE}, type, Custom);
  setOperationAction(ISD::ATOMIC_FENCE, MVT::Other, Legal);
  setTargetDAGCombine(ISD::ADD);
}

const char *LenoTargetLowering::getTargetNodeName(unsigned opcode) const {
  switch (opcode) {
#define NODE(name)                                                                                           \
  case LenoISD::name:                                                                                        \
    return "LenoISD::" #name;
    NODE(CONSTANT)
    NODE(FINISH)
    NODE(CALL)
    NODE(RCP)
    NODE(RSQ)
    NODE(WIDE)
    NODE(UPPER)
    NODE(ADDRESS)
    NODE(SHARED)
    NODE(SPECIAL)
    NODE(CLOCK)
    NODE(VOTE)
    NODE(BALLOT)
    NODE(SHUFFLE)
    NODE(BARRIER)
    NODE(MEMBAR)
    NODE(LOAD_VECTOR)
    NODE(STORE_VECTOR)
#undef NODE
  }
  return nullptr;
}

EVT LenoTargetLowering::getSetCCResultType(const DataLayout &, LLVMContext &context, EVT type) const {
  return type.isVector() ? EVT::getVectorVT(context, MVT::i1, type.getVectorElementCount()) : EVT(MVT::i1);
}

bool LenoTargetLowering::isLegalAddressingMode(const DataLayout &, const AddrMode &mode, Type *, unsigned,
                                               Instruction *) const {
  return !mode.BaseGV && isInt<24>(mode.BaseOffs) &&
         (mode.Scale == 0 || (mode.Scale == 1 && !mode.HasBaseReg));
}

bool LenoTargetLowering::isTruncateFree(Type *from, Type *to) const {
  return from->isIntegerTy(64) && to->isIntegerTy(32);
}
bool LenoTargetLowering::isTruncateFree(EVT from, EVT to) const { return from == MVT::i64 && to == MVT::i32; }

// A byte of a word costs as much as the word does, and of words side by side the bytes are not.
bool LenoTargetLowering::shouldReduceLoadWidth(SDNode *load, ISD::LoadExtType, EVT type,
                                               std::optional<unsigned>) const {
  return type.getSizeInBits() >= 32 || cast<LoadSDNode>(load)->getMemoryVT().getSizeInBits() < 32;
}

TargetLowering::AtomicExpansionKind LenoTargetLowering::shouldExpandAtomicRMWInIR(AtomicRMWInst *rmw) const {
  bool word = rmw->getType()->getPrimitiveSizeInBits() == 32;
  switch (rmw->getOperation()) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::And:
  case AtomicRMWInst::Or:
  case AtomicRMWInst::Xor:
  case AtomicRMWInst::Xchg:
  case AtomicRMWInst::UMin:
  case AtomicRMWInst::UMax:
    return AtomicExpansionKind::None;
  case AtomicRMWInst::Min:
  case AtomicRMWInst::Max:
  case AtomicRMWInst::UIncWrap:
  case AtomicRMWInst::UDecWrap:
    return word ? AtomicExpansionKind::None : AtomicExpansionKind::CmpXChg;
  case AtomicRMWInst::FAdd:
    return rmw->getType()->isFloatTy() ? AtomicExpansionKind::None : AtomicExpansionKind::CmpXChg;
  default:
    return AtomicExpansionKind::CmpXChg;
  }
}

// LLVM's own would have the scope of the whole system.
Instruction *LenoTargetLowering::emitLeadingFence(IRBuilderBase &builder, Instruction *inst,
                                                  AtomicOrdering order) const {
  return isReleaseOrStronger(order) && inst->hasAtomicStore()
             ? builder.CreateFence(order, getAtomicSyncScopeID(inst).value())
             : nullptr;
}
Instruction *LenoTargetLowering::emitTrailingFence(IRBuilderBase &builder, Instruction *inst,
                                                   AtomicOrdering order) const {
  return isAcquireOrStronger(order) ? builder.CreateFence(order, getAtomicSyncScopeID(inst).value()) : nullptr;
}

bool LenoTargetLowering::isSDNodeSourceOfDivergence(const SDNode *node, FunctionLoweringInfo *info,
                                                    UniformityInfo *uniformity) const {
  switch (node->getOpcode()) {
  case ISD::CopyFromReg: {
    Register reg = cast<RegisterSDNode>(node->getOperand(1))->getReg();
    if (reg.isPhysical())
      return reg != CODE::RZ && reg != CODE::PT;
    const Value *value = uniformity ? info->getValueFromVirtualReg(reg) : nullptr;
    return !value || uniformity->isDivergent(value);
  }
  case ISD::LOAD:
  case LenoISD::LOAD_VECTOR: {
    unsigned space = cast<MemSDNode>(node)->getAddressSpace();
    return space == LenoSpace::Local || space == LenoSpace::Generic;
  }
  case LenoISD::SPECIAL:
    return node->getConstantOperandVal(1);
  case LenoISD::CLOCK:
  case LenoISD::SHUFFLE:
    return true;
  case LenoISD::VOTE:
  case LenoISD::BALLOT:
    return false;
  default:
    return isa<AtomicSDNode>(node);
  }
}

// Inline assembly: "r" and "v" are registers, pairs where values have 64 bits; "{v9}" (clang's word for this
// target) and "{R9}" are that one.
TargetLowering::ConstraintType LenoTargetLowering::getConstraintType(StringRef constraint) const {
  return constraint == "v" ? C_RegisterClass : TargetLowering::getConstraintType(constraint);
}

std::pair<unsigned, const TargetRegisterClass *>
LenoTargetLowering::getRegForInlineAsmConstraint(const TargetRegisterInfo *info, StringRef constraint,
                                                 MVT type) const {
  bool wide = type != MVT::Other && type.getSizeInBits() == 64;
  if (constraint == "r" || constraint == "v") {
    if (type != MVT::Other && (type.isVector() || type.getSizeInBits() > 64))
      return {0, nullptr};
    return {0, wide               ? &CODE::GPR64RegClass
               : type == MVT::i1  ? &CODE::PRRegClass
               : type == MVT::f32 ? &CODE::FPRRegClass
                                  : &CODE::GPRRegClass};
  }
  unsigned number;
  StringRef name = constraint;
  if (name.consume_front("{") && name.consume_back("}") && !name.empty()) {
    char kind = toUpper(name[0]);
    name = name.drop_front();
    // A pair as clang writes it: v[8:9].
    if (name.consume_front("[") && name.consume_back("]"))
      name = name.split(':').first;
    if (!name.getAsInteger(10, number)) {
      if ((kind == 'R' || kind == 'V') && number < 254) {
        MCRegister reg = CODE::R0 + number;
        if (!wide)
          return {reg, type == MVT::f32 ? &CODE::FPRRegClass : &CODE::GPRRegClass};
        if (MCRegister both = info->getMatchingSuperReg(reg, CODE::sub0, &CODE::GPR64RegClass))
          return {both, &CODE::GPR64RegClass};
      }
      if (kind == 'P' && number < 7)
        return {CODE::P0 + number, &CODE::PRRegClass};
    }
  }
  return TargetLowering::getRegForInlineAsmConstraint(info, constraint, type);
}

//===--- Combinations -----------------------------------------------------------===//

// LLVM expands its own EXTRACT_ELEMENT by a shift, which here is done by halves again.
static std::pair<SDValue, SDValue> halves(SDValue value, const SDLoc &where, SelectionDAG &dag) {
  if (value.getValueType() == MVT::f64)
    value = dag.getBitcast(MVT::i64, value);
  if (value.getOpcode() == ISD::BUILD_PAIR)
    return {value.getOperand(0), value.getOperand(1)};
  if (auto *number = dyn_cast<ConstantSDNode>(value))
    return {dag.getConstant(uint32_t(number->getZExtValue()), where, MVT::i32),
            dag.getConstant(uint32_t(number->getZExtValue() >> 32), where, MVT::i32)};
  return {dag.getNode(ISD::TRUNCATE, where, MVT::i32, value),
          dag.getNode(LenoISD::UPPER, where, MVT::i32, value)};
}

static SDValue pair(SDValue low, SDValue high, EVT type, const SDLoc &where, SelectionDAG &dag) {
  return dag.getBitcast(type, dag.getNode(ISD::BUILD_PAIR, where, MVT::i64, low, high));
}

// A pair plus the product of two words: the address of an element.
SDValue LenoTargetLowering::PerformDAGCombine(SDNode *node, DAGCombinerInfo &info) const {
  if (node->getOpcode() == LenoISD::UPPER && node->getOperand(0).getOpcode() == ISD::BUILD_PAIR)
    return node->getOperand(0).getOperand(1);
  if (node->getOpcode() != ISD::ADD || node->getValueType(0) != MVT::i64 || !info.isBeforeLegalizeOps())
    return SDValue();
  SelectionDAG &dag = info.DAG;
  SDLoc where(node);
  auto word = [](SDValue value) {
    bool extends = value.getOpcode() == ISD::SIGN_EXTEND || value.getOpcode() == ISD::ZERO_EXTEND;
    return extends && value.getOperand(0).getValueType() == MVT::i32;
  };
  for (unsigned side : {0, 1}) {
    SDValue product = node->getOperand(side), rest = node->getOperand(1 - side), factor;
    if (isa<ConstantSDNode>(rest))
      continue;
    SDValue a = product;
    if (product.getOpcode() == ISD::SHL || product.getOpcode() == ISD::MUL) {
      a = product.getOperand(0);
      auto *number = dyn_cast<ConstantSDNode>(product.getOperand(1));
      if (number && product.getOpcode() == ISD::SHL && number->getZExtValue() < 31)
        factor = dag.getConstant(1u << number->getZExtValue(), where, MVT::i32);
      else if (number && product.getOpcode() == ISD::MUL && isUInt<31>(number->getZExtValue()))
        factor = dag.getConstant(number->getZExtValue(), where, MVT::i32);
      else if (product.getOpcode() == ISD::MUL && word(product.getOperand(1)) &&
               product.getOperand(1).getOpcode() == a.getOpcode())
        factor = product.getOperand(1).getOperand(0);
    } else {
      factor = dag.getConstant(1, where, MVT::i32);
    }
    if (factor && word(a))
      return dag.getNode(LenoISD::WIDE, where, MVT::i64,
                         dag.getTargetConstant(a.getOpcode() == ISD::SIGN_EXTEND ? 0 : 3, where, MVT::i32),
                         a.getOperand(0), factor, rest);
  }
  // The low words' product takes the sum with it; of the others only low words count.
  for (unsigned side : {0, 1}) {
    SDValue product = node->getOperand(side);
    if (product.getOpcode() != ISD::MUL || !product.hasOneUse())
      continue;
    auto [aLow, aHigh] = halves(product.getOperand(0), where, dag);
    auto [bLow, bHigh] = halves(product.getOperand(1), where, dag);
    auto [low, high] =
        halves(dag.getNode(LenoISD::WIDE, where, MVT::i64, dag.getTargetConstant(3, where, MVT::i32), aLow,
                           bLow, node->getOperand(1 - side)),
               where, dag);
    for (auto [a, b] : {std::pair(aLow, bHigh), std::pair(aHigh, bLow)})
      if (!isNullConstant(b))
        high = dag.getNode(ISD::ADD, where, MVT::i32, dag.getNode(ISD::MUL, where, MVT::i32, a, b), high);
    return pair(low, high, MVT::i64, where, dag);
  }
  return SDValue();
}

//===--- What is no instruction -----------------------------------------------===//

// Each half on its own.
SDValue LenoTargetLowering::lowerBySplitting(SDValue op, SelectionDAG &dag) const {
  SDLoc where(op);
  EVT type = op.getValueType();
  bool select = op.getOpcode() == ISD::SELECT;
  auto [aLow, aHigh] = halves(op.getOperand(select), where, dag);
  auto [bLow, bHigh] = halves(op.getOperand(select + 1), where, dag);
  if (select)
    return pair(dag.getSelect(where, MVT::i32, op.getOperand(0), aLow, bLow),
                dag.getSelect(where, MVT::i32, op.getOperand(0), aHigh, bHigh), type, where, dag);
  return pair(dag.getNode(op.getOpcode(), where, MVT::i32, aLow, bLow),
              dag.getNode(op.getOpcode(), where, MVT::i32, aHigh, bHigh), type, where, dag);
}

SDValue LenoTargetLowering::lowerWide(SDValue op, SelectionDAG &dag) const {
  SDLoc where(op);
  EVT type = op.getValueType();
  auto word = [&](uint32_t value) { return dag.getConstant(value, where, MVT::i32); };
  auto node = [&](unsigned opcode, SDValue a, SDValue b) {
    return dag.getNode(opcode, where, MVT::i32, a, b);
  };
  unsigned opcode = op.getOpcode();
  switch (opcode) {
  case ISD::SIGN_EXTEND:
  case ISD::ZERO_EXTEND:
  case ISD::ANY_EXTEND: {
    SDValue low = op.getOperand(0);
    if (low.getValueType() == MVT::i1)
      low = dag.getNode(opcode, where, MVT::i32, low);
    return pair(low, opcode == ISD::SIGN_EXTEND ? node(ISD::SRA, low, word(31)) : word(0), type, where, dag);
  }
  case ISD::SHL:
  case ISD::SRL:
  case ISD::SRA: {
    SDValue low, high;
    std::tie(low, high) = halves(op.getOperand(0), where, dag);
    SDValue amount = dag.getZExtOrTrunc(op.getOperand(1), where, MVT::i32);
    unsigned parts = opcode == ISD::SHL   ? ISD::SHL_PARTS
                     : opcode == ISD::SRL ? ISD::SRL_PARTS
                                          : ISD::SRA_PARTS;
    SDValue both = dag.getNode(parts, where, dag.getVTList(MVT::i32, MVT::i32), low, high, amount);
    expandShiftParts(both.getNode(), low, high, dag);
    return pair(low, high, type, where, dag);
  }
  case ISD::MUL: {
    auto [aLow, aHigh] = halves(op.getOperand(0), where, dag);
    auto [bLow, bHigh] = halves(op.getOperand(1), where, dag);
    SDValue high = node(ISD::MULHU, aLow, bLow);
    high = node(ISD::ADD, node(ISD::MUL, aLow, bHigh), high);
    high = node(ISD::ADD, node(ISD::MUL, aHigh, bLow), high);
    return pair(node(ISD::MUL, aLow, bLow), high, type, where, dag);
  }
  case ISD::CTPOP: {
    auto [low, high] = halves(op.getOperand(0), where, dag);
    return pair(node(ISD::ADD, dag.getNode(ISD::CTPOP, where, MVT::i32, low),
                     dag.getNode(ISD::CTPOP, where, MVT::i32, high)),
                word(0), type, where, dag);
  }
  case ISD::BSWAP:
  case ISD::BITREVERSE: {
    auto [low, high] = halves(op.getOperand(0), where, dag);
    return pair(dag.getNode(opcode, where, MVT::i32, high), dag.getNode(opcode, where, MVT::i32, low), type,
                where, dag);
  }
  default: { // a double's sign is a bit of its upper half
    auto [low, high] = halves(op.getOperand(0), where, dag);
    return pair(low,
                opcode == ISD::FNEG ? node(ISD::XOR, high, word(0x80000000))
                                    : node(ISD::AND, high, word(0x7fffffff)),
                type, where, dag);
  }
  }
}

// a / b, rounded once: a quotient of two singles lies nowhere near the middle between two others, so that one
// of double precision rounds to the right one. It comes from 1 / b by two steps of Newton, and one that makes
// it exact where it can be. Beside zeros, infinities and NaNs a times
// the first guess has the quotient's sign and size.
SDValue LenoTargetLowering::lowerDivision(SDValue op, SelectionDAG &dag) const {
  SDLoc where(op);
  SDValue a = op.getOperand(0), b = op.getOperand(1);
  auto wide = [&](unsigned opcode, ArrayRef<SDValue> operands) {
    return dag.getNode(opcode, where, MVT::f64, operands);
  };
  auto extend = [&](SDValue value) { return wide(ISD::FP_EXTEND, {value}); };
  // 1 / b of a subnormal is infinity as a single, and that of a huge b a subnormal: scaled it is neither.
  SDValue da = extend(a), db = extend(b);
  SDValue tiny = dag.getSetCC(where, MVT::i1, dag.getNode(ISD::FABS, where, MVT::f32, b),
                              dag.getConstantFP(0x1p-100, where, MVT::f32), ISD::SETOLT);
  SDValue huge = dag.getSetCC(where, MVT::i1, dag.getNode(ISD::FABS, where, MVT::f32, b),
                              dag.getConstantFP(0x1p100, where, MVT::f32), ISD::SETOGT);
  auto single = [&](double value) { return dag.getConstantFP(value, where, MVT::f32); };
  SDValue scale = dag.getSelect(where, MVT::f32, tiny, single(0x1p64),
                                dag.getSelect(where, MVT::f32, huge, single(0x1p-64), single(1)));
  SDValue y = dag.getNode(LenoISD::RCP, where, MVT::f32, dag.getNode(ISD::FMUL, where, MVT::f32, b, scale));
  SDValue guess = wide(ISD::FMUL, {extend(y), extend(scale)});
  SDValue minus = wide(ISD::FNEG, {db}), one = dag.getConstantFP(1.0, where, MVT::f64);
  for (int step = 0; step < 2; ++step)
    guess = wide(ISD::FMA, {guess, wide(ISD::FMA, {minus, guess, one}), guess});
  SDValue quotient = wide(ISD::FMUL, {da, guess});
  quotient = wide(ISD::FMA, {wide(ISD::FMA, {minus, quotient, da}), guess, quotient});
  SDValue exact = dag.getNode(ISD::FP_ROUND, where, MVT::f32, quotient,
                              dag.getIntPtrConstant(0, where, /*isTarget=*/true));
  auto bits = [&](SDValue value, uint32_t mask) {
    return dag.getNode(ISD::AND, where, MVT::i32, dag.getBitcast(MVT::i32, value),
                       dag.getConstant(mask, where, MVT::i32));
  };
  // Ordinary: neither is infinite or a NaN, and neither is zero.
  auto ordinary = [&](SDValue value) {
    SDValue magnitude =
        dag.getNode(ISD::SUB, where, MVT::i32, bits(value, 0x7fffffff), dag.getConstant(1, where, MVT::i32));
    return dag.getSetCC(where, MVT::i1, magnitude, dag.getConstant(0x7f7fffff, where, MVT::i32), ISD::SETULT);
  };
  return dag.getSelect(where, MVT::f32, dag.getNode(ISD::AND, where, MVT::i1, ordinary(a), ordinary(b)),
                       exact, dag.getNode(ISD::FMUL, where, MVT::f32, a, y));
}

// Shared and local addresses are generic ones behind a window's base, whose low word is 0. As there are
// variables at 0, their null is the last address, as clang has it for the target that it compiles for.
SDValue LenoTargetLowering::lowerCast(SDValue op, SelectionDAG &dag) const {
  SDLoc where(op);
  auto *cast = ::cast<AddrSpaceCastSDNode>(op);
  unsigned from = cast->getSrcAddressSpace(), to = cast->getDestAddressSpace();
  SDValue value = op.getOperand(0);
  auto narrow = [](unsigned space) { return space == LenoSpace::Shared || space == LenoSpace::Local; };
  if (narrow(from) == narrow(to) && from != to && narrow(from))
    sayUnsupported(dag.getMachineFunction().getFunction(), where.getDebugLoc(),
                   "shared and local memory have no addresses in common");
  SDValue nowhere = dag.getAllOnesConstant(where, MVT::i32);
  if (narrow(to)) {
    SDValue zero = dag.getConstant(0, where, MVT::i64);
    return dag.getSelectCC(where, value, zero, nowhere, dag.getZExtOrTrunc(value, where, MVT::i32),
                           ISD::SETEQ);
  }
  if (!narrow(from))
    return value;
  SDValue base = dag.getNode(LenoISD::SPECIAL, where, MVT::i32,
                             dag.getTargetConstant(from == LenoSpace::Shared ? 40 : 42, where, MVT::i32),
                             dag.getTargetConstant(0, where, MVT::i32));
  SDValue generic =
      pair(value, dag.getNode(ISD::SRL, where, MVT::i32, base, dag.getConstant(16, where, MVT::i32)),
           MVT::i64, where, dag);
  bool isVariable = isa<FrameIndexSDNode, GlobalAddressSDNode>(value) || value.getOpcode() == LenoISD::SHARED;
  if (isVariable || value.getOpcode() == ISD::ADD)
    return generic;
  return dag.getSelectCC(where, value, nowhere, dag.getConstant(0, where, MVT::i64), generic, ISD::SETEQ);
}

bool LenoTargetLowering::isOneAccess(const MemSDNode &node) {
  return ISD::isNormalLoad(&node) || ISD::isNormalStore(&node)
             ? node.getMemOperand()->getAlign().value() >= node.getMemoryVT().getStoreSize()
             : false;
}

void LenoTargetLowering::ReplaceNodeResults(SDNode *node, SmallVectorImpl<SDValue> &results,
                                            SelectionDAG &dag) const {
  auto *load = dyn_cast<LoadSDNode>(node);
  if (!load || !load->getMemoryVT().isVector() || !isOneAccess(*load))
    return;
  SDLoc where(node);
  EVT type = load->getMemoryVT();
  unsigned count = type.getVectorNumElements();
  SmallVector<EVT, 5> types(count, type.getVectorElementType());
  types.push_back(MVT::Other);
  SDValue elements =
      dag.getMemIntrinsicNode(LenoISD::LOAD_VECTOR, where, dag.getVTList(types),
                              {load->getChain(), load->getBasePtr()}, type, load->getMemOperand());
  SmallVector<SDValue, 4> values;
  for (unsigned i = 0; i < count; ++i)
    values.push_back(elements.getValue(i));
  results.append({dag.getBuildVector(type, where, values), elements.getValue(count)});
}

SDValue LenoTargetLowering::LowerOperation(SDValue op, SelectionDAG &dag) const {
  SDLoc where(op);
  switch (op.getOpcode()) {
  case ISD::AND:
  case ISD::OR:
  case ISD::XOR:
  case ISD::SELECT:
    return lowerBySplitting(op, dag);
  case ISD::SIGN_EXTEND_INREG: {
    if (op.getValueType() == MVT::i32)
      return op;
    SDValue low = halves(op.getOperand(0), where, dag).first;
    if (cast<VTSDNode>(op.getOperand(1))->getVT() != MVT::i32)
      low = dag.getNode(ISD::SIGN_EXTEND_INREG, where, MVT::i32, low, op.getOperand(1));
    return pair(low, dag.getNode(ISD::SRA, where, MVT::i32, low, dag.getConstant(31, where, MVT::i32)),
                MVT::i64, where, dag);
  }
  case ISD::FDIV:
    return lowerDivision(op, dag);
  case ISD::ADDRSPACECAST:
    return lowerCast(op, dag);
  case ISD::GlobalAddress: {
    auto *global = cast<GlobalAddressSDNode>(op);
    EVT type = op.getValueType();
    SDValue target = dag.getTargetGlobalAddress(global->getGlobal(), where, type, 0, 0);
    SDValue address = dag.getNode(type == MVT::i32 ? LenoISD::SHARED : LenoISD::ADDRESS, where, type, target);
    return global->getOffset() ? dag.getNode(ISD::ADD, where, type, address,
                                             dag.getConstant(global->getOffset(), where, type))
                               : address;
  }
  case ISD::LOAD: { // a truth value is a byte in memory
    auto *load = cast<LoadSDNode>(op);
    if (load->getMemoryVT().isVector())
      return SDValue();
    SDValue byte = dag.getExtLoad(ISD::ZEXTLOAD, where, MVT::i32, load->getChain(), load->getBasePtr(),
                                  MVT::i8, load->getMemOperand());
    return dag.getMergeValues({dag.getNode(ISD::TRUNCATE, where, MVT::i1, byte), byte.getValue(1)}, where);
  }
  case ISD::STORE: {
    auto *store = cast<StoreSDNode>(op);
    if (EVT type = store->getMemoryVT(); type.isVector()) {
      if (!isOneAccess(*store))
        return SDValue();
      SmallVector<SDValue, 6> operands = {store->getChain()};
      for (unsigned i = 0; i < type.getVectorNumElements(); ++i)
        operands.push_back(dag.getExtractVectorElt(where, type.getVectorElementType(), store->getValue(), i));
      operands.push_back(store->getBasePtr());
      return dag.getMemIntrinsicNode(LenoISD::STORE_VECTOR, where, dag.getVTList(MVT::Other), operands, type,
                                     store->getMemOperand());
    }
    return dag.getTruncStore(store->getChain(), where,
                             dag.getNode(ISD::ZERO_EXTEND, where, MVT::i32, store->getValue()),
                             store->getBasePtr(), MVT::i8, store->getMemOperand());
  }
  case ISD::SINT_TO_FP:
  case ISD::UINT_TO_FP: {
    bool isSigned = op.getOpcode() == ISD::SINT_TO_FP;
    SDValue value =
        dag.getNode(isSigned ? ISD::SIGN_EXTEND : ISD::ZERO_EXTEND, where, MVT::i32, op.getOperand(0));
    return dag.getNode(op.getOpcode(), where, op.getValueType(), value);
  }
  default:
    return lowerWide(op, dag);
  }
}
