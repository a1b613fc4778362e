#include "emu/compiled/WarpCopies.h"
#include "emu/compiled/RegionBuilder.h"
#include "emu/compiled/RowAccesses.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <optional>

using namespace llvm;
using namespace leno::compiled;

namespace {

/// Bytes of a variable of the function's own.
struct Bytes {
  const AllocaInst *variable;
  int64_t first;
  uint64_t count;
  bool meets(const Bytes &other) const {
    return variable == other.variable && first < other.first + int64_t(other.count) &&
           other.first < first + int64_t(count);
  }
};

std::optional<Bytes> bytesAt(const Value *pointer, uint64_t count, const DataLayout &layout) {
  APInt offset(64, 0);
  const auto *variable =
      dyn_cast<AllocaInst>(pointer->stripAndAccumulateConstantOffsets(layout, offset, true));
  return variable ? std::optional(Bytes{variable, offset.getSExtValue(), count}) : std::nullopt;
}

/// A load and the store of what it gives, in one block.
struct Copy {
  LoadInst *load;
  StoreInst *store;
  Bytes own;
  std::pair<const Value *, int64_t> others; ///< a pointer, and the bytes' place there
};

/// Those of a block, from variables or to them.
SmallVector<Copy, 32> copiesOf(BasicBlock &block, bool areIn) {
  const DataLayout &layout = block.getModule()->getDataLayout();
  SmallVector<Copy, 32> copies;
  for (Instruction &each : block) {
    auto *store = dyn_cast<StoreInst>(&each);
    auto *load = store ? dyn_cast<LoadInst>(store->getValueOperand()) : nullptr;
    if (!load || load->getParent() != &block || !load->hasOneUse() || !load->isSimple() || !store->isSimple())
      continue;
    const uint64_t count = layout.getTypeStoreSize(load->getType());
    std::optional<Bytes> from = bytesAt(load->getPointerOperand(), count, layout),
                         to = bytesAt(store->getPointerOperand(), count, layout);
    if (bool(from) == bool(to) || bool(to) != areIn)
      continue;
    APInt offset(64, 0);
    const Value *others = areIn ? load->getPointerOperand() : store->getPointerOperand();
    const Value *base = others->stripAndAccumulateConstantOffsets(layout, offset, true);
    copies.push_back({load, store, areIn ? *to : *from, {base, offset.getSExtValue()}});
  }
  return copies;
}

/// The same copy before another instruction.
void copyBefore(Instruction *before, const Copy &copy) {
  IRBuilder<> ir(before);
  auto pointer = [&](Value *value) -> Value * {
    auto *step = dyn_cast<GetElementPtrInst>(value);
    if (!step || step->getParent() != copy.load->getParent())
      return value;
    return ir.Insert(step->clone());
  };
  Value *from = pointer(copy.load->getPointerOperand()), *to = pointer(copy.store->getPointerOperand());
  ir.CreateAlignedStore(ir.CreateAlignedLoad(copy.load->getType(), from, copy.load->getAlign()), to,
                        copy.store->getAlign());
}

void drop(const Copy &copy) {
  copy.store->eraseFromParent();
  copy.load->eraseFromParent();
}

/// What of the copied bytes may have changed on the ways to the end of each block.
class Changes {
public:
  /// Copies in of what is copied out change nothing.
  Changes(Function &function, ArrayRef<Copy> copies, ArrayRef<Copy> copiesIn) : copies(copies) {
    for (const Copy &in : copiesIn)
      if (any_of(copies, [&](const Copy &out) {
            return out.others == in.others && out.own.variable == in.own.variable &&
                   out.own.first == in.own.first && out.own.count == in.own.count;
          }))
        nothing.insert(in.store);
    for (Instruction &each : instructions(function))
      if (auto *variable = dyn_cast<AllocaInst>(&each))
        follow(*variable, *variable, 0);
    all = onWaysToEnds(function, own, copies.size());
  }
  BitVector at(const BasicBlock *block) const {
    return all.contains(block) ? all.lookup(block) : BitVector(unsigned(copies.size()), true);
  }

private:
  void note(const Instruction &by, const Bytes &bytes) {
    for (size_t i = 0; i < copies.size(); ++i)
      if (bytes.meets(copies[i].own))
        own.try_emplace(by.getParent(), unsigned(copies.size())).first->second.set(unsigned(i));
  }
  /// Who writes through a pointer to byte `place` of a variable.
  void follow(const AllocaInst &variable, const Value &pointer, int64_t place) {
    const DataLayout &layout = variable.getModule()->getDataLayout();
    constexpr uint64_t any = uint64_t(1) << 32;
    for (const User *user : pointer.users()) {
      const auto &by = *cast<Instruction>(user);
      APInt offset(64, 0);
      if (auto *step = dyn_cast<GEPOperator>(user); step && step->accumulateConstantOffset(layout, offset))
        follow(variable, *user, place + offset.getSExtValue());
      else if (auto *store = dyn_cast<StoreInst>(user);
               store && store->getPointerOperand() == &pointer && store->getValueOperand() != &pointer) {
        if (!nothing.contains(store))
          note(by, {&variable, place, layout.getTypeStoreSize(store->getValueOperand()->getType())});
      } else if (auto *intrinsic = dyn_cast<IntrinsicInst>(user);
                 !isa<LoadInst>(user) &&
                 !(intrinsic && intrinsic->isLifetimeStartOrEnd())) // it may be written anywhere
        for (const BasicBlock &block : *variable.getFunction())
          note(block.front(), {&variable, -int64_t(any / 2), any});
    }
  }

  ArrayRef<Copy> copies;
  SmallPtrSet<const StoreInst *, 32> nothing;
  BitsOfBlocks own, all;
};

} // namespace

void leno::compiled::copyWhereNeeded(Function &function) {
  BasicBlock &entry = function.getEntryBlock();
  const auto *ways = dyn_cast<SwitchInst>(entry.getTerminator());
  const SmallVector<Copy, 32> in = copiesOf(entry, true);
  Function *marker = function.getParent()->getFunction(leavingRows);
  BasicBlock *last =
      marker && marker->hasOneUse() ? cast<Instruction>(*marker->user_begin())->getParent() : nullptr;
  if (last && !last->phis().empty()) { // else there is one way out, in the midst of a block perhaps
    const SmallVector<Copy, 32> out = copiesOf(*last, false);
    const Changes changes(function, out, in);
    for (const WayOut &way : waysOut(last, [&](const BasicBlock *from) { return changes.at(from); }))
      for (unsigned i : way.happened.set_bits())
        copyBefore(way.before, out[i]);
    for (const Copy &copy : out)
      drop(copy);
  }
  if (!ways || areMany(ways->getNumCases()))
    return;
  SmallVector<Instruction *> enters;
  for (BasicBlock *to : SmallVector<BasicBlock *>(successors(&entry)))
    if (to != ways->getDefaultDest())
      enters.push_back(SplitEdge(&entry, to)->getTerminator());
  for (const Copy &copy : in) {
    for (Instruction *enter : enters)
      copyBefore(enter, copy);
    drop(copy);
  }
}
