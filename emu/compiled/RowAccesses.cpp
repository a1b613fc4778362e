#include "emu/compiled/RowAccesses.h"
#include "emu/compiled/CanonicalNaNs.h"
#include "emu/compiled/RegionBuilder.h"
#include "emu/program/Op.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include <map>
#include <numeric>
#include <optional>

using namespace llvm;
using namespace leno;
using namespace leno::compiled;

std::optional<s64> compiled::placeInFrame(const Value *pointer, const Argument *frame,
                                          const DataLayout &layout) {
  APInt offset(64, 0);
  const Value *base = pointer->stripAndAccumulateConstantOffsets(layout, offset, true);
  return base == frame ? std::optional(offset.getSExtValue()) : std::nullopt;
}

namespace {

s64 rowAt(s64 place) { return place >= 0 ? place / s64(rowBytes) : -1 - (-1 - place) / s64(rowBytes); }

/// The row that `bytes` bytes at `place` lie in, if it is one.
std::optional<s64> rowOf(s64 place, u64 bytes) {
  s64 row = rowAt(place);
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

namespace {

/// A load or store of words of one row.
struct Access {
  Instruction *instruction;
  unsigned first, count;     ///< words
  Value *rawLanes = nullptr; ///< of a store: bits of those that take a number that is not made canonical
  bool keepsOthers = false;  ///< what these lanes held before stays, canonical or not
};
struct RowUse {
  SmallVector<Access> accesses;
  bool isPinned = false;
  bool isNumber = false; ///< a number is written that is not made canonical before somebody can tell
};

/// What a store to a whole row takes, before it was made canonical.
struct Raw {
  Value *value = nullptr;      ///< null: it takes something else
  SelectInst *lanes = nullptr; ///< that take it; null: all
};

Value *withoutCasts(Value *value) {
  while (auto *cast = dyn_cast<BitCastInst>(value))
    value = cast->getOperand(0);
  return value;
}

Raw rawOf(const Access &access, StoreInst &store) {
  auto numbers = [](Value *raw) {
    return raw && raw->getType()->getScalarType()->isFloatTy() ? raw : nullptr;
  };
  Value *value = store.getValueOperand();
  if (access.count != laneCount)
    return {};
  if (Value *raw = numbers(beforeCanonical(value)))
    return {raw};
  auto *lanes = dyn_cast<SelectInst>(withoutCasts(value));
  auto *condition = lanes ? dyn_cast<FixedVectorType>(lanes->getCondition()->getType()) : nullptr;
  if (!condition || condition->getNumElements() != laneCount)
    return {};
  Value *raw = numbers(beforeCanonical(lanes->getTrueValue()));
  return raw ? Raw{raw, lanes} : Raw{};
}

/// What a function does with the rows of registers.
class RowUses {
public:
  RowUses(Function &function) : layout(function.getParent()->getDataLayout()) {
    SmallVector<Pointer> waiting{{function.getArg(1), 0, false}};
    while (isKnown && !waiting.empty()) {
      Pointer pointer = waiting.pop_back_val();
      for (User *user : pointer.value->users())
        note(pointer, user, waiting);
    }
  }
  /// False: it does what cannot be told.
  bool isKnown = true;
  std::map<s64, RowUse> rows;

private:
  struct Pointer {
    Value *value;
    s64 place;      ///< in bytes from R0
    bool isSomeLane; ///< and a lane's words further
  };
  void note(const Pointer &pointer, User *user, SmallVectorImpl<Pointer> &waiting);
  /// A lane's words of up to four registers from there on, or what is no whole words.
  void pin(s64 place) {
    s64 row = rowAt(place);
    for (s64 k = 0; k < 4; ++k)
      rows[row + k].isPinned = true;
  }

  const DataLayout &layout;
};

void RowUses::note(const Pointer &pointer, User *user, SmallVectorImpl<Pointer> &waiting) {
  if (auto *step = dyn_cast<GEPOperator>(user)) {
    SmallMapVector<Value *, APInt, 4> variable;
    APInt constant(64, 0);
    const bool isPlain = step->getPointerOperand() == pointer.value && !step->getType()->isVectorTy() &&
                         step->collectOffset(layout, 64, variable, constant);
    // A lane's place in a row, and no row's among others.
    isKnown &= isPlain && all_of(variable, [&](const auto &part) {
                 const u64 most = computeKnownBits(part.first, layout).getMaxValue().getLimitedValue();
                 return part.second.isStrictlyPositive() && most < rowBytes &&
                        most * part.second.getLimitedValue() < rowBytes;
               });
    if (isKnown)
      waiting.push_back({step, pointer.place + constant.getSExtValue(), pointer.isSomeLane || !variable.empty()});
    return;
  }
  auto *load = dyn_cast<LoadInst>(user);
  auto *store = dyn_cast<StoreInst>(user);
  if (store && store->getValueOperand() == pointer.value)
    isKnown = false;
  else if (load || store) {
    Type *type = load ? load->getType() : store->getValueOperand()->getType();
    const bool isSimple = load ? load->isSimple() : store->isSimple();
    const u64 bits = layout.getTypeSizeInBits(type).getFixedValue();
    std::optional<s64> row = rowOf(pointer.place, bits / 8);
    if (pointer.isSomeLane || !isSimple || bits % 32 || pointer.place % 4 || !row || type->isAggregateType() ||
        type->getScalarType()->isPointerTy())
      return pin(pointer.place);
    RowUse &use = rows[*row];
    use.accesses.push_back(
        {cast<Instruction>(user), unsigned(pointer.place - *row * s64(rowBytes)) / 4, unsigned(bits / 32)});
    use.isNumber |= store && rawOf(use.accesses.back(), *store).value;
  } else if (auto *called = dyn_cast<IntrinsicInst>(user); called && !called->isLifetimeStartOrEnd() &&
                                                           called->getIntrinsicID() != Intrinsic::assume)
    pin(pointer.place);
  else if (!isa<IntrinsicInst>(user))
    isKnown = false;
}

Value *wordsOf(IRBuilder<> &ir, Value *row, const Access &access, Type *type) {
  Value *words = row;
  if (access.count == 1)
    words = ir.CreateExtractElement(row, u64(access.first));
  else if (access.count != laneCount) {
    SmallVector<int> which(access.count);
    std::iota(which.begin(), which.end(), int(access.first));
    words = ir.CreateShuffleVector(row, which);
  }
  return ir.CreateBitCast(words, type);
}

Value *withWords(IRBuilder<> &ir, Value *row, const Access &access, Value *value) {
  Type *word = ir.getInt32Ty();
  if (access.count == 1)
    return ir.CreateInsertElement(row, ir.CreateBitCast(value, word), u64(access.first));
  value = ir.CreateBitCast(value, FixedVectorType::get(word, access.count));
  if (access.count == laneCount)
    return value;
  SmallVector<int> wider(laneCount, -1), which(laneCount);
  for (unsigned i = 0; i < laneCount; ++i) {
    bool isNew = i >= access.first && i < access.first + access.count;
    wider[i] = isNew ? int(i - access.first) : -1;
    which[i] = int(isNew ? laneCount + i : i);
  }
  return ir.CreateShuffleVector(row, ir.CreateShuffleVector(value, wider), which);
}

} // namespace

BitsOfBlocks compiled::onWaysToEnds(Function &function, const BitsOfBlocks &own, size_t bits) {
  BitsOfBlocks all;
  ReversePostOrderTraversal<Function *> order(&function);
  for (bool changes = true; changes;) {
    changes = false;
    for (const BasicBlock *block : order) {
      BitVector now = own.contains(block) ? own.lookup(block) : BitVector(unsigned(bits));
      for (const BasicBlock *before : predecessors(block))
        if (auto found = all.find(before); found != all.end() && behindBarrier(*before) != block)
          now |= found->second;
      BitVector &known = all.try_emplace(block, unsigned(bits)).first->second;
      changes |= known != now;
      known = std::move(now);
    }
  }
  return all;
}

/// The rows that may have been written on the ways to the end of each block.
static BitsOfBlocks writtenBy(Function &function, const RowUses &uses) {
  BitsOfBlocks own;
  const size_t rows = uses.rows.size();
  size_t number = 0;
  for (const auto &[row, use] : uses.rows) {
    for (const Access &access : use.accesses)
      if (isa<StoreInst>(access.instruction))
        own.try_emplace(access.instruction->getParent(), rows).first->second.set(number);
    ++number;
  }
  return onWaysToEnds(function, own, rows);
}

/// Ways out that tell the same become one.
static void mergeWays(BasicBlock *last) {
  if (last->phis().empty())
    return;
  MapVector<SmallVector<Value *, 4>, SmallSetVector<BasicBlock *, 4>> ways;
  for (BasicBlock *from : predecessors(last)) {
    SmallVector<Value *, 4> told;
    for (PHINode &phi : last->phis())
      told.push_back(phi.getIncomingValueForBlock(from));
    ways[told].insert(from);
  }
  for (auto &[told, from] : ways)
    if (from.size() > 1)
      SplitBlockPredecessors(last, from.getArrayRef(), "");
}

/// The words of a row, made canonical in the lanes whose bits are set.
static Value *settled(IRBuilder<> &ir, Value *words, Value *rawLanes) {
  Value *canonical = makeCanonical(ir, words, FixedVectorType::get(ir.getFloatTy(), laneCount));
  return ir.CreateSelect(ir.CreateBitCast(rawLanes, FixedVectorType::get(ir.getInt1Ty(), laneCount)),
                         canonical, words);
}

/// Rows that are as arithmetic left them where code leaves: that is noted there, and they are made canonical
/// in the frame, one by one, behind all ways out.
class RawRows {
public:
  RawRows(BasicBlock &entry) {
    IRBuilder<> ir(&entry, entry.begin());
    noted = ir.CreateAlloca(ir.getInt64Ty());
    lanes = ir.CreateAlloca(ArrayType::get(ir.getInt32Ty(), most));
    IRBuilder<> behind(entry.getTerminator());
    behind.CreateStore(behind.getInt64(0), noted);
  }
  static constexpr unsigned most = 64;
  unsigned add(s64 row) {
    rows.push_back(u32(row));
    return unsigned(rows.size() - 1);
  }
  bool isFull() const { return rows.size() == most; }
  void note(IRBuilder<> &ir, unsigned number, Value *rawLanes) {
    Value *bit = ir.CreateShl(ir.CreateZExt(ir.CreateIsNotNull(rawLanes), ir.getInt64Ty()), number);
    ir.CreateStore(ir.CreateOr(ir.CreateLoad(ir.getInt64Ty(), noted), bit), noted);
    ir.CreateStore(rawLanes, ir.CreateConstInBoundsGEP2_64(lanes->getAllocatedType(), lanes, 0, number));
  }
  void settle(Instruction *leaving, Argument *frame) {
    BasicBlock *last = leaving->getParent(), *rest = SplitBlock(last, leaving->getIterator());
    Function &function = *last->getParent();
    BasicBlock *each = BasicBlock::Create(function.getContext(), "", &function, rest);
    IRBuilder<> ir(last->getTerminator());
    Value *all = ir.CreateLoad(ir.getInt64Ty(), noted);
    ir.CreateCondBr(ir.CreateIsNull(all), rest, each);
    last->getTerminator()->eraseFromParent();
    ir.SetInsertPoint(each);
    PHINode *left = ir.CreatePHI(ir.getInt64Ty(), 2);
    Constant *table = ConstantDataArray::get(function.getContext(), rows);
    auto *places =
        new GlobalVariable(*function.getParent(), table->getType(), true, GlobalValue::PrivateLinkage, table);
    Value *number = ir.CreateBinaryIntrinsic(Intrinsic::cttz, left, ir.getTrue());
    Value *row = ir.CreateLoad(ir.getInt32Ty(), ir.CreateInBoundsGEP(ir.getInt32Ty(), places, number));
    auto *words = FixedVectorType::get(ir.getInt32Ty(), laneCount);
    Value *place = ir.CreateInBoundsGEP(words, frame, ir.CreateZExt(row, ir.getInt64Ty()));
    Value *now = ir.CreateAlignedLoad(words, place, Align(rowBytes));
    Value *raw = ir.CreateLoad(ir.getInt32Ty(), ir.CreateInBoundsGEP(ir.getInt32Ty(), lanes, number));
    ir.CreateAlignedStore(settled(ir, now, raw), place, Align(rowBytes));
    Value *others = ir.CreateAnd(left, ir.CreateSub(left, ir.getInt64(1)));
    ir.CreateCondBr(ir.CreateIsNull(others), rest, each);
    left->addIncoming(all, last);
    left->addIncoming(others, each);
  }
  AllocaInst *noted;

private:
  AllocaInst *lanes;
  SmallVector<u32> rows;
};

/// Whether what was loaded is still in its row where the store is.
static bool isStillThere(const RowUse &use, const LoadInst &load, const StoreInst &store) {
  auto isOf = [&](const Instruction &one) {
    return any_of(use.accesses, [&](const Access &access) { return access.instruction == &one; });
  };
  if (load.getParent() != store.getParent() || !isOf(load))
    return false;
  for (const Instruction *each = &load; each && each != &store; each = each->getNextNode())
    if (isa<StoreInst>(each) && isOf(*each))
      return false;
  return true;
}

/// Makes the stores to rows take numbers as arithmetic left them, and all that cannot tell them apart, too.
/// Gives the uses of loads for which a row may be as it is.
static DenseSet<const Use *> storeAsTheyWere(RowUses &uses) {
  // All are judged before the first is replaced: a result that is written as it was tells all of it.
  DenseSet<const Use *> forgetful;
  struct Store {
    RowUse &use;
    Access &access;
    Raw raw;
    SmallVector<Use *> alike; ///< of what it stores
  };
  SmallVector<Store> stores;
  for (auto &[row, use] : uses.rows)
    for (Access &access : use.accesses) {
      if (isa<LoadInst>(access.instruction)) {
        for (const Use &each : access.instruction->uses())
          if (isForgetful(each))
            forgetful.insert(&each);
      } else if (Raw raw = rawOf(access, *cast<StoreInst>(access.instruction)); raw.value) {
        stores.push_back({use, access, raw, {}});
        if (raw.lanes)
          for (Use &each : raw.lanes->uses())
            if (isForgetful(each))
              stores.back().alike.push_back(&each);
      }
    }
  for (Store &each : stores) {
    auto &store = *cast<StoreInst>(each.access.instruction);
    IRBuilder<> ir(each.raw.lanes ? cast<Instruction>(each.raw.lanes) : &store);
    if (!each.raw.lanes) {
      store.setOperand(0, each.raw.value);
      each.access.rawLanes = ir.getInt32(~0u);
      continue;
    }
    Value *lanes = each.raw.lanes->getCondition(), *others = each.raw.lanes->getFalseValue();
    auto *before = dyn_cast<LoadInst>(withoutCasts(others));
    auto *chosen = SelectInst::Create(lanes, ir.CreateBitCast(each.raw.value, others->getType()), others, "",
                                      each.raw.lanes->getIterator());
    if (before && before->getType() == others->getType() && isStillThere(each.use, *before, store)) {
      each.access.keepsOthers = true;
      forgetful.insert(&chosen->getOperandUse(2));
    }
    each.access.rawLanes = ir.CreateBitCast(lanes, ir.getInt32Ty());
    store.setOperand(0, chosen);
    for (Use *use : each.alike)
      use->set(chosen);
  }
  return forgetful;
}

bool compiled::areMany(size_t waysIn) { return waysIn > 64; }

SmallVector<WayOut> compiled::waysOut(BasicBlock *last,
                                      function_ref<BitVector(const BasicBlock *)> happened) {
  MapVector<BitVector, SmallSetVector<BasicBlock *, 8>> groups;
  const bool many = pred_size(last) > 24;
  SmallVector<WayOut> ways;
  for (BasicBlock *from : SmallVector<BasicBlock *>(predecessors(last)))
    if (many)
      groups[happened(from)].insert(from);
    else
      ways.push_back({SplitEdge(from, last)->getTerminator(), happened(from)});
  for (auto &[bits, from] : groups)
    ways.push_back({SplitBlockPredecessors(last, from.getArrayRef(), "")->getTerminator(), bits});
  return ways;
}

/// Rows are read where code is entered, those that somebody needs, and written where it is left, those that
/// may have changed.
static void promote(Function &function, RowUses &uses, Instruction *leaving, Instruction *entering) {
  Argument *frame = function.getArg(1);
  BasicBlock &entry = function.getEntryBlock();
  BasicBlock *last = leaving->getParent();
  mergeWays(last);
  std::erase_if(uses.rows, [](const auto &row) {
    return row.first < 0 || row.second.isPinned || row.second.accesses.empty();
  });
  auto written = writtenBy(function, uses);
  SmallVector<Instruction *> enters;
  SmallVector<WayOut> leaves;
  if (last->phis().empty())
    leaves.push_back({leaving, written.lookup(last)});
  else
    leaves = waysOut(last, [&](const BasicBlock *from) { return written.lookup(from); });
  if (entering)
    enters.push_back(entering);
  else if (areMany(succ_size(&entry)))
    enters.push_back(entry.getTerminator());
  else
    for (BasicBlock *to : SmallVector<BasicBlock *>(successors(&entry)))
      enters.push_back(SplitEdge(&entry, to)->getTerminator());
  const DenseSet<const Use *> forgetful = storeAsTheyWere(uses);
  // Where few rows leave in few places, each is made canonical there: that is faster.
  const size_t numbers = size_t(count_if(uses.rows, [](const auto &row) { return row.second.isNumber; }));
  std::optional<RawRows> raws;
  if (leaves.size() > 1 && numbers * leaves.size() > 64)
    raws.emplace(entry);
  IRBuilder<> atEntry(&*entry.getFirstNonPHIOrDbgOrAlloca());
  auto *type = FixedVectorType::get(atEntry.getInt32Ty(), laneCount);
  SmallVector<AllocaInst *> promoted;
  unsigned number = 0;
  for (auto &[row, use] : uses.rows) {
    const unsigned bit = number++;
    auto placeOf = [&, row = row](IRBuilder<> &ir) {
      return ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), frame, u64(row * s64(rowBytes)));
    };
    AllocaInst *own = atEntry.CreateAlloca(type), *raw = atEntry.CreateAlloca(atEntry.getInt32Ty());
    own->moveBefore(entry.begin());
    raw->moveBefore(entry.begin());
    for (Instruction *enter : enters) {
      IRBuilder<> ir(enter);
      Value *before = Constant::getNullValue(type);
      if (!entering)
        before = ir.CreateAlignedLoad(type, placeOf(ir), Align(rowBytes));
      ir.CreateStore(before, own);
      ir.CreateStore(ir.getInt32(0), raw);
    }
    auto rawLanes = [&](IRBuilder<> &ir) { return ir.CreateLoad(ir.getInt32Ty(), raw); };
    auto canonical = [&](IRBuilder<> &ir) {
      Value *now = ir.CreateLoad(type, own);
      return use.isNumber ? settled(ir, now, rawLanes(ir)) : now;
    };
    for (const Access &access : use.accesses) {
      IRBuilder<> ir(access.instruction);
      if (auto *store = dyn_cast<StoreInst>(access.instruction)) {
        Value *before = access.count == laneCount ? nullptr : canonical(ir);
        ir.CreateStore(withWords(ir, before, access, store->getValueOperand()), own);
        Value *lanes = access.rawLanes ? access.rawLanes : ir.getInt32(0);
        ir.CreateStore(access.keepsOthers ? ir.CreateOr(rawLanes(ir), lanes) : lanes, raw);
      } else {
        Type *wanted = access.instruction->getType();
        if (use.isNumber && access.count == laneCount) {
          Value *asItIs = wordsOf(ir, ir.CreateLoad(type, own), access, wanted);
          access.instruction->replaceUsesWithIf(asItIs, [&](Use &use) { return forgetful.contains(&use); });
        }
        if (!access.instruction->use_empty())
          access.instruction->replaceAllUsesWith(wordsOf(ir, canonical(ir), access, wanted));
      }
      access.instruction->eraseFromParent();
    }
    const bool isNoted = raws && use.isNumber && !raws->isFull();
    const unsigned noted = isNoted ? raws->add(row) : 0;
    for (const WayOut &leave : leaves)
      if (leave.happened[bit]) {
        IRBuilder<> ir(leave.before);
        ir.CreateAlignedStore(isNoted ? ir.CreateLoad(type, own) : canonical(ir), placeOf(ir),
                              Align(rowBytes));
        if (isNoted)
          raws->note(ir, noted, rawLanes(ir));
      }
    promoted.push_back(raw);
    promoted.push_back(own);
  }
  if (raws) {
    raws->settle(leaving, frame);
    promoted.push_back(raws->noted);
  }
  DominatorTree tree(function);
  PromoteMemToReg(promoted, tree);
}

/// What stands behind a mark, which goes; null: there is none.
static Instruction *takeMark(Function &function, StringRef name) {
  Function *marker = function.getParent()->getFunction(name);
  if (!marker)
    return nullptr;
  Instruction *behind = nullptr;
  for (User *user : make_early_inc_range(marker->users())) {
    auto *call = cast<Instruction>(user);
    behind = call->getNextNode();
    call->eraseFromParent();
  }
  marker->eraseFromParent();
  return behind;
}

void compiled::copyRowByRow(Function &function) {
  for (Instruction &instruction : make_early_inc_range(instructions(function))) {
    auto *copy = dyn_cast<MemCpyInst>(&instruction);
    auto *bytes = copy ? dyn_cast<ConstantInt>(copy->getLength()) : nullptr;
    if (!bytes || bytes->getZExtValue() % rowBytes || copy->isVolatile() ||
        copy->getDestAlign().valueOrOne() < rowBytes || copy->getSourceAlign().valueOrOne() < rowBytes)
      continue;
    IRBuilder<> ir(copy);
    auto *type = FixedVectorType::get(ir.getInt32Ty(), laneCount);
    SmallVector<Value *> rows; // all are read before the first is written
    for (u64 row = 0; row < bytes->getZExtValue() / rowBytes; ++row)
      rows.push_back(ir.CreateAlignedLoad(type, ir.CreateConstInBoundsGEP1_64(type, copy->getSource(), row),
                                          Align(rowBytes)));
    for (u64 row = 0; row < rows.size(); ++row)
      ir.CreateAlignedStore(rows[row], ir.CreateConstInBoundsGEP1_64(type, copy->getDest(), row),
                            Align(rowBytes));
    copy->eraseFromParent();
  }
}

void compiled::promoteRows(Function &function) {
  Instruction *ending = takeMark(function, endingRows);
  Instruction *leaving = takeMark(function, leavingRows), *entering = takeMark(function, enteringRows);
  RowUses uses(function);
  bool isAllPromoted = uses.isKnown && leaving;
  for (const auto &[row, use] : uses.rows)
    isAllPromoted &= row < 0 || !use.isPinned;
  if (ending && !isAllPromoted) { // some are in the frame, which shall be as it was before the warp began
    IRBuilder<> ir(ending);
    Value *size =
        ir.CreateLoad(ir.getInt32Ty(), ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), function.getArg(3),
                                                                     offsetof(Kept, frameBytes)));
    ir.CreateMemSet(function.getArg(1), ir.getInt8(0), size, Align(rowBytes));
  }
  if (uses.isKnown && leaving)
    promote(function, uses, leaving, entering);
}
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
