//===- Library.cpp - The device library ----------------------------------------------===//
#include "asm/codegen/Library.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

extern "C" const char lenoDeviceLibrary[], lenoDeviceLibraryEnd[];
asm(".section .rodata\n"
    ".p2align 4\n"
    ".globl lenoDeviceLibrary\n"
    "lenoDeviceLibrary:\n"
    ".incbin \"" LENO_DEVICE_LIBRARY "\"\n"
    ".globl lenoDeviceLibraryEnd\n"
    "lenoDeviceLibraryEnd:\n"
    ".previous\n");

namespace leno {

static Expected<std::unique_ptr<Module>> library(LLVMContext &context) {
  MemoryBufferRef bytes(StringRef(lenoDeviceLibrary, size_t(lenoDeviceLibraryEnd - lenoDeviceLibrary)),
                        "device library");
  return getLazyBitcodeModule(bytes, context, /*ShouldLazyLoadMetadata=*/true);
}

Error linkLibrary(Module &module) {
  auto wanted = [](const Function &function) {
    return function.isDeclaration() && !function.isIntrinsic() && !function.use_empty();
  };
  if (none_of(module, wanted))
    return Error::success();
  Expected<std::unique_ptr<Module>> device = library(module.getContext());
  if (!device)
    return device.takeError();
  if (none_of(module, [&](const Function &function) {
        const Function *found = wanted(function) ? (*device)->getFunction(function.getName()) : nullptr;
        return found && !found->isDeclaration();
      }))
    return Error::success();
  (*device)->setTargetTriple(module.getTargetTriple());
  (*device)->setDataLayout(module.getDataLayout());
  if (NamedMDNode *flags = (*device)->getModuleFlagsMetadata())
    (*device)->eraseNamedMetadata(flags);
  StringSet<> before;
  for (const GlobalValue &global : module.global_values())
    if (!global.isDeclaration())
      before.insert(global.getName());
  if (Linker::linkModules(module, std::move(*device), Linker::LinkOnlyNeeded))
    return createStringError("the device library does not go with this program");
  for (GlobalValue &global : module.global_values())
    if (!global.isDeclaration() && !before.contains(global.getName()))
      global.setLinkage(GlobalValue::InternalLinkage);
  return Error::success();
}

static std::string letters(Type *type) {
  if (auto *vector = dyn_cast<FixedVectorType>(type))
    return "Dv" + std::to_string(vector->getNumElements()) + "_" + letters(vector->getElementType());
  return type->isHalfTy()        ? "Dh"
         : type->isFloatTy()     ? "f"
         : type->isDoubleTy()    ? "d"
         : type->isIntegerTy(64) ? "l"
                                 : "i";
}

std::string overloaded(StringRef name, FunctionType *type) {
  std::string result = ("_Z" + Twine(name.size()) + name).str();
  for (Type *parameter : type->params())
    result += letters(parameter);
  return result;
}

Error nameAsOpenCL(Module &module) {
  SmallVector<Function *> found;
  for (Function &function : module)
    if (function.isDeclaration() && !function.isIntrinsic() && !function.getName().starts_with("_Z") &&
        !function.getName().starts_with("leno_") && function.getReturnType()->isFloatingPointTy())
      found.push_back(&function);
  if (found.empty())
    return Error::success();
  Expected<std::unique_ptr<Module>> device = library(module.getContext());
  if (!device)
    return device.takeError();
  for (Function *function : found) {
    StringRef name = function->getName();
    if (function->getReturnType()->isFloatTy())
      name.consume_back("f");
    if (name == "nearbyint")
      name = "rint";
    std::string other = overloaded(name, function->getFunctionType());
    if ((*device)->getFunction(other))
      function->setName(other);
  }
  return Error::success();
}

} // namespace leno
