#include "emu/compiled/RegionBuilder.h"
#include "emu/warp/DivergenceStack.h"
#include "isa/Modifiers.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cstddef>
#include <numeric>

using namespace llvm;
using namespace leno;
using namespace leno::compiled;

namespace {

constexpr const char *semanticNames[] = {
#define LENO_SEMANTIC(name) #name,
#include "isa/LenoSemantics.def"
};

class RegionBuilder {
public:
  RegionBuilder(Module &module, const Region &region)
      : module(module), context(module.getContext()), region(region), ir(context) {}

  Error build();

private:
  ArrayRef<Operation> operations() const { return {region.operations, region.count}; }
  Error begin();
  void beginPlaces();
  /// What is built from now on is of the operation of that index.
  void isOf(u32 index) {
    if (places)
      ir.SetCurrentDebugLocation(DILocation::get(context, index + 1, 0, places));
  }
  Error keepWhatIsCalled();
  void loadState();
  void beginGroup();
  void endTurn();
  Value *groupField(size_t offset) {
    return ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), function_->getArg(2), offset);
  }
  /// Of the CTA whose turn it is.
  Value *ctaField(size_t offset) {
    return ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), ir.CreateLoad(ir.getPtrTy(), ctaAt), offset);
  }
  bool isWhole() const { return region.warps == Warps::Whole; }
  void finishExit();
  void giveStack();
  void giveGroup();
  void mark(StringRef name);
  Value *rowAsked(const Operation &operation);
  Constant *laneNumbers() {
    SmallVector<u32, laneCount> lanes(laneCount);
    std::iota(lanes.begin(), lanes.end(), 0);
    return ConstantDataVector::get(context, lanes);
  }
  Error buildBlock(u32 first, u32 blockEnd);
  Error buildOperation(u32 at, u32 blockEnd);
  Error buildCounted(u32 at, u32 blockEnd);
  Expected<Function *> formOf(const Operation &operation);
  void takeWindows(const Operation &operation);
  void keepWindow(const Operation &operation);
  void copyWindow(Value *from, Value *to);
  Expected<Function *> function(const Twine &name);
  Constant *constantOf(const Operation &operation);
  /// To before the operation of that index, with a stack of that shape; of the block that code is in `behind`
  /// operations have not executed.
  void leave(u32 index, u32 shape, u64 behind);
  BasicBlock *leaver(u32 index, u32 shape, u64 behind);
  BasicBlock *enterer(const Operation &operation, u32 number, BasicBlock *block);
  BasicBlock *barrier(u32 index, u32 shape);
  FunctionCallee asker(const char *name, ArrayRef<Type *> parameters);
  /// Where a stack of that shape goes on at an operation, which the region need not have.
  BasicBlock *blockAt(s64 index, u32 shape);
  u32 shapeWith(u32 shape, TokenType type, s64 pc) const;
  u32 shapeOf(u32 shape, unsigned depth) const;
  void push(u32 shape, Value *mask);
  Error buildAsking(const Operation &operation, Constant *op, u64 behind);
  Error buildBranch(const Operation &operation, Constant *op, u64 behind);
  Error buildTakingOut(const Operation &operation, Constant *op, u64 behind);
  Value *loadWord(Value *from) { return ir.CreateLoad(ir.getInt32Ty(), from); }
  Value *keptField(size_t offset) {
    return ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), function_->getArg(3), offset);
  }
  // Where nobody counts, nothing.
  void count(u32 counter, Value *amount) {
    if (region.counts)
      add(ir.CreateConstInBoundsGEP1_64(ir.getInt64Ty(), function_->getArg(4), counter),
          ir.CreateZExt(amount, ir.getInt64Ty()));
  }
  void countLanes(u32 counter, Value *times, Value *lanes) {
    count(counter, times);
    if (region.counts)
      count(counter + 1, ir.CreateUnaryIntrinsic(Intrinsic::ctpop, lanes));
  }
  /// What has passed the operation's guard, where it is counted there.
  void countGuard(const Operation &operation, Value *lanes) {
    if (operation.countsGuard)
      countLanes(operation.guardCounter(), ir.CreateIsNotNull(lanes), lanes);
  }
  Expected<Value *> executing(Constant *op);
  void add(Value *to, Value *amount) { ir.CreateStore(ir.CreateAdd(ir.CreateLoad(ir.getInt64Ty(), to), amount), to); }
  Value *field(size_t offset, const Twine &name = "") {
    return ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), state, offset, name);
  }
  Value *realField(size_t offset) {
    return ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(),
                                         offset < sizeof(WarpWords) ? function_->getArg(0) : place, offset);
  }
  void copyIn(size_t offset, Type *type) {
    ir.CreateStore(ir.CreateLoad(type, realField(offset)), field(offset));
  }
  void copyOut(size_t offset, Type *type) {
    ir.CreateStore(ir.CreateLoad(type, field(offset)), realField(offset));
  }

  Module &module;
  LLVMContext &context;
  const Region &region;
  IRBuilder<> ir;
  Function *function_ = nullptr;
  DISubprogram *places = nullptr; ///< null: nobody asks
  Value *place = nullptr;         ///< Kept::place
  Value *state = nullptr; ///< a WarpState of its own, which becomes registers
  Value *asked = nullptr; ///< a row that the machine fills
  Value *isUnseen = nullptr, *staysInCta = nullptr, *left = nullptr, *depth = nullptr, *deepest = nullptr,
        *pushes = nullptr, *pops = nullptr;
  Value *masks[StackShape::most] = {}, *waiting[5] = {}; ///< of what is kept, by entry and by Reason
  SwitchInst *entries = nullptr;                         ///< null: of a group there is one,
  BasicBlock *starts = nullptr;                          ///< behind this block
  BasicBlock *exit = nullptr;
  PHINode *exitIndex = nullptr, *exitLeft = nullptr, *exitStack = nullptr;
  Value *groupWarp = nullptr, *groupCta = nullptr, *mostLeft = nullptr, *groupDeepest = nullptr,
        *ctaAt = nullptr, *threadsAt = nullptr;  ///< of a group
  BasicBlock *turn = nullptr, *pauses = nullptr; ///< of a group: the next one, and there is no room for it
  BasicBlock *ended = nullptr;                   ///< all lanes have exited
  PHINode *endedAt = nullptr;
  struct Leader {
    BasicBlock *block;
    u32 stack;
  };
  DenseMap<u32, Leader> leaders; ///< by index in the program
  DenseSet<u32> barriers;
  DenseMap<u32, SmallVector<Value *, 6>> windows; ///< by their number, their fields
  /// By base and offset of who has judged: the window that those judged with it are in.
  DenseMap<std::pair<s32, s64>, Value *> judged;
  SmallSetVector<Function *, 32> kept;
};

// What is a field's place in WarpState.
constexpr size_t predicateAt(unsigned k) { return offsetof(WarpState, predicates) + k * sizeof(LaneMask); }
constexpr size_t codeAt(unsigned k) { return offsetof(WarpState, codes) + k * sizeof(LaneMask); }

Expected<Function *> RegionBuilder::function(const Twine &name) {
  Function *found = module.getFunction(name.str());
  if (!found)
    return createStringError("the forms have no " + name.str());
  return found;
}

/// Its own entry in the table of its semantic's forms.
Expected<Function *> RegionBuilder::formOf(const Operation &operation) {
  std::string name = std::string("\01leno_forms_") + semanticNames[unsigned(operation.op.semantic)];
  GlobalVariable *table = module.getGlobalVariable(name, true);
  if (!table)
    table = module.getGlobalVariable(name.substr(1), true);
  if (!table || !table->hasInitializer())
    return createStringError("the forms have no table " + name.substr(1));
  Constant *array = table->getInitializer()->getAggregateElement(0u);
  Constant *entry = array ? array->getAggregateElement(operation.form) : nullptr;
  auto *form = entry ? dyn_cast<Function>(entry->stripPointerCasts()) : nullptr;
  if (!form)
    return createStringError(formatv("{0} has no form {1}", name.substr(1), operation.form));
  return form;
}

Constant *RegionBuilder::constantOf(const Operation &operation) {
  StringRef bytes(reinterpret_cast<const char *>(&operation.op), sizeof(Op));
  Constant *data = ConstantDataArray::getString(context, bytes, false);
  auto *global = new GlobalVariable(module, data->getType(), true, GlobalValue::PrivateLinkage, data, "op");
  global->setAlignment(Align(alignof(Op)));
  global->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return global;
}

void RegionBuilder::loadState() {
  Type *word = ir.getInt32Ty(), *wide = ir.getInt64Ty(), *pointer = ir.getPtrTy();
  ir.CreateStore(function_->getArg(1), field(offsetof(WarpState, frame)));
  ir.CreateStore(ir.getInt32(allLanes), field(predicateAt(truePredicate)));
  for (size_t window : {offsetof(WarpState, shared), offsetof(WarpState, local)}) {
    copyIn(window + offsetof(MemoryWindow, base), wide);
    copyIn(window + offsetof(MemoryWindow, size), wide);
    copyIn(window + offsetof(MemoryWindow, host), pointer);
  }
  copyIn(offsetof(WarpState, constants), pointer);
  copyIn(offsetof(WarpState, sharesMemory), ir.getInt8Ty());
  if (isWhole())
    return;
  if (region.isFull())
    ir.CreateStore(ir.getInt32(allLanes), field(offsetof(WarpState, active)));
  else
    copyIn(offsetof(WarpState, active), word);
  for (unsigned k = 0; k < truePredicate; ++k)
    copyIn(predicateAt(k), word);
  copyIn(predicateAt(sinkPredicate), word);
  for (unsigned k = 0; k < 4; ++k)
    copyIn(codeAt(k), word);
}

/// A turn begins as Warp::start leaves a warp, where there is room for it.
void RegionBuilder::beginGroup() {
  Type *word = ir.getInt32Ty(), *wide = ir.getInt64Ty(), *pointer = ir.getPtrTy();
  auto own = [&](Value *&its, Type *type, size_t offset) {
    its = ir.CreateAlloca(type);
    ir.CreateStore(ir.CreateLoad(type, groupField(offset)), its);
  };
  own(groupWarp, word, offsetof(Group, warp));
  own(groupCta, word, offsetof(Group, cta));
  own(mostLeft, wide, offsetof(Group, most));
  own(groupDeepest, wide, offsetof(Group, deepest));
  ctaAt = ir.CreateAlloca(pointer);
  threadsAt = ir.CreateAlloca(pointer);
  turn = BasicBlock::Create(context, "turn", function_);
  entries = nullptr;
  ir.CreateBr(turn);
  ir.SetInsertPoint(turn);
  Value *length = ir.CreateLoad(wide, groupField(offsetof(Group, turn))),
        *most = ir.CreateLoad(wide, mostLeft);
  BasicBlock *starts = BasicBlock::Create(context, "starts", function_);
  pauses = BasicBlock::Create(context, "pauses", function_);
  Value *isOver = ir.CreateICmpUGE(loadWord(groupWarp), loadWord(groupField(offsetof(Group, warps))));
  ir.CreateCondBr(ir.CreateOr(ir.CreateICmpULT(most, length), isOver), pauses, starts);
  ir.SetInsertPoint(pauses);
  giveGroup();
  ir.CreateRet(ir.getInt32(exited));
  ir.SetInsertPoint(starts);
  mark(enteringRows);
  ir.CreateStore(length, left);
  ir.CreateStore(ir.getInt64(0), depth);
  ir.CreateStore(ir.getInt64(0), deepest);
  for (unsigned k = 0; k < StackShape::most; ++k)
    ir.CreateStore(ir.getInt32(0), masks[k]);
  for (unsigned k = 1; k < 5; ++k)
    ir.CreateStore(ir.getInt32(0), waiting[k]);
  ir.CreateStore(ir.getInt32(allLanes), field(offsetof(WarpState, active)));
  for (unsigned k = 0; k <= sinkPredicate; ++k)
    if (k != truePredicate)
      ir.CreateStore(ir.getInt32(0), field(predicateAt(k)));
  for (unsigned k = 0; k < 4; ++k)
    ir.CreateStore(ir.getInt32(0), field(codeAt(k)));
  Value *ctas = ir.CreateLoad(pointer, groupField(offsetof(Group, ctas)));
  Value *bytes = ir.CreateMul(ir.CreateZExt(loadWord(groupCta), wide), ir.getInt64(sizeof(Group::Cta)));
  ir.CreateStore(ir.CreateInBoundsGEP(ir.getInt8Ty(), ctas, bytes), ctaAt);
  Value *rows = ir.CreateMul(ir.CreateZExt(loadWord(groupWarp), wide), ir.getInt64(3 * rowBytes));
  ir.CreateStore(ir.CreateInBoundsGEP(ir.getInt8Ty(),
                                      ir.CreateLoad(pointer, groupField(offsetof(Group, threads))), rows),
                 threadsAt);
  ir.CreateStore(ir.CreateLoad(pointer, ctaField(offsetof(Group::Cta, shared))),
                 field(offsetof(WarpState, shared) + offsetof(MemoryWindow, host)));
}

void RegionBuilder::giveGroup() {
  ir.CreateStore(loadWord(groupWarp), groupField(offsetof(Group, warp)));
  ir.CreateStore(loadWord(groupCta), groupField(offsetof(Group, cta)));
  ir.CreateStore(ir.CreateLoad(ir.getInt64Ty(), mostLeft), groupField(offsetof(Group, most)));
  ir.CreateStore(ir.CreateLoad(ir.getInt64Ty(), groupDeepest), groupField(offsetof(Group, deepest)));
  giveStack();
}

/// That was a warp of a group, and it has executed what is not left.
void RegionBuilder::endTurn() {
  Type *wide = ir.getInt64Ty();
  Value *done =
      ir.CreateSub(ir.CreateLoad(wide, groupField(offsetof(Group, turn))), ir.CreateLoad(wide, left));
  add(ctaField(offsetof(Group::Cta, executed)), done);
  ir.CreateStore(ir.CreateSub(ir.CreateLoad(wide, mostLeft), done), mostLeft);
  Value *now = ir.CreateLoad(wide, deepest), *before = ir.CreateLoad(wide, groupDeepest);
  ir.CreateStore(ir.CreateSelect(ir.CreateICmpUGT(now, before), now, before), groupDeepest);
  Value *next = ir.CreateAdd(loadWord(groupCta), ir.getInt32(1));
  Value *isLast = ir.CreateICmpEQ(next, loadWord(groupField(offsetof(Group, count))));
  ir.CreateStore(ir.CreateSelect(isLast, ir.getInt32(0), next), groupCta);
  ir.CreateStore(ir.CreateAdd(loadWord(groupWarp), ir.CreateZExt(isLast, ir.getInt32Ty())), groupWarp);
  ir.CreateBr(turn);
}

Error RegionBuilder::begin() {
  Type *word = ir.getInt32Ty(), *pointer = ir.getPtrTy();
  auto *type = FunctionType::get(
      word, {pointer, pointer, isWhole() ? pointer : word, pointer, pointer, pointer}, false);
  function_ = Function::Create(type, GlobalValue::ExternalLinkage, regionName(region), module);
  function_->setDSOLocal(true);
  Argument *frame = function_->getArg(1);
  for (unsigned k = 0; k < type->getNumParams(); ++k)
    if (type->getParamType(k)->isPointerTy())
      function_->addParamAttr(k, Attribute::NoAlias);
  frame->addAttr(Attribute::getWithAlignment(context, Align(rowBytes)));
  function_->addFnAttr(Attribute::NoUnwind);
  Expected<Function *> model = function("leno_taken_BRA");
  if (!model)
    return model.takeError();
  for (StringRef name : {"target-cpu", "target-features", "prefer-vector-width", "min-legal-vector-width"})
    if (Attribute attribute = (*model)->getFnAttribute(name); attribute.isValid())
      function_->addFnAttr(attribute);
  if (StringRef(region.width) == "avx512")
    function_->addFnAttr("min-legal-vector-width", "512");
  // A sum of shifts takes a fifth of the time that an Intel host's multiplication of words takes.
  const StringRef features = function_->getFnAttribute("target-features").getValueAsString();
  function_->addFnAttr("target-features", (features + (features.empty() ? "" : ",") + "+slow-pmulld").str());

  if (region.tellsPlaces)
    beginPlaces();
  ir.SetInsertPoint(BasicBlock::Create(context, "entry", function_));
  auto *bytes = ArrayType::get(ir.getInt8Ty(), sizeof(WarpState));
  AllocaInst *own = ir.CreateAlloca(bytes, nullptr, "state");
  own->setAlignment(Align(64));
  state = own;
  AllocaInst *row = ir.CreateAlloca(ArrayType::get(ir.getInt8Ty(), rowBytes));
  row->setAlignment(Align(rowBytes));
  asked = row;
  auto keptWide = [&](Value *&own, size_t offset) {
    own = ir.CreateAlloca(ir.getInt64Ty());
    ir.CreateStore(ir.CreateLoad(ir.getInt64Ty(), keptField(offset)), own);
  };
  auto keptWord = [&](Value *&own, size_t offset) {
    own = ir.CreateAlloca(word);
    ir.CreateStore(loadWord(keptField(offset)), own);
  };
  place = ir.CreateLoad(pointer, keptField(offsetof(Kept, place)));
  keptWide(left, offsetof(Kept, left));
  isUnseen = isWhole() ? ir.getTrue() : ir.CreateIsNotNull(loadWord(keptField(offsetof(Kept, isUnseen))));
  staysInCta = loadWord(keptField(offsetof(Kept, staysInCta)));
  keptWide(depth, offsetof(Kept, depth));
  keptWide(deepest, offsetof(Kept, deepest));
  keptWide(pushes, offsetof(Kept, pushes));
  keptWide(pops, offsetof(Kept, pops));
  for (unsigned k = 0; k < StackShape::most; ++k)
    keptWord(masks[k], offsetof(Kept, masks) + k * sizeof(LaneMask));
  for (unsigned k = 1; k < 5; ++k)
    keptWord(waiting[k], offsetof(Kept, waiting) + k * sizeof(LaneMask));
  loadState();
  BasicBlock *none = BasicBlock::Create(context, "none", function_);
  exit = BasicBlock::Create(context, "exit", function_);
  if (isWhole()) {
    none->eraseFromParent();
    beginGroup();
    starts = ir.GetInsertBlock();
  } else {
    entries = ir.CreateSwitch(function_->getArg(2), none);
    ir.SetInsertPoint(none);
    ir.CreateUnreachable();
  }
  ended = BasicBlock::Create(context, "ended", function_);
  ir.SetInsertPoint(ended);
  endedAt = ir.CreatePHI(word, 2, "at");
  ir.SetInsertPoint(exit);
  exitIndex = ir.CreatePHI(word, 16, "at");
  exitLeft = ir.CreatePHI(ir.getInt64Ty(), 16, "behind");
  exitStack = ir.CreatePHI(word, 16, "stack");
  return Error::success();
}

void RegionBuilder::beginPlaces() {
  DIBuilder info(module);
  DIFile *file = info.createFile("kernel", "");
  info.createCompileUnit(DISourceLanguageName(dwarf::DW_LANG_C), file, "leno", true, "", 0);
  auto *type = info.createSubroutineType(info.getOrCreateTypeArray({}));
  places = info.createFunction(file, regionName(region), "", file, 1, type, 1, DINode::FlagZero,
                               DISubprogram::SPFlagDefinition | DISubprogram::SPFlagOptimized);
  function_->setSubprogram(places);
  info.finalize();
  module.addModuleFlag(Module::Warning, "Debug Info Version", DEBUG_METADATA_VERSION);
}

/// A place that the rows are written at, or are not.
void RegionBuilder::mark(StringRef name) {
  FunctionCallee marker = module.getOrInsertFunction(name, ir.getVoidTy());
  cast<Function>(marker.getCallee())->addFnAttr(Attribute::NoDuplicate);
  ir.CreateCall(marker);
}

void RegionBuilder::giveStack() {
  for (auto [own, offset] :
       {std::pair(deepest, offsetof(Kept, deepest)), std::pair(pushes, offsetof(Kept, pushes)),
        std::pair(pops, offsetof(Kept, pops))})
    ir.CreateStore(ir.CreateLoad(ir.getInt64Ty(), own), keptField(offset));
}

void RegionBuilder::finishExit() {
  Type *word = ir.getInt32Ty();
  ir.SetInsertPoint(ended);
  if (endedAt->getNumIncomingValues()) {
    mark(endingRows);
    if (isWhole()) {
      endTurn();
    } else {
      giveStack();
      ir.CreateStore(ir.CreateLoad(ir.getInt64Ty(), left), keptField(offsetof(Kept, left)));
      ir.CreateStore(endedAt, keptField(offsetof(Kept, stack)));
      ir.CreateRet(ir.getInt32(exited));
    }
  } else
    ended->eraseFromParent();
  ir.SetInsertPoint(exit);
  mark(leavingRows);
  if (isWhole())
    giveGroup();
  else
    giveStack();
  Value *now = ir.CreateAdd(ir.CreateLoad(ir.getInt64Ty(), left), exitLeft);
  ir.CreateStore(now, keptField(offsetof(Kept, left)));
  ir.CreateStore(exitLeft, keptField(offsetof(Kept, behind)));
  ir.CreateStore(exitStack, keptField(offsetof(Kept, stack)));
  ir.CreateStore(ir.CreateLoad(ir.getInt64Ty(), depth), keptField(offsetof(Kept, depth)));
  for (unsigned k = 0; k < StackShape::most; ++k)
    ir.CreateStore(loadWord(masks[k]), keptField(offsetof(Kept, masks) + k * sizeof(LaneMask)));
  for (unsigned k = 1; k < 5; ++k)
    ir.CreateStore(loadWord(waiting[k]), keptField(offsetof(Kept, waiting) + k * sizeof(LaneMask)));
  if (!region.isFull() || isWhole())
    copyOut(offsetof(WarpState, active), word);
  for (unsigned k = 0; k <= sinkPredicate; ++k)
    if (k != truePredicate)
      copyOut(predicateAt(k), word);
  for (unsigned k = 0; k < 4; ++k)
    copyOut(codeAt(k), word);
  ir.CreateRet(exitIndex);
}

void RegionBuilder::leave(u32 index, u32 shape, u64 behind) {
  exitIndex->addIncoming(ir.getInt32(index), ir.GetInsertBlock());
  exitLeft->addIncoming(ir.getInt64(behind), ir.GetInsertBlock());
  exitStack->addIncoming(ir.getInt32(shape), ir.GetInsertBlock());
  ir.CreateBr(exit);
}

/// Where code is entered, on the way to that block.
BasicBlock *RegionBuilder::enterer(const Operation &operation, u32 number, BasicBlock *block) {
  if (!region.isFull() || !region.sharesWords)
    return block;
  BasicBlock *way = BasicBlock::Create(context, "enter", function_);
  ir.SetInsertPoint(way);
  MDNode *likely = MDBuilder(context).createLikelyBranchWeights();
  ir.CreateCondBr(ir.CreateCall(asker(sharedRows, ir.getInt32Ty()), ir.getInt32(number)), block,
                  leaver(operation.index | refused, operation.stack, 0), likely);
  return way;
}

/// What answers a question later.
FunctionCallee RegionBuilder::asker(const char *name, ArrayRef<Type *> parameters) {
  FunctionCallee asks =
      module.getOrInsertFunction(name, FunctionType::get(ir.getInt1Ty(), parameters, false));
  auto *marker = cast<Function>(asks.getCallee());
  marker->addFnAttr(Attribute::NoDuplicate);
  marker->addFnAttr(Attribute::NoUnwind);
  marker->addFnAttr(Attribute::WillReturn);
  marker->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  return asks;
}

/// Of all the CTA's warps.
BasicBlock *RegionBuilder::barrier(u32 index, u32 shape) {
  BasicBlock *leaves = leaver(index, shape, 0);
  auto behind = leaders.find(index + 1);
  if (!region.isFull() || !region.sharesWords || !barriers.contains(index) || behind == leaders.end() ||
      behind->second.stack != shape)
    return leaves;
  IRBuilderBase::InsertPointGuard guard(ir);
  BasicBlock *block = BasicBlock::Create(context, "barrier", function_);
  ir.SetInsertPoint(block);
  ir.CreateCondBr(ir.CreateCall(asker(passedBarrier, {})), behind->second.block, leaves);
  return block;
}

BasicBlock *RegionBuilder::leaver(u32 index, u32 shape, u64 behind) {
  IRBuilderBase::InsertPointGuard guard(ir);
  BasicBlock *block = BasicBlock::Create(context, "leave", function_);
  ir.SetInsertPoint(block);
  leave(index, shape, behind);
  return block;
}

// Code at a leader is made for one shape. One that is deeper will do where the upper entries have no lanes.
BasicBlock *RegionBuilder::blockAt(s64 index, u32 shape) {
  auto found = leaders.find(u32(index));
  if (found == leaders.end())
    return barrier(u32(index), shape);
  if (found->second.stack == shape)
    return found->second.block;
  const StackShape &there = region.stacks[found->second.stack], &here = region.stacks[shape];
  if (there.depth > here.depth || !std::equal(there.entries, there.entries + there.depth, here.entries))
    return leaver(u32(index), shape, 0);
  IRBuilderBase::InsertPointGuard guard(ir);
  BasicBlock *block = BasicBlock::Create(context, "upper", function_);
  ir.SetInsertPoint(block);
  Value *some = ir.getInt32(0);
  for (unsigned k = there.depth; k < here.depth; ++k)
    some = ir.CreateOr(some, loadWord(masks[k]));
  ir.CreateCondBr(ir.CreateIsNull(some), found->second.block, leaver(u32(index), shape, 0));
  return block;
}

/// The plan has made all shapes that are asked for here.
u32 RegionBuilder::shapeWith(u32 shape, TokenType type, s64 pc) const {
  StackShape deeper = region.stacks[shape];
  deeper.entries[deeper.depth++] = {u8(type), u32(pc)};
  return u32(std::find(region.stacks, region.stacks + region.stackCount, deeper) - region.stacks);
}
u32 RegionBuilder::shapeOf(u32 shape, unsigned depth) const {
  StackShape lower;
  lower.depth = u8(depth);
  std::copy_n(region.stacks[shape].entries, depth, lower.entries);
  return u32(std::find(region.stacks, region.stacks + region.stackCount, lower) - region.stacks);
}

/// An entry above a stack of that shape.
void RegionBuilder::push(u32 shape, Value *mask) {
  ir.CreateStore(mask, masks[region.stacks[shape].depth]);
  Value *one = ir.CreateZExt(ir.CreateIsNotNull(mask), ir.getInt64Ty());
  add(pushes, one);
  add(depth, one);
  Value *now = ir.CreateLoad(ir.getInt64Ty(), depth), *most = ir.CreateLoad(ir.getInt64Ty(), deepest);
  ir.CreateStore(ir.CreateSelect(ir.CreateICmpUGT(now, most), now, most), deepest);
}

/// The active lanes that pass the operation's guard.
Expected<Value *> RegionBuilder::executing(Constant *op) {
  Expected<Function *> lanes = function("leno_executing");
  if (!lanes)
    return lanes.takeError();
  kept.insert(*lanes);
  return ir.CreateCall(*lanes, {state, op});
}

/// A row with what a special register holds that isKept(); of others null.
Value *RegionBuilder::rowAsked(const Operation &operation) {
  using SR = isa::SpecialRegister;
  auto *type = FixedVectorType::get(ir.getInt32Ty(), laneCount);
  auto rowOf = [&](Value *values) -> Value * {
    Value *row = IRBuilder<>(function_->getEntryBlock().getTerminator()).CreateAlloca(type);
    cast<AllocaInst>(row)->setAlignment(Align(rowBytes));
    ir.CreateStore(values, row);
    return row;
  };
  auto all = [&](Value *place) { return rowOf(ir.CreateVectorSplat(laneCount, loadWord(place))); };
  const SR number = SR(operation.op.extra);
  switch (number) {
  case SR::TID_X:
  case SR::TID_Y:
  case SR::TID_Z: {
    Value *row = ir.CreateConstInBoundsGEP1_64(
        ir.getInt8Ty(),
        ir.CreateLoad(ir.getPtrTy(), isWhole() ? threadsAt : keptField(offsetof(Kept, threads))),
        (unsigned(number) - unsigned(SR::TID_X)) * rowBytes);
    if (operation.lanes == Lanes::Any)
      return row;
    Value *first = ir.CreateVectorSplat(laneCount, loadWord(row));
    return rowOf(operation.lanes == Lanes::One ? first : ir.CreateAdd(first, laneNumbers(), "", true, true));
  }
  case SR::CTAID_X:
  case SR::CTAID_Y:
  case SR::CTAID_Z: {
    const size_t axis = (unsigned(number) - unsigned(SR::CTAID_X)) * sizeof(u32);
    return all(isWhole() ? ctaField(offsetof(Group::Cta, index) + axis)
                         : keptField(offsetof(Kept, cta) + axis));
  }
  case SR::NTID_X:
  case SR::NTID_Y:
  case SR::NTID_Z:
    return all(keptField(offsetof(Kept, sizes) + (unsigned(number) - unsigned(SR::NTID_X)) * sizeof(u32)));
  case SR::NCTAID_X:
  case SR::NCTAID_Y:
  case SR::NCTAID_Z:
    return all(
        keptField(offsetof(Kept, sizes) + (3 + unsigned(number) - unsigned(SR::NCTAID_X)) * sizeof(u32)));
  case SR::WARPID:
    return all(isWhole() ? groupWarp : keptField(offsetof(Kept, number)));
  case SR::LANEID:
    return rowOf(laneNumbers());
  default:
    return nullptr;
  }
}

Error RegionBuilder::buildAsking(const Operation &operation, Constant *op, u64 behind) {
  Expected<Function *> write = function("leno_write");
  if (!write)
    return write.takeError();
  kept.insert(*write);
  Value *row = rowAsked(operation);
  if (!row) {
    row = asked;
    Value *ask = ir.CreateLoad(ir.getPtrTy(), keptField(offsetof(Kept, special)));
    auto *type = FunctionType::get(ir.getInt32Ty(), {ir.getPtrTy(), ir.getInt32Ty(), ir.getPtrTy()}, false);
    Value *known = ir.CreateCall(type, ask, {place, ir.getInt32(operation.op.extra), row});
    BasicBlock *goesOn = BasicBlock::Create(context, "known", function_);
    ir.CreateCondBr(ir.CreateIsNotNull(known), goesOn, leaver(operation.index, operation.stack, behind));
    ir.SetInsertPoint(goesOn);
  }
  ir.CreateCall(*write, {state, op, row});
  return Error::success();
}

Error RegionBuilder::buildBranch(const Operation &operation, Constant *op, u64 behind) {
  const s64 next = s64(operation.index) + 1, target = next + operation.op.immediate;
  Expected<Function *> taken = function(Twine("leno_taken_") + semanticNames[unsigned(operation.op.semantic)]);
  Expected<Function *> promises = function(Twine("leno_uniform_") + semanticNames[unsigned(operation.op.semantic)]);
  if (!taken || !promises)
    return joinErrors(taken.takeError(), promises.takeError());
  kept.insert(*taken);
  kept.insert(*promises);
  Value *active = field(offsetof(WarpState, active));
  u32 shape = operation.stack;
  Value *lanes = ir.CreateCall(*taken, {state, op});
  Value *all = loadWord(active);
  Value *stays = ir.CreateAnd(all, ir.CreateNot(lanes));
  BasicBlock *goes = BasicBlock::Create(context, "goes", function_);
  // .U promises that they go together: else it traps, before anything is pushed.
  Value *leaves = ir.CreateAnd(ir.CreateIsNotNull(stays), ir.CreateIsNotNull(lanes));
  if (operation.parts)
    leaves = ir.CreateAnd(leaves, ir.CreateCall(*promises, {state, op}));
  BasicBlock *sound = BasicBlock::Create(context, "sound", function_);
  ir.CreateCondBr(leaves, leaver(operation.index, shape, behind), sound);
  ir.SetInsertPoint(sound);
  if (operation.countsGuard) {
    Expected<Value *> passed = executing(op);
    if (!passed)
      return passed.takeError();
    countGuard(operation, *passed);
  }
  if (operation.op.flags & Op::setSync) { // whether it parts lanes or not
    count(operation.stackCounter(), ir.getTrue());
    push(shape, all);
    shape = shapeWith(shape, TokenType::Sync, next + operation.op.b);
  }
  ir.CreateCondBr(ir.CreateIsNull(lanes), blockAt(next, shape), goes);
  ir.SetInsertPoint(goes);
  if (operation.parts) {
    count(operation.stackCounter() + 1, ir.CreateIsNotNull(stays));
    push(shape, stays);
    ir.CreateStore(lanes, active);
    shape = shapeWith(shape, TokenType::Div, next);
  }
  if (!region.isFull() &&
      target <= s64(operation.index)) { // code for all lanes is the better one, where there is some
    BasicBlock *stay = BasicBlock::Create(context, "stay", function_);
    Value *changes = ir.CreateAnd(ir.CreateICmpEQ(lanes, ir.getInt32(allLanes)),
                                  ir.CreateIsNotNull(loadWord(keptField(offsetof(Kept, prefersFull)))));
    ir.CreateCondBr(changes, leaver(u32(target), shape, 0), stay);
    ir.SetInsertPoint(stay);
  }
  ir.CreateBr(blockAt(target, shape));
  return Error::success();
}

// Architecture.md 5. What would unwind beyond the shape, or trap, is left to the interpreter.
Error RegionBuilder::buildTakingOut(const Operation &operation, Constant *op, u64 behind) {
  Expected<Value *> passed = executing(op);
  if (!passed)
    return passed.takeError();
  Value *lanes = *passed;
  const u32 shape = operation.stack;
  const StackShape &stack = region.stacks[shape];
  const unsigned why = operation.reason;
  const s64 next = s64(operation.index) + 1;
  Value *active = field(offsetof(WarpState, active));
  auto block = [&](const char *name) { return BasicBlock::Create(context, name, function_); };
  BasicBlock *some = block("some"), *rest = block("rest"), *unwind = block("unwind");
  const bool isSure = operation.op.guard == truePredicate && !operation.op.guardFlip;
  if (isSure) // the active lanes, and there are some
    ir.CreateBr(unwind);
  else
    ir.CreateCondBr(ir.CreateIsNull(lanes), blockAt(next, shape), some);
  ir.SetInsertPoint(some);
  Value *others = ir.CreateAnd(loadWord(active), ir.CreateNot(lanes));
  ir.CreateCondBr(ir.CreateIsNull(others), unwind, rest);
  ir.SetInsertPoint(rest);
  auto wait = [&](Value *mask) {
    if (why)
      ir.CreateStore(mask, waiting[why]);
  };
  if (why && !region.isFull())
    wait(ir.CreateOr(loadWord(waiting[why]), lanes));
  if (!region.isFull())
    ir.CreateStore(others, active);
  if (!isSure && !region.isFull())
    countGuard(operation, lanes);
  ir.CreateBr(isSure || region.isFull() ? leaver(operation.index, shape, behind) : blockAt(next, shape));

  ir.SetInsertPoint(unwind);
  Value *reasons[5] = {}, *any = ir.getInt32(0);
  for (unsigned k = 1; k < 5; ++k) {
    reasons[k] = loadWord(waiting[k]);
    if (k == why)
      reasons[k] = ir.CreateOr(reasons[k], lanes);
    any = ir.CreateOr(any, reasons[k]);
  }
  Value *breaking = ir.CreateOr(reasons[unsigned(Reason::Brk)], reasons[unsigned(Reason::Cont)]);
  Value *popped = ir.getInt64(0);
  BasicBlock *gives = leaver(operation.index, shape, behind);
  // It executes, and takes all entries from that one on.
  auto pop = [&](unsigned from) {
    countGuard(operation, lanes);
    for (unsigned k = from; k < stack.depth; ++k)
      count(operation.stackCounter() + 1 + k, ir.CreateIsNotNull(loadWord(masks[k])));
    add(pops, popped);
  };
  for (unsigned k = stack.depth; k-- > 0;) {
    const StackEntry &entry = stack.entries[k];
    Value *mask = loadWord(masks[k]);
    if (TokenType(entry.type) == TokenType::Call) {
      BasicBlock *sound = block("sound");
      ir.CreateCondBr(ir.CreateIsNull(ir.CreateAnd(mask, breaking)), sound, gives);
      ir.SetInsertPoint(sound);
    }
    const unsigned reason = unsigned(reasonOf(TokenType(entry.type)));
    popped = ir.CreateAdd(popped, ir.CreateZExt(ir.CreateIsNotNull(mask), ir.getInt64Ty()));
    Value *back = ir.CreateAnd(mask, reason ? reasons[reason] : ir.CreateNot(any));
    BasicBlock *resumes = block("resumes"), *deeper = block("deeper");
    ir.CreateCondBr(ir.CreateIsNull(back), deeper, resumes);
    ir.SetInsertPoint(resumes);
    if (region.isFull()) {
      BasicBlock *together = block("together");
      ir.CreateCondBr(ir.CreateICmpEQ(back, ir.getInt32(allLanes)), together, gives);
      ir.SetInsertPoint(together);
    }
    if (why)
      wait(reasons[why]);
    if (reason)
      ir.CreateStore(ir.CreateAnd(reasons[reason], ir.CreateNot(back)), waiting[reason]);
    if (!region.isFull())
      ir.CreateStore(back, active);
    pop(k);
    count(operation.stackCounter(), ir.getTrue());
    add(depth, ir.CreateNeg(popped));
    ir.CreateBr(blockAt(entry.pc, shapeOf(shape, k)));
    ir.SetInsertPoint(deeper);
  }
  if (why == unsigned(Reason::Exit)) { // the last lanes, where nothing is below the shape
    Value *launched = isWhole() ? ir.getInt32(allLanes) : loadWord(keptField(offsetof(Kept, launched)));
    Value *live = ir.CreateAnd(launched, ir.CreateNot(reasons[why]));
    Value *isLast =
        ir.CreateAnd(ir.CreateIsNull(live), ir.CreateICmpEQ(ir.CreateLoad(ir.getInt64Ty(), depth), popped));
    BasicBlock *ends = block("ends");
    ir.CreateCondBr(ir.CreateAnd(isUnseen, isLast), ends, gives);
    ir.SetInsertPoint(ends);
    pop(0);
    endedAt->addIncoming(ir.getInt32(operation.index), ends);
    ir.CreateBr(ended);
    return Error::success();
  }
  ir.CreateBr(gives);
  return Error::success();
}

/// By what an access finds where it was judged with others.
static std::pair<s32, s64> judgeOf(const Operation &operation) {
  const Judgement judgement = Judgement::of(operation.op);
  return {operation.op.a, operation.op.immediate - (judgement.isMade() ? judgement.above : 0)};
}

/// Copies what the first window is, but for its size.
void RegionBuilder::copyWindow(Value *from, Value *to) {
  for (auto [offset, type] : {std::pair<size_t, Type *>(offsetof(MemoryWindow, base), ir.getInt64Ty()),
                              std::pair<size_t, Type *>(offsetof(MemoryWindow, host), ir.getPtrTy())})
    ir.CreateStore(ir.CreateLoad(type, ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), from, offset)),
                   ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), to, offset));
}

/// Where the access looks. All code has the same, and loads them where it begins.
void RegionBuilder::takeWindows(const Operation &operation) {
  if (operation.window == Operation::noWindow)
    return;
  if (operation.hasJudge())
    return copyWindow(judged.at(judgeOf(operation)), field(offsetof(WarpState, global)));
  auto [known, isNew] = windows.try_emplace(operation.window);
  Type *wide = ir.getInt64Ty();
  const std::pair<size_t, Type *> fields[] = {{offsetof(MemoryWindow, base), wide},
                                              {offsetof(MemoryWindow, size), wide},
                                              {offsetof(MemoryWindow, host), ir.getPtrTy()}};
  if (isNew) {
    IRBuilderBase::InsertPointGuard guard(ir);
    ir.SetInsertPoint(function_->getEntryBlock().getTerminator());
    for (size_t window : {offsetof(Windows, last), offsetof(Windows, before)})
      for (auto [offset, type] : fields)
        known->second.push_back(ir.CreateLoad(
            type, ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), function_->getArg(5),
                                                operation.window * sizeof(Windows) + window + offset)));
  }
  const auto *value = known->second.begin();
  for (size_t window : {offsetof(WarpState, global), offsetof(WarpState, otherGlobal)})
    for (auto [offset, type] : fields)
      ir.CreateStore(*value++, field(window + offset));
}

/// For those that it has judged.
void RegionBuilder::keepWindow(const Operation &operation) {
  if (operation.window == Operation::noWindow || operation.lanes == Lanes::Any || operation.hasJudge())
    return;
  Value *&its = judged[judgeOf(operation)];
  if (!its) {
    IRBuilderBase::InsertPointGuard guard(ir);
    ir.SetInsertPoint(function_->getEntryBlock().getFirstInsertionPt());
    its = ir.CreateAlloca(ArrayType::get(ir.getInt8Ty(), sizeof(MemoryWindow)));
    cast<AllocaInst>(its)->setAlignment(Align(alignof(MemoryWindow)));
  }
  copyWindow(field(offsetof(WarpState, global)), its);
}

Error RegionBuilder::buildOperation(u32 at, u32 blockEnd) {
  const Operation &operation = region.operations[at];
  const u64 behind = blockEnd - at;
  const u32 shape = operation.stack;
  const s64 next = s64(operation.index) + 1, target = next + operation.op.immediate;
  Constant *op = constantOf(operation);
  Value *active = nullptr;
  isOf(operation.index);
  if (operation.goesOut) {
    BasicBlock *goes = BasicBlock::Create(context, "goes", function_);
    ir.CreateCondBr(ir.CreateIsNull(staysInCta), goes, leaver(operation.index, shape, behind),
                    MDBuilder(context).createLikelyBranchWeights());
    ir.SetInsertPoint(goes);
  }
  switch (operation.kind) {
  case Kind::Leaves:
  case Kind::Idles:
    break;
  case Kind::Computes:
  case Kind::Accesses: {
    Expected<Function *> form = formOf(operation);
    if (!form)
      return form.takeError();
    kept.insert(*form);
    takeWindows(operation);
    Value *done = ir.CreateCall(*form, {state, op});
    if (operation.kind == Kind::Computes)
      break;
    BasicBlock *goesOn = BasicBlock::Create(context, "done", function_);
    MDNode *likely = MDBuilder(context).createLikelyBranchWeights();
    ir.CreateCondBr(ir.CreateIsNotNull(done), goesOn, leaver(operation.index, shape, behind), likely);
    ir.SetInsertPoint(goesOn);
    keepWindow(operation);
    break;
  }
  case Kind::Asks:
    return buildAsking(operation, op, behind);
  case Kind::Branches:
    return buildBranch(operation, op, behind);
  case Kind::Pushes:
  case Kind::Calls: {
    u32 above = shape;
    active = loadWord(field(offsetof(WarpState, active)));
    count(operation.stackCounter(), ir.getTrue());
    if (operation.op.flags & Op::setSync) {
      push(above, active);
      above = shapeWith(above, TokenType::Sync, next + operation.op.b);
    }
    push(above, active);
    if (operation.kind == Kind::Calls)
      ir.CreateBr(blockAt(target, shapeWith(above, TokenType::Call, next)));
    break;
  }
  case Kind::TakesOut:
    return buildTakingOut(operation, op, behind);
  }
  return Error::success();
}

/// It touches nothing but the warp, and does not end it.
static bool isOwn(Kind kind) {
  return kind != Kind::Leaves && kind != Kind::Accesses && kind != Kind::TakesOut;
}

/// The same, and counts what has passed its guard.
Error RegionBuilder::buildCounted(u32 at, u32 blockEnd) {
  const Operation &operation = region.operations[at];
  if (!operation.countsGuard || endsBlock(operation.kind)) // these know when they have executed
    return buildOperation(at, blockEnd);
  Expected<Value *> lanes = executing(constantOf(operation));
  if (!lanes)
    return lanes.takeError();
  if (Error error = buildOperation(at, blockEnd))
    return error;
  countGuard(operation, *lanes);
  return Error::success();
}

/// A leader and what follows it, as far as it executes together.
Error RegionBuilder::buildBlock(u32 first, u32 blockEnd) {
  const Operation *all = region.operations;
  const u32 shape = all[first].stack;
  BasicBlock *block = leaders.at(all[first].index).block;
  ir.SetInsertPoint(block);
  isOf(all[first].index);
  Value *now = ir.CreateLoad(ir.getInt64Ty(), left);
  Value *needs = ir.getInt64(blockEnd - first);
  if (!isWhole()) { // else there is room for all that it has (CompiledTier::runsGroups)
    Value *least = needs;
    // What is counted has had its turn.
    if (!region.counts &&
        std::all_of(all + first, all + blockEnd, [](const Operation &each) { return isOwn(each.kind); }))
      least = ir.CreateSelect(isUnseen, ir.getInt64(1), needs);
    BasicBlock *fits = BasicBlock::Create(context, "fits", function_);
    MDNode *unlikely = MDBuilder(context).createUnlikelyBranchWeights();
    ir.CreateCondBr(ir.CreateICmpSLT(now, least), leaver(all[first].index, shape, 0), fits, unlikely);
    ir.SetInsertPoint(fits);
  }
  ir.CreateStore(ir.CreateSub(now, needs), left);
  if (region.isFull())
    count(all[first].blockCounter(), ir.getTrue());
  else
    countLanes(all[first].blockCounter(), ir.getTrue(), loadWord(field(offsetof(WarpState, active))));
  for (u32 at = first; at < blockEnd; ++at)
    if (Error error = buildCounted(at, blockEnd))
      return error;
  const Operation &last = all[blockEnd - 1];
  if (endsBlock(last.kind))
    return Error::success();
  u32 above = last.stack;
  if (last.kind == Kind::Pushes) {
    const s64 next = s64(last.index) + 1;
    if (last.op.flags & Op::setSync)
      above = shapeWith(above, TokenType::Sync, next + last.op.b);
    above = shapeWith(above, TokenType(last.tokenType), next + last.op.immediate);
  }
  ir.CreateBr(blockAt(s64(last.index) + 1, above));
  return Error::success();
}

Error RegionBuilder::build() {
  if (Error error = begin())
    return error;
  u32 number = 0;
  for (const Operation &operation : operations()) {
    if (operation.isBarrier)
      barriers.insert(operation.index);
    if (operation.isLeader) {
      BasicBlock *block = BasicBlock::Create(context, formatv("at{0}", operation.index).str(), function_);
      leaders[operation.index] = {block, operation.stack};
      if (entries)
        entries->addCase(ir.getInt32(number), enterer(operation, number, block));
      ++number;
    }
  }
  if (isWhole()) { // of the kernel's first operation, which is the first that was found
    ir.SetInsertPoint(starts);
    ir.CreateBr(blockAt(region.entry, 0));
  }
  for (u32 first = 0; first < region.count; ++first)
    if (region.operations[first].isLeader) // else nothing comes here
      if (Error error = buildBlock(first, endOfBlock(region.operations, region.count, first)))
        return error;
  finishExit();

  return keepWhatIsCalled();
}

/// Reads the forms that the region calls, and what they call, and drops all others.
Error RegionBuilder::keepWhatIsCalled() {
  if (GlobalVariable *used = module.getGlobalVariable("llvm.compiler.used", true))
    used->eraseFromParent();
  for (GlobalVariable &variable : make_early_inc_range(module.globals()))
    if (variable.getName().contains("leno_forms_"))
      variable.eraseFromParent();
  for (Function *form : kept) {
    form->removeFnAttr(Attribute::NoInline);
    form->addFnAttr(Attribute::AlwaysInline);
  }
  SmallVector<Function *> reading(kept.begin(), kept.end());
  SmallPtrSet<Function *, 32> isRead(kept.begin(), kept.end());
  while (!reading.empty()) {
    Function *each = reading.pop_back_val();
    if (Error error = each->materialize())
      return error;
    each->setLinkage(GlobalValue::InternalLinkage);
    for (Instruction &instruction : instructions(*each))
      for (Value *operand : instruction.operands())
        if (auto *called = dyn_cast<Function>(operand); called && called->isMaterializable() && isRead.insert(called).second)
          reading.push_back(called);
  }
  // Nothing that is called uses the others: but for constants that nobody has.
  for (Function &each : make_early_inc_range(module))
    if (each.isMaterializable()) {
      each.replaceAllUsesWith(PoisonValue::get(each.getType()));
      each.eraseFromParent();
    }
  return module.materializeAll();
}

} // namespace

std::string compiled::regionName(const Region &region) {
  static constexpr const char *kinds[] = {"any", "full", "whole"};
  return formatv("leno_{0}_at_{1:x}", kinds[unsigned(region.warps)], u64(region.entry) * 8);
}

const BasicBlock *compiled::behindBarrier(const BasicBlock &block) {
  const auto *branch = dyn_cast<BranchInst>(block.getTerminator());
  const auto *asks = branch && branch->isConditional() ? dyn_cast<CallInst>(branch->getCondition()) : nullptr;
  const Function *asked = asks ? asks->getCalledFunction() : nullptr;
  return asked && asked->getName() == passedBarrier ? branch->getSuccessor(0) : nullptr;
}

Error compiled::buildRegion(Module &forms, const Region &region) { return RegionBuilder(forms, region).build(); }
