//===- LenoCalls.cpp - Parameters, calls and results ------------------------------===//
// A kernel's parameters lie in c[0]; a function's are where isa/CallingConvention.md
// has them. What stands for an instruction (Builtins.cpp) is called by name, too.
#include "asm/codegen/LenoCode.h"

#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/SelectionDAG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {

bool isPair(MVT type) { return type == MVT::i64 || type == MVT::f64; }

/// Gives values their places one after the other: registers from R4 to R15, then memory.
class Places {
public:
  /// A register's number, or what is at `memory`.
  struct Place {
    unsigned reg = 0; ///< its number, 0: none
    unsigned offset = 0;
  };
  Place next(MVT type, unsigned alignedWords = 1) {
    bool pair = isPair(type);
    reg = unsigned(alignTo(reg, std::max(alignedWords, pair ? 2u : 1u)));
    if (reg + pair < 16) {
      Place place{reg, 0};
      reg += 1 + pair;
      return place;
    }
    reg = 16;
    memory = unsigned(alignTo(memory, pair ? 8 : 4));
    Place place{0, memory};
    memory += pair ? 8 : 4;
    return place;
  }
  unsigned bytes() const { return memory; }

private:
  unsigned reg = 4, memory = 0;
};

/// A vector of 64 or 128 bits starts at an aligned pair or quad, in registers.
unsigned alignedWords(Type *type, unsigned partOffset) {
  if (partOffset || !type || !type->isVectorTy())
    return 1;
  unsigned bits = unsigned(type->getPrimitiveSizeInBits().getFixedValue());
  return bits == 128 ? 4 : bits == 64 ? 2 : 1;
}

MCRegister physical(unsigned number, MVT type, const TargetRegisterInfo &registers) {
  MCRegister reg = CODE::GPRRegClass.getRegister(number);
  return isPair(type) ? registers.getMatchingSuperReg(reg, CODE::sub0, &CODE::GPR64RegClass) : reg;
}

const TargetRegisterClass *classOf(MVT type) {
  return isPair(type) ? &CODE::GPR64RegClass : type == MVT::f32 ? &CODE::FPRRegClass : &CODE::GPRRegClass;
}

/// A truth value travels as 0 or 1.
MVT carried(MVT type) { return type == MVT::i1 ? MVT::i32 : type; }

} // namespace

/// A word of c[0].
static SDValue constantWord(uint32_t offset, const SDLoc &where, SelectionDAG &dag) {
  return dag.getNode(LenoISD::CONSTANT, where, MVT::i32, dag.getTargetConstant(0, where, MVT::i32),
                     dag.getTargetConstant(offset, where, MVT::i32));
}

/// A parameter of a kernel, at its offset in c[0].
static SDValue readParameter(const ISD::InputArg &in, uint32_t offset, const SDLoc &where, SelectionDAG &dag) {
  if (in.VT == MVT::i64 || in.VT == MVT::f64)
    return dag.getBitcast(in.VT, dag.getNode(ISD::BUILD_PAIR, where, MVT::i64, constantWord(offset, where, dag),
                                             constantWord(offset + 4, where, dag)));
  SDValue value = constantWord(offset & ~3u, where, dag);
  // A byte or a half lies anywhere in its word; its upper bits are a neighbour's.
  if (unsigned bits = in.ArgVT.getSizeInBits(); bits < 32) {
    unsigned size = std::max(8u, bits);
    value = dag.getNode(ISD::SRL, where, MVT::i32, value, dag.getConstant(offset % 4 * 8, where, MVT::i32));
    value = in.Flags.isSExt() ? dag.getNode(ISD::SIGN_EXTEND_INREG, where, MVT::i32, value,
                                            dag.getValueType(MVT::getIntegerVT(size)))
                              : dag.getZeroExtendInReg(value, where, MVT::getIntegerVT(size));
  }
  return in.VT == MVT::f32  ? dag.getBitcast(MVT::f32, value)
         : in.VT == MVT::i1 ? dag.getNode(ISD::TRUNCATE, where, MVT::i1, value)
                            : value;
}

SDValue LenoTargetLowering::LowerFormalArguments(SDValue chain, CallingConv::ID, bool,
                                                 const SmallVectorImpl<ISD::InputArg> &ins,
                                                 const SDLoc &where, SelectionDAG &dag,
                                                 SmallVectorImpl<SDValue> &values) const {
  MachineFunction &machineFunction = dag.getMachineFunction();
  const Function &function = machineFunction.getFunction();
  if (isKernel(function)) {
    SmallVector<uint32_t> offsets = parameterOffsets(function);
    for (const ISD::InputArg &in : ins)
      values.push_back(readParameter(in, offsets[in.getOrigArgIndex()] + in.PartOffset, where, dag));
    return chain;
  }
  Places places;
  for (const ISD::InputArg &in : ins) {
    MVT type = carried(in.VT);
    Places::Place place = places.next(
        type, alignedWords(in.isOrigArg() ? function.getArg(in.getOrigArgIndex())->getType() : nullptr,
                           in.PartOffset));
    SDValue value;
    if (place.reg) {
      MCRegister reg = physical(place.reg, type, *subtarget.getRegisterInfo());
      value = dag.getCopyFromReg(chain, where, machineFunction.addLiveIn(reg, classOf(type)), type);
    } else {
      int slot = machineFunction.getFrameInfo().CreateFixedObject(type.getStoreSize(), place.offset, true);
      value = dag.getLoad(type, where, chain, dag.getFrameIndex(slot, MVT::i32),
                          MachinePointerInfo::getFixedStack(machineFunction, slot));
    }
    values.push_back(in.VT == MVT::i1 ? dag.getNode(ISD::TRUNCATE, where, MVT::i1, value) : value);
  }
  return chain;
}

// What does not fit into R4 to R15 is written to memory that the caller names.
bool LenoTargetLowering::CanLowerReturn(CallingConv::ID, MachineFunction &, bool,
                                        const SmallVectorImpl<ISD::OutputArg> &outs, LLVMContext &,
                                        const Type *) const {
  Places places;
  for (const ISD::OutputArg &out : outs)
    if (!places.next(carried(out.VT)).reg)
      return false;
  return true;
}

SDValue LenoTargetLowering::LowerReturn(SDValue chain, CallingConv::ID, bool,
                                        const SmallVectorImpl<ISD::OutputArg> &outs,
                                        const SmallVectorImpl<SDValue> &values, const SDLoc &where,
                                        SelectionDAG &dag) const {
  SmallVector<SDValue, 8> operands = {chain};
  SDValue glue;
  Places places;
  for (auto [out, value] : zip(outs, values)) {
    MVT type = carried(out.VT);
    unsigned number = places.next(type).reg;
    MCRegister reg = physical(number, type, *subtarget.getRegisterInfo());
    SDValue given = out.VT == MVT::i1 ? dag.getNode(ISD::ZERO_EXTEND, where, type, value) : value;
    chain = dag.getCopyToReg(chain, where, reg, given, glue);
    glue = chain.getValue(1);
    operands.push_back(dag.getRegister(reg, type));
  }
  operands[0] = chain;
  if (glue)
    operands.push_back(glue);
  return dag.getNode(LenoISD::FINISH, where, MVT::Other, operands);
}

SDValue LenoTargetLowering::LowerCall(CallLoweringInfo &call, SmallVectorImpl<SDValue> &values) const {
  StringRef name;
  if (auto *global = dyn_cast<GlobalAddressSDNode>(call.Callee))
    name = global->getGlobal()->getName();
  call.IsTailCall = false;
  if (std::optional<LenoBuiltin> builtin = findBuiltin(name))
    return lowerBuiltin(*builtin, call, values);

  SelectionDAG &dag = call.DAG;
  const SDLoc &where = call.DL;
  MachineFunction &machineFunction = dag.getMachineFunction();
  const LenoCodeRegisterInfo &registers = *subtarget.getRegisterInfo();
  if (call.IsVarArg)
    sayUnsupported(machineFunction.getFunction(), where.getDebugLoc(),
                   "there are no calls with a variable number of arguments");
  Places places;
  SmallVector<std::pair<MCRegister, SDValue>, 8> inRegisters;
  SmallVector<std::pair<unsigned, SDValue>, 8> inMemory;
  for (auto [out, value] : zip(call.Outs, call.OutVals)) {
    MVT type = carried(out.VT);
    Type *argument = out.OrigArgIndex < call.getArgs().size() ? call.getArgs()[out.OrigArgIndex].Ty : nullptr;
    Places::Place place = places.next(type, alignedWords(argument, out.PartOffset));
    SDValue given = out.VT == MVT::i1 ? dag.getNode(ISD::ZERO_EXTEND, where, type, value) : SDValue(value);
    if (place.reg)
      inRegisters.push_back({physical(place.reg, type, registers), given});
    else
      inMemory.push_back({place.offset, given});
  }
  unsigned bytes = unsigned(alignTo(places.bytes(), 16));
  SDValue chain = dag.getCALLSEQ_START(call.Chain, bytes, 0, where), glue;
  SmallVector<SDValue, 8> stores;
  for (auto &[offset, value] : inMemory) {
    SDValue address = dag.getNode(ISD::ADD, where, MVT::i32, dag.getRegister(CODE::R1, MVT::i32),
                                  dag.getConstant(offset, where, MVT::i32));
    stores.push_back(
        dag.getStore(chain, where, value, address, MachinePointerInfo::getStack(machineFunction, offset)));
  }
  if (!stores.empty())
    chain = dag.getTokenFactor(where, stores);
  for (auto &[reg, value] : inRegisters) {
    chain = dag.getCopyToReg(chain, where, reg, value, glue);
    glue = chain.getValue(1);
  }
  SDValue target = call.Callee;
  if (auto *global = dyn_cast<GlobalAddressSDNode>(target))
    target = dag.getTargetGlobalAddress(global->getGlobal(), where, MVT::i32, global->getOffset());
  else if (auto *symbol = dyn_cast<ExternalSymbolSDNode>(target))
    target = dag.getTargetExternalSymbol(symbol->getSymbol(), MVT::i32);
  else
    target = dag.getZExtOrTrunc(target, where, MVT::i32); // an address in the program has 32 bits
  SmallVector<SDValue, 8> operands = {chain, target};
  for (auto &[reg, value] : inRegisters)
    operands.push_back(dag.getRegister(reg, value.getValueType()));
  operands.push_back(dag.getRegisterMask(registers.getCallPreservedMask(machineFunction, call.CallConv)));
  if (glue)
    operands.push_back(glue);
  chain = dag.getNode(LenoISD::CALL, where, dag.getVTList(MVT::Other, MVT::Glue), operands);
  chain = dag.getCALLSEQ_END(chain, bytes, 0, chain.getValue(1), where);
  glue = chain.getValue(1);
  Places results;
  for (const ISD::InputArg &in : call.Ins) {
    MVT type = carried(in.VT);
    unsigned number = results.next(type).reg;
    SDValue value = dag.getCopyFromReg(chain, where, physical(number, type, registers), type, glue);
    chain = value.getValue(1);
    glue = value.getValue(2);
    values.push_back(in.VT == MVT::i1 ? dag.getNode(ISD::TRUNCATE, where, MVT::i1, value) : value);
  }
  return chain;
}

SDValue LenoTargetLowering::lowerBuiltin(const LenoBuiltin &builtin, CallLoweringInfo &call,
                                         SmallVectorImpl<SDValue> &values) const {
  SelectionDAG &dag = call.DAG;
  const SDLoc &where = call.DL;
  auto give = [&](SDValue value) {
    for (const ISD::InputArg &in : call.Ins)
      values.push_back(value ? dag.getAnyExtOrTrunc(value, where, in.VT) : dag.getUNDEF(in.VT));
  };
  SDValue number = dag.getTargetConstant(builtin.number, where, MVT::i32);
  auto truth = [&](SDValue value) {
    return dag.getSetCC(where, MVT::i1, value, dag.getConstant(0, where, value.getValueType()), ISD::SETNE);
  };
  SmallVector<SDValue, 5> operands = {call.Chain};
  switch (builtin.node) {
  case LenoISD::CONSTANT: // a word of the host, or ParametersInPlace's
    if (call.OutVals.empty()) {
      give(constantWord(builtin.number, where, dag));
      return call.Chain;
    }
    for (const ISD::InputArg &in : call.Ins)
      values.push_back(
          readParameter(in, uint32_t(cast<ConstantSDNode>(call.OutVals[0])->getZExtValue()), where, dag));
    return call.Chain;
  case LenoISD::SPECIAL:
    // A launch's geometry lies in c[0], too: NTID is 19 to 21, NCTAID 25 to 27.
    if (unsigned sr = builtin.number; (sr >= 19 && sr <= 21) || (sr >= 25 && sr <= 27)) {
      give(constantWord(4 * (sr < 25 ? sr - 19 : sr - 22), where, dag));
      return call.Chain;
    }
    give(dag.getNode(LenoISD::SPECIAL, where, MVT::i32, number,
                     dag.getTargetConstant(builtin.divergent, where, MVT::i32)));
    return call.Chain;
  case LenoISD::RCP:
  case LenoISD::RSQ:
    values.push_back(dag.getNode(builtin.node, where, MVT::f32, call.OutVals[0]));
    return call.Chain;
  case LenoISD::VOTE:
  case LenoISD::BALLOT: {
    if (builtin.node == LenoISD::VOTE)
      operands.push_back(number);
    operands.push_back(truth(call.OutVals[0]));
    SDValue result =
        dag.getNode(builtin.node, where,
                    dag.getVTList(builtin.node == LenoISD::VOTE ? MVT::i1 : MVT::i32, MVT::Other), operands);
    give(builtin.node == LenoISD::VOTE ? dag.getNode(ISD::ZERO_EXTEND, where, MVT::i32, result) : result);
    return result.getValue(1);
  }
  case LenoISD::SHUFFLE:
  case LenoISD::CLOCK: {
    operands.push_back(number);
    append_range(operands, call.OutVals);
    SDValue result = dag.getNode(builtin.node, where, dag.getVTList(MVT::i32, MVT::Other), operands);
    give(result);
    return result.getValue(1);
  }
  case LenoISD::BARRIER:
    if (auto *id = dyn_cast<ConstantSDNode>(call.OutVals[0]); id && id->getZExtValue() < 16)
      return dag.getNode(LenoISD::BARRIER, where, MVT::Other, call.Chain,
                         dag.getTargetConstant(id->getZExtValue(), where, MVT::i32));
    sayUnsupported(dag.getMachineFunction().getFunction(), where.getDebugLoc(),
                   "a barrier's number is a constant from 0 to 15");
    return call.Chain;
  default:
    return dag.getNode(LenoISD::MEMBAR, where, MVT::Other, call.Chain, number);
  }
}
