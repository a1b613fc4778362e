#include "emu/compiled/LaneBits.h"
#include "emu/compiled/CompiledCode.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

/// Whether it is each lane's number.
static bool isLaneNumbers(const Constant *value) {
  for (unsigned lane = 0; lane < leno::laneCount; ++lane) {
    const auto *number = dyn_cast_or_null<ConstantInt>(value->getAggregateElement(lane));
    if (!number || number->getValue() != lane)
      return false;
  }
  return true;
}

void leno::compiled::takeBitsAtOnce(Function &function) {
  auto *words = FixedVectorType::get(IntegerType::get(function.getContext(), 32), laneCount);
  for (Instruction &instruction : instructions(function)) {
    Value *masks = nullptr;
    Constant *by = nullptr;
    if (instruction.getType() != words ||
        !match(&instruction, m_And(m_LShr(m_Value(masks), m_Constant(by)), m_One())) || !isLaneNumbers(by))
      continue;
    if (Value *mask = getSplatValue(masks)) {
      IRBuilder<> ir(&instruction);
      Value *lanes = ir.CreateBitCast(mask, FixedVectorType::get(ir.getInt1Ty(), laneCount));
      instruction.replaceAllUsesWith(ir.CreateZExt(lanes, words));
    }
  }
}
