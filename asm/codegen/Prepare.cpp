//===- Prepare.cpp - A program's IR, made ready for selection --------------------===//
#include "asm/codegen/Prepare.h"

#include "asm/codegen/DebugInfo.h"
#include "asm/codegen/InlineAssembly.h"
#include "asm/codegen/KernelPrintf.h"
#include "asm/codegen/Kernels.h"
#include "asm/codegen/LenoCode.h"
#include "asm/codegen/LenoTargetMachine.h"
#include "asm/codegen/Library.h"
#include "asm/codegen/Operations.h"
#include "asm/codegen/SpreadParameters.h"

#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/ExpandVariadics.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/JumpThreading.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;

bool llvm::isKernel(const Function &function) {
  switch (function.getCallingConv()) {
  case CallingConv::AMDGPU_KERNEL:
  case CallingConv::SPIR_KERNEL:
  case CallingConv::PTX_Kernel:
    return true;
  default:
    return false;
  }
}

// As the assembler places them (isa/Directives.td): from 0x40 on, in their order, naturally aligned.
SmallVector<uint32_t> llvm::parameterOffsets(const Function &kernel) {
  SmallVector<uint32_t> offsets;
  uint32_t at = 0x40;
  for (const Argument &argument : kernel.args()) {
    auto bytes = uint32_t(kernel.getDataLayout().getTypeStoreSize(argument.getType()).getFixedValue());
    at = uint32_t(alignTo(at, bytes));
    offsets.push_back(at);
    at += bytes;
  }
  return offsets;
}

namespace leno {
namespace {

// Those from `first` on, which a launch does not give: kernels do not look for them.
void forgetHostWords(Module &module, unsigned first) {
  for (Function &function : make_early_inc_range(module)) {
    StringRef name = function.getName();
    unsigned word;
    if (!function.isDeclaration() || !name.consume_front("leno_host_word_") || name.getAsInteger(10, word) ||
        word < first)
      continue;
    for (User *user : make_early_inc_range(function.users()))
      if (auto *call = dyn_cast<CallInst>(user)) {
        call->replaceAllUsesWith(Constant::getNullValue(call->getType()));
        call->eraseFromParent();
      }
    if (function.use_empty())
      function.eraseFromParent();
  }
}

// What LLVM may think of a function called by name.
void describeBuiltins(Module &module) {
  for (Function &function : module) {
    std::optional<LenoBuiltin> builtin = findBuiltin(function.getName());
    if (!builtin || !function.isDeclaration())
      continue;
    function.setDoesNotThrow();
    function.setWillReturn();
    if (builtin->node == LenoISD::SPECIAL || builtin->node == LenoISD::CONSTANT || builtin->node == LenoISD::RCP || builtin->node == LenoISD::RSQ) {
      function.setDoesNotAccessMemory();
      continue;
    }
    function.setConvergent();
    if (builtin->node != LenoISD::BARRIER && builtin->node != LenoISD::MEMBAR)
      function.setOnlyAccessesInaccessibleMemory();
  }
}

/// What arithmetic there is no code for, as text; empty: there is.
std::string missing(const Instruction &inst) {
  auto isBrain = [](Type *type) { return type->getScalarType()->isBFloatTy(); };
  if (isBrain(inst.getType()) ||
      any_of(inst.operand_values(), [&](const Value *value) { return isBrain(value->getType()); }))
    return "floats of the format bfloat";
  auto isOf = [&](auto is) {
    return is(inst.getType()) || any_of(inst.operand_values(), [&](const Value *value) { return is(value->getType()); });
  };
  if (isOf([](Type *type) {
        type = type->getScalarType();
        return type->isFP128Ty() || type->isX86_FP80Ty() || type->isPPC_FP128Ty();
      }))
    return "floats of more than 64 bits";
  if (isOf([](Type *type) { return isa<ScalableVectorType>(type); }))
    return "vectors whose length is not known";
  if (inst.isEHPad() || isa<InvokeInst, ResumeInst, CleanupReturnInst, CatchReturnInst>(inst))
    return "exceptions ('" + std::string(inst.getOpcodeName()) + "')";
  if (isa<CallBrInst, VAArgInst>(inst))
    return "'" + std::string(inst.getOpcodeName()) + "'";
  if (inst.isAtomic() &&
      isOf([](Type *type) { return type->isSized() && type->getPrimitiveSizeInBits() > 64; }))
    return "atomics of more than 64 bits";
  auto *call = dyn_cast<IntrinsicInst>(&inst);
  if (!call)
    return "";
  switch (call->getIntrinsicID()) {
  case Intrinsic::frexp:
  case Intrinsic::modf:
  case Intrinsic::sincos:
  case Intrinsic::frameaddress:
  case Intrinsic::returnaddress:
  case Intrinsic::get_dynamic_area_offset:
    return "'" + call->getCalledFunction()->getName().str() + "'";
  case Intrinsic::fshl: // by a number modulo the width
  case Intrinsic::fshr:
    if (unsigned bits = call->getType()->getScalarSizeInBits(); bits <= 64 || isPowerOf2_32(bits))
      return "";
    return "'" + call->getCalledFunction()->getName().str() + "'";
  default:
    return call->getCalledFunction()->getName().starts_with("llvm.amdgcn.")
               ? "'" + call->getCalledFunction()->getName().str() + "', which is another machine's"
               : "";
  }
}

bool isShared(const GlobalVariable &variable) { return variable.getAddressSpace() == LenoSpace::Shared; }
bool namesShared(const Value *value) { return variableIn(value, isShared); }

bool namesNobody(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  return callee && callee->isDeclaration() && !callee->isIntrinsic() && !findBuiltin(callee->getName());
}

const GlobalVariable *undefinedIn(const Instruction &inst) {
  for (const Value *value : inst.operand_values())
    if (const GlobalVariable *found =
            variableIn(value, [](const GlobalVariable &variable) { return variable.isDeclaration(); }))
      return found;
  return nullptr;
}

// Shared memory belongs to a kernel: what names its variables is taken in, and so is who calls that. Whether there
// was any.
bool takeInUsersOfShared(Module &module) {
  SmallVector<Function *> found;
  for (Function &function : module)
    if (!isKernel(function) && any_of(instructions(function), [](Instruction &inst) {
          return any_of(inst.operand_values(), namesShared);
        }))
      found.push_back(&function);
  SmallPtrSet<Function *, 8> seen;
  while (!found.empty()) {
    Function *function = found.pop_back_val();
    if (!seen.insert(function).second)
      continue;
    function->removeFnAttr(Attribute::NoInline);
    function->addFnAttr(Attribute::AlwaysInline);
    for (User *user : function->users())
      if (auto *call = dyn_cast<CallBase>(user); call && !isKernel(*call->getFunction()))
        found.push_back(call->getFunction());
  }
  return !seen.empty();
}

// Structures by value: the caller makes the copy and hands over its address.
void copyForCalls(Module &module) {
  for (Function &function : module) {
    for (Instruction &inst : instructions(function)) {
      auto *call = dyn_cast<CallBase>(&inst);
      for (unsigned i = 0; call && i < call->arg_size(); ++i) {
        if (!call->isByValArgument(i))
          continue;
        Type *type = call->getParamByValType(i);
        Align align = call->getParamAlign(i).valueOrOne();
        IRBuilder<> entry(&*function.getEntryBlock().begin());
        AllocaInst *copy = entry.CreateAlloca(type, LenoSpace::Local);
        copy->setAlignment(align);
        IRBuilder<> builder(call);
        builder.CreateMemCpy(copy, align, call->getArgOperand(i), align,
                             module.getDataLayout().getTypeAllocSize(type));
        call->setArgOperand(i, copy);
        call->removeParamAttr(i, Attribute::ByVal);
      }
    }
    if (!isKernel(function))
      for (Argument &argument : function.args())
        if (argument.hasByValAttr())
          argument.removeAttr(Attribute::ByVal);
  }
}

void check(Module &module, const CompileOptions &options) {
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    for (Argument &argument : function.args()) {
      if (!isKernel(function))
        break;
      Type *type = argument.getType();
      bool fits = type->isFloatTy() || type->isDoubleTy() ||
                  (type->isIntegerTy() &&
                   (type->getIntegerBitWidth() <= 64 && isPowerOf2_32(type->getIntegerBitWidth()))) ||
                  (type->isPointerTy() && type->getPointerAddressSpace() != LenoSpace::Local);
      if (!fits || argument.hasByValAttr() || argument.hasByRefAttr())
        sayUnsupported(function, placeOf(function),
                       "parameter " + Twine(argument.getArgNo()) + " '" + argument.getName() +
                           "' of a kernel is a number of 8 to 64 bits, a vector or a structure of such, or a "
                           "pointer to memory that the lanes share");
    }
    for (Instruction &inst : instructions(function)) {
      if (auto *room = dyn_cast<AllocaInst>(&inst)) {
        if (room->getAddressSpace() != LenoSpace::Local)
          sayUnsupported(function, inst.getDebugLoc(),
                         "a variable on the stack is in address space 5, as clang's target amdgcn makes it");
      } else if (auto *call = dyn_cast<CallBase>(&inst);
                 call && !call->getCalledFunction() && call->getFunctionType()->isVarArg()) {
        sayUnsupported(function, inst.getDebugLoc(), "there are no calls with a variable number of arguments");
      } else if (auto *call = dyn_cast<CallBase>(&inst); call && options.wholeProgram && namesNobody(*call)) {
        sayUnsupported(function, inst.getDebugLoc(),
                       "there is no function '" + call->getCalledFunction()->getName() + "' to call");
      } else if (const GlobalVariable *nowhere = options.wholeProgram ? undefinedIn(inst) : nullptr) {
        sayUnsupported(function, inst.getDebugLoc(), "there is no variable '" + nowhere->getName() + "'");
      } else if (!isKernel(function) && any_of(inst.operand_values(), namesShared)) {
        sayUnsupported(function, inst.getDebugLoc(),
                       "a function that names a variable in shared memory is part of the kernel that calls "
                       "it, and so cannot call itself or be called through a pointer: give it the address");
      } else if (std::string what = missing(inst); !what.empty()) {
        sayUnsupported(function, inst.getDebugLoc(), "there is no code for " + what + " yet");
      }
    }
  }
}

// Copies of what is aligned go by quads: selection would take the largest number that the machine counts
// with.
void copyByQuads(Function &function) {
  constexpr uint64_t longest = 256; // longer ones are loops
  for (Instruction &inst : make_early_inc_range(instructions(function))) {
    auto *copy = dyn_cast<MemCpyInst>(&inst);
    auto *size = copy ? dyn_cast<ConstantInt>(copy->getLength()) : nullptr;
    if (!size || copy->isVolatile() || size->getZExtValue() % 16 || size->getZExtValue() > longest ||
        copy->getDestAlign().valueOrOne() < Align(16) || copy->getSourceAlign().valueOrOne() < Align(16))
      continue;
    IRBuilder<> builder(copy);
    auto *quad = FixedVectorType::get(builder.getInt32Ty(), 4);
    for (unsigned i = 0; i < size->getZExtValue() / 16; ++i) {
      Value *from = builder.CreateConstGEP1_32(quad, copy->getRawSource(), i);
      Value *value = builder.CreateAlignedLoad(quad, from, Align(16));
      builder.CreateAlignedStore(value, builder.CreateConstGEP1_32(quad, copy->getRawDest(), i), Align(16));
    }
    copy->eraseFromParent();
  }
}

/// Counters that are never full count as additions do, which is what machines do best; so OpenCL's atomic_inc
/// and atomic_dec come.
void addInstead(Function &function) {
  for (Instruction &inst : instructions(function)) {
    auto *atomic = dyn_cast<AtomicRMWInst>(&inst);
    if (!atomic)
      continue;
    auto *limit = dyn_cast<ConstantInt>(atomic->getValOperand());
    auto operation = atomic->getOperation();
    if (operation == AtomicRMWInst::Sub) {
      atomic->setOperation(AtomicRMWInst::Add);
      atomic->setOperand(1, IRBuilder<>(atomic).CreateNeg(atomic->getValOperand()));
    } else if (limit && limit->isMinusOne() &&
               (operation == AtomicRMWInst::UIncWrap || operation == AtomicRMWInst::UDecWrap)) {
      atomic->setOperation(AtomicRMWInst::Add);
      atomic->setOperand(
          1, ConstantInt::getSigned(limit->getType(), operation == AtomicRMWInst::UIncWrap ? 1 : -1));
    }
  }
}

class Optimizer {
public:
  Optimizer(TargetMachine &machine, unsigned level)
      : level(std::min(level, 3u)), builder(&machine, tuning()) {
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(calls);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, calls, modules);
  }
  void optimize(Module &module) {
    ModulePassManager passes;
    passes.addPass(AlwaysInlinerPass());
    if (level > 0) {
      OptimizationLevel levels[] = {OptimizationLevel::O0, OptimizationLevel::O1, OptimizationLevel::O2,
                                    OptimizationLevel::O3};
      FunctionPassManager first;
      first.addPass(SROAPass(SROAOptions::PreserveCFG));
      first.addPass(InferAddressSpacesPass());
      first.addPass(PlaceElements());
      passes.addPass(createModuleToFunctionPassAdaptor(std::move(first)));
      passes.addPass(builder.buildPerModuleDefaultPipeline(levels[level]));
      FunctionPassManager last;
      last.addPass(InferAddressSpacesPass());
      last.addPass(PlaceElements());
      passes.addPass(createModuleToFunctionPassAdaptor(std::move(last)));
    }
    passes.addPass(GlobalDCEPass());
    passes.run(module, modules);
    if (level > 1)
      threadJumps(module);
  }
  /// What operations have become goes into its callers.
  void optimizeOperations(Module &module) {
    modules.clear();
    ModulePassManager passes;
    passes.addPass(AlwaysInlinerPass());
    if (level > 0) {
      FunctionPassManager tidy;
      tidy.addPass(SROAPass(SROAOptions::ModifyCFG));
      tidy.addPass(EarlyCSEPass(true));
      tidy.addPass(InstCombinePass());
      tidy.addPass(SimplifyCFGPass());
      passes.addPass(createModuleToFunctionPassAdaptor(std::move(tidy)));
    }
    passes.addPass(GlobalDCEPass());
    passes.run(module, modules);
  }

private:
  /// A `break` that clang leads through a loop's cleanup goes straight out. LLVM keeps from this where lanes
  /// may part, for the sake of their joins; LenoJoins finds the better ones so. Convergent operations stay
  /// where they are.
  static void threadJumps(Module &module) {
    PassBuilder plain;
    FunctionAnalysisManager analyses;
    plain.registerFunctionAnalyses(analyses);
    ModuleAnalysisManager modules;
    plain.registerModuleAnalyses(modules);
    analyses.registerPass([&] { return ModuleAnalysisManagerFunctionProxy(modules); });
    modules.registerPass([&] { return FunctionAnalysisManagerModuleProxy(analyses); });
    FunctionPassManager passes;
    passes.addPass(JumpThreadingPass());
    passes.addPass(SimplifyCFGPass());
    for (Function &function : module)
      if (!function.isDeclaration())
        passes.run(function, analyses);
  }
  static PipelineTuningOptions tuning() {
    PipelineTuningOptions result;
    result.LoopVectorization = result.SLPVectorization = false;
    return result;
  }
  unsigned level;
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager calls;
  ModuleAnalysisManager modules;
  PassBuilder builder;
};

// Arguments of a variable number become a structure on the caller's stack, and `...` its address. LLVM knows
// how clang's target reads them.
void expandVariadics(Module &module) {
  Triple ours = module.getTargetTriple();
  module.setTargetTriple(Triple("amdgcn"));
  ModuleAnalysisManager analyses;
  ExpandVariadicsPass(ExpandVariadicsMode::Lowering).run(module, analyses);
  module.setTargetTriple(ours);
  // Its parts lie at multiples of 4, which the stores into it do not say.
  const DataLayout &layout = module.getDataLayout();
  for (Function &function : module)
    for (Instruction &inst : instructions(function)) {
      auto *store = dyn_cast<StoreInst>(&inst);
      if (!store)
        continue;
      APInt offset(layout.getIndexTypeSizeInBits(store->getPointerOperandType()), 0);
      auto *room = dyn_cast<AllocaInst>(
          store->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true));
      if (room && room->getName().starts_with("vararg_buffer"))
        store->setAlignment(
            std::min(store->getAlign(), commonAlignment(room->getAlign(), offset.getZExtValue())));
    }
}

void forgetOtherMachines(Module &module) {
  for (Function &function : module) {
    function.removeFnAttr(Attribute::OptimizeNone);
    function.removeFnAttr("target-cpu");
    function.removeFnAttr("target-features");
  }
}

constexpr Align stackAlign = Align::Constant<16>();

/// A function finds a stack pointer that is a multiple of 16, and what it is handed on the stack is promised
/// to be no more. A kernel's stack begins where its own variables want it.
void alignFrames(Module &module) {
  for (Function &function : module) {
    if (isKernel(function))
      continue;
    function.addFnAttr("no-realign-stack");
    for (Argument &argument : function.args())
      if ((argument.hasStructRetAttr() || argument.hasByValAttr()) &&
          argument.getParamAlign().valueOrOne() > stackAlign) {
        argument.removeAttr(Attribute::Alignment);
        argument.addAttr(Attribute::getWithAlignment(module.getContext(), stackAlign));
      }
  }
}

/// What a function other than a kernel aligns to more than its stack lies in more room, where its address is
/// known to anybody: no access needs more than the stack's.
void alignVariables(Function &function) {
  if (isKernel(function))
    return;
  SmallVector<AllocaInst *> wide;
  for (Instruction &inst : instructions(function))
    if (auto *room = dyn_cast<AllocaInst>(&inst); room && room->getAlign() > stackAlign)
      wide.push_back(room);
  for (AllocaInst *room : wide) {
    Align wanted = room->getAlign();
    room->setAlignment(stackAlign);
    std::optional<TypeSize> bytes = room->getAllocationSize(function.getDataLayout());
    if (!bytes || !PointerMayBeCaptured(room, /*ReturnCaptures=*/true))
      continue;
    IRBuilder<> builder(room);
    uint64_t more = wanted.value() - stackAlign.value();
    AllocaInst *all = builder.CreateAlloca(ArrayType::get(builder.getInt8Ty(), bytes->getFixedValue() + more),
                                           room->getAddressSpace());
    all->setAlignment(stackAlign);
    Value *last = builder.CreateConstGEP1_32(builder.getInt8Ty(), all, unsigned(more));
    Value *mask = builder.getInt32(~uint32_t(wanted.value() - 1));
    Value *aligned =
        builder.CreateIntrinsic(Intrinsic::ptrmask, {last->getType(), mask->getType()}, {last, mask});
    // A lifetime is told of allocations alone.
    for (User *user : make_early_inc_range(room->users()))
      if (auto *lifetime = dyn_cast<LifetimeIntrinsic>(user))
        lifetime->eraseFromParent();
    room->replaceAllUsesWith(aligned);
    room->eraseFromParent();
  }
}

} // namespace

std::string sourceName(StringRef directory, StringRef file) {
  SmallString<128> path(file), here;
  if (!sys::path::is_absolute(path)) {
    path = directory;
    sys::path::append(path, file);
  }
  sys::path::remove_dots(path);
  StringRef name = path;
  if (!sys::fs::current_path(here) && name.consume_front(here) && name.consume_front("/"))
    return name.str();
  return path.str().str();
}

Error prepareModule(Module &module, TargetMachine &machine, const CompileOptions &options) {
  const Triple &triple = module.getTargetTriple();
  if (!triple.getTriple().empty() && triple.getArch() != Triple::amdgcn &&
      !StringRef(triple.getTriple()).starts_with("leno"))
    return createStringError(module.getModuleIdentifier() + ": this IR is for '" + triple.getTriple() +
                             "'; give clang -target amdgcn, whose address spaces and sizes Leno shares");
  module.setTargetTriple(machine.getTargetTriple());
  module.setDataLayout(machine.createDataLayout());
  fuseKernels(module);
  bool kernels = false;
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    kernels |= isKernel(function);
    if (isKernel(function))
      function.removeFnAttr(Attribute::AlwaysInline);
    else if (options.wholeProgram || function.hasAvailableExternallyLinkage() || isKernelsFunction(function))
      function.setLinkage(GlobalValue::InternalLinkage);
  }
  if (!kernels && options.wholeProgram && !options.hostWords) // OpenCL's programs may have none
    return createStringError(
        module.getModuleIdentifier() +
        ": there is no kernel: `kernel void f(...)` in OpenCL C, `__kernel void f(...)` in C behind "
        "#include <leno/kernel.h>, a function of the calling convention amdgpu_kernel in IR");
  if (!module.getModuleFlag(lenoStack))
    module.addModuleFlag(Module::Override, lenoStack, options.stackBytes);
  describeParameters(module);
  spreadParameters(module, options.hostWords);
  translateDebugInfo(module, options.debugInfo);
  lowerPrintf(module);
  expandVariadics(module);
  if (Error error = linkLibrary(module))
    return error;
  forgetOtherMachines(module);
  if (!options.hostWords)
    forgetHostWords(module, 0);
  else if (options.wholeProgram &&
           none_of(module, [](const Function &function) { return takesSeveralSizes(function); }))
    forgetHostWords(module, 6); // all work-groups of a launch are of one size
  describeBuiltins(module);
  copyForCalls(module);
  alignFrames(module);
  takeInUsersOfShared(module);
  Optimizer optimizer(machine, options.level);
  optimizer.optimize(module);
  if (takeInUsersOfShared(module)) // an argument that is always one variable is that now
    optimizer.optimizeOperations(module);
  // What the library has for an operation may have others in it.
  while (callForOperations(module)) {
    if (Error error = linkLibrary(module))
      return error;
    forgetOtherMachines(module);
    alignFrames(module);
    describeBuiltins(module);
    optimizer.optimizeOperations(module);
  }
  splitGenericAtomics(module);
  for (Function &function : module) {
    alignVariables(function);
    addInstead(function);
    copyByQuads(function);
  }
  check(module, options);
  prepareInlineAssembly(module);
  return Error::success();
}

} // namespace leno
