#include "emu/compiled/CanonicalNaNs.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/PatternMatch.h"
#include <numeric>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

bool isOneNaN(const Value *value) {
  const APFloat *number = nullptr;
  if (!match(value, m_APFloat(number)))
    return false;
  APInt bits = number->bitcastToAPInt();
  return bits == APInt::getSignedMaxValue(bits.getBitWidth());
}

/// What an instruction makes canonical, or null: the number where it is one, and else the NaN.
Value *madeCanonical(Instruction &instruction) {
  auto *chosen = dyn_cast<SelectInst>(&instruction);
  if (!chosen || !chosen->getType()->getScalarType()->isFloatingPointTy())
    return nullptr;
  Value *x = nullptr;
  CmpPredicate predicate;
  if (!match(chosen->getCondition(), m_FCmp(predicate, m_Value(x), m_AnyZeroFP())) &&
      !match(chosen->getCondition(), m_FCmp(predicate, m_Value(x), m_Deferred(x))))
    return nullptr;
  const bool isSwapped = predicate == FCmpInst::FCMP_UNO || predicate == FCmpInst::FCMP_UNE;
  const bool compares = isSwapped || predicate == FCmpInst::FCMP_ORD || predicate == FCmpInst::FCMP_OEQ;
  const Value *number = isSwapped ? chosen->getFalseValue() : chosen->getTrueValue();
  const Value *nan = isSwapped ? chosen->getTrueValue() : chosen->getFalseValue();
  // "x == 0" is no test of a NaN.
  if (predicate != FCmpInst::FCMP_ORD && predicate != FCmpInst::FCMP_UNO &&
      !match(chosen->getCondition(), m_FCmp(m_Specific(x), m_Specific(x))))
    return nullptr;
  return compares && number == x && isOneNaN(nan) ? x : nullptr;
}

/// Arithmetic that gives a NaN for a NaN, whichever it is, and else the same.
bool isArithmetic(const Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FDiv:
    return true;
  case Instruction::Call:
    if (const auto *called = dyn_cast<IntrinsicInst>(&instruction))
      return called->getIntrinsicID() == Intrinsic::fma || called->getIntrinsicID() == Intrinsic::sqrt;
    return false;
  default:
    return false;
  }
}

/// Whether it says no more of a number's bits than another pattern of the same lanes, up to the sign.
bool isPattern(const Instruction &instruction) {
  if (isa<BitCastInst>(instruction)) {
    auto *from = dyn_cast<VectorType>(instruction.getOperand(0)->getType());
    auto *to = dyn_cast<VectorType>(instruction.getType());
    return from && to && from->getElementCount() == to->getElementCount();
  }
  const APInt *mask = nullptr;
  if (match(&instruction, m_Xor(m_Value(), m_APInt(mask))))
    return mask->isSignMask();
  if (match(&instruction, m_And(m_Value(), m_APInt(mask))))
    return mask->isMaxSignedValue();
  return isa<UnaryOperator>(instruction) && instruction.getOpcode() == Instruction::FNeg;
}

/// Nobody who takes the value can tell one NaN from another.
bool isForgetful(const Instruction &user, unsigned depth = 8) {
  if (!depth)
    return false;
  auto usersForget = [&] {
    return all_of(user.users(),
                  [&](const User *next) { return isForgetful(*cast<Instruction>(next), depth - 1); });
  };
  if (isa<FCmpInst>(user) || madeCanonical(const_cast<Instruction &>(user)))
    return true;
  const auto *chosen = dyn_cast<SelectInst>(&user); // by lanes
  return (isArithmetic(user) || isPattern(user) || (chosen && chosen->getType()->isVectorTy())) &&
         usersForget();
}

/// One instruction for each 64 bytes: x, and where it is a NaN, of either kind, the one.
Value *fixed(IRBuilder<> &ir, Value *x, Value *nan) {
  auto *type = dyn_cast<FixedVectorType>(x->getType());
  const unsigned bits = x->getType()->getScalarSizeInBits(), lanes = 512 / bits;
  if (!type || bits < 32 || type->getNumElements() % lanes)
    return nullptr;
  const bool isSingle = bits == 32;
  // By kinds of numbers, four bits each from below: quiet and signaling NaNs stay what is under them, all
  // else is x.
  Constant *table = ConstantInt::get(FixedVectorType::get(ir.getIntNTy(bits), lanes), 0x11111100);
  SmallVector<Value *, 8> parts;
  for (unsigned first = 0; first < type->getNumElements(); first += lanes) {
    SmallVector<int> which(lanes);
    std::iota(which.begin(), which.end(), int(first));
    parts.push_back(ir.CreateIntrinsic(
        isSingle ? Intrinsic::x86_avx512_mask_fixupimm_ps_512 : Intrinsic::x86_avx512_mask_fixupimm_pd_512,
        {},
        {ConstantVector::getSplat(ElementCount::getFixed(lanes), cast<Constant>(nan)->getSplatValue()),
         ir.CreateShuffleVector(x, which), table, ir.getInt32(0),
         ConstantInt::getAllOnesValue(ir.getIntNTy(lanes)), ir.getInt32(4)}));
  }
  while (parts.size() > 1) { // side by side
    SmallVector<Value *, 8> wider;
    for (size_t i = 0; i < parts.size(); i += 2) {
      SmallVector<int> both(2 * cast<FixedVectorType>(parts[i]->getType())->getNumElements());
      std::iota(both.begin(), both.end(), 0);
      wider.push_back(ir.CreateShuffleVector(parts[i], parts[i + 1], both));
    }
    parts = std::move(wider);
  }
  return parts[0];
}

} // namespace

Value *leno::compiled::beforeCanonical(Value *value) {
  while (auto *cast = dyn_cast<BitCastInst>(value)) {
    if (!isPattern(*cast))
      return nullptr;
    value = cast->getOperand(0);
  }
  auto *instruction = dyn_cast<Instruction>(value);
  return instruction ? madeCanonical(*instruction) : nullptr;
}

Value *leno::compiled::makeCanonical(IRBuilder<> &ir, Value *value, Type *like) {
  Value *number = ir.CreateBitCast(value, like);
  const unsigned bits = like->getScalarSizeInBits();
  Constant *nan = ConstantFP::get(like, APFloat(like->getScalarType()->getFltSemantics(), APInt::getSignedMaxValue(bits)));
  Value *isNumber = ir.CreateFCmpORD(number, Constant::getNullValue(like));
  return ir.CreateBitCast(ir.CreateSelect(isNumber, number, nan), value->getType());
}

bool leno::compiled::isForgetful(const Use &use) { return ::isForgetful(*cast<Instruction>(use.getUser())); }

static SmallVector<SelectInst *> allMadeCanonical(Function &function) {
  SmallVector<SelectInst *> found;
  for (Instruction &instruction : instructions(function))
    if (madeCanonical(instruction))
      found.push_back(cast<SelectInst>(&instruction));
  return found;
}

void leno::compiled::makeNaNsLazy(Function &function) {
  // All are judged before the first is replaced: what is made canonical ends the search.
  SmallVector<std::pair<Use *, Value *>> replaced;
  for (SelectInst *chosen : allMadeCanonical(function))
    for (Use &use : chosen->uses())
      if (isForgetful(use))
        replaced.push_back({&use, madeCanonical(*chosen)});
  for (auto [use, x] : replaced)
    use->set(x);
}

void leno::compiled::fixNaNsAtOnce(Function &function) {
  for (SelectInst *chosen : allMadeCanonical(function)) {
    Value *x = madeCanonical(*chosen);
    Value *nan = isOneNaN(chosen->getTrueValue()) ? chosen->getTrueValue() : chosen->getFalseValue();
    IRBuilder<> ir(chosen);
    if (Value *once = chosen->use_empty() ? nullptr : fixed(ir, x, nan))
      chosen->replaceAllUsesWith(once);
  }
}
