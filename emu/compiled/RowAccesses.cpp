#include "emu/compiled/RowAccesses.h"
#include "emu/program/Op.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include <optional>

using namespace llvm;
using namespace leno;
using namespace leno::compiled;

namespace {

/// Where in the frame a pointer leads, if that is known: in bytes from R0.
std::optional<s64> placeInFrame(const Value *pointer, const Argument *frame, const DataLayout &layout) {
  APInt offset(64, 0);
  const Value *base = pointer->stripAndAccumulateConstantOffsets(layout, offset, true);
  return base == frame ? std::optional(offset.getSExtValue()) : std::nullopt;
}

/// The row that `bytes` bytes at `place` lie in, if it is one.
std::optional<s64> rowOf(s64 place, u64 bytes) {
  s64 row = place >= 0 ? place / s64(rowBytes) : -((-place + s64(rowBytes) - 1) / s64(rowBytes));
  return u64(place - row * s64(rowBytes)) + bytes <= rowBytes ? std::optional(row) : std::nullopt;
}

/// A value of `type` all of whose words are `word`, or null.
Value *allWords(IRBuilder<> &ir, Type *type, Value *word) {
  Type *element = type->getScalarType();
  if (element->getPrimitiveSizeInBits() != 32)
    return nullptr;
  Value *value = element->isIntegerTy() ? word : ir.CreateBitCast(word, element);
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector ? ir.CreateVectorSplat(vector->getNumElements(), value) : value;
}

} // namespace

void compiled::replaceKnownRows(Function &function, const Region &region) {
  const DataLayout &layout = function.getParent()->getDataLayout();
  Argument *frame = function.getArg(1);
  SmallVector<Instruction *> dead;
  for (Instruction &instruction : instructions(function)) {
    if (auto *store = dyn_cast<StoreInst>(&instruction)) {
      std::optional<s64> place = placeInFrame(store->getPointerOperand(), frame, layout);
      if (!place)
        continue;
      std::optional<s64> row = rowOf(*place, layout.getTypeStoreSize(store->getValueOperand()->getType()));
      if (row && *row >= frame::sinkRow && *row < frame::zeroRow)
        dead.push_back(store);
      continue;
    }
    auto *load = dyn_cast<LoadInst>(&instruction);
    if (!load || !load->isSimple())
      continue;
    std::optional<s64> place = placeInFrame(load->getPointerOperand(), frame, layout);
    if (!place)
      continue;
    std::optional<s64> row = rowOf(*place, layout.getTypeStoreSize(load->getType()));
    if (!row || *row >= 0)
      continue;
    if (*row >= frame::zeroRow) {
      load->replaceAllUsesWith(Constant::getNullValue(load->getType()));
      dead.push_back(load);
      continue;
    }
    u64 number = u64(frame::firstPoolRow - *row);
    if (*row > frame::firstPoolRow || number >= region.poolSize)
      continue;
    IRBuilder<> ir(load);
    Value *word = ir.getInt32(region.pool[number].value);
    if (region.pool[number].isConstant) {
      LoadInst *first = ir.CreateAlignedLoad(
          ir.getInt32Ty(), ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), frame, u64(*row * s64(rowBytes))),
          Align(rowBytes));
      first->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(function.getContext(), {}));
      word = first;
    }
    if (Value *value = allWords(ir, load->getType(), word)) {
      load->replaceAllUsesWith(value);
      dead.push_back(load);
    }
  }
  for (Instruction *each : dead)
    each->eraseFromParent();
}
