//===- KernelPrintf.cpp - OpenCL C's printf ---------------------------------------===//
#include "asm/codegen/KernelPrintf.h"

#include "asm/codegen/LenoCode.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace leno {
namespace {

/// A number as a word of 64 bits.
Value *wordOf(IRBuilder<> &builder, Value *value) {
  Type *word = builder.getInt64Ty();
  if (value->getType()->isPointerTy())
    return builder.CreatePtrToInt(value, word);
  if (value->getType()->isFloatingPointTy())
    return builder.CreateBitCast(builder.CreateFPExt(value, builder.getDoubleTy()), word);
  return builder.CreateZExtOrTrunc(value, word); // the format tells the sign
}

void lower(CallInst &call, Function &reserve) {
  IRBuilder<> builder(&call);
  SmallVector<Value *> words;
  for (Value *argument : call.args()) {
    auto *vector = dyn_cast<FixedVectorType>(argument->getType());
    for (unsigned i = 0; vector && i < vector->getNumElements(); ++i)
      words.push_back(wordOf(builder, builder.CreateExtractElement(argument, i)));
    if (!vector)
      words.push_back(wordOf(builder, argument));
  }
  Value *room = builder.CreateCall(&reserve, {builder.getInt32(unsigned(words.size()))});
  Value *is = builder.CreateIsNotNull(room);
  Value *result = builder.CreateSelect(is, builder.getInt32(0), builder.getInt32(-1));
  builder.SetInsertPoint(SplitBlockAndInsertIfThen(is, call.getIterator(), false));
  for (auto [index, word] : enumerate(words))
    builder.CreateStore(word, builder.CreateConstGEP1_32(builder.getInt64Ty(), room, unsigned(index)));
  call.replaceAllUsesWith(result);
  call.eraseFromParent();
}

} // namespace

void lowerPrintf(Module &module) {
  Function *printf = module.getFunction("printf");
  if (!printf || !printf->isDeclaration())
    return;
  LLVMContext &context = module.getContext();
  FunctionCallee reserve = module.getOrInsertFunction(
      "leno_printf_reserve",
      FunctionType::get(PointerType::get(context, LenoSpace::Global), {Type::getInt32Ty(context)}, false));
  for (User *user : make_early_inc_range(printf->users()))
    if (auto *call = dyn_cast<CallInst>(user); call && call->getCalledOperand() == printf)
      lower(*call, *cast<Function>(reserve.getCallee()));
  if (printf->use_empty())
    printf->eraseFromParent();
}

} // namespace leno
