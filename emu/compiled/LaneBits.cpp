#include "emu/compiled/LaneBits.h"
#include "emu/compiled/CompiledCode.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
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
