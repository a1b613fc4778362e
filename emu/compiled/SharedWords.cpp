#include "emu/compiled/SharedWords.h"
#include "emu/compiled/RegionBuilder.h"
#include "emu/compiled/RowAccesses.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace leno;
using namespace leno::compiled;

namespace {

/// What is known of a vector: each element is the first one's word and what `ramp` has for it.
struct Form {
  enum Kind { Unknown, Shared, Various } kind = Unknown; ///< Unknown: nothing has come there yet
  Constant *ramp = nullptr;                              ///< its first element is zero; null: all are
  bool operator==(const Form &) const = default;
};
constexpr Form various{Form::Various, nullptr};
Form sharedWith(Constant *ramp) { return {Form::Shared, ramp && ramp->isNullValue() ? nullptr : ramp}; }

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
  SharedWords(Function &function, const Region &region)
      : function(function), region(region), layout(function.getParent()->getDataLayout()) {}
  void run() {
    findWaysIn();
    find();
    judgeByEnds();
    findNeeded();
    replace();
    lookWhereEntered();
    forgetBarriers();
  }

private:
  // What there is.
  void findWaysIn();
  std::optional<u32> rowOf(const Value *value, const BasicBlock *way) const;
  /// A row that comes to a leader from where code is entered: the others that come there tell what it is.
  bool isEntered(const PHINode &phi, unsigned k) const {
    auto way = waysIn.find(phi.getIncomingBlock(k));
    return way != waysIn.end() && way->second.entered() == phi.getParent() &&
           rowOf(phi.getIncomingValue(k), way->first);
  }
  /// What would come to a leader from a barrier in front of it.
  static bool isPassed(const PHINode &phi, unsigned k) {
    return behindBarrier(*phi.getIncomingBlock(k)) == phi.getParent();
  }
  void find();
  void settle();
  Form formOf(const Value *value) const;
  Form formOfConstant(const Constant &constant) const;
  Form judge(const Instruction &instruction) const;
  Form judgeBinary(const BinaryOperator &instruction) const;
  Form judgePhi(const PHINode &phi) const;
  template <class Values> Form alike(Values &&values) const;
  Constant *folded(unsigned opcode, Constant *left, Constant *right) const {
    return ConstantFoldBinaryOpOperands(opcode, left, right, layout);
  }
  Value *elementAt(IRBuilder<> &ir, Value *row, unsigned lane) const;
  bool hasEnds(Value *row, unsigned &most) const;
  bool isRamp(const Value *of) const {
    return formOf(of).kind == Form::Shared && formOf(of).ramp &&
           of->getType()->getScalarType()->isIntegerTy(32);
  }
  Value *rampUnder(const Instruction &made, s64 &places) const;
  Value *varies(IRBuilder<> &ir, Value *row) const;
  void replaceFirst(Instruction &row);
  void judgeByEnds();
  void findNeeded();

  // What becomes of it.
  void replace();
  Value *makeWord(Instruction &instruction);
  void completePhi(PHINode &phi);
  void replaceRow(Instruction &instruction);
  void lookWhereEntered();
  void forgetBarriers();
  /// The first element.
  Value *wordOf(Value *value) const {
    auto *constant = dyn_cast<Constant>(value);
    return constant ? constant->getAggregateElement(0u) : words.lookup(value);
  }
  Value *elementOf(IRBuilder<> &ir, Value *row, u64 lane) const {
    Constant *ramp = formOf(row).ramp;
    return ramp ? ir.CreateAdd(wordOf(row), ramp->getAggregateElement(unsigned(lane))) : wordOf(row);
  }
  /// Null: the words are not one step apart.
  Value *elementOf(IRBuilder<> &ir, Value *row, Value *lane) const;

  Function &function;
  const Region &region;
  const DataLayout &layout;
  struct WayIn {
    CallInst *asks;
    const Operation *leader;
    SmallSetVector<std::pair<Value *, Constant *>, 8> rows; ///< that code needs, with their ramps
    /// The leader's block, which nobody comes to this way but with rows as it needs them. Null: code is so
    /// small that it is one block with its ways in.
    BasicBlock *entered() const {
      auto *branch = dyn_cast<BranchInst>(asks->getParent()->getTerminator());
      const bool isAsked = branch && branch->isConditional() && branch->getCondition() == asks;
      return isAsked && branch->getSuccessor(0) != branch->getSuccessor(1) ? branch->getSuccessor(0)
                                                                           : nullptr;
    }
  };
  MapVector<const BasicBlock *, WayIn> waysIn;
  DenseMap<const Value *, Form> forms;
  DenseSet<const PHINode *> guessed; ///< for want of anything better, to be shared
  SetVector<const Value *> needed;
  DenseMap<const Value *, Value *> words;
};

//===--- What there is ----------------------------------------------------===//

void SharedWords::findWaysIn() {
  Function *marker = function.getParent()->getFunction(sharedRows);
  if (!marker)
    return;
  SmallVector<const Operation *> leaders;
  for (const Operation &operation : ArrayRef(region.operations, region.count))
    if (operation.isLeader)
      leaders.push_back(&operation);
  for (User *user : marker->users()) {
    auto *asks = cast<CallInst>(user);
    const u64 number = cast<ConstantInt>(asks->getArgOperand(0))->getZExtValue();
    waysIn.insert({asks->getParent(), {asks, leaders[number], {}}});
  }
}

/// Of what is loaded on that way in alone.
std::optional<u32> SharedWords::rowOf(const Value *value, const BasicBlock *way) const {
  auto *load = dyn_cast<LoadInst>(value);
  const BasicBlock *place = load ? load->getParent() : nullptr;
  if (!load || place == &function.getEntryBlock() || (place != way && place != way->getSinglePredecessor()) ||
      load->getType() != FixedVectorType::get(Type::getInt32Ty(function.getContext()), laneCount))
    return std::nullopt;
  const std::optional<s64> at = placeInFrame(load->getPointerOperand(), function.getArg(1), layout);
  return at && *at >= 0 && *at % s64(rowBytes) == 0 ? std::optional(u32(*at / s64(rowBytes))) : std::nullopt;
}

Form SharedWords::formOfConstant(const Constant &constant) const {
  auto *type = cast<FixedVectorType>(constant.getType());
  Constant *first = constant.getAggregateElement(0u);
  if (!first || !isa<ConstantInt>(first) || constant.containsUndefOrPoisonElement())
    return various;
  Constant *all = ConstantVector::getSplat(type->getElementCount(), first);
  Constant *ramp = folded(Instruction::Sub, const_cast<Constant *>(&constant), all);
  return ramp ? sharedWith(ramp) : various;
}

Form SharedWords::formOf(const Value *value) const {
  if (auto *constant = dyn_cast<Constant>(value))
    return formOfConstant(*constant);
  return isa<Instruction>(value) ? forms.lookup(value) : various;
}

/// Of what has one of these values, if they are of one form.
template <class Values> Form SharedWords::alike(Values &&values) const {
  Form all;
  for (const Value *value : values)
    if (const Form form = formOf(value); form.kind != Form::Unknown) {
      if (form == various || (all.kind == Form::Shared && form != all))
        return various;
      all = form;
    }
  return all;
}

Form SharedWords::judgeBinary(const BinaryOperator &instruction) const {
  const Form left = formOf(instruction.getOperand(0)), right = formOf(instruction.getOperand(1));
  if (left == various || right == various)
    return various;
  if (left.kind == Form::Unknown || right.kind == Form::Unknown)
    return {};
  if (!left.ramp && !right.ramp)
    return sharedWith(nullptr);
  Constant *none = Constant::getNullValue(instruction.getType()), *known = nullptr;
  Constant *a = left.ramp ? left.ramp : none, *b = right.ramp ? right.ramp : none;
  auto made = [](Constant *ramp) { return ramp ? sharedWith(ramp) : various; };
  switch (instruction.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
    return made(folded(instruction.getOpcode(), a, b));
  case Instruction::Mul: // modulo 2^n, wherever words begin anew
    if (!left.ramp && match(instruction.getOperand(0), m_Constant(known)))
      return made(folded(Instruction::Mul, b, known));
    [[fallthrough]];
  case Instruction::Shl:
    if (!right.ramp && match(instruction.getOperand(1), m_Constant(known)))
      return made(folded(instruction.getOpcode(), a, known));
    return various;
  case Instruction::Xor: // -1 - x
    return match(instruction.getOperand(1), m_AllOnes()) ? made(folded(Instruction::Sub, none, a)) : various;
  default:
    return various;
  }
}

Form SharedWords::judgePhi(const PHINode &phi) const {
  SmallVector<const Value *, 8> others;
  for (unsigned k = 0; k < phi.getNumIncomingValues(); ++k)
    if (!isEntered(phi, k))
      others.push_back(phi.getIncomingValue(k));
  if (guessed.contains(&phi))
    others.push_back(Constant::getNullValue(phi.getType()));
  return alike(others);
}

Form SharedWords::judge(const Instruction &instruction) const {
  if (auto *binary = dyn_cast<BinaryOperator>(&instruction))
    return judgeBinary(*binary);
  switch (instruction.getOpcode()) {
  case Instruction::PHI:
    return judgePhi(cast<PHINode>(instruction));
  case Instruction::Load: { // where code is entered
    const BasicBlock *block = instruction.getParent();
    auto way = waysIn.find(waysIn.contains(block) ? block : block->getSingleSuccessor());
    std::optional<u32> row = way == waysIn.end() ? std::nullopt : rowOf(&instruction, way->first);
    return row && way->second.leader->isShared(*row) ? sharedWith(nullptr) : various;
  }
  case Instruction::Freeze:
    return alike(instruction.operand_values());
  case Instruction::ShuffleVector:
    return broadcastLane(cast<ShuffleVectorInst>(instruction)) ? sharedWith(nullptr) : various;
  case Instruction::ICmp: {
    const Form all = alike(instruction.operand_values());
    return all.kind != Form::Shared || !all.ramp      ? all
           : cast<ICmpInst>(instruction).isEquality() ? sharedWith(nullptr)
                                                      : various;
  }
  case Instruction::Select: {
    const auto &select = cast<SelectInst>(instruction);
    if (select.getCondition()->getType()->isVectorTy())
      if (const Form form = formOf(select.getCondition()); form.kind != Form::Shared || form.ramp)
        return form.kind == Form::Unknown ? form : various;
    return alike(std::array<const Value *, 2>{select.getTrueValue(), select.getFalseValue()});
  }
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::Trunc: {
    const Form form = formOf(instruction.getOperand(0));
    return form.ramp ? various : form;
  }
  default:
    return various;
  }
}

/// As far as it follows from what is known; what has been something can only become various.
void SharedWords::settle() {
  ReversePostOrderTraversal<Function *> order(&function);
  for (bool changes = true; changes;) {
    changes = false;
    for (BasicBlock *block : order)
      for (Instruction &each : *block)
        if (isOfWords(each.getType())) {
          Form &form = forms[&each];
          if (form == various)
            continue;
          Form now = judge(each);
          if (form.kind == Form::Shared && now != form)
            now = various;
          changes |= now != form;
          forms[&each] = now;
        }
  }
}

void SharedWords::find() {
  settle();
  // Of what comes from nowhere but from where code is entered the plan has a guess.
  for (auto &[way, its] : waysIn) {
    BasicBlock *block = its.entered();
    if (!block)
      continue;
    for (PHINode &phi : block->phis())
      if (isOfWords(phi.getType()) && forms.lookup(&phi).kind == Form::Unknown)
        if (std::optional<u32> row = rowOf(phi.getIncomingValueForBlock(way), way);
            row && its.leader->isShared(*row))
          guessed.insert(&phi);
  }
  settle();
  for (auto &[value, form] : forms)
    if (form.kind == Form::Unknown)
      form = various;
  settle();
}

//===--- The upper words of addresses -------------------------------------===//

/// Of a mask made of a vector of bits, that vector.
static Value *bitsOfMask(Value *mask) {
  Value *bits;
  return match(mask, m_BitCast(m_BitCast(m_Value(bits)))) && isOfWords(bits->getType()) &&
                 bits->getType() == mask->getType()
             ? bits
             : nullptr;
}

/// Computed lane by lane of nothing but words that are shared or a known way apart, by at most so many steps.
bool SharedWords::hasEnds(Value *row, unsigned &most) const {
  if (formOf(row).kind == Form::Shared)
    return true;
  auto *made = dyn_cast<Instruction>(row);
  if (!made || !isOfWords(row->getType()) || most == 0)
    return false;
  --most;
  if (Value *bits = bitsOfMask(made))
    return hasEnds(bits, most);
  return (isa<BinaryOperator>(made) || isa<ICmpInst>(made) || isa<ZExtInst>(made) || isa<SExtInst>(made) ||
          isa<TruncInst>(made)) &&
         all_of(made->operands(), [&](Use &operand) { return hasEnds(operand, most); });
}

/// One lane's word of such a row.
Value *SharedWords::elementAt(IRBuilder<> &ir, Value *row, unsigned lane) const {
  if (auto *constant = dyn_cast<Constant>(row))
    return constant->getAggregateElement(lane);
  if (formOf(row).kind == Form::Shared)
    return ir.CreateExtractElement(row, u64(lane));
  if (Value *bits = bitsOfMask(row))
    return elementAt(ir, bits, lane);
  auto *made = cast<Instruction>(row);
  Value *first = elementAt(ir, made->getOperand(0), lane);
  if (auto *cast = dyn_cast<CastInst>(made))
    return ir.CreateCast(cast->getOpcode(), first, cast->getType()->getScalarType());
  Value *second = elementAt(ir, made->getOperand(1), lane);
  if (auto *compares = dyn_cast<ICmpInst>(made))
    return ir.CreateICmp(compares->getPredicate(), first, second);
  return ir.CreateBinOp(cast<BinaryOperator>(made)->getOpcode(), first, second);
}

/// The words a known way apart that it makes less of: a comparison with one word, or the upper bits of one or
/// of a pair change once at most where they ascend or descend. Of bits `places`: how many of a word are not
/// among them; it may be none, or more than there are.
Value *SharedWords::rampUnder(const Instruction &made, s64 &places) const {
  auto isOne = [&](Value *of) { return formOf(of) == sharedWith(nullptr); };
  if (auto *compares = dyn_cast<ICmpInst>(&made); compares && compares->isUnsigned()) {
    Value *left = made.getOperand(0), *right = made.getOperand(1);
    return isRamp(left) && isOne(right) ? left : isRamp(right) && isOne(left) ? right : nullptr;
  }
  Value *of, *lower, *upper;
  const APInt *down, *up;
  if (!match(&made, m_LShr(m_Value(of), m_APInt(down))))
    return nullptr;
  places = s64(down->getLimitedValue(64));
  if (isRamp(of))
    return of;
  if (match(of, m_DisjointOr(m_Value(upper), m_Value(lower))) && isOne(upper))
    of = lower;
  if (!match(of, m_NUWShl(m_ZExt(m_Value(lower)), m_APInt(up))) || !isRamp(lower))
    return nullptr;
  places -= s64(up->getLimitedValue(64));
  return lower;
}

/// How far the last one of such words is from the first one, where they ascend or descend by small steps.
static std::optional<s64> spanOf(Constant *ramp) {
  const unsigned last = laneCount - 1;
  auto wordAt = [&](unsigned lane) {
    return cast<ConstantInt>(ramp->getAggregateElement(lane))->getSExtValue();
  };
  const s64 all = wordAt(last);
  for (unsigned lane = 0; lane < last; ++lane)
    if (const s64 step = wordAt(lane + 1) - wordAt(lane);
        all < 0 ? step > 0 || step < -65536 : step < 0 || step > 65536)
      return std::nullopt;
  return all;
}

/// Whether words from that one on begin anew before the last of that span.
static Value *beginsAnew(IRBuilder<> &ir, Value *first, s64 span) {
  return span < 0 ? ir.CreateICmpULT(first, ir.getInt32(u32(-span)))
                  : ir.CreateICmpUGT(first, ir.getInt32(~u32(span)));
}

/// The words of a sum, of whose carries that is the row.
static bool isCarry(Value *row, Value *&left, Value *&right) {
  CmpPredicate order;
  Value *sum;
  if (match(row, m_c_ICmp(order, m_Not(m_Value(right)), m_Value(left))))
    return order == ICmpInst::ICMP_ULT;
  if (!match(row, m_ICmp(order, m_Value(sum), m_Value(left))))
    return false;
  if (order == ICmpInst::ICMP_UGT)
    std::swap(sum, left);
  return (order == ICmpInst::ICMP_ULT || order == ICmpInst::ICMP_UGT) &&
         match(sum, m_c_Add(m_Specific(left), m_Value(right)));
}

/// Whether lanes of such a row may have different words; it may be told of more that they do. Null: nothing
/// is known.
Value *SharedWords::varies(IRBuilder<> &ir, Value *row) const {
  const Form form = formOf(row);
  if (form.kind == Form::Shared)
    return form.ramp ? nullptr : ir.getFalse();
  if (Value *bits = bitsOfMask(row))
    return varies(ir, bits);
  auto *made = cast<Instruction>(row);
  Value *words, *others;
  if (isCarry(row, words, others)) {
    if (isRamp(others))
      std::swap(words, others);
    if (isRamp(words) && formOf(others) == sharedWith(nullptr)) {
      // Where neither these words nor their sums begin anew, all have carried or none has. An access looks
      // at the sums, too.
      const std::optional<s64> span = spanOf(formOf(words).ramp);
      Value *first = elementAt(ir, words, 0), *sum = ir.CreateAdd(first, elementAt(ir, others, 0));
      return span ? ir.CreateOr(beginsAnew(ir, first, *span), beginsAnew(ir, sum, *span)) : nullptr;
    }
  }
  s64 places = 0;
  if (Value *ramp = rampUnder(*made, places)) {
    const std::optional<s64> span = spanOf(formOf(ramp).ramp);
    if (!span)
      return nullptr;
    Value *first = elementAt(ir, ramp, 0);
    auto endsDiffer = [&] {
      return ir.CreateICmpNE(elementAt(ir, row, 0), elementAt(ir, row, laneCount - 1));
    };
    if (isa<ICmpInst>(made))
      return ir.CreateOr(beginsAnew(ir, first, *span), endsDiffer());
    // Upper bits change where the lower ones, which a multiple of the words consists of, begin anew.
    if (places > 0 && places < 32 && *span >= 0 && *span >> places == 0)
      return beginsAnew(ir, ir.CreateShl(first, u64(32 - places)), *span << (32 - places));
    return endsDiffer(); // they do, too, where the words begin anew
  }
  Value *any = ir.getFalse();
  for (Value *operand : made->operands()) {
    Value *one = varies(ir, operand);
    if (!one)
      return nullptr;
    any = ir.CreateOr(any, one);
  }
  return any;
}

/// A row whose every lane is that row's first word.
static bool isFirstOf(const Value *splat, const Value *row) {
  auto *shuffle = dyn_cast<ShuffleVectorInst>(splat);
  if (!shuffle || broadcastLane(*shuffle) != 0u)
    return false;
  const Value *from = shuffle->getOperand(0);
  auto *half = dyn_cast<ShuffleVectorInst>(from);
  return from == row || (half && half->getOperand(0) == row && half->getMaskValue(0) == 0) ||
         match(from, m_InsertElt(m_Value(), m_ExtractElt(m_Specific(row), m_ZeroInt()), m_ZeroInt()));
}

/// Who asks for its first word need not wait for the others.
void SharedWords::replaceFirst(Instruction &row) {
  SmallVector<ExtractElementInst *> asks;
  auto find = [&](Value &of) {
    for (User *user : of.users())
      if (auto *extract = dyn_cast<ExtractElementInst>(user);
          extract && match(extract->getIndexOperand(), m_ZeroInt()))
        asks.push_back(extract);
  };
  find(row);
  for (User *user : row.users())
    if (auto *half = dyn_cast<ShuffleVectorInst>(user);
        half && half->getOperand(0) == &row && half->getMaskValue(0) == 0)
      find(*half);
  IRBuilder<> ir(row.getNextNode());
  Value *word = elementAt(ir, &row, 0);
  for (ExtractElementInst *extract : asks)
    extract->replaceAllUsesWith(word);
}

/// Where an access asks whether all lanes have the upper word of the first one (what is annotated so), it may
/// be told of more that they have not. Two lanes tell of such words, and the row is computed for nobody but
/// ways out.
void SharedWords::judgeByEnds() {
  SmallVector<IntrinsicInst *> asked;
  for (Instruction &each : instructions(function))
    if (auto *call = dyn_cast<IntrinsicInst>(&each); call && call->getIntrinsicID() == Intrinsic::annotation)
      asked.push_back(call);
  SmallSetVector<Instruction *, 8> told; // their first words are replaced when all who ask are known by them
  for (IntrinsicInst *call : asked) {
    Value *answer = call->getArgOperand(0), *row, *first;
    if (match(answer, m_BitCast(m_SpecificICmp(ICmpInst::ICMP_NE, m_Value(row), m_Value(first))))) {
      if (isFirstOf(row, first))
        std::swap(row, first);
      IRBuilder<> ir(call);
      unsigned most = 64;
      if (isFirstOf(first, row) && formOf(row) == various && hasEnds(row, most))
        if (Value *apart = varies(ir, row)) {
          answer = ir.CreateSExt(apart, call->getType());
          told.insert(cast<Instruction>(row));
        }
    }
    call->replaceAllUsesWith(answer);
    call->eraseFromParent();
  }
  for (Instruction *row : told)
    replaceFirst(*row);
}

/// What somebody computes with, and not only keeps.
void SharedWords::findNeeded() {
  SmallVector<const Instruction *> waiting;
  auto need = [&](const Value *value) {
    auto *instruction = dyn_cast<Instruction>(value);
    if (instruction && forms.lookup(instruction).kind == Form::Shared && needed.insert(instruction))
      waiting.push_back(instruction);
  };
  for (const Instruction &each : instructions(function))
    if (auto *extract = dyn_cast<ExtractElementInst>(&each))
      need(extract->getVectorOperand());
    else if (!isa<PHINode>(each) && !isa<LoadInst>(each))
      need(&each);
  while (!waiting.empty()) {
    const Instruction *each = waiting.pop_back_val();
    auto *phi = dyn_cast<PHINode>(each);
    for (unsigned k = 0; k < each->getNumOperands(); ++k)
      if (!phi || (!isEntered(*phi, k) && !isPassed(*phi, k)))
        need(each->getOperand(k));
  }
}

//===--- What becomes of it -----------------------------------------------===//

/// The first element, made where that instruction is.
Value *SharedWords::makeWord(Instruction &instruction) {
  Type *type = instruction.getType()->getScalarType();
  IRBuilder<> ir(isa<LoadInst>(instruction) ? instruction.getNextNode() : &instruction);
  auto operand = [&](unsigned k) { return wordOf(instruction.getOperand(k)); };
  switch (instruction.getOpcode()) {
  case Instruction::PHI:
    return ir.CreatePHI(type, cast<PHINode>(instruction).getNumIncomingValues());
  case Instruction::Load:
    return ir.CreateExtractElement(&instruction, u64(0));
  case Instruction::ShuffleVector: {
    if (Value *word = getSplatValue(&instruction))
      return word;
    Value *row = instruction.getOperand(0);
    const unsigned lane = *broadcastLane(cast<ShuffleVectorInst>(instruction));
    return wordOf(row) ? elementOf(ir, row, lane) : ir.CreateExtractElement(row, u64(lane));
  }
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

Value *SharedWords::elementOf(IRBuilder<> &ir, Value *row, Value *lane) const {
  Constant *ramp = formOf(row).ramp;
  if (auto *known = dyn_cast<ConstantInt>(lane))
    return elementOf(ir, row, known->getZExtValue());
  if (!ramp)
    return wordOf(row);
  Constant *step = ramp->getAggregateElement(1u);
  for (unsigned k = 0; k < laneCount; ++k)
    if (ramp->getAggregateElement(k) != folded(Instruction::Mul, step, ConstantInt::get(step->getType(), k)))
      return nullptr;
  return ir.CreateAdd(wordOf(row), ir.CreateMul(ir.CreateZExtOrTrunc(lane, step->getType()), step));
}

void SharedWords::completePhi(PHINode &phi) {
  for (unsigned k = 0; k < phi.getNumIncomingValues(); ++k) {
    Value *row = phi.getIncomingValue(k), *word;
    BasicBlock *from = phi.getIncomingBlock(k);
    if (isEntered(phi, k)) {
      waysIn[from].rows.insert({row, forms.lookup(&phi).ramp});
      word = IRBuilder<>(from->getTerminator()).CreateExtractElement(row, u64(0));
    } else
      word = isPassed(phi, k) ? PoisonValue::get(row->getType()->getScalarType()) : wordOf(row);
    cast<PHINode>(words.lookup(&phi))->addIncoming(word, from);
  }
}

/// Who needs the whole row still makes it of the word.
void SharedWords::replaceRow(Instruction &instruction) {
  auto *type = cast<FixedVectorType>(instruction.getType());
  Value *word = words.lookup(&instruction);
  IRBuilder<> ir(isa<LoadInst>(instruction) ? cast<Instruction>(word)->getNextNode() : &instruction);
  if (isa<PHINode>(instruction))
    ir.SetInsertPoint(instruction.getParent(), instruction.getParent()->getFirstInsertionPt());
  Value *row = ir.CreateVectorSplat(type->getNumElements(), word);
  if (Constant *ramp = forms.lookup(&instruction).ramp)
    row = ir.CreateAdd(row, ramp);
  for (User *user : make_early_inc_range(instruction.users()))
    if (auto *mask = dyn_cast<BitCastInst>(user);
        mask && mask->getType()->isIntegerTy() &&
        type->getElementType()->isIntegerTy(1)) // of all lanes or none
      mask->replaceAllUsesWith(IRBuilder<>(mask).CreateSExt(word, mask->getType()));
  if (auto *load = dyn_cast<LoadInst>(&instruction)) {
    for (auto &[way, its] : waysIn)
      if (rowOf(load, way))
        its.rows.insert({load, nullptr});
    // Leaders have their own words of it.
    load->replaceUsesWithIf(row,
                            [&](Use &use) { return use.getUser() != word && !isa<PHINode>(use.getUser()); });
  } else
    instruction.replaceAllUsesWith(row);
}

void SharedWords::replace() {
  SmallVector<Instruction *> all;
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function))
    for (Instruction &each : *block)
      if (needed.contains(&each))
        all.push_back(&each);
  for (Instruction *each : all) {
    words[each] = makeWord(*each);
    for (User *user : make_early_inc_range(each->users())) {
      auto *extract = dyn_cast<ExtractElementInst>(user);
      if (!extract || extract == words.lookup(each))
        continue;
      IRBuilder<> ir(extract);
      if (Value *word = elementOf(ir, each, extract->getIndexOperand()))
        extract->replaceAllUsesWith(word);
    }
  }
  for (Instruction *each : all)
    if (auto *phi = dyn_cast<PHINode>(each))
      completePhi(*phi);
  erase_if(all, [](Instruction *each) { return isa<ShuffleVectorInst>(each); }); // they are that
  for (Instruction *each : all)
    replaceRow(*each);
  for (Instruction *each : all)
    if (!isa<LoadInst>(each)) {
      each->dropAllReferences();
      each->eraseFromParent();
    }
}

/// Where rows are not as the code needs them it is left at once.
void SharedWords::lookWhereEntered() {
  for (auto &[way, its] : waysIn) {
    IRBuilder<> ir(its.asks);
    Value *all = ir.getTrue();
    for (auto [row, ramp] : its.rows) {
      auto *type = cast<FixedVectorType>(row->getType());
      Value *thought = ir.CreateVectorSplat(type->getNumElements(), ir.CreateExtractElement(row, u64(0)));
      if (ramp)
        thought = ir.CreateAdd(thought, ramp);
      Value *are = ir.CreateBitCast(ir.CreateICmpEQ(row, thought), ir.getIntNTy(type->getNumElements()));
      all = ir.CreateAnd(all, ir.CreateICmpEQ(are, Constant::getAllOnesValue(are->getType())));
    }
    its.asks->replaceAllUsesWith(all);
    its.asks->eraseFromParent();
  }
}

/// Code is left there.
void SharedWords::forgetBarriers() {
  if (Function *marker = function.getParent()->getFunction(passedBarrier))
    for (User *user : make_early_inc_range(marker->users())) {
      user->replaceAllUsesWith(ConstantInt::getFalse(function.getContext()));
      cast<CallInst>(user)->eraseFromParent();
    }
}

} // namespace

void leno::compiled::computeSharedWords(Function &function, const Region &region) {
  SharedWords(function, region).run();
}

//===--- Ways out ---------------------------------------------------------===//

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
  constexpr size_t most = 4000; // copies
  size_t copies = 0;
  for (BasicBlock *block : post_order(&function)) {
    if (ends.contains(block))
      continue;
    for (Instruction &each : make_early_inc_range(reverse(*block))) {
      if (each.use_empty() || isa<PHINode>(each) || isa<AllocaInst>(each) || each.mayReadOrWriteMemory() ||
          !isSafeToSpeculativelyExecute(&each))
        continue;
      SmallSetVector<BasicBlock *, 8> places;
      for (const Use &use : each.uses())
        places.insert(placeOf(use));
      if (copies + places.size() > most ||
          !all_of(places, [&](BasicBlock *place) { return ends.contains(place); }))
        continue;
      copies += places.size();
      for (BasicBlock *place : places) {
        Instruction *copy = each.clone();
        copy->insertBefore(place->getFirstInsertionPt());
        each.replaceUsesWithIf(copy, [&](Use &use) { return placeOf(use) == place; });
      }
      each.eraseFromParent();
    }
  }
}
