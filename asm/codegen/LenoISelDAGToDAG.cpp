//===- LenoISelDAGToDAG.cpp - Nodes to instructions ---------------------------===//
// Most patterns stand in the records; here is what has operands of several
// parts, or a choice that patterns cannot make. Numbers of modifiers are those
// of isa/Modifiers.td.
#include "asm/codegen/LenoCode.h"

#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/CodeGen/SelectionDAG.h"
#include "llvm/CodeGen/SelectionDAGISel.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {

class LenoISel : public SelectionDAGISel {
public:
  LenoISel(TargetMachine &machine, CodeGenOptLevel level) : SelectionDAGISel(machine, level) {}

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-variable" // what a predicate of TableGen has and does not need
#include "asm/codegen/LenoCodeGenDAGISel.inc"
#pragma clang diagnostic pop

private:
  void Select(SDNode *node) override;
  SDValue imm(int64_t value, const SDLoc &where) { return CurDAG->getTargetConstant(value, where, MVT::i32); }

  void selectConstant(SDNode *node, uint64_t bits);
  void selectComparison(SDNode *node);
  void selectLoad(MemSDNode *node, ISD::LoadExtType extension);
  void selectStore(MemSDNode *node, SDValue value);
  void selectLoadVector(MemSDNode *node);
  void selectStoreVector(MemSDNode *node);
  /// A load, or what stores a value.
  MachineSDNode *access(MemSDNode *node, SDValue pointer, int size, EVT type, SDValue stored);
  void selectAtomic(AtomicSDNode *node, int operation);
  void selectCall(SDNode *node);

  /// Base and offset of an access; the base is a frame index, RZ or a register.
  std::pair<SDValue, SDValue> address(SDValue pointer, unsigned bits);
  /// Signs of a source, as flags: bit 0 negated, bit 1 absolute.
  bool source(SDValue value, SDValue &reg, SDValue &flags, bool absolute, int flip);
  bool constant(SDValue value, SDValue &bank, SDValue &offset, SDValue &flags, unsigned allowed, int flip);

  bool selectRegN(SDValue n, SDValue &r, SDValue &f) { return source(n, r, f, false, 0); }
  bool selectRegNA(SDValue n, SDValue &r, SDValue &f) { return source(n, r, f, true, 0); }
  bool selectRegMinus(SDValue n, SDValue &r, SDValue &f) { return source(n, r, f, false, 1); }
  bool selectRegI(SDValue n, SDValue &r, SDValue &f);
  bool selectConst(SDValue n, SDValue &b, SDValue &o, SDValue &f) { return constant(n, b, o, f, 0, 0); }
  bool selectConstN(SDValue n, SDValue &b, SDValue &o, SDValue &f) { return constant(n, b, o, f, 1, 0); }
  bool selectConstNA(SDValue n, SDValue &b, SDValue &o, SDValue &f) { return constant(n, b, o, f, 3, 0); }
  bool selectConstMinus(SDValue n, SDValue &b, SDValue &o, SDValue &f) { return constant(n, b, o, f, 1, 1); }
  bool selectConstI(SDValue n, SDValue &b, SDValue &o, SDValue &f) { return constant(n, b, o, f, 0, 0); }
  /// A pair of a constant bank: the place of its lower word.
  bool constantPair(SDValue n, SDValue &bank, SDValue &offset);
  bool selectPredSource(SDValue n, SDValue &p, SDValue &negated);
  bool selectNotPredSource(SDValue n, SDValue &p, SDValue &negated) {
    selectPredSource(n, p, negated);
    negated = imm(!negated->getAsZExtVal(), SDLoc(n));
    return true;
  }
  bool selectFImm20(SDValue n, SDValue &bits);
  bool selectFImm32(SDValue n, SDValue &bits);
};

class LenoISelPass : public SelectionDAGISelLegacy {
public:
  static char ID;
  LenoISelPass(TargetMachine &machine, CodeGenOptLevel level)
      : SelectionDAGISelLegacy(ID, std::make_unique<LenoISel>(machine, level)) {}
  StringRef getPassName() const override { return "Leno instruction selection"; }
  bool runOnMachineFunction(MachineFunction &function) override {
    placeOfSelection() = {&function.getFunction(), DebugLoc()};
    return SelectionDAGISelLegacy::runOnMachineFunction(function);
  }
  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.addRequired<UniformityInfoWrapperPass>(); // which branches all lanes take alike
    SelectionDAGISelLegacy::getAnalysisUsage(usage);
  }
};
char LenoISelPass::ID;

//===--- Operands -------------------------------------------------------------===//

bool LenoISel::source(SDValue value, SDValue &reg, SDValue &flags, bool absolute, int flip) {
  int sign = flip;
  if (value.getOpcode() == ISD::FNEG) {
    sign ^= 1;
    value = value.getOperand(0);
  } else if (value.getOpcode() == ISD::SUB && isNullConstant(value.getOperand(0))) {
    sign ^= 1;
    value = value.getOperand(1);
  }
  if (absolute && value.getOpcode() == ISD::FABS) {
    sign |= 2;
    value = value.getOperand(0);
  }
  reg = value;
  flags = imm(sign, SDLoc(value));
  return true;
}

bool LenoISel::selectRegI(SDValue n, SDValue &r, SDValue &f) {
  bool inverted = n.getOpcode() == ISD::XOR && isAllOnesConstant(n.getOperand(1));
  r = inverted ? n.getOperand(0) : n;
  f = imm(inverted, SDLoc(n));
  return true;
}

bool LenoISel::constant(SDValue value, SDValue &bank, SDValue &offset, SDValue &flags, unsigned allowed,
                        int flip) {
  int sign = flip;
  if (allowed & 1 && value.getOpcode() == ISD::FNEG) {
    sign ^= 1;
    value = value.getOperand(0);
  }
  if (allowed & 2 && value.getOpcode() == ISD::FABS) {
    sign |= 2;
    value = value.getOperand(0);
  }
  if (value.getOpcode() == ISD::BITCAST)
    value = value.getOperand(0);
  if (value.getOpcode() != LenoISD::CONSTANT)
    return false;
  bank = value.getOperand(0);
  offset = value.getOperand(1);
  flags = imm(sign, SDLoc(value));
  return true;
}

bool LenoISel::selectPredSource(SDValue n, SDValue &p, SDValue &negated) {
  bool no = false;
  // Negations, and comparisons of a truth value with a known one.
  for (;; n = n.getOperand(0)) {
    if (n.getOpcode() == ISD::XOR && isOneConstant(n.getOperand(1))) {
      no = !no;
      continue;
    }
    if (n.getOpcode() != ISD::SETCC || n.getOperand(0).getValueType() != MVT::i1 ||
        !isa<ConstantSDNode>(n.getOperand(1)))
      break;
    ISD::CondCode code = cast<CondCodeSDNode>(n.getOperand(2))->get();
    if (code != ISD::SETEQ && code != ISD::SETNE)
      break;
    no ^= (code == ISD::SETEQ) != isOneConstant(n.getOperand(1));
  }
  p = n;
  negated = imm(no, SDLoc(n));
  return true;
}

bool LenoISel::selectFImm20(SDValue n, SDValue &bits) {
  return selectFImm32(n, bits) && (bits->getAsZExtVal() & 0xfff) == 0;
}
bool LenoISel::selectFImm32(SDValue n, SDValue &bits) {
  auto *number = dyn_cast<ConstantFPSDNode>(n);
  if (!number)
    return false;
  bits = CurDAG->getTargetConstant(number->getValueAPF().bitcastToAPInt().getZExtValue(), SDLoc(n), MVT::i32);
  return true;
}

bool LenoISel::constantPair(SDValue n, SDValue &bank, SDValue &offset) {
  if (n.getOpcode() == ISD::BITCAST)
    n = n.getOperand(0);
  if (n.getOpcode() != ISD::BUILD_PAIR)
    return false;
  SDValue flags, nextBank, next;
  return selectConst(n.getOperand(0), bank, offset, flags) &&
         selectConst(n.getOperand(1), nextBank, next, flags) &&
         bank->getAsZExtVal() == nextBank->getAsZExtVal() && offset->getAsZExtVal() % 8 == 0 &&
         offset->getAsZExtVal() + 4 == next->getAsZExtVal();
}

std::pair<SDValue, SDValue> LenoISel::address(SDValue pointer, unsigned bits) {
  SDLoc where(pointer);
  int64_t offset = 0;
  if (CurDAG->isBaseWithConstantOffset(pointer))
    if (int64_t value = cast<ConstantSDNode>(pointer.getOperand(1))->getSExtValue(); isInt<24>(value)) {
      offset = value;
      pointer = pointer.getOperand(0);
    }
  if (auto *frame = dyn_cast<FrameIndexSDNode>(pointer))
    pointer = CurDAG->getTargetFrameIndex(frame->getIndex(), MVT::i32);
  else if (auto *number = dyn_cast<ConstantSDNode>(pointer);
           number && bits == 32 && isInt<24>(number->getSExtValue()) && !offset) {
    offset = number->getSExtValue();
    pointer = CurDAG->getRegister(CODE::RZ, MVT::i32);
  }
  return {pointer, imm(offset, where)};
}

//===--- Nodes ----------------------------------------------------------------===//

void LenoISel::selectConstant(SDNode *node, uint64_t bits) {
  SDLoc where(node);
  auto word = [&](uint32_t value) {
    SDValue operands[] = {CurDAG->getRegister(CODE::PT, MVT::i1), imm(0, where), imm(0, where),
                          imm(isInt<20>(int32_t(value)) ? int32_t(value) : int64_t(value), where)};
    return SDValue(CurDAG->getMachineNode(isInt<20>(int32_t(value)) ? CODE::MOV_I : CODE::MOV32I, where,
                                          MVT::i32, operands),
                   0);
  };
  EVT type = node->getValueType(0);
  if (type.getSizeInBits() == 32) {
    SDNode *move = word(uint32_t(bits)).getNode();
    if (type == MVT::f32)
      move = CurDAG->getMachineNode(TargetOpcode::COPY_TO_REGCLASS, where, MVT::f32, SDValue(move, 0),
                                    imm(CODE::FPRRegClassID, where));
    return ReplaceNode(node, move);
  }
  SDValue operands[] = {imm(CODE::GPR64RegClassID, where), word(uint32_t(bits)), imm(CODE::sub0, where),
                        word(uint32_t(bits >> 32)), imm(CODE::sub1, where)};
  ReplaceNode(node, CurDAG->getMachineNode(TargetOpcode::REG_SEQUENCE, where, type, operands));
}

void LenoISel::selectComparison(SDNode *node) {
  SDLoc where(node);
  SDValue a = node->getOperand(0), b = node->getOperand(1);
  ISD::CondCode code = cast<CondCodeSDNode>(node->getOperand(2))->get();
  EVT type = a.getValueType();
  if (type.isFloatingPoint()) {
    // LLVM's bits are equal, greater, less, unordered; FCmp's are less, equal, greater, unordered.
    unsigned test = (code & 1 ? 2 : 0) | (code & 2 ? 4 : 0) | (code & 4 ? 1 : 0) | (code & 8 ? 8 : 0);
    SDValue bank, offset, flags, bits;
    if (type == MVT::f32 && selectConstNA(a, bank, offset, flags) && !selectConstNA(b, bank, offset, flags)) {
      std::swap(a, b);
      test = (test & 10) | (test & 1 ? 4 : 0) | (test & 4 ? 1 : 0);
    }
    SDValue aReg, aFlags, bReg, bFlags;
    selectRegNA(a, aReg, aFlags);
    SmallVector<SDValue, 6> operands = {imm(test, where), aReg, aFlags};
    unsigned opcode = type == MVT::f32 ? CODE::FCMP : CODE::DCMP;
    if (type == MVT::f32 && selectFImm20(b, bits)) {
      opcode = CODE::FCMP_I;
      operands.push_back(bits);
    } else if (type == MVT::f32 && selectConstNA(b, bank, offset, flags)) {
      opcode = CODE::FCMP_C;
      operands.append({bank, offset, flags});
    } else {
      selectRegNA(b, bReg, bFlags);
      operands.append({bReg, bFlags});
    }
    ReplaceNode(node, CurDAG->getMachineNode(opcode, where, MVT::i1, operands));
    return;
  }
  if (type == MVT::i1) {
    // Of truth values true is the greater, unsigned, and the lesser, signed.
    if (ISD::isSignedIntSetCC(code))
      std::swap(a, b);
    bool equal = code == ISD::SETEQ, less = code == ISD::SETLT || code == ISD::SETULT,
         atMost = code == ISD::SETLE || code == ISD::SETULE,
         atLeast = code == ISD::SETGE || code == ISD::SETUGE, differ = code == ISD::SETNE;
    int operation = equal || differ ? 2 : atMost || atLeast ? 1 : 0;
    SDValue aReg, aNegated, bReg, bNegated;
    selectPredSource(a, aReg, aNegated);
    selectPredSource(b, bReg, bNegated);
    aNegated = imm(int(aNegated->getAsZExtVal()) ^ int(less || atMost), where);
    bNegated = imm(int(bNegated->getAsZExtVal()) ^ int(equal || (!less && !atMost && !differ)), where);
    SDValue operands[] = {imm(operation, where), aReg, aNegated, bReg, bNegated};
    ReplaceNode(node, CurDAG->getMachineNode(CODE::PLOP, where, MVT::i1, operands));
    return;
  }
  SDValue bank, offset, flags;
  if (selectConst(a, bank, offset, flags) && !selectConst(b, bank, offset, flags) && !isa<ConstantSDNode>(b)) {
    std::swap(a, b);
    code = ISD::getSetCCSwappedOperands(code);
  }
  bool isUnsigned = ISD::isUnsignedIntSetCC(code);
  unsigned test;
  switch (code) {
  case ISD::SETEQ:
    test = 2;
    break;
  case ISD::SETNE:
    test = 5;
    break;
  case ISD::SETLT:
  case ISD::SETULT:
    test = 1;
    break;
  case ISD::SETLE:
  case ISD::SETULE:
    test = 3;
    break;
  case ISD::SETGT:
  case ISD::SETUGT:
    test = 4;
    break;
  default:
    test = 6;
  }
  SmallVector<SDValue, 5> operands = {imm(test, where), imm(isUnsigned, where), a};
  unsigned opcode = type == MVT::i64 ? CODE::CMP64 : CODE::CMP_R;
  if (auto *number = dyn_cast<ConstantSDNode>(b);
      number && type == MVT::i32 && isInt<20>(number->getSExtValue())) {
    opcode = CODE::CMP_I;
    operands.push_back(imm(number->getSExtValue(), where));
  } else if (number && type == MVT::i64 && (code == ISD::SETEQ || code == ISD::SETNE) &&
             isInt<20>(int32_t(number->getZExtValue())) && isInt<20>(number->getSExtValue() >> 32)) {
    opcode = CODE::CMP64_I;
    operands.push_back(CurDAG->getTargetConstant(number->getZExtValue(), where, MVT::i64));
  } else if (type == MVT::i32 && selectConst(b, bank, offset, flags)) {
    opcode = CODE::CMP_C;
    operands.append({bank, offset});
  } else {
    operands.push_back(b);
  }
  ReplaceNode(node, CurDAG->getMachineNode(opcode, where, MVT::i1, operands));
}

// Sizes are numbers of MemSize. The three opcodes move a word, a pair, a quad.
MachineSDNode *LenoISel::access(MemSDNode *node, SDValue pointer, int size, EVT type, SDValue stored) {
  SDLoc where(node);
  static const unsigned instructions[][2] = {
      {CODE::LD, CODE::ST}, {CODE::LDS, CODE::STS}, {CODE::LDL, CODE::STL}, {CODE::LDG, CODE::STG}};
  static const unsigned opcodes[][2][3] = {
      {{CODE::LOAD_WR, CODE::LOAD_WP, CODE::LOAD_WQ}, {CODE::STORE_WR, CODE::STORE_WP, CODE::STORE_WQ}},
      {{CODE::LOAD_NR, CODE::LOAD_NP, CODE::LOAD_NQ}, {CODE::STORE_NR, CODE::STORE_NP, CODE::STORE_NQ}}};
  unsigned space = node->getAddressSpace();
  bool isStore = bool(stored), narrow = space == LenoSpace::Shared || space == LenoSpace::Local;
  unsigned row = space == LenoSpace::Generic  ? 0
                 : space == LenoSpace::Shared ? 1
                 : space == LenoSpace::Local  ? 2
                                              : 3;
  unsigned opcode = opcodes[narrow][isStore][size < 5 ? 0 : size - 4];
  auto [base, offset] = address(pointer, narrow ? 32 : 64);
  SmallVector<SDValue, 6> operands = {imm(instructions[row][isStore], where), imm(size, where), base, offset,
                                      node->getChain()};
  if (isStore)
    operands.insert(operands.begin(), stored);
  auto *result = isStore ? CurDAG->getMachineNode(opcode, where, MVT::Other, operands)
                         : CurDAG->getMachineNode(opcode, where, type, MVT::Other, operands);
  CurDAG->setNodeMemRefs(result, {node->getMemOperand()});
  return result;
}

void LenoISel::selectLoad(MemSDNode *node, ISD::LoadExtType extension) {
  unsigned bytes = node->getMemoryVT().getStoreSize();
  bool isSigned = extension == ISD::SEXTLOAD;
  int size = bytes == 1 ? 1 + isSigned : bytes == 2 ? 3 + isSigned : bytes == 8 ? 5 : 0;
  ReplaceNode(node, access(node, node->getBasePtr(), size, node->getValueType(0), SDValue()));
}

void LenoISel::selectStore(MemSDNode *node, SDValue value) {
  unsigned bytes = node->getMemoryVT().getStoreSize();
  int size = bytes == 1 ? 1 : bytes == 2 ? 3 : bytes == 8 ? 5 : 0;
  if (bytes <= 4 && (isNullConstant(value) || isNullFPConstant(value)))
    value = CurDAG->getRegister(CODE::RZ, value.getValueType());
  ReplaceNode(node, access(node, node->getBasePtr(), size, MVT::Other, value));
}

/// The register of element i of so many, in the pair or quad of a vector.
static unsigned part(unsigned i, EVT type) {
  static const unsigned words[] = {CODE::sub0, CODE::sub1, CODE::sub2, CODE::sub3},
                        pairs[] = {CODE::sub0_sub1, CODE::sub2_sub3};
  return type.getSizeInBits() == 64 ? pairs[i] : words[i];
}

void LenoISel::selectLoadVector(MemSDNode *node) {
  SDLoc where(node);
  bool isQuad = node->getMemoryVT().getSizeInBits() == 128;
  SDNode *load =
      access(node, node->getOperand(1), isQuad ? 6 : 5, isQuad ? MVT::Untyped : MVT::i64, SDValue());
  unsigned count = node->getNumValues() - 1;
  for (unsigned i = 0; i < count; ++i) {
    EVT type = node->getValueType(i);
    ReplaceUses(SDValue(node, i),
                CurDAG->getTargetExtractSubreg(part(i, type), where, type, SDValue(load, 0)));
  }
  ReplaceUses(SDValue(node, count), SDValue(load, 1));
  CurDAG->RemoveDeadNode(node);
}

void LenoISel::selectStoreVector(MemSDNode *node) {
  SDLoc where(node);
  bool isQuad = node->getMemoryVT().getSizeInBits() == 128;
  unsigned count = node->getNumOperands() - 2;
  SmallVector<SDValue, 9> parts = {imm(isQuad ? CODE::GPR128RegClassID : CODE::GPR64RegClassID, where)};
  for (unsigned i = 0; i < count; ++i) {
    SDValue value = node->getOperand(1 + i);
    parts.append({value, imm(part(i, value.getValueType()), where)});
  }
  SDValue all(
      CurDAG->getMachineNode(TargetOpcode::REG_SEQUENCE, where, isQuad ? MVT::Untyped : MVT::i64, parts), 0);
  ReplaceNode(node, access(node, node->getOperand(1 + count), isQuad ? 6 : 5, MVT::Other, all));
}

// operation: AtomOp's number, or -1 for compare-and-swap. Types: u32 0, s32 1, u64 2, f32 3.
void LenoISel::selectAtomic(AtomicSDNode *node, int operation) {
  SDLoc where(node);
  unsigned space = node->getAddressSpace();
  EVT type = node->getMemoryVT();
  bool narrow = space == LenoSpace::Shared, pair = type == MVT::i64;
  if (space == LenoSpace::Generic || space == LenoSpace::Local)
    sayUnsupported(MF->getFunction(), where.getDebugLoc(),
                   "an atomic operation needs an address that is known to be of global or of shared memory");
  bool isSigned = node->getOpcode() == ISD::ATOMIC_LOAD_MIN || node->getOpcode() == ISD::ATOMIC_LOAD_MAX;
  unsigned kind = pair ? 2 : type == MVT::f32 ? 3 : isSigned;
  SDValue base = node->getBasePtr(), offset = imm(0, where);
  SmallVector<SDValue, 7> operands;
  unsigned opcode;
  if (operation < 0) {
    opcode = narrow ? (pair ? CODE::CAS_NP : CODE::CAS_NR) : (pair ? CODE::CAS_WP : CODE::CAS_WR);
    operands = {imm(kind, where), base, offset, node->getOperand(2), node->getOperand(3), node->getChain()};
  } else {
    opcode = narrow ? (pair ? CODE::ATOM_NP : CODE::ATOM_NR) : (pair ? CODE::ATOM_WP : CODE::ATOM_WR);
    operands = {imm(operation, where), imm(kind, where), base, offset, node->getVal(), node->getChain()};
  }
  auto *atomic = CurDAG->getMachineNode(opcode, where, node->getValueType(0), MVT::Other, operands);
  CurDAG->setNodeMemRefs(atomic, {node->getMemOperand()});
  ReplaceNode(node, atomic);
}

// What a program calls by name.
void LenoISel::selectCall(SDNode *node) {
  SDLoc where(node);
  SDValue guard[] = {CurDAG->getRegister(CODE::PT, MVT::i1), imm(0, where), imm(0, where)},
          chain = node->getOperand(0);
  SDValue predicate, negated;
  switch (node->getOpcode()) {
  case LenoISD::SPECIAL:
    ReplaceNode(node, CurDAG->getMachineNode(CODE::S2R, where, MVT::i32,
                                             {guard[0], guard[1], guard[2], node->getOperand(0)}));
    return;
  case LenoISD::CLOCK:
    ReplaceNode(node, CurDAG->getMachineNode(CODE::READ_CLOCK, where, MVT::i32, MVT::Other,
                                             {node->getOperand(1), chain}));
    return;
  case LenoISD::VOTE:
    selectPredSource(node->getOperand(2), predicate, negated);
    ReplaceNode(node, CurDAG->getMachineNode(CODE::VOTE_P, where, MVT::i1, MVT::Other,
                                             {node->getOperand(1), predicate, negated, chain}));
    return;
  case LenoISD::BALLOT:
    selectPredSource(node->getOperand(1), predicate, negated);
    ReplaceNode(
        node, CurDAG->getMachineNode(CODE::BALLOT, where, MVT::i32, MVT::Other, {predicate, negated, chain}));
    return;
  case LenoISD::SHUFFLE:
    ReplaceNode(node, CurDAG->getMachineNode(CODE::SHFL, where, MVT::i32, MVT::Other,
                                             {node->getOperand(1), node->getOperand(2), node->getOperand(3),
                                              node->getOperand(4), chain}));
    return;
  case LenoISD::BARRIER:
    ReplaceNode(node, CurDAG->getMachineNode(CODE::BARRIER, where, MVT::Other, {node->getOperand(1), chain}));
    return;
  default:
    ReplaceNode(node, CurDAG->getMachineNode(CODE::FENCE, where, MVT::Other, {node->getOperand(1), chain}));
  }
}

void LenoISel::Select(SDNode *node) {
  if (node->isMachineOpcode()) {
    node->setNodeId(-1);
    return;
  }
  SDLoc where(node);
  placeOfSelection() = {&MF->getFunction(), node->getDebugLoc()};
  switch (node->getOpcode()) {
  case ISD::Constant:
    if (node->getValueType(0) == MVT::i1) {
      SDValue always = CurDAG->getRegister(CODE::PT, MVT::i1), zero = imm(0, where);
      SDValue operands[] = {zero, always, imm(isNullConstant(SDValue(node, 0)), where), always, zero};
      return ReplaceNode(node, CurDAG->getMachineNode(CODE::PLOP, where, MVT::i1, operands));
    }
    return selectConstant(node, node->getAsZExtVal());
  case ISD::ConstantFP:
    return selectConstant(node, cast<ConstantFPSDNode>(node)->getValueAPF().bitcastToAPInt().getZExtValue());
  case ISD::FrameIndex: {
    SDValue operands[] = {CurDAG->getRegister(CODE::PT, MVT::i1), imm(0, where), imm(0, where),
                          CurDAG->getTargetFrameIndex(cast<FrameIndexSDNode>(node)->getIndex(), MVT::i32)};
    return ReplaceNode(node, CurDAG->getMachineNode(CODE::MOV_I, where, MVT::i32, operands));
  }
  case ISD::BUILD_PAIR: {
    SDValue operands[] = {imm(CODE::GPR64RegClassID, where), node->getOperand(0), imm(CODE::sub0, where),
                          node->getOperand(1), imm(CODE::sub1, where)};
    return ReplaceNode(node, CurDAG->getMachineNode(TargetOpcode::REG_SEQUENCE, where, MVT::i64, operands));
  }
  case ISD::TRUNCATE:
  case LenoISD::UPPER: {
    SDValue from = node->getOperand(0);
    if (from.getValueType() != MVT::i64)
      break;
    bool high = node->getOpcode() == LenoISD::UPPER;
    if (node->getValueType(0) == MVT::i1) { // the lowest bit
      SDValue word = CurDAG->getTargetExtractSubreg(CODE::sub0, where, MVT::i32, from);
      SDValue guard = CurDAG->getRegister(CODE::PT, MVT::i1), zero = imm(0, where);
      SDValue masked(CurDAG->getMachineNode(CODE::LOP_I, where, MVT::i32,
                                            {guard, zero, zero, imm(0, where), zero, word, zero, imm(1, where)}),
                     0);
      return ReplaceNode(
          node, CurDAG->getMachineNode(CODE::CMP_I, where, MVT::i1, {imm(5, where), zero, masked, zero}));
    }
    SDValue half = CurDAG->getTargetExtractSubreg(high ? CODE::sub1 : CODE::sub0, where, MVT::i32, from);
    return ReplaceNode(node, half.getNode());
  }
  case ISD::SETCC:
    return selectComparison(node);
  case ISD::ADD:
    for (unsigned side : {1, 0})
      if (SDValue bank, offset;
          node->getValueType(0) == MVT::i64 && constantPair(node->getOperand(side), bank, offset))
        return ReplaceNode(node, CurDAG->getMachineNode(CODE::ADD64C, where, MVT::i64,
                                                        {node->getOperand(1 - side), bank, offset}));
    break;
  case LenoISD::WIDE: {
    SDValue factor = node->getOperand(2);
    auto *number = dyn_cast<ConstantSDNode>(factor);
    bool fits = number && isInt<20>(number->getSExtValue());
    if (SDValue bank, offset; constantPair(node->getOperand(3), bank, offset)) {
      fits &= number && isInt<9>(number->getSExtValue());
      SDValue operands[] = {node->getOperand(0), node->getOperand(1),
                            fits ? imm(number->getSExtValue(), where) : factor, bank, offset};
      return ReplaceNode(
          node, CurDAG->getMachineNode(fits ? CODE::WIDE_IC : CODE::WIDE_RC, where, MVT::i64, operands));
    }
    SDValue operands[] = {node->getOperand(0), node->getOperand(1),
                          fits ? imm(number->getSExtValue(), where) : factor, node->getOperand(3)};
    return ReplaceNode(node,
                       CurDAG->getMachineNode(fits ? CODE::WIDE_I : CODE::WIDE_R, where, MVT::i64, operands));
  }
  case ISD::LOAD: {
    auto *load = cast<LoadSDNode>(node);
    return selectLoad(load, load->getExtensionType());
  }
  case ISD::ATOMIC_LOAD: {
    auto *load = cast<AtomicSDNode>(node);
    return selectLoad(load, load->getExtensionType());
  }
  case ISD::STORE:
    return selectStore(cast<MemSDNode>(node), cast<StoreSDNode>(node)->getValue());
  case LenoISD::LOAD_VECTOR:
    return selectLoadVector(cast<MemSDNode>(node));
  case LenoISD::STORE_VECTOR:
    return selectStoreVector(cast<MemSDNode>(node));
  case ISD::ATOMIC_STORE:
    return selectStore(cast<MemSDNode>(node), cast<AtomicSDNode>(node)->getVal());
#define ATOMIC(name, number)                                                                                 \
  case ISD::name:                                                                                            \
    return selectAtomic(cast<AtomicSDNode>(node), number);
    ATOMIC(ATOMIC_LOAD_ADD, 0)
    ATOMIC(ATOMIC_LOAD_FADD, 0)
    ATOMIC(ATOMIC_LOAD_MIN, 1)
    ATOMIC(ATOMIC_LOAD_UMIN, 1)
    ATOMIC(ATOMIC_LOAD_MAX, 2)
    ATOMIC(ATOMIC_LOAD_UMAX, 2)
    ATOMIC(ATOMIC_LOAD_UINC_WRAP, 3)
    ATOMIC(ATOMIC_LOAD_UDEC_WRAP, 4)
    ATOMIC(ATOMIC_LOAD_AND, 5)
    ATOMIC(ATOMIC_LOAD_OR, 6)
    ATOMIC(ATOMIC_LOAD_XOR, 7)
    ATOMIC(ATOMIC_SWAP, 8)
    ATOMIC(ATOMIC_CMP_SWAP, -1)
#undef ATOMIC
  case ISD::ATOMIC_FENCE: {
    // Scopes by clang's names for amdgcn; what has none is seen by everybody.
    SmallVector<StringRef, 8> names;
    CurDAG->getContext()->getSyncScopeNames(names);
    StringRef scope = names[node->getConstantOperandVal(2)];
    unsigned number = scope.starts_with("workgroup") || scope.starts_with("wavefront") ? 0
                      : scope.starts_with("agent")                                     ? 1
                                                                                       : 2;
    SDValue operands[] = {imm(number, where), node->getOperand(0)};
    return ReplaceNode(node, CurDAG->getMachineNode(CODE::FENCE, where, MVT::Other, operands));
  }
  case ISD::TRAP:
  case ISD::DEBUGTRAP:
  case ISD::UBSANTRAP: {
    uint64_t number = node->getOpcode() == ISD::UBSANTRAP ? node->getConstantOperandVal(1) : 0;
    SDValue operands[] = {imm(int64_t(number), where), node->getOperand(0)};
    return ReplaceNode(node, CurDAG->getMachineNode(CODE::STOP, where, MVT::Other, operands));
  }
  case ISD::BR:
    return ReplaceNode(node, CurDAG->getMachineNode(CODE::JUMP, where, MVT::Other,
                                                    {node->getOperand(1), node->getOperand(0)}));
  case ISD::BRCOND: {
    SDValue predicate, negated;
    selectPredSource(node->getOperand(1), predicate, negated);
    return ReplaceNode(
        node, CurDAG->getMachineNode(CODE::JUMP_IF, where, MVT::Other,
                                     {predicate, negated, imm(!node->getOperand(1)->isDivergent(), where),
                                      node->getOperand(2), node->getOperand(0)}));
  }
  case LenoISD::FINISH:
  case LenoISD::CALL: {
    // Their chain comes first, as nodes have it; of instructions it is the last but for the glue.
    bool finish = node->getOpcode() == LenoISD::FINISH;
    SmallVector<SDValue, 8> operands(node->op_begin() + 1, node->op_end());
    SDValue glue;
    if (!operands.empty() && operands.back().getValueType() == MVT::Glue)
      glue = operands.pop_back_val();
    operands.push_back(node->getOperand(0));
    if (glue)
      operands.push_back(glue);
    bool named = !finish && isa<GlobalAddressSDNode, ExternalSymbolSDNode>(operands[0]);
    unsigned opcode = finish ? CODE::FINISH : named ? CODE::CALL : CODE::CALL_BY;
    return ReplaceNode(node, CurDAG->getMachineNode(opcode, where, node->getVTList(), operands));
  }
  case LenoISD::CONSTANT: {
    SDValue operands[] = {CurDAG->getRegister(CODE::PT, MVT::i1),
                          imm(0, where),
                          imm(0, where),
                          node->getOperand(0),
                          node->getOperand(1),
                          imm(0, where)};
    return ReplaceNode(node, CurDAG->getMachineNode(CODE::MOV_C, where, MVT::i32, operands));
  }
  case LenoISD::SHARED:
  case LenoISD::ADDRESS: {
    auto *global = cast<GlobalAddressSDNode>(node->getOperand(0));
    auto word = [&](unsigned flag) {
      SDValue operands[] = {CurDAG->getRegister(CODE::PT, MVT::i1), imm(0, where), imm(0, where),
                            CurDAG->getTargetGlobalAddress(global->getGlobal(), where, MVT::i32, 0, flag)};
      return CurDAG->getMachineNode(CODE::MOV32I, where, MVT::i32, operands);
    };
    if (node->getOpcode() == LenoISD::SHARED)
      return ReplaceNode(node, word(0));
    SDValue operands[] = {imm(CODE::GPR64RegClassID, where), SDValue(word(1), 0), imm(CODE::sub0, where),
                          SDValue(word(2), 0), imm(CODE::sub1, where)};
    return ReplaceNode(node, CurDAG->getMachineNode(TargetOpcode::REG_SEQUENCE, where, MVT::i64, operands));
  }
  case LenoISD::SPECIAL:
  case LenoISD::CLOCK:
  case LenoISD::VOTE:
  case LenoISD::BALLOT:
  case LenoISD::SHUFFLE:
  case LenoISD::BARRIER:
  case LenoISD::MEMBAR:
    return selectCall(node);
  default:
    break;
  }
  SelectCode(node);
}

} // namespace

FunctionPass *llvm::createLenoISel(TargetMachine &machine, CodeGenOptLevel level) {
  return new LenoISelPass(machine, level);
}
