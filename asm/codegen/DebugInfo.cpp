//===- DebugInfo.cpp - Variables' places, as our debugger knows them -----------===//
#include "asm/codegen/DebugInfo.h"

#include "asm/codegen/LenoCode.h"

#include "llvm/ADT/SmallSet.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugProgramInstruction.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace leno {

/// The donor target's numbers of memories, at the end: `constu 1, swap, xderef`.
static DIExpression *withoutMemory(DIExpression *expression) {
  ArrayRef<uint64_t> words = expression->getElements();
  SmallVector<uint64_t> kept;
  for (size_t i = 0; i < words.size();) {
    bool names = i + 4 <= words.size() && words[i] == dwarf::DW_OP_constu && words[i + 2] == dwarf::DW_OP_swap &&
                 words[i + 3] == dwarf::DW_OP_xderef;
    size_t size = names ? 4 : DIExpression::ExprOperand(&words[i]).getSize();
    if (!names)
      kept.append(words.begin() + ptrdiff_t(i), words.begin() + ptrdiff_t(i + size));
    i += size;
  }
  return kept.size() == words.size() ? expression : DIExpression::get(expression->getContext(), kept);
}

/// A type's name as C spells it; empty: none of numbers and pointers.
static std::string nameOf(const DIType *type) {
  if (auto *basic = dyn_cast_or_null<DIBasicType>(type))
    return basic->getName().str();
  if (auto *derived = dyn_cast_or_null<DIDerivedType>(type)) { // a typedef, a qualifier or a pointer
    std::string base = nameOf(derived->getBaseType());
    return base.empty() || derived->getTag() != dwarf::DW_TAG_pointer_type ? base : base + "*";
  }
  auto *composite = dyn_cast_or_null<DICompositeType>(type);
  return composite && composite->getTag() == dwarf::DW_TAG_enumeration_type ? nameOf(composite->getBaseType())
                                                                            : "";
}

/// The type of what lies `offset` bits into one; null: nothing that is told.
static const DIType *typeInside(const DIType *type, uint64_t offset) {
  for (;;) {
    auto *derived = dyn_cast_or_null<DIDerivedType>(type);
    if (derived && derived->getTag() != dwarf::DW_TAG_pointer_type) { // a typedef, a qualifier or a member
      type = derived->getBaseType();
      continue;
    }
    auto *composite = dyn_cast_or_null<DICompositeType>(type);
    if (!composite || composite->getTag() == dwarf::DW_TAG_enumeration_type)
      return type;
    if (composite->getTag() == dwarf::DW_TAG_array_type) { // or a vector
      const DIType *element = composite->getBaseType();
      while (auto *named = dyn_cast_or_null<DIDerivedType>(element)) {
        if (named->getTag() == dwarf::DW_TAG_pointer_type)
          break;
        element = named->getBaseType();
      }
      if (!element || !element->getSizeInBits())
        return nullptr;
      offset %= element->getSizeInBits();
      type = element;
      continue;
    }
    const DIDerivedType *found = nullptr;
    for (DINode *node : composite->getElements())
      if (auto *member = dyn_cast<DIDerivedType>(node);
          member && !member->isBitField() && member->getOffsetInBits() <= offset &&
          offset < member->getOffsetInBits() + member->getSizeInBits())
        found = member;
    if (!found || composite->getTag() == dwarf::DW_TAG_union_type) // which of its members is not known
      return nullptr;
    offset -= found->getOffsetInBits();
    type = found;
  }
}

std::string typeOfPart(const Function &kernel, unsigned parameter, uint64_t offset) {
  const DISubprogram *subprogram = kernel.getSubprogram();
  if (!subprogram || !subprogram->getType())
    return "";
  DITypeRefArray types = subprogram->getType()->getTypeArray(); // the first is the result's
  return types.size() == kernel.arg_size() + 1 ? nameOf(typeInside(types[parameter + 1], offset * 8)) : "";
}

void describeParameters(Module &module) {
  for (Function &kernel : module) {
    DISubprogram *subprogram = kernel.getSubprogram();
    if (!isKernel(kernel) || !subprogram || kernel.getMetadata("kernel_arg_type"))
      continue;
    DITypeRefArray types = subprogram->getType()->getTypeArray(); // the first is the result's
    if (types.size() != kernel.arg_size() + 1)
      continue;
    SmallVector<Metadata *> names;
    for (unsigned i = 1; i < types.size(); ++i)
      names.push_back(MDString::get(module.getContext(), nameOf(types[i])));
    kernel.setMetadata("kernel_arg_type", MDNode::get(module.getContext(), names));
  }
}

void translateDebugInfo(Module &module, bool wanted) {
  if (!wanted) {
    stripNonLineTableDebugInfo(module);
    return;
  }
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      for (DbgVariableRecord &record : filterDbgVars(inst.getDbgRecordRange()))
        record.setExpression(withoutMemory(record.getExpression()));
  for (GlobalVariable &variable : module.globals()) {
    SmallVector<DIGlobalVariableExpression *> places;
    variable.getDebugInfo(places);
    variable.eraseMetadata(LLVMContext::MD_dbg);
    // Where a variable is in shared memory, the kernels say that use it.
    for (DIGlobalVariableExpression *place : places)
      if (variable.getAddressSpace() != LenoSpace::Shared)
        variable.addDebugInfo(DIGlobalVariableExpression::get(
            module.getContext(), place->getVariable(), withoutMemory(place->getExpression())));
  }
  for (DICompileUnit *unit : module.debug_compile_units()) {
    SmallVector<Metadata *> all;
    for (DIGlobalVariableExpression *place : unit->getGlobalVariables())
      all.push_back(DIGlobalVariableExpression::get(module.getContext(), place->getVariable(),
                                                    withoutMemory(place->getExpression())));
    unit->replaceGlobalVariables(MDTuple::get(module.getContext(), all));
  }
}

/// The number that is an element of a vector; null: none is.
static Value *elementOf(Value *vector, unsigned index) {
  for (;;)
    if (auto *constant = dyn_cast<Constant>(vector)) {
      return constant->getAggregateElement(index);
    } else if (auto *insert = dyn_cast<InsertElementInst>(vector)) {
      auto *at = dyn_cast<ConstantInt>(insert->getOperand(2));
      if (!at)
        return nullptr;
      if (at->getZExtValue() == index)
        return insert->getOperand(1);
      vector = insert->getOperand(0);
    } else if (auto *shuffle = dyn_cast<ShuffleVectorInst>(vector)) {
      int from = shuffle->getMaskValue(index);
      int first = int(cast<FixedVectorType>(shuffle->getOperand(0)->getType())->getNumElements());
      if (from < 0)
        return nullptr;
      vector = shuffle->getOperand(from >= first);
      index = unsigned(from >= first ? from - first : from);
    } else {
      return nullptr;
    }
}

PreservedAnalyses PlaceElements::run(Function &function, FunctionAnalysisManager &) {
  for (Instruction &inst : instructions(function))
    for (DbgVariableRecord &record : make_early_inc_range(filterDbgVars(inst.getDbgRecordRange()))) {
      if (!record.isDbgValue() || record.hasArgList() || record.isKillLocation())
        continue;
      Value *vector = record.getVariableLocationOp(0);
      auto *type = dyn_cast<FixedVectorType>(vector->getType());
      DIExpression *whole = record.getExpression();
      unsigned bits = type ? unsigned(type->getScalarSizeInBits()) : 0;
      if (!type || type->getNumElements() == 1 || bits % 8 || !bits ||
          whole->getNumElements() != (whole->isFragment() ? 3u : 0u))
        continue;
      SmallVector<Value *> elements;
      for (unsigned i = 0; i < type->getNumElements(); ++i)
        elements.push_back(elementOf(vector, i));
      if (none_of(elements, [](Value *element) { return element; }))
        continue;
      for (auto [i, element] : enumerate(elements))
        if (std::optional<DIExpression *> part =
                DIExpression::createFragmentExpression(whole, unsigned(i) * bits, bits))
          (new DbgVariableRecord(
               ValueAsMetadata::get(element ? element : PoisonValue::get(type->getElementType())),
               record.getVariable(), *part, record.getDebugLoc()))
              ->insertBefore(&record);
      record.eraseFromParent();
    }
  return PreservedAnalyses::all();
}

void placeParameters(Function &kernel, ArrayRef<uint32_t> offsets) {
  auto *offsetType = Type::getInt64Ty(kernel.getContext());
  for (Instruction &inst : instructions(kernel))
    for (DbgVariableRecord &record : filterDbgVars(inst.getDbgRecordRange())) {
      if (!record.isDbgValue() || record.isKillLocation())
        continue;
      for (unsigned i = 0; i < record.getNumVariableLocationOps(); ++i) {
        auto *argument = dyn_cast<Argument>(record.getVariableLocationOp(i));
        if (!argument)
          continue;
        SmallVector<uint64_t> read = {dwarf::DW_OP_constu, LenoSpace::Constant, dwarf::DW_OP_swap,
                                      dwarf::DW_OP_xderef};
        DIExpression *expression = record.getExpression();
        bool isPlain = expression->getNumElements() == (expression->isFragment() ? 3 : 0);
        // xderef reads as much as the variable has, which what is computed on the way may not have.
        uint64_t bits = argument->getType()->getScalarSizeInBits();
        if (uint64_t rest = 64 - bits; !isPlain && argument->getType()->isIntegerTy() && bits < 64)
          read.append(
              {dwarf::DW_OP_constu, rest, dwarf::DW_OP_shl, dwarf::DW_OP_constu, rest, dwarf::DW_OP_shra});
        record.replaceVariableLocationOp(i, ConstantInt::get(offsetType, offsets[argument->getArgNo()]));
        record.setExpression(
            DIExpression::appendOpsToArg(record.getExpression(), read, i, /*StackValue=*/true));
      }
    }
}

namespace {
class ParametersFromStart : public MachineFunctionPass {
public:
  static char ID;
  ParametersFromStart() : MachineFunctionPass(ID) {}
  StringRef getPassName() const override { return "Leno parameters from the start"; }
  bool runOnMachineFunction(MachineFunction &function) override {
    if (!isKernel(function.getFunction()))
      return false;
    MachineBasicBlock &first = function.front();
    MachineBasicBlock::iterator start = first.begin();
    SmallSet<std::pair<const DILocalVariable *, const DILocation *>, 8> assigned; // and where it is taken in
    bool changed = false;
    for (MachineInstr &inst : make_early_inc_range(first)) {
      if (!inst.isDebugValue())
        continue;
      std::pair variable(inst.getDebugVariable(), inst.getDebugLoc()->getInlinedAt());
      bool ofLaunch = !inst.isDebugValueList() && inst.getDebugOperand(0).isImm() &&
                      is_contained(inst.getDebugExpression()->getElements(), dwarf::DW_OP_xderef);
      if (!ofLaunch)
        assigned.insert(variable);
      if (assigned.contains(variable))
        continue;
      if (inst.getIterator() == start)
        ++start;
      else
        first.splice(start, &first, inst.getIterator());
      changed = true;
    }
    return changed;
  }
};
char ParametersFromStart::ID;
} // namespace

FunctionPass *createParametersFromStart() { return new ParametersFromStart; }

} // namespace leno
