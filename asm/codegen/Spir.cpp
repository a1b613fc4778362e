//===- Spir.cpp - IR for SPIR, as SPIR-V becomes, made ours -----------------------===//
#include "asm/codegen/Spir.h"

#include "asm/Spirv.h"
#include "asm/codegen/LenoCode.h"
#include "asm/codegen/SpirNames.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

#include <cstdlib>

using namespace llvm;

namespace leno {

unsigned spaceFromSpir(unsigned space) {
  constexpr unsigned ours[] = {LenoSpace::Local, LenoSpace::Global, LenoSpace::Constant, LenoSpace::Shared,
                               LenoSpace::Generic};
  return space < std::size(ours) ? ours[space]
                                 : LenoSpace::Global; // 5 and 6: global memory of the device, the host
}

bool isForSpir(const Module &module) { return module.getTargetTriple().isSPIR(); }

Expected<std::unique_ptr<MemoryBuffer>> translateSpirv(const MemoryBuffer &spirv) {
  StringRef name = spirv.getBufferIdentifier();
  Expected<SpirvModule> module = SpirvModule::read(spirv.getBuffer());
  if (!module)
    return createStringError(name + ": " + toString(module.takeError()));
  module->simplify();
  Expected<std::string> translator = spirvTranslator();
  if (!translator)
    return createStringError(name + ": " + toString(translator.takeError()));
  SmallString<128> files[3];
  std::optional<FileRemover> removers[3];
  for (auto [file, remover] : zip(files, removers)) {
    if (std::error_code error = sys::fs::createTemporaryFile("leno-cc", "spirv", file))
      return createStringError("cannot make a temporary file: " + error.message());
    remover.emplace(file);
  }
  auto &[input, output, said] = files;
  std::error_code error;
  raw_fd_ostream os(input, error);
  os << module->bytes();
  os.close();
  if (error || os.has_error()) {
    os.clear_error();
    return createStringError("cannot write " + input);
  }
  StringRef words[] = {*translator,
                       "-r",
                       "--spirv-target-env=CL2.0",
                       "--opaque-pointers",
                       "--spirv-ext=+all",
                       "--spirv-gen-kernel-arg-name-md",
                       "-o",
                       output,
                       input};
  std::string failure;
  if (int status =
          sys::ExecuteAndWait(*translator, words, std::nullopt, {"", "", said.str()}, 0, 0, &failure)) {
    auto text = MemoryBuffer::getFile(said);
    StringRef why = text ? (*text)->getBuffer().trim().split('\n').first : "";
    return createStringError(name + ": " + *translator + " cannot read this SPIR-V" +
                             (!failure.empty() && status < 0 && why.empty() ? ": " + failure
                              : why.empty()                                 ? ""
                                                                            : ": " + why.str()));
  }
  auto bitcode = MemoryBuffer::getFile(output, false, false);
  if (!bitcode)
    return createStringError(name + ": llvm-spirv wrote no result");
  return MemoryBuffer::getMemBufferCopy((*bitcode)->getBuffer(), name);
}

namespace {

class Spaces : public ValueMapTypeRemapper {
public:
  Type *remapType(Type *type) override {
    if (auto *pointer = dyn_cast<PointerType>(type))
      return PointerType::get(type->getContext(), spaceFromSpir(pointer->getAddressSpace()));
    if (auto *array = dyn_cast<ArrayType>(type))
      return ArrayType::get(remapType(array->getElementType()), array->getNumElements());
    if (auto *vector = dyn_cast<FixedVectorType>(type))
      return FixedVectorType::get(remapType(vector->getElementType()), vector->getNumElements());
    if (auto *function = dyn_cast<FunctionType>(type)) {
      SmallVector<Type *> parameters;
      for (Type *parameter : function->params())
        parameters.push_back(remapType(parameter));
      return FunctionType::get(remapType(function->getReturnType()), parameters, function->isVarArg());
    }
    auto *structure = dyn_cast<StructType>(type);
    if (!structure || structure->isOpaque())
      return type;
    Type *&known = structures[structure];
    if (known)
      return known;
    SmallVector<Type *> elements;
    bool same = true;
    for (Type *element : structure->elements()) {
      elements.push_back(remapType(element));
      same &= elements.back() == element;
    }
    Type *result = same ? structure
                   : structure->isLiteral()
                       ? StructType::get(type->getContext(), elements, structure->isPacked())
                       : StructType::create(type->getContext(), elements, "", structure->isPacked());
    return structures[structure] = result;
  }

private:
  DenseMap<Type *, Type *> structures;
};

/// SPIR's pointers are all of 64 bits, and sizes stand in the program as numbers: where such lie in something
/// larger, that is larger than ours.
bool holdsShortPointers(Type *type, bool inside = false) {
  if (auto *pointer = dyn_cast<PointerType>(type))
    return inside && (pointer->getAddressSpace() == LenoSpace::Local ||
                      pointer->getAddressSpace() == LenoSpace::Shared);
  return any_of(type->subtypes(), [](Type *element) { return holdsShortPointers(element, true); });
}

/// async_work_group_copy and its like give and take events, which are generic pointers to us and private ones
/// in SPIR.
bool handlesEvents(const Function &function) { return function.getName().contains("async_work_group_"); }

class Adoption {
public:
  explicit Adoption(Module &module)
      : module(module), mapper(values, RF_IgnoreMissingLocals | RF_ReuseAndMutateDistinctMDs, &spaces) {}

  Error adopt() {
    for (Function &function : make_early_inc_range(module))
      if (function.isDeclaration() && function.use_empty())
        function.eraseFromParent();
    // No variable is at a null pointer's address.
    LLVMContext &context = module.getContext();
    for (unsigned space : {0, 3}) {
      auto *nowhere = ConstantPointerNull::get(PointerType::get(context, LenoSpace::Generic));
      values[ConstantPointerNull::get(PointerType::get(context, space))] =
          ConstantExpr::getAddrSpaceCast(nowhere, PointerType::get(context, spaceFromSpir(space)));
    }
    SmallVector<Function *> functions;
    SmallVector<GlobalVariable *> variables;
    for (Function &function : module)
      functions.push_back(&function);
    for (GlobalVariable &variable : module.globals())
      variables.push_back(&variable);
    for (GlobalVariable *variable : variables)
      adopt(*variable);
    for (Function *function : functions)
      adopt(*function);
    for (GlobalVariable *variable : variables)
      if (variable->hasInitializer())
        cast<GlobalVariable>(values[variable])
            ->setInitializer(mapper.mapConstant(*variable->getInitializer()));
    for (Function *function : functions) {
      auto *own = cast<Function>(values[function]);
      mapper.remapFunction(*own);
      for (Argument &argument : own->args()) // which it has mapped a second time
        argument.mutateType(own->getFunctionType()->getParamType(argument.getArgNo()));
      finish(*own);
    }
    for (GlobalVariable *variable : variables)
      variable->setInitializer(nullptr);
    for (Function *function : functions)
      forget(*function);
    for (GlobalVariable *variable : variables)
      forget(*variable);
    return check();
  }

private:
  static void forget(GlobalValue &global) {
    global.removeDeadConstantUsers();
    assert(global.use_empty() && "something of SPIR was not mapped");
    global.eraseFromParent();
  }
  void adopt(GlobalVariable &variable) {
    auto *own = new GlobalVariable(module, spaces.remapType(variable.getValueType()), variable.isConstant(),
                                   variable.getLinkage(), nullptr, "", &variable,
                                   variable.getThreadLocalMode(), spaceFromSpir(variable.getAddressSpace()));
    own->copyAttributesFrom(&variable);
    own->copyMetadata(&variable, 0);
    own->takeName(&variable);
    values[&variable] = own;
  }
  void adopt(Function &function) {
    bool isAKernel = isKernel(function);
    auto *type = cast<FunctionType>(spaces.remapType(function.getFunctionType()));
    SmallVector<Type *> parameters(type->params());
    Type *generic = PointerType::get(module.getContext(), LenoSpace::Generic);
    for (Argument &argument : function.args())
      if (isAKernel && argument.hasByValAttr())
        parameters[argument.getArgNo()] = PointerType::get(module.getContext(), LenoSpace::Constant);
    Type *result = type->getReturnType();
    if (handlesEvents(function) && result->isPointerTy() && !parameters.empty())
      result = parameters.back() = generic;
    Function *own = Function::Create(FunctionType::get(result, parameters, type->isVarArg()),
                                     function.getLinkage(), function.getAddressSpace());
    module.getFunctionList().insert(function.getIterator(), own);
    own->copyAttributesFrom(&function);
    own->setAttributes(adopted(function.getAttributes(), isAKernel));
    own->setCallingConv(isAKernel ? CallingConv::AMDGPU_KERNEL : CallingConv::C);
    own->addFnAttr(Attribute::Convergent); // LLVM finds out which need not be
    own->copyMetadata(&function, 0);
    own->splice(own->begin(), &function);
    for (auto [from, to] : zip(function.args(), own->args())) {
      to.takeName(&from);
      values[&from] = &to;
    }
    std::string name = nameFromSpir(function.getName());
    function.setName("");
    own->setName(name);
    if (std::optional<Function *> renamed = Intrinsic::remangleIntrinsicFunction(own)) {
      own->eraseFromParent();
      own = *renamed;
    }
    values[&function] = own;
  }
  AttributeList adopted(AttributeList list, bool isAKernel) {
    LLVMContext &context = module.getContext();
    for (unsigned index : list.indexes())
      for (int kind = Attribute::FirstTypeAttr; kind <= Attribute::LastTypeAttr; ++kind) {
        auto which = Attribute::AttrKind(kind);
        Attribute attribute = list.getAttributeAtIndex(index, which);
        if (!attribute.isValid() || !attribute.getValueAsType())
          continue;
        list = list.removeAttributeAtIndex(context, index, which);
        Type *type = spaces.remapType(attribute.getValueAsType());
        list = list.addAttributeAtIndex(
            context, index,
            Attribute::get(context, isAKernel && which == Attribute::ByVal ? Attribute::ByRef : which, type));
      }
    return list;
  }
  void finish(Function &function) {
    for (Instruction &inst : make_early_inc_range(instructions(function)))
      if (auto *call = dyn_cast<CallInst>(&inst)) {
        call->setCallingConv(CallingConv::C);
        Function *callee = call->getCalledFunction();
        if (!callee && isa<Function>(call->getCalledOperand()))
          castEvents(*call, *cast<Function>(call->getCalledOperand()));
      }
    if (function.isDeclaration() || !isKernel(function))
      return;
    IRBuilder<> builder(&*function.getEntryBlock().begin());
    for (Argument &argument : function.args())
      if (argument.hasByRefAttr()) { // as clang has it: copied once, into a variable of its name
        Type *type = argument.getParamByRefType();
        AllocaInst *room = builder.CreateAlloca(type, LenoSpace::Local);
        room->setAlignment(std::max(room->getAlign(), argument.getParamAlign().valueOrOne()));
        argument.replaceAllUsesWith(room);
        room->takeName(&argument);
        builder.CreateMemCpy(room, room->getAlign(), &argument, argument.getParamAlign(),
                             module.getDataLayout().getTypeAllocSize(type));
      }
  }
  static void castEvents(CallInst &call, Function &callee) {
    IRBuilder<> builder(&call);
    SmallVector<Value *> arguments;
    for (auto [argument, type] : zip(call.args(), callee.getFunctionType()->params()))
      arguments.push_back(builder.CreateAddrSpaceCast(argument, type));
    Value *result = builder.CreateAddrSpaceCast(builder.CreateCall(&callee, arguments), call.getType());
    call.replaceAllUsesWith(result);
    call.eraseFromParent();
  }
  Error check() {
    for (Function &function : module)
      for (Instruction &inst : instructions(function)) {
        auto *room = dyn_cast<AllocaInst>(&inst);
        auto *address = dyn_cast<GetElementPtrInst>(&inst);
        if (holdsShortPointers(room      ? room->getAllocatedType()
                               : address ? address->getSourceElementType()
                                         : inst.getType()))
          return createStringError(
              module.getModuleIdentifier() + ": in '" + function.getName() +
              "': a structure or an array of pointers to local or private memory: SPIR-V has "
              "sizes of them that are not this machine's; compile the source");
      }
    return Error::success();
  }

  Module &module;
  Spaces spaces;
  ValueToValueMapTy values;
  ValueMapper mapper;
};

} // namespace

Error adoptSpir(Module &module) {
  if (module.getTargetTriple().isArch32Bit())
    return createStringError(
        module.getModuleIdentifier() +
        ": its addresses have 32 bits, and ours have 64: make it for Physical64 (spir64)");
  Error error = Adoption(module).adopt();
  module.setTargetTriple(Triple("amdgcn"));
  module.setDataLayout("");
  return error;
}

} // namespace leno
