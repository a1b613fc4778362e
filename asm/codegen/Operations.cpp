//===- Operations.cpp - Operations that are calls of the device library ------------===//
#include "asm/codegen/Operations.h"

#include "asm/codegen/LenoCode.h"
#include "asm/codegen/Library.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace leno {
namespace {

/// OpenCL C's name of what an intrinsic computes; empty: selection knows it.
StringRef functionOf(const IntrinsicInst &call) {
  bool isFloat = call.getType()->getScalarType()->isFloatTy();
  switch (call.getIntrinsicID()) {
  case Intrinsic::sqrt:
    return isFloat ? "" : "sqrt";
  case Intrinsic::sin:
    return isFloat ? "" : "sin";
  case Intrinsic::cos:
    return isFloat ? "" : "cos";
  case Intrinsic::exp2:
  case Intrinsic::amdgcn_exp2:
    return isFloat && call.getIntrinsicID() == Intrinsic::exp2 ? "" : "exp2";
  case Intrinsic::log2:
    return isFloat ? "" : "log2";
  case Intrinsic::amdgcn_rsq:
    return "rsqrt";
#define NAMED(name)                                                                                          \
  case Intrinsic::name:                                                                                      \
    return #name;
    NAMED(pow)
    NAMED(exp)
    NAMED(exp10)
    NAMED(log)
    NAMED(log10)
    NAMED(tan)
    NAMED(asin)
    NAMED(acos)
    NAMED(atan)
    NAMED(atan2)
    NAMED(sinh)
    NAMED(cosh)
    NAMED(tanh)
    NAMED(ldexp)
    NAMED(round)
#undef NAMED
  case Intrinsic::powi:
    return "pown";
  default:
    return "";
  }
}

/// The library's function for an operation; empty: there is an instruction.
std::string functionOf(const Instruction &inst) {
  Type *type = inst.getType()->getScalarType();
  if (auto *call = dyn_cast<IntrinsicInst>(&inst))
    return functionOf(*call).str();
  auto *operation = dyn_cast<BinaryOperator>(&inst);
  if (!operation)
    return "";
  if (operation->getOpcode() == Instruction::FRem)
    return "fmod";
  if (operation->getOpcode() == Instruction::FDiv)
    return type->isDoubleTy() ? "leno_fdiv64" : "";
  if (!operation->isIntDivRem() || type->getIntegerBitWidth() > 64)
    return "";
  // Selection multiplies by the inverse of 32-bit constants.
  auto *constant = dyn_cast<ConstantInt>(operation->getOperand(1));
  if (constant && !constant->isZero() &&
      (type->getIntegerBitWidth() <= 32 || constant->getValue().isPowerOf2()))
    return "";
  return (Twine("leno_") + operation->getOpcodeName() + (type->getIntegerBitWidth() > 32 ? "64" : "32"))
      .str();
}

/// One element's result.
Value *callFor(IRBuilder<> &builder, const std::string &name, Instruction &inst, ArrayRef<Value *> given) {
  Module &module = *inst.getModule();
  SmallVector<Value *, 3> arguments(given);
  Type *type = inst.getType()->getScalarType(), *inside = type;
  if (type->isIntegerTy() && !isa<IntrinsicInst>(inst)) {
    inside = builder.getIntNTy(type->getIntegerBitWidth() > 32 ? 64 : 32);
    bool isSigned = inst.getOpcode() == Instruction::SDiv || inst.getOpcode() == Instruction::SRem;
    for (Value *&value : arguments)
      value = builder.CreateIntCast(value, inside, isSigned);
  } else if (type->isHalfTy()) {
    inside = builder.getFloatTy();
    for (Value *&value : arguments)
      if (value->getType()->isHalfTy())
        value = builder.CreateFPExt(value, inside);
  }
  SmallVector<Type *, 3> types;
  for (Value *value : arguments)
    types.push_back(value->getType());
  auto *signature = FunctionType::get(inside, types, false);
  bool ours = StringRef(name).starts_with("leno_");
  FunctionCallee callee = module.getOrInsertFunction(ours ? name : overloaded(name, signature), signature);
  auto *function = cast<Function>(callee.getCallee());
  function->setDoesNotThrow();
  function->setWillReturn();
  function->setDoesNotAccessMemory();
  Value *result = builder.CreateCall(callee, arguments);
  return type == inside              ? result
         : type->isFloatingPointTy() ? builder.CreateFPTrunc(result, type)
                                     : builder.CreateTrunc(result, type);
}

} // namespace

bool callForOperations(Module &module) {
  SmallVector<std::pair<Instruction *, std::string>> found;
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (std::string name = functionOf(inst); !name.empty())
        found.push_back({&inst, name});
  for (auto &[inst, name] : found) {
    IRBuilder<> builder(inst);
    SmallVector<Value *, 3> operands;
    for (Use &use : isa<CallBase>(inst) ? cast<CallBase>(inst)->args() : inst->operands())
      operands.push_back(use);
    Value *result;
    if (auto *vector = dyn_cast<FixedVectorType>(inst->getType())) {
      result = PoisonValue::get(vector);
      for (unsigned i = 0; i < vector->getNumElements(); ++i) {
        SmallVector<Value *, 3> elements;
        for (Value *operand : operands)
          elements.push_back(operand->getType()->isVectorTy() ? builder.CreateExtractElement(operand, i)
                                                              : operand);
        result = builder.CreateInsertElement(result, callFor(builder, name, *inst, elements), i);
      }
    } else {
      result = callFor(builder, name, *inst, operands);
    }
    inst->replaceAllUsesWith(result);
    inst->eraseFromParent();
  }
  return !found.empty();
}

void splitGenericAtomics(Module &module) {
  SmallVector<Instruction *> found;
  for (Function &function : module)
    for (Instruction &inst : instructions(function)) {
      auto *rmw = dyn_cast<AtomicRMWInst>(&inst);
      auto *cas = dyn_cast<AtomicCmpXchgInst>(&inst);
      if ((rmw && rmw->getPointerAddressSpace() == LenoSpace::Generic) ||
          (cas && cas->getPointerAddressSpace() == LenoSpace::Generic))
        found.push_back(&inst);
    }
  for (Instruction *inst : found) {
    unsigned place = isa<AtomicRMWInst>(inst) ? AtomicRMWInst::getPointerOperandIndex()
                                              : AtomicCmpXchgInst::getPointerOperandIndex();
    Value *pointer = inst->getOperand(place);
    IRBuilder<> builder(inst);
    FunctionCallee base = module.getOrInsertFunction("leno_shared_base", builder.getInt32Ty());
    cast<Function>(base.getCallee())->setDoesNotAccessMemory();
    // The base is in units of 2^16 bytes, and the low word of a window's address 0.
    Value *window = builder.CreateLShr(builder.CreateCall(base), 16);
    Value *upper = builder.CreateTrunc(
        builder.CreateLShr(builder.CreatePtrToInt(pointer, builder.getInt64Ty()), 32), builder.getInt32Ty());
    Instruction *shared, *other;
    SplitBlockAndInsertIfThenElse(builder.CreateICmpEQ(upper, window), inst, &shared, &other);
    PHINode *result = PHINode::Create(inst->getType(), 2, "", inst->getIterator());
    for (auto [at, space] : {std::pair(shared, LenoSpace::Shared), std::pair(other, LenoSpace::Global)}) {
      Instruction *copy = inst->clone();
      copy->insertBefore(at->getIterator());
      copy->setOperand(place, IRBuilder<>(copy).CreateAddrSpaceCast(
                                  pointer, PointerType::get(module.getContext(), space)));
      result->addIncoming(copy, copy->getParent());
    }
    inst->replaceAllUsesWith(result);
    inst->eraseFromParent();
  }
}

} // namespace leno
