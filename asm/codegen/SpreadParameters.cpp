//===- SpreadParameters.cpp - Kernels' parameters as single numbers ------------------===//
#include "asm/codegen/SpreadParameters.h"

#include "asm/KernelInfo.h"
#include "asm/codegen/DebugInfo.h"
#include "asm/codegen/LenoCode.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace leno {
namespace {

struct Number {
  Type *type;
  std::string name;
  SmallVector<unsigned, 4> path; ///< inside of what it is a part of
  uint64_t offset = 0;           ///< likewise, in bytes
};

void collect(const DataLayout &layout, Type *type, const Number &at, SmallVectorImpl<Number> &numbers) {
  auto part = [&](Type *inside, unsigned index, const Twine &ending, uint64_t offset) {
    Number longer = {inside, at.name + "_" + ending.str(), at.path, at.offset + offset};
    longer.path.push_back(index);
    collect(layout, inside, longer, numbers);
  };
  auto bytes = [&](Type *type) { return layout.getTypeAllocSize(type).getFixedValue(); };
  if (auto *structure = dyn_cast<StructType>(type)) {
    for (unsigned i = 0; i < structure->getNumElements(); ++i)
      part(structure->getElementType(i), i, Twine(i), layout.getStructLayout(structure)->getElementOffset(i));
  } else if (auto *array = dyn_cast<ArrayType>(type)) {
    for (unsigned i = 0; i < array->getNumElements(); ++i)
      part(array->getElementType(), i, Twine(i), i * bytes(array->getElementType()));
  } else if (auto *vector = dyn_cast<FixedVectorType>(type)) {
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      part(vector->getElementType(), i,
           vector->getNumElements() <= 4 ? Twine("xyzw"[i]) : Twine("s") + Twine("0123456789abcdef"[i % 16]),
           i * bytes(vector->getElementType()));
  } else {
    numbers.push_back(at);
    if (type->isHalfTy())
      numbers.back().type = Type::getInt16Ty(type->getContext());
  }
}

/// What clang copies a structure from: its parameter, once, into a variable of that name.
MemCpyInst *copyOf(Argument &argument) {
  return argument.hasOneUse() ? dyn_cast<MemCpyInst>(*argument.user_begin()) : nullptr;
}

/// The parts of a parameter; none: it is a number already.
SmallVector<Number> partsOf(Argument &argument) {
  SmallVector<Number> parts;
  const DataLayout &layout = argument.getParent()->getDataLayout();
  auto collectIn = [&](Type *type, StringRef name) { collect(layout, type, {type, name.str(), {}}, parts); };
  if (argument.hasByRefAttr() && copyOf(argument))
    collectIn(argument.getParamByRefType(), copyOf(argument)->getRawDest()->getName());
  else if (argument.getType()->isHalfTy() || argument.getType()->isVectorTy())
    collectIn(argument.getType(), argument.getName());
  return parts;
}

/// "uint4", as vec_type_hint has it: a value of the type, and whether its integers have a sign.
std::string hintedType(MDNode &hint) {
  Type *type = cast<ValueAsMetadata>(hint.getOperand(0))->getType(), *element = type->getScalarType();
  bool isSigned = hint.getNumOperands() < 2 || mdconst::extract<ConstantInt>(hint.getOperand(1))->isOne();
  std::string name = element->isHalfTy()           ? "half"
                     : element->isFloatTy()        ? "float"
                     : element->isDoubleTy()       ? "double"
                     : element->isIntegerTy(8)     ? "char"
                     : element->isIntegerTy(16)    ? "short"
                     : element->isIntegerTy(32)    ? "int"
                                                   : "long";
  if (element->isIntegerTy() && !isSigned)
    name = "u" + name;
  auto *vector = dyn_cast<FixedVectorType>(type);
  return vector ? name + std::to_string(vector->getNumElements()) : name;
}

/// As metadata `leno_hints`: `.hints`' text.
void describeHints(Function &kernel, bool hostWords) {
  std::string hints;
  auto add = [&](const Twine &hint) { hints += (hints.empty() ? "" : " ") + hint.str(); };
  auto number = [](const MDOperand &of) {
    return std::to_string(mdconst::extract<ConstantInt>(of)->getZExtValue());
  };
  if (MDNode *size = kernel.getMetadata("work_group_size_hint"); size && size->getNumOperands() == 3)
    add("work_group_size_hint(" + number(size->getOperand(0)) + "," + number(size->getOperand(1)) + "," +
        number(size->getOperand(2)) + ")");
  if (MDNode *type = kernel.getMetadata("vec_type_hint"))
    add("vec_type_hint(" + hintedType(*type) + ")");
  if (MDNode *size = kernel.getMetadata("intel_reqd_sub_group_size"))
    add("intel_reqd_sub_group_size(" + number(size->getOperand(0)) + ")");
  if (hostWords && takesSeveralSizes(kernel))
    add(severalSizesHint);
  if (!hints.empty())
    kernel.setMetadata("leno_hints", MDNode::get(kernel.getContext(), MDString::get(kernel.getContext(), hintsText(hints))));
}

/// Who launches kernels by their source needs to know it: what clang says of OpenCL's arguments, and where
/// their parts lie. As metadata `leno_arguments`, a list of `.argument`'s text.
void describeArguments(Function &kernel) {
  auto said = [&](const char *what, const Argument &argument) -> Metadata * {
    MDNode *list = kernel.getMetadata(what);
    return list && argument.getArgNo() < list->getNumOperands() ? list->getOperand(argument.getArgNo()).get()
                                                                : nullptr;
  };
  auto text = [&](const char *what, const Argument &argument) {
    auto *string = dyn_cast_or_null<MDString>(said(what, argument));
    return string ? string->getString() : StringRef();
  };
  if (!kernel.getMetadata("kernel_arg_addr_space"))
    return;
  SmallVector<Metadata *> lines;
  for (Argument &argument : kernel.args()) {
    KernelArgument described;
    SmallVector<Number> parts = partsOf(argument);
    bool isWhole = argument.hasByRefAttr() && copyOf(argument);
    StringRef name = text("kernel_arg_name", argument);
    if (name.empty())
      name = isWhole ? copyOf(argument)->getRawDest()->getName() : argument.getName();
    described.name = name.empty() ? "arg" + std::to_string(argument.getArgNo()) : name.str();
    described.type = text("kernel_arg_type", argument).str();
    described.qualifiers = text("kernel_arg_type_qual", argument).str();
    if (auto *space = mdconst::dyn_extract_or_null<ConstantInt>(said("kernel_arg_addr_space", argument)))
      described.space = KernelArgument::Space(std::min<uint64_t>(space->getZExtValue(), 3));
    described.bytes = uint32_t(
        kernel.getDataLayout().getTypeAllocSize(isWhole ? argument.getParamByRefType() : argument.getType()));
    if (described.space == KernelArgument::Local)
      described.bytes = 8;
    for (const Number &number : parts)
      described.offsets.push_back(uint32_t(number.offset));
    if (parts.empty())
      described.offsets = {0};
    lines.push_back(MDString::get(kernel.getContext(), argumentText(described, described.name)));
    lines.push_back(ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(kernel.getContext()),
                                                             described.offsets.size())));
  }
  kernel.setMetadata("leno_arguments", MDNode::get(kernel.getContext(), lines));
}

void spread(Function &kernel) {
  SmallVector<SmallVector<Number>> parts;
  SmallVector<Type *> types;
  SmallVector<Metadata *> sources;
  MDNode *given = kernel.getMetadata("kernel_arg_type");
  LLVMContext &context = kernel.getContext();
  for (Argument &argument : kernel.args()) {
    parts.push_back(partsOf(argument));
    Metadata *source = given && argument.getArgNo() < given->getNumOperands()
                           ? given->getOperand(argument.getArgNo()).get()
                           : MDString::get(context, "");
    if (parts.back().empty()) {
      types.push_back(argument.getType());
      sources.push_back(source);
    }
    // "int4" tells of each element.
    StringRef word = isa<MDString>(source) ? cast<MDString>(source)->getString() : "";
    for (Number &number : parts.back()) {
      types.push_back(number.type);
      sources.push_back(MDString::get(
          context, argument.getType()->isVectorTy() ? word.rtrim("0123456789").str()
                   : argument.hasByRefAttr()        ? typeOfPart(kernel, argument.getArgNo(), number.offset)
                                                    : ""));
    }
  }
  if (types.size() == kernel.arg_size())
    if (none_of(parts, [](const auto &list) { return !list.empty(); }))
      return;
  Function *spread = Function::Create(FunctionType::get(kernel.getReturnType(), types, false),
                                      kernel.getLinkage(), kernel.getAddressSpace());
  kernel.getParent()->getFunctionList().insert(kernel.getIterator(), spread);
  spread->takeName(&kernel);
  spread->setCallingConv(kernel.getCallingConv());
  spread->setAttributes(kernel.getAttributes().getFnAttrs().hasAttributes()
                            ? AttributeList::get(context, AttributeList::FunctionIndex,
                                                 AttrBuilder(context, kernel.getAttributes().getFnAttrs()))
                            : AttributeList());
  spread->setSubprogram(kernel.getSubprogram());
  spread->setDSOLocal(kernel.isDSOLocal());
  spread->setMetadata("kernel_arg_type", MDNode::get(context, sources));
  for (const char *kept : {"leno_arguments", "reqd_work_group_size", "leno_hints"})
    spread->setMetadata(kept, kernel.getMetadata(kept));
  spread->splice(spread->begin(), &kernel);
  IRBuilder<> builder(&*spread->getEntryBlock().getFirstInsertionPt());
  Function::arg_iterator next = spread->arg_begin();
  for (auto [argument, list] : zip(kernel.args(), parts)) {
    if (list.empty()) {
      next->takeName(&argument);
      argument.replaceAllUsesWith(&*next++);
      continue;
    }
    Type *whole = argument.hasByRefAttr() ? argument.getParamByRefType() : argument.getType();
    Value *value = PoisonValue::get(whole);
    AllocaInst *room = argument.hasByRefAttr() ? builder.CreateAlloca(whole, LenoSpace::Local) : nullptr;
    for (Number &number : list) {
      next->setName(number.name);
      Value *part = &*next++;
      if (room) {
        SmallVector<Value *, 5> path = {builder.getInt32(0)};
        for (unsigned index : number.path)
          path.push_back(builder.getInt32(index));
        builder.CreateStore(part, builder.CreateGEP(whole, room, path));
      } else if (whole->isVectorTy()) {
        Type *element = whole->getScalarType();
        value = builder.CreateInsertElement(value, builder.CreateBitCast(part, element), number.path[0]);
      } else {
        value = builder.CreateBitCast(part, whole);
      }
    }
    if (!room) {
      argument.replaceAllUsesWith(value);
      continue;
    }
    MemCpyInst *copy = copyOf(argument);
    IRBuilder<> at(copy);
    at.CreateMemCpy(copy->getRawDest(), copy->getDestAlign(), room, room->getAlign(), copy->getLength());
    copy->eraseFromParent();
  }
  kernel.replaceAllUsesWith(spread);
  kernel.eraseFromParent();
}

} // namespace

bool takesSeveralSizes(const Function &function) {
  return isKernel(function) && !function.getFnAttribute("uniform-work-group-size").getValueAsBool();
}

void spreadParameters(Module &module, bool hostWords) {
  for (Function &function : make_early_inc_range(module))
    if (isKernel(function) && !function.isDeclaration()) {
      describeHints(function, hostWords);
      describeArguments(function);
      spread(function);
    }
}

} // namespace leno
