#include "emu/compiled/SharedWords.h"
#include "emu/warp/Lanes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/InstSimplifyFolder.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;
using leno::u64;

namespace {

/// What is known of a vector: each element is the first one's word and what `ramp` has for it.
struct Form {
  enum Kind { Unknown, Shared, Various } kind = Unknown; ///< Unknown: nothing has come there yet
  Constant *ramp = nullptr;                              ///< its first element is zero; null: all are
  bool operator==(const Form &) const = default;
};
constexpr Form various{Form::Various, nullptr};

/// The lane of its first operand that all lanes take.
std::optional<unsigned> broadcastLane(const ShuffleVectorInst &shuffle) {
  const int lane = getSplatIndex(shuffle.getShuffleMask());
  auto *from = dyn_cast<FixedVectorType>(shuffle.getOperand(0)->getType());
  const bool isWhole = !is_contained(shuffle.getShuffleMask(), -1);
  return isWhole && from && lane >= 0 && unsigned(lane) < from->getNumElements()
             ? std::optional(unsigned(lane))
             : std::nullopt;
}

/// Integers, of which there are several.
bool isOfWords(const Type *type) {
  return isa<FixedVectorType>(type) && type->getScalarType()->isIntegerTy() &&
         cast<FixedVectorType>(type)->getNumElements() > 1;
}

class SharedWords {
public:
  SharedWords(Function &function) : function(function), layout(function.getParent()->getDataLayout()) {}
  void run() {
    find();
    replace();
  }

private:
  void find();
  void replace();
  Form formOf(const Value *value) const;
  Form formOfConstant(const Constant &constant) const;
  Form judge(const Instruction &instruction) const;
  Form judgeBinary(const BinaryOperator &instruction) const;
  Form shared(Constant *ramp) const { return {Form::Shared, ramp && ramp->isNullValue() ? nullptr : ramp}; }
  Constant *folded(unsigned opcode, Constant *left, Constant *right) const {
    return ConstantFoldBinaryOpOperands(opcode, left, right, layout);
  }
  Constant *wordsOf(Constant *ramp, Type *type) const { return ramp ? ramp : Constant::getNullValue(type); }
  /// The first element, made where that instruction is.
  Value *makeWord(Instruction &instruction);
  template <class Builder> Value *elementOf(Builder &ir, Value *row, unsigned lane) const {
    Constant *ramp = formOf(row).ramp;
    Value *word = wordOf(row);
    return ramp ? ir.CreateAdd(word, ramp->getAggregateElement(lane)) : word;
  }
  Value *wordOf(Value *value) const {
    if (auto *constant = dyn_cast<Constant>(value))
      return constant->getAggregateElement(0u);
    return words.lookup(value);
  }

  Function &function;
  const DataLayout &layout;
  DenseMap<const Value *, Form> forms;
  DenseMap<const Value *, Value *> words;
};

Form SharedWords::formOfConstant(const Constant &constant) const {
  auto *type = cast<FixedVectorType>(constant.getType());
  Constant *first = constant.getAggregateElement(0u);
  if (!first || !isa<ConstantInt>(first) || constant.containsUndefOrPoisonElement())
    return various;
  Constant *all = ConstantVector::getSplat(type->getElementCount(), first);
  Constant *ramp = folded(Instruction::Sub, const_cast<Constant *>(&constant), all);
  return ramp ? shared(ramp) : various;
}

Form SharedWords::formOf(const Value *value) const {
  if (auto *constant = dyn_cast<Constant>(value))
    return formOfConstant(*constant);
  return isa<Instruction>(value) ? forms.lookup(value) : various;
}

Form SharedWords::judgeBinary(const BinaryOperator &instruction) const {
  const Form left = formOf(instruction.getOperand(0)), right = formOf(instruction.getOperand(1));
  if (left == various || right == various)
    return various;
  if (left.kind == Form::Unknown || right.kind == Form::Unknown)
    return {};
  if (!left.ramp && !right.ramp)
    return shared(nullptr);
  Type *type = instruction.getType();
  Constant *a = wordsOf(left.ramp, type), *b = wordsOf(right.ramp, type);
  auto made = [&](Constant *ramp) { return ramp ? shared(ramp) : various; };
  Constant *known = nullptr;
  switch (instruction.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
    return made(folded(instruction.getOpcode(), a, b));
  case Instruction::Shl: // modulo 2^n each is so much more than the first one, wherever they begin anew
  case Instruction::Mul:
    if (!right.ramp && match(instruction.getOperand(1), m_Constant(known)))
      return made(folded(instruction.getOpcode(), a, known));
    if (!left.ramp && instruction.getOpcode() == Instruction::Mul &&
        match(instruction.getOperand(0), m_Constant(known)))
      return made(folded(Instruction::Mul, b, known));
    return various;
  case Instruction::Xor: // -1 - x
    if (match(instruction.getOperand(1), m_AllOnes()))
      return made(folded(Instruction::Sub, Constant::getNullValue(type), a));
    return various;
  default:
    return various;
  }
}

Form SharedWords::judge(const Instruction &instruction) const {
  if (auto *binary = dyn_cast<BinaryOperator>(&instruction))
    return judgeBinary(*binary);
  // All of these with one ramp, if any.
  auto alike = [&](auto &&values) {
    Form all;
    for (const Value *value : values)
      if (const Form form = formOf(value); form.kind != Form::Unknown) {
        if (form == various || (all.kind == Form::Shared && form != all))
          return various;
        all = form;
      }
    return all;
  };
  auto one = [&](auto &&values) {
    const Form all = alike(values);
    return all.ramp ? various : all;
  };
  switch (instruction.getOpcode()) {
  case Instruction::PHI:
    return alike(cast<PHINode>(instruction).incoming_values());
  case Instruction::Freeze:
    return alike(instruction.operand_values());
  case Instruction::ShuffleVector:
    return broadcastLane(cast<ShuffleVectorInst>(instruction)) ? shared(nullptr) : various;
  case Instruction::ICmp: {
    const Form all = alike(instruction.operand_values());
    return all.ramp && !cast<ICmpInst>(instruction).isEquality() ? various
           : all.kind == Form::Shared                            ? shared(nullptr)
                                                                 : all;
  }
  case Instruction::Select: {
    const auto &select = cast<SelectInst>(instruction);
    if (select.getCondition()->getType()->isVectorTy()) {
      const Form condition = formOf(select.getCondition());
      if (condition.kind != Form::Shared || condition.ramp)
        return condition.kind == Form::Unknown ? Form{} : various;
    }
    return alike(std::array<const Value *, 2>{select.getTrueValue(), select.getFalseValue()});
  }
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::Trunc:
    return one(instruction.operand_values());
  default:
    return various;
  }
}

void SharedWords::find() {
  ReversePostOrderTraversal<Function *> order(&function);
  auto settle = [&] {
    for (bool changes = true; changes;) {
      changes = false;
      for (BasicBlock *block : order)
        for (Instruction &each : *block)
          if (isOfWords(each.getType())) {
            Form &form = forms[&each];
            if (form == various)
              continue;
            Form now = judge(each);
            // What has been something can only become nothing.
            if (form.kind == Form::Shared && now != form)
              now = various;
            changes |= now != form;
            forms[&each] = now;
          }
    }
  };
  settle();
  for (auto &[value, form] : forms)
    if (form.kind == Form::Unknown)
      form = various;
  settle();
}

Value *SharedWords::makeWord(Instruction &instruction) {
  Type *type = instruction.getType()->getScalarType();
  IRBuilder<InstSimplifyFolder> ir(instruction.getParent(), instruction.getIterator(),
                                   InstSimplifyFolder(layout));
  ir.SetCurrentDebugLocation(instruction.getDebugLoc());
  if (auto *broadcast = dyn_cast<ShuffleVectorInst>(&instruction)) {
    if (Value *word = getSplatValue(broadcast))
      return word;
    Value *row = broadcast->getOperand(0);
    const unsigned lane = *broadcastLane(*broadcast);
    if (formOf(row).kind == Form::Shared)
      return elementOf(ir, row, lane);
    return ir.CreateExtractElement(row, u64(lane));
  }
  auto operand = [&](unsigned k) { return wordOf(instruction.getOperand(k)); };
  switch (instruction.getOpcode()) {
  case Instruction::PHI:
    return ir.CreatePHI(type, cast<PHINode>(instruction).getNumIncomingValues());
  case Instruction::Freeze:
    return ir.CreateFreeze(operand(0));
  case Instruction::ICmp:
    return ir.CreateICmp(cast<ICmpInst>(instruction).getPredicate(), operand(0), operand(1));
  case Instruction::Select: {
    Value *condition = instruction.getOperand(0);
    return ir.CreateSelect(condition->getType()->isVectorTy() ? operand(0) : condition, operand(1),
                           operand(2));
  }
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::Trunc:
    return ir.CreateCast(Instruction::CastOps(instruction.getOpcode()), operand(0), type);
  default:
    return ir.CreateBinOp(Instruction::BinaryOps(instruction.getOpcode()), operand(0), operand(1));
  }
}

void SharedWords::replace() {
  SmallVector<Instruction *> all;
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function))
    for (Instruction &each : *block)
      if (auto found = forms.find(&each); found != forms.end() && found->second.kind == Form::Shared)
        all.push_back(&each);
  for (Instruction *each : all) {
    words[each] = makeWord(*each);
    for (User *user : make_early_inc_range(each->users())) {
      auto *extract = dyn_cast<ExtractElementInst>(user);
      auto *number = extract ? dyn_cast<ConstantInt>(extract->getIndexOperand()) : nullptr;
      if (!number)
        continue;
      IRBuilder<> ir(extract);
      extract->replaceAllUsesWith(elementOf(ir, each, unsigned(number->getZExtValue())));
    }
  }
  for (Instruction *each : all) {
    if (auto *phi = dyn_cast<PHINode>(each))
      for (unsigned k = 0; k < phi->getNumIncomingValues(); ++k)
        cast<PHINode>(words.lookup(phi))
            ->addIncoming(wordOf(phi->getIncomingValue(k)), phi->getIncomingBlock(k));
  }
  for (Instruction *each : all) {
    Constant *ramp = forms.lookup(each).ramp;
    if (isa<ShuffleVectorInst>(each))
      continue; // it is that
    auto *type = cast<FixedVectorType>(each->getType());
    IRBuilder<> ir(each);
    if (isa<PHINode>(each))
      ir.SetInsertPoint(each->getParent(), each->getParent()->getFirstInsertionPt());
    Value *row = ir.CreateVectorSplat(type->getNumElements(), words.lookup(each));
    if (ramp)
      row = ir.CreateAdd(row, ramp);
    // Masks of all lanes or none.
    for (User *user : make_early_inc_range(each->users()))
      if (auto *mask = dyn_cast<BitCastInst>(user);
          mask && mask->getType()->isIntegerTy() && type->getElementType()->isIntegerTy(1)) {
        IRBuilder<> at(mask);
        mask->replaceAllUsesWith(at.CreateSExt(words.lookup(each), mask->getType()));
      }
    each->replaceAllUsesWith(row);
  }
  for (Instruction *each : all)
    if (!isa<ShuffleVectorInst>(each)) {
      each->dropAllReferences();
      each->eraseFromParent();
    }
}

} // namespace

void leno::compiled::computeSharedWords(Function &function) { SharedWords(function).run(); }

/// Blocks that every way from ends in a return, without one that goes on.
static SmallPtrSet<const BasicBlock *, 32> endsOf(Function &function) {
  SmallPtrSet<const BasicBlock *, 32> ends;
  for (bool changes = true; changes;) {
    changes = false;
    for (BasicBlock *block : post_order(&function))
      if (!ends.contains(block) && all_of(successors(block), [&](const BasicBlock *next) {
            return next == block || ends.contains(next);
          }))
        changes |= ends.insert(block).second;
  }
  return ends;
}

void leno::compiled::computeWhereLeft(Function &function) {
  const auto ends = endsOf(function);
  // Where a value is used: of a phi, where it comes from.
  auto placeOf = [](const Use &use) {
    auto *user = cast<Instruction>(use.getUser());
    auto *phi = dyn_cast<PHINode>(user);
    return phi ? phi->getIncomingBlock(use) : user->getParent();
  };
  unsigned copies = 0;
  for (BasicBlock *block : post_order(&function)) {
    if (ends.contains(block))
      continue;
    for (Instruction &each : make_early_inc_range(reverse(*block))) {
      if (each.use_empty() || isa<PHINode>(each) || each.isTerminator() || each.mayReadOrWriteMemory() ||
          each.getType()->isTokenTy() || isa<AllocaInst>(each) || !isSafeToSpeculativelyExecute(&each))
        continue;
      SmallSetVector<BasicBlock *, 8> places;
      for (const Use &use : each.uses())
        places.insert(placeOf(use));
      if (copies + places.size() > 4000 ||
          !all_of(places, [&](BasicBlock *place) { return ends.contains(place); }))
        continue;
      for (BasicBlock *place : places) {
        Instruction *copy = each.clone();
        copy->insertBefore(place->getFirstInsertionPt());
        each.replaceUsesWithIf(copy, [&](Use &use) { return placeOf(use) == place; });
        ++copies;
      }
      each.eraseFromParent();
    }
  }
}
