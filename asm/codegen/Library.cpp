//===- Library.cpp - The device library ----------------------------------------------===//
#include "asm/codegen/Library.h"

#include "asm/codegen/LenoCode.h"

#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

// Most programs call numbers' functions alone: they are a library of their own, which is read in an eighth of
// the time. `device.bc` has them, too, beside those of vectors and the conversions.
extern "C" const char lenoScalars[], lenoScalarsEnd[], lenoDevice[], lenoDeviceEnd[];
#define EMBED(name, file)                                                                                    \
  asm(".section .rodata\n"                                                                                   \
      ".p2align 4\n"                                                                                         \
      ".globl " #name "\n" #name ":\n"                                                                       \
      ".incbin \"" LENO_DEVICE_LIBRARY "/" file "\"\n"                                                       \
      ".globl " #name "End\n" #name "End:\n"                                                                 \
      ".previous\n")
EMBED(lenoScalars, "scalars.bc");
EMBED(lenoDevice, "device.bc");
#undef EMBED

namespace leno {

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

/// C's name of a function of floats becomes OpenCL C's, where the library has it: sinf is sin(float).
static void nameAsOpenCL(Function &function, const Module &device) {
  StringRef name = function.getName();
  if (!function.getReturnType()->isFloatingPointTy() || device.getFunction(name))
    return;
  if (function.getReturnType()->isFloatTy())
    name.consume_back("f");
  if (name == "nearbyint")
    name = "rint";
  std::string other = overloaded(name, function.getFunctionType());
  if (device.getFunction(other))
    function.setName(other);
}

static Error linkPart(Module &module, StringRef bitcode) {
  SmallVector<Function *> wanted;
  for (Function &function : module)
    if (function.isDeclaration() && !function.isIntrinsic() && !function.use_empty() &&
        !findBuiltin(function.getName()))
      wanted.push_back(&function);
  if (wanted.empty())
    return Error::success();
  Expected<std::unique_ptr<Module>> device =
      getLazyBitcodeModule({bitcode, "device library"}, module.getContext(), /*ShouldLazyLoadMetadata=*/true);
  if (!device)
    return device.takeError();
  for (Function *function : wanted)
    nameAsOpenCL(*function, **device);
  if (none_of(wanted, [&](const Function *function) {
        const Function *found = (*device)->getFunction(function->getName());
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

Error linkLibrary(Module &module) {
  if (Error error = linkPart(module, {lenoScalars, size_t(lenoScalarsEnd - lenoScalars)}))
    return error;
  return linkPart(module, {lenoDevice, size_t(lenoDeviceEnd - lenoDevice)});
}

} // namespace leno
