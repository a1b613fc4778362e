//===- Kernels.cpp - Kernels and their functions, as clang has them --------------===//
#include "asm/codegen/Kernels.h"

#include "asm/codegen/LenoCode.h"

#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace leno {

constexpr StringLiteral kernelsFunction = "__clang_ocl_kern_imp_";

bool isKernelsFunction(const Function &function) { return function.getName().starts_with(kernelsFunction); }

void fuseKernels(Module &module) {
  for (Function &kernel : module) {
    Function *body = module.getFunction((kernelsFunction + kernel.getName()).str());
    if (!isKernel(kernel) || kernel.isDeclaration() || !body || body->isDeclaration() || !body->hasOneUse() ||
        body->getFunctionType() != kernel.getFunctionType())
      continue;
    auto *call = dyn_cast<CallInst>(body->user_back());
    auto isCopy = [](const Function &function) { // of a structure: another's memory
      return any_of(function.args(),
                    [](const Argument &argument) { return argument.hasPointeeInMemoryValueAttr(); });
    };
    if (!call || call->getFunction() != &kernel || isCopy(kernel) || isCopy(*body))
      continue;
    SmallVector<std::pair<unsigned, MDNode *>> facts;
    kernel.getAllMetadata(facts);
    kernel.deleteBody();
    for (auto [kind, fact] : facts)
      kernel.setMetadata(kind, fact);
    kernel.splice(kernel.begin(), body);
    for (auto [own, inner] : zip(kernel.args(), body->args())) {
      inner.replaceAllUsesWith(&own);
      own.takeName(&inner);
    }
    DISubprogram *subprogram = body->getSubprogram();
    body->setSubprogram(nullptr);
    kernel.setSubprogram(subprogram);
    body->eraseFromParent();
  }
}

const GlobalVariable *variableIn(const Value *value, function_ref<bool(const GlobalVariable &)> is) {
  if (auto *variable = dyn_cast<GlobalVariable>(value))
    return is(*variable) ? variable : nullptr;
  auto *constant = dyn_cast<ConstantExpr>(value);
  if (constant)
    for (const Value *operand : constant->operand_values())
      if (const GlobalVariable *found = variableIn(operand, is))
        return found;
  return nullptr;
}

DebugLoc placeOf(const Function &function) {
  DISubprogram *subprogram = function.getSubprogram();
  return subprogram ? DebugLoc(DILocation::get(function.getContext(), subprogram->getLine(), 1, subprogram))
                    : DebugLoc();
}

/// The kernel as a function, for who calls it or takes its address.
static void callAsFunction(Function &kernel) {
  auto isCode = [](const Use &use) {
    const User *user = use.getUser();
    return isa<Instruction>(user) || (isa<ConstantExpr>(user) && !user->use_empty());
  };
  if (none_of(kernel.uses(), isCode))
    return;
  ValueToValueMapTy map;
  Function *function = CloneFunction(&kernel, map);
  function->setName(kernel.getName() + ".function");
  function->setCallingConv(CallingConv::C);
  function->setLinkage(GlobalValue::InternalLinkage);
  kernel.replaceUsesWithIf(function, [&](Use &use) { return isCode(use); });
  for (User *user : function->users())
    if (auto *call = dyn_cast<CallBase>(user); call && call->getCalledOperand() == function)
      call->setCallingConv(CallingConv::C);
}

void mendKernels(Module &module) {
  for (Function &function : make_early_inc_range(module)) {
    if (function.isDeclaration())
      continue;
    if (isKernel(function)) {
      if (function.isVarArg())
        sayUnsupported(function, placeOf(function), "a kernel has no variable number of arguments");
      callAsFunction(function);
    }
    for (Instruction &inst : instructions(function))
      if (any_of(inst.operand_values(), [](const Value *value) {
            return variableIn(value, [](const GlobalVariable &variable) { return variable.isThreadLocal(); });
          }))
        sayUnsupported(function, inst.getDebugLoc(),
                       "there are no thread-local variables: what a lane has alone is on its stack");
  }
  for (StringRef list : {"llvm.global_ctors", "llvm.global_dtors"})
    if (GlobalVariable *variable = module.getNamedGlobal(list); variable && variable->hasInitializer())
      for (const Value *entry : variable->getInitializer()->operand_values())
        if (auto *function = dyn_cast<Function>(cast<Constant>(entry)->getOperand(1)->stripPointerCasts()))
          sayUnsupported(
              *function, placeOf(*function),
              "nobody calls it before or behind a kernel: give variables their values where they are "
              "declared, or in a kernel of its own");
}

} // namespace leno
