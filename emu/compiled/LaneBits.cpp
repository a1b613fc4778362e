#include "emu/compiled/LaneBits.h"
#include "emu/compiled/CompiledCode.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/PatternMatch.h"
#include <numeric>

using namespace llvm;
using namespace llvm::PatternMatch;

void leno::compiled::takeBitsAtOnce(Function &function) {
  auto *words = FixedVectorType::get(IntegerType::get(function.getContext(), 32), laneCount);
  SmallVector<uint32_t, laneCount> numbers(laneCount);
  std::iota(numbers.begin(), numbers.end(), 0);
  Constant *each = ConstantDataVector::get(function.getContext(), numbers);
  for (Instruction &instruction : instructions(function)) {
    Value *masks = nullptr;
    if (!match(&instruction, m_And(m_LShr(m_Value(masks), m_Specific(each)), m_One())))
      continue;
    if (Value *mask = getSplatValue(masks)) {
      IRBuilder<> ir(&instruction);
      Value *lanes = ir.CreateBitCast(mask, FixedVectorType::get(ir.getInt1Ty(), laneCount));
      instruction.replaceAllUsesWith(ir.CreateZExt(lanes, words));
    }
  }
}

void leno::compiled::takeWordsAtOnce(Function &function) {
  constexpr int half = laneCount / 2;
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *takes = dyn_cast<ExtractElementInst>(&instruction);
    if (!takes || isa<ConstantInt>(takes->getIndexOperand()) || !takes->getType()->isIntegerTy(32) ||
        takes->getVectorOperandType()->getElementCount() != ElementCount::getFixed(laneCount))
      continue;
    IRBuilder<> ir(takes);
    SmallVector<int, half> lanes(half);
    auto halfFrom = [&](int first) {
      std::iota(lanes.begin(), lanes.end(), first);
      return ir.CreateShuffleVector(takes->getVectorOperand(), lanes);
    };
    Value *lane = ir.CreateZExtOrTrunc(takes->getIndexOperand(), ir.getInt32Ty());
    Value *all = ir.CreateIntrinsic(Intrinsic::x86_avx512_vpermi2var_d_512, {},
                                    {halfFrom(0), ir.CreateVectorSplat(half, lane), halfFrom(half)});
    takes->replaceAllUsesWith(ir.CreateExtractElement(all, u64(0)));
    takes->eraseFromParent();
  }
}

/// Chosen as what arithmetic makes it, and not as words.
static void chooseAsMade(SelectInst &chosen) {
  auto *words = dyn_cast<BitCastInst>(chosen.getTrueValue());
  auto *made = words && words->hasOneUse() ? dyn_cast<Instruction>(words->getOperand(0)) : nullptr;
  auto *lanes = dyn_cast<VectorType>(chosen.getCondition()->getType());
  auto *type = made && made->hasOneUse() ? dyn_cast<VectorType>(made->getType()) : nullptr;
  if (!lanes || !type || lanes->getElementCount() != type->getElementCount())
    return;
  IRBuilder<> ir(&chosen);
  Value *other = ir.CreateBitCast(chosen.getFalseValue(), type);
  Value *result = ir.CreateSelect(chosen.getCondition(), made, other);
  chosen.replaceAllUsesWith(ir.CreateBitCast(result, chosen.getType()));
  chosen.eraseFromParent();
}

void leno::compiled::chooseResults(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    if (auto *chosen = dyn_cast<SelectInst>(&instruction)) {
      chooseAsMade(*chosen);
      continue;
    }
    auto *computes = dyn_cast<BinaryOperator>(&instruction);
    Type *type = instruction.getType();
    if (!computes || !type->isVectorTy() || !type->isIntOrIntVectorTy() || computes->isIntDivRem())
      continue; // a division may not be done for other lanes
    for (unsigned which : {1u, 0u}) {
      const Constant *nothing =
          ConstantExpr::getBinOpIdentity(computes->getOpcode(), type, /*AllowRHSConstant=*/which == 1);
      if (!nothing)
        continue;
      Value *taken = computes->getOperand(which), *x = computes->getOperand(1 - which);
      Value *lanes = nullptr, *y = nullptr;
      if (match(taken, m_ZExtOrSExt(m_Value(lanes))) && lanes->getType()->getScalarType()->isIntegerTy(1))
        y = isa<ZExtInst>(taken) ? ConstantInt::get(type, 1) : Constant::getAllOnesValue(type);
      const bool chooses = y ? nothing->isNullValue()
                             : match(taken, m_Select(m_Value(lanes), m_Value(y), m_Specific(nothing)));
      if (!chooses || !lanes->getType()->isVectorTy())
        continue;
      IRBuilder<> ir(computes);
      Value *done = ir.CreateBinOp(computes->getOpcode(), x, y);
      computes->replaceAllUsesWith(ir.CreateSelect(lanes, done, x));
      computes->eraseFromParent();
      break;
    }
  }
}
