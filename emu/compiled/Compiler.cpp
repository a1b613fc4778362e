//===- Compiler.cpp - A region's operations become machine code -----------===//
// The bitcode of the forms is read lazily, the region's function is built
// around calls of them (RegionBuilder.h), and LLVM inlines, optimizes and
// generates an object, which becomes an image (CodeImage.h).
//===----------------------------------------------------------------------===//
#include "emu/compiled/CanonicalNaNs.h"
#include "emu/compiled/CompiledCode.h"
#include "emu/compiled/ImageWriter.h"
#include "emu/compiled/LaneBits.h"
#include "emu/compiled/PerfDump.h"
#include "emu/compiled/RegionBuilder.h"
#include "emu/compiled/RowAccesses.h"
#include "emu/compiled/SharedWords.h"
#include "emu/compiled/TurnLoops.h"
#include "emu/compiled/WarpCopies.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/ExecutionEngine/Orc/CompileUtils.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/DeadStoreElimination.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/SCCP.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Vectorize/VectorCombine.h"

using namespace llvm;
using namespace leno;

// The forms' bitcode, one of each vector width, and one more for hosts that fuse.
#define LENO_FORMS(name)                                                                                     \
  asm(".section .rodata\n"                                                                                   \
      ".balign 16\n"                                                                                         \
      ".global lenoForms_" #name "\n.hidden lenoForms_" #name "\nlenoForms_" #name ":\n"                     \
      ".incbin \"" LENO_FORMS_DIR "/Forms_" #name ".bc\"\n"                                                  \
      ".global lenoFormsEnd_" #name "\n.hidden lenoFormsEnd_" #name "\nlenoFormsEnd_" #name ":\n"            \
      ".previous\n");                                                                                        \
  extern "C" const char lenoForms_##name[], lenoFormsEnd_##name[];
LENO_FORMS(sse2)
LENO_FORMS(sse2fma)
LENO_FORMS(avx2)
LENO_FORMS(avx512)

namespace {

StringRef formsOf(StringRef width, const TargetMachine &machine) {
  if (width == "sse2" && machine.getMCSubtargetInfo()->checkFeatures("+fma"))
    width = "sse2fma";
#define LENO_PICK(name)                                                                                      \
  if (width == #name)                                                                                        \
    return {lenoForms_##name, size_t(lenoFormsEnd_##name - lenoForms_##name)};
  LENO_PICK(sse2)
  LENO_PICK(sse2fma)
  LENO_PICK(avx2)
  LENO_PICK(avx512)
  return {};
}

/// To go before instructions are combined: little else can be made of arithmetic with a number or the one NaN
/// then.
struct LazyNaNs : PassInfoMixin<LazyNaNs> {
  static PreservedAnalyses run(Function &function, FunctionAnalysisManager &) {
    compiled::makeNaNsLazy(function);
    PreservedAnalyses preserved;
    preserved.preserveSet<CFGAnalyses>();
    return preserved;
  }
};

/// Of each leader what is come to from there is left.
void optimizeLoops(Function &turns, FunctionAnalysisManager &functions) {
  FunctionPassManager passes;
  passes.addPass(SROAPass(SROAOptions::ModifyCFG));
  passes.addPass(EarlyCSEPass());
  passes.addPass(SCCPPass());
  passes.addPass(SimplifyCFGPass());
  passes.addPass(InstCombinePass());
  passes.addPass(GVNPass());
  passes.addPass(createFunctionToLoopPassAdaptor(LICMPass(LICMOptions()), /*UseMemorySSA=*/true));
  passes.addPass(DSEPass());
  passes.addPass(ADCEPass());
  passes.addPass(SimplifyCFGPass());
  for (Instruction &each : instructions(turns))
    if (auto *call = dyn_cast<CallInst>(&each))
      passes.run(*call->getCalledFunction(), functions);
}

void optimize(Module &module, TargetMachine &machine, const compiled::Region &region) {
  PassBuilder builder(&machine);
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);

  ModulePassManager inlining;
  inlining.addPass(AlwaysInlinerPass(/*InsertLifetime=*/true));
  inlining.addPass(GlobalDCEPass());
  inlining.run(module, modules);

  Function &function = *module.getFunction(compiled::regionName(region));
  compiled::copyRowByRow(function);
  FunctionPassManager first;
  first.addPass(EarlyCSEPass());
  first.addPass(LazyNaNs());
  first.addPass(InstCombinePass()); // which knows the operations
  first.addPass(SimplifyCFGPass());
  first.run(function, functions);
  compiled::copyWhereNeeded(function);
  functions.invalidate(function, PreservedAnalyses::none());
  first = FunctionPassManager();
  first.addPass(SROAPass(SROAOptions::ModifyCFG));
  first.addPass(EarlyCSEPass());
  first.addPass(LazyNaNs());
  first.addPass(InstCombinePass());
  first.addPass(SimplifyCFGPass());
  first.run(function, functions);
  compiled::takeBitsAtOnce(function);
  compiled::replaceKnownRows(function, region);
  compiled::makeNaNsLazy(function); // before results are written as they were
  compiled::promoteRows(function);
  functions.invalidate(function, PreservedAnalyses::none());
  first = FunctionPassManager();
  first.addPass(EarlyCSEPass()); // what is known of addresses
  first.run(function, functions);
  compiled::computeSharedWords(function, region);
  functions.invalidate(function, PreservedAnalyses::none());
  FunctionPassManager second;
  second.addPass(EarlyCSEPass());
  second.addPass(SCCPPass()); // a branch by words that lanes share parts none: no way out, and one block
  second.addPass(SimplifyCFGPass());
  second.addPass(LazyNaNs());
  second.addPass(InstCombinePass());
  second.addPass(GVNPass());
  second.addPass(VectorCombinePass()); // what all lanes share is one word
  second.addPass(InstCombinePass());
  second.addPass(DSEPass());
  second.addPass(ADCEPass());
  second.addPass(SimplifyCFGPass());
  second.run(function, functions);
  compiled::makeNaNsLazy(function);
  if (StringRef(region.width) == "avx512") {
    compiled::fixNaNsAtOnce(function);
    compiled::chooseResults(function);
    compiled::takeWordsAtOnce(function);
  }
  FunctionPassManager third;
  third.addPass(ADCEPass());
  third.run(function, functions);
  compiled::computeWhereLeft(function);
  functions.invalidate(function, PreservedAnalyses::none());
  if (Function *turns = compiled::addTurnLoops(module, region))
    optimizeLoops(*turns, functions);
  modules.invalidate(module, PreservedAnalyses::none());
  ModulePassManager last;
  last.addPass(GlobalDCEPass());
  last.run(module, modules);
}

/// The register allocator weighs where else to split what is live through many blocks. Of a kernel of some
/// hundred operations that is more than half of the time, and what it finds beyond this is not faster.
void boundSplitting() {
  auto &options = cl::getRegisteredOptions();
  if (auto found = options.find("grow-region-complexity-budget"); found != options.end())
    found->second->addOccurrence(0, found->first, "500");
}

/// The host, and its processor with all it has.
Expected<orc::JITTargetMachineBuilder> host() {
  static const bool isReady = [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
    boundSplitting();
    return true;
  }();
  (void)isReady;
  Expected<orc::JITTargetMachineBuilder> target = orc::JITTargetMachineBuilder::detectHost();
  if (target)
    target->setCodeGenOptLevel(CodeGenOptLevel::Default)
        .setRelocationModel(Reloc::PIC_) // as LLJIT has them
        .setCodeModel(CodeModel::Small);
  return target;
}

/// The region's module, optimized for that machine.
Expected<std::unique_ptr<Module>> makeModule(const compiled::Region &region, TargetMachine &machine,
                                             LLVMContext &context) {
  StringRef bitcode = formsOf(region.width, machine);
  if (bitcode.empty())
    return createStringError(formatv("there are no forms for the vector engine {0}", region.width));
  Expected<std::unique_ptr<Module>> forms =
      getLazyBitcodeModule(MemoryBufferRef(bitcode, "forms"), context, /*ShouldLazyLoadMetadata=*/true);
  if (!forms)
    return forms.takeError();
  Module &module = **forms;
  if (Error error = compiled::buildRegion(module, region))
    return std::move(error);
  module.setDataLayout(machine.createDataLayout());
  optimize(module, machine, region);
  std::string broken;
  raw_string_ostream stream(broken);
  if (verifyModule(module, &stream))
    return createStringError("the compiler made a broken module: " + broken);
  return std::move(*forms);
}

/// Gives the region's module to the code generator, in what way `use` likes.
Error generate(const compiled::Region &region, orc::JITTargetMachineBuilder target,
               function_ref<Error(Module &, TargetMachine &)> use) {
  Expected<std::unique_ptr<TargetMachine>> machine = target.createTargetMachine();
  if (!machine)
    return machine.takeError();
  LLVMContext context;
  Expected<std::unique_ptr<Module>> module = makeModule(region, **machine, context);
  return module ? use(**module, **machine) : module.takeError();
}

Error imageOf(const compiled::Region &region, function_ref<void(StringRef)> take) {
  Expected<orc::JITTargetMachineBuilder> target = host();
  if (!target)
    return target.takeError();
  return generate(region, std::move(*target), [&](Module &module, TargetMachine &machine) -> Error {
    Expected<std::unique_ptr<MemoryBuffer>> object = orc::SimpleCompiler(machine)(module);
    if (!object)
      return object.takeError();
    Expected<std::string> image = compiled::imageOf((*object)->getBuffer());
    if (!image)
      return image.takeError();
    take(*image);
    return Error::success();
  });
}

/// The host's instructions, without the directives between them but for labels.
Error list(const compiled::Region &region, function_ref<void(u32 index, StringRef line)> take) {
  Expected<orc::JITTargetMachineBuilder> target = host();
  if (!target)
    return target.takeError();
  SmallString<0> text;
  auto write = [&](Module &module, TargetMachine &machine) -> Error {
    raw_svector_ostream os(text);
    legacy::PassManager passes;
    if (machine.addPassesToEmitFile(passes, os, nullptr, CodeGenFileType::AssemblyFile))
      return createStringError("the host's code generator writes no assembly");
    passes.run(module);
    return Error::success();
  };
  if (Error error = generate(region, *target, write))
    return error;
  u32 index = ~u32(0);
  bool isRegion = false; // and not what it calls
  for (StringRef rest = text; !rest.empty();) {
    auto [line, after] = rest.split('\n');
    rest = after;
    const StringRef word = line.trim();
    if (line.starts_with(compiled::regionName(region)) || line.starts_with(".Lfunc_end"))
      isRegion = !isRegion && line.starts_with(compiled::regionName(region));
    else if (StringRef place = word; place.consume_front(".loc")) {
      SmallVector<StringRef, 4> words;
      SplitString(place, words);
      unsigned number = 0;
      if (words.size() > 1 && !words[1].getAsInteger(10, number))
        index = number - 1; // 0: of none
    } else if (isRegion && line.starts_with(".LBB"))
      take(~u32(0), line.rtrim());
    else if (isRegion && line.starts_with("\t") && !word.starts_with(".") && !word.starts_with("#"))
      take(index, line.rtrim());
  }
  return Error::success();
}

bool told(Error error, char *message, u32 messageSize) {
  if (!error)
    return true;
  snprintf(message, messageSize, "%s", toString(std::move(error)).c_str());
  return false;
}

bool listRegion(const compiled::Region &region, void (*line)(void *, u32, const char *, size_t), void *to,
                char *message, u32 messageSize) {
  return told(list(region, [&](u32 index, StringRef text) { line(to, index, text.data(), text.size()); }),
              message, messageSize);
}

bool imageOfRegion(const compiled::Region &region, void (*take)(void *, const char *, size_t), void *to,
                   char *message, u32 messageSize) {
  return told(imageOf(region, [&](StringRef image) { take(to, image.data(), image.size()); }), message,
              messageSize);
}

} // namespace

extern "C" __attribute__((visibility("default"))) const compiled::Compiler lenoCompiler = {
    compiled::Compiler::current, imageOfRegion, listRegion, compiled::addToPerfDump};
