#include "emu/compiled/TurnLoops.h"
#include "emu/compiled/RegionBuilder.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <cstddef>

using namespace llvm;
using namespace leno;
using namespace leno::compiled;

namespace {

class TurnLoops {
public:
  TurnLoops(Module &module, const Region &region)
      : module(module), region(region), function(*module.getFunction(regionName(region))),
        ir(module.getContext()) {}
  Function *add();

private:
  Function *declare(const Twine &name, ArrayRef<Type *> parameters);
  Function *buildLoop(u32 leader, u32 index);
  Value *at(Value *base, size_t offset) { return ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), base, offset); }
  Value *load(Type *type, Value *base, size_t offset) { return ir.CreateLoad(type, at(base, offset)); }
  BasicBlock *block(const char *name, Function *of) { return BasicBlock::Create(module.getContext(), name, of); }

  Module &module;
  const Region &region;
  Function &function; ///< the region's
  IRBuilder<> ir;
};

} // namespace

/// For the same host.
Function *TurnLoops::declare(const Twine &name, ArrayRef<Type *> parameters) {
  auto *type = FunctionType::get(ir.getInt32Ty(), parameters, false);
  Function *made = Function::Create(type, GlobalValue::ExternalLinkage, name, module);
  made->setDSOLocal(true);
  made->setAttributes(AttributeList::get(module.getContext(), AttributeList::FunctionIndex,
                                         AttrBuilder(module.getContext(), function.getAttributes().getFnAttrs())));
  for (Argument &each : made->args())
    if (each.getType()->isPointerTy())
      each.addAttr(Attribute::NoAlias);
  return made;
}

/// What is kept becomes registers. `index`: the leader's operation.
Function *TurnLoops::buildLoop(u32 leader, u32 index) {
  Type *word = ir.getInt32Ty(), *wide = ir.getInt64Ty(), *pointer = ir.getPtrTy();
  Function *loop =
      declare(formatv("leno_loop_at_{0:x}", u64(index) * 8).str(), {pointer, pointer, pointer, pointer});
  loop->setLinkage(GlobalValue::InternalLinkage);
  loop->addFnAttr(Attribute::NoInline);
  Argument *turns = loop->getArg(0), *kept = loop->getArg(1);
  BasicBlock *entry = block("entry", loop), *turn = block("turn", loop), *isThere = block("isThere", loop),
             *goesOn = block("goesOn", loop), *last = block("last", loop);
  ir.SetInsertPoint(entry);
  AllocaInst *own = ir.CreateAlloca(ArrayType::get(ir.getInt8Ty(), sizeof(Kept)));
  own->setAlignment(Align(alignof(Kept)));
  ir.CreateMemCpy(own, Align(alignof(Kept)), kept, Align(alignof(Kept)), sizeof(Kept));
  for (size_t isSo : {offsetof(Kept, staysInCta), offsetof(Kept, isUnseen)})
    ir.CreateStore(ir.getInt32(1), at(own, isSo));
  Value *threads = load(pointer, kept, offsetof(Kept, threads));
  Value *all = load(pointer, turns, offsetof(OwnTurns, turns));
  Value *count = load(word, turns, offsetof(OwnTurns, count));
  Value *first = load(wide, turns, offsetof(OwnTurns, first));
  Value *others = load(wide, turns, offsetof(OwnTurns, others));
  ir.CreateBr(turn);

  ir.SetInsertPoint(turn);
  PHINode *number = ir.CreatePHI(word, 2), *budget = ir.CreatePHI(wide, 2), *barrier = ir.CreatePHI(word, 2);
  number->addIncoming(ir.getInt32(0), entry);
  budget->addIncoming(first, entry);
  barrier->addIncoming(ir.getInt32(0), entry);
  Value *its = ir.CreateLoad(pointer, ir.CreateInBoundsGEP(pointer, all, ir.CreateZExt(number, wide)));
  Value *words = load(pointer, its, offsetof(OwnTurn, words)), *warp = load(word, its, offsetof(OwnTurn, warp));
  Value *frame = load(pointer, words, offsetof(WarpWords, frame));
  ir.CreateStore(budget, at(own, offsetof(Kept, left)));
  ir.CreateStore(warp, at(own, offsetof(Kept, number)));
  Value *rows = ir.CreateMul(ir.CreateZExt(warp, wide), ir.getInt64(3 * rowBytes));
  ir.CreateStore(ir.CreateInBoundsGEP(ir.getInt8Ty(), threads, rows), at(own, offsetof(Kept, threads)));
  CallInst *run =
      ir.CreateCall(&function, {words, frame, ir.getInt32(leader), own, loop->getArg(2), loop->getArg(3)});
  Value *left = load(wide, own, offsetof(Kept, left)), *zero = ir.getInt64(0);
  Value *done = ir.CreateSub(budget, ir.CreateSelect(ir.CreateICmpSGT(left, zero), left, zero));
  ir.CreateStore(ir.CreateTrunc(done, word), at(its, offsetof(OwnTurn, instructions)));
  // Barriers that other leaders' phases come to go away with their ways out.
  SwitchInst *places = ir.CreateSwitch(run, last);
  for (const Operation &each : ArrayRef(region.operations, region.count))
    if (each.isBarrier)
      places->addCase(ir.getInt32(each.index), isThere);
  ir.SetInsertPoint(isThere);
  Value *isSame = ir.CreateOr(ir.CreateIsNull(number), ir.CreateICmpEQ(run, barrier));
  ir.CreateCondBr(ir.CreateAnd(isSame, ir.CreateICmpSGT(left, zero)), goesOn, last);
  ir.SetInsertPoint(goesOn);
  Value *next = ir.CreateAdd(number, ir.getInt32(1));
  number->addIncoming(next, goesOn);
  budget->addIncoming(others, goesOn);
  barrier->addIncoming(run, goesOn);
  ir.CreateCondBr(ir.CreateICmpULT(next, count), turn, last);

  ir.SetInsertPoint(last);
  PHINode *were = ir.CreatePHI(word, 3), *met = ir.CreatePHI(word, 3);
  for (BasicBlock *from : {turn, isThere}) {
    were->addIncoming(number, from);
    met->addIncoming(barrier, from);
  }
  were->addIncoming(next, goesOn);
  met->addIncoming(run, goesOn);
  ir.CreateStore(run, at(turns, offsetof(OwnTurns, at)));
  ir.CreateStore(met, at(turns, offsetof(OwnTurns, barrier)));
  ir.CreateStore(left, at(kept, offsetof(Kept, left)));
  ir.CreateRet(were);

  InlineFunctionInfo info;
  InlineFunction(*run, info);
  return loop;
}

Function *TurnLoops::add() {
  Type *word = ir.getInt32Ty(), *pointer = ir.getPtrTy();
  Function *made = nullptr;
  SwitchInst *ways = nullptr;
  u32 number = 0;
  for (const Operation &each : ArrayRef(region.operations, region.count)) {
    if (!each.isLeader)
      continue;
    const u32 leader = number++;
    if (!each.beginsTurns)
      continue;
    if (!made) {
      made = declare(Twine(turnsPrefix) + StringRef(regionName(region)).ltrim("leno"),
                     {pointer, word, pointer, pointer, pointer});
      BasicBlock *entry = block("entry", made), *none = block("none", made);
      ir.SetInsertPoint(none);
      ir.CreateUnreachable();
      ir.SetInsertPoint(entry);
      ways = ir.CreateSwitch(made->getArg(1), none);
    }
    Function *loop = buildLoop(leader, each.index);
    BasicBlock *way = block("way", made);
    ways->addCase(ir.getInt32(leader), way);
    ir.SetInsertPoint(way);
    CallInst *call = ir.CreateCall(loop, {made->getArg(0), made->getArg(2), made->getArg(3), made->getArg(4)});
    call->setTailCall();
    ir.CreateRet(call);
  }
  return made;
}

Function *compiled::addTurnLoops(Module &module, const Region &region) { return TurnLoops(module, region).add(); }
