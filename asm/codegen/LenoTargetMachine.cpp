//===- LenoTargetMachine.cpp - The target, and the passes of a compilation ---===//
#include "asm/codegen/LenoTargetMachine.h"

#include "asm/LenoMCAsmInfo.h"
#include "asm/codegen/AssemblerNumbers.h"
#include "asm/codegen/ControlFlow.h"
#include "asm/codegen/DebugInfo.h"
#include "asm/codegen/LenoCode.h"

#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/CodeGen/BasicTTIImpl.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/PseudoSourceValue.h"
#include "llvm/CodeGen/TargetLoweringObjectFileImpl.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Transforms/Scalar.h"
#include "llvm/Transforms/Utils.h"

#define GET_REGINFO_MC_DESC
#include "asm/codegen/LenoCodeGenRegisterInfo.inc"
#define GET_INSTRINFO_MC_DESC
#include "asm/codegen/LenoCodeGenInstrInfo.inc"
#define GET_SUBTARGETINFO_MC_DESC
#define GET_SUBTARGETINFO_CTOR
#include "asm/codegen/LenoCodeGenSubtargetInfo.inc"

using namespace llvm;

namespace {

/// The assembler's lexical conventions, without the directives that say what `.kernel` says.
class CodeAsmInfo : public leno::LenoMCAsmInfo {
public:
  CodeAsmInfo() {
    HasDotTypeDotSizeDirective = false;
    HasSingleParameterDotFile = false;
    HasIdentDirective = false;
  }
  void setDebugInfo(bool wanted) { SupportsDebugInformation = wanted; }
  MCSection *getStackSection(MCContext &, bool) const override { return nullptr; }
};

const Target &lenoTarget() {
  static Target target;
  static bool filled = [] {
    TargetRegistry::RegisterTarget(target, "leno", "Leno", "LenoCode",
                                   [](Triple::ArchType) { return false; });
    TargetRegistry::RegisterMCAsmInfo(target,
                                      [](const MCRegisterInfo &, const Triple &,
                                         const MCTargetOptions &) -> MCAsmInfo * { return new CodeAsmInfo; });
    TargetRegistry::RegisterMCRegInfo(target, [](const Triple &) {
      auto *info = new MCRegisterInfo;
      InitLenoCodeMCRegisterInfo(info, CODE::R0);
      return info;
    });
    TargetRegistry::RegisterMCInstrInfo(target, [] {
      auto *info = new MCInstrInfo;
      InitLenoCodeMCInstrInfo(info);
      return info;
    });
    TargetRegistry::RegisterMCSubtargetInfo(
        target, [](const Triple &triple, StringRef cpu, StringRef features) {
          return createLenoCodeMCSubtargetInfoImpl(triple, cpu, cpu, features);
        });
    TargetRegistry::RegisterMCInstPrinter(
        target, [](const Triple &, unsigned, const MCAsmInfo &asmInfo, const MCInstrInfo &,
                   const MCRegisterInfo &) { return leno::createTextPrinter(asmInfo).release(); });
    TargetRegistry::RegisterAsmPrinter(target, createLenoAsmPrinter);
    return true;
  }();
  (void)filled;
  return target;
}

class LenoTTI : public BasicTTIImplBase<LenoTTI> {
  friend BasicTTIImplBase<LenoTTI>;

public:
  LenoTTI(const TargetMachine *machine, const Function &function)
      : BasicTTIImplBase(machine, function.getDataLayout()),
        subtarget(static_cast<const LenoSubtarget *>(machine->getSubtargetImpl(function))) {}

  bool hasBranchDivergence(const Function * = nullptr) const override { return true; }
  unsigned getFlatAddressSpace() const override { return LenoSpace::Generic; }
  bool isNoopAddrSpaceCast(unsigned from, unsigned to) const override {
    return subtarget->getTargetLowering()->getTargetMachine().isNoopAddrSpaceCast(from, to);
  }
  bool canHaveNonUndefGlobalInitializerInAddressSpace(unsigned space) const override {
    return space == LenoSpace::Global || space == LenoSpace::Constant || space == LenoSpace::Generic;
  }
  /// Longer copies, and those of unknown length, become loops.
  uint64_t getMaxMemIntrinsicInlineSizeThreshold() const override { return 256; }
  /// A loop's own instructions are two or three of each turn.
  void getUnrollingPreferences(Loop *, ScalarEvolution &,
                               TargetTransformInfo::UnrollingPreferences &preferences,
                               OptimizationRemarkEmitter *) const override {
    preferences.Partial = true;
    preferences.PartialThreshold = 200;
    preferences.MaxCount = 8;
  }
  /// What one lane reads may differ from what another does: its own memory, its number, what an atomic gave
  /// it, and which way it has left a loop.
  InstructionUniformity getInstructionUniformity(const Value *value) const override {
    if (auto *phi = dyn_cast<PHINode>(value); phi && phi->hasMetadata(leno::toldByWayOut))
      return InstructionUniformity::NeverUniform;
    if (auto *argument = dyn_cast<Argument>(value))
      return isKernel(*argument->getParent()) ? InstructionUniformity::AlwaysUniform
                                              : InstructionUniformity::NeverUniform;
    if (auto *load = dyn_cast<LoadInst>(value))
      return load->getPointerAddressSpace() == LenoSpace::Local ||
                     load->getPointerAddressSpace() == LenoSpace::Generic
                 ? InstructionUniformity::NeverUniform
                 : InstructionUniformity::Default;
    if (isa<AtomicRMWInst, AtomicCmpXchgInst>(value))
      return InstructionUniformity::NeverUniform;
    if (auto *call = dyn_cast<CallBase>(value); call && !isa<IntrinsicInst>(call)) {
      std::optional<LenoBuiltin> builtin =
          call->getCalledFunction() ? findBuiltin(call->getCalledFunction()->getName()) : std::nullopt;
      if (builtin && (builtin->node == LenoISD::RCP || builtin->node == LenoISD::RSQ))
        return InstructionUniformity::Default;
      return builtin && !builtin->divergent ? InstructionUniformity::AlwaysUniform
                                            : InstructionUniformity::NeverUniform;
    }
    return InstructionUniformity::Default;
  }

private:
  const LenoSubtarget *subtarget;
  const LenoSubtarget *getST() const { return subtarget; }
  const LenoTargetLowering *getTLI() const { return subtarget->getTargetLowering(); }
};

class LenoTargetMachine : public CodeGenTargetMachineImpl {
public:
  LenoTargetMachine(CodeGenOptLevel level, bool debugInfo)
      : CodeGenTargetMachineImpl(lenoTarget(), lenoDataLayout, Triple("leno-unknown-unknown-elf"), "leno", "",
                                 options(), Reloc::Static, CodeModel::Small, level) {
    initAsmInfo();
    static_cast<CodeAsmInfo &>(const_cast<MCAsmInfo &>(*AsmInfo)).setDebugInfo(debugInfo);
    // Blocks are not copied behind our back: lanes that part in one place would have to be joined from
    // several.
    setRequiresStructuredCFG(true);
    subtarget = std::make_unique<LenoSubtarget>(*this);
  }
  const LenoSubtarget *getSubtargetImpl(const Function &) const override { return subtarget.get(); }
  TargetLoweringObjectFile *getObjFileLowering() const override { return files.get(); }
  TargetPassConfig *createPassConfig(PassManagerBase &passes) override;
  MachineFunctionInfo *createMachineFunctionInfo(BumpPtrAllocator &allocator, const Function &function,
                                                 const TargetSubtargetInfo *target) const override {
    return LenoFunctionInfo::create<LenoFunctionInfo>(allocator, function, target);
  }
  TargetTransformInfo getTargetTransformInfo(const Function &function) const override {
    return TargetTransformInfo(std::make_unique<LenoTTI>(this, function));
  }
  unsigned getAddressSpaceForPseudoSourceKind(unsigned kind) const override {
    return kind == PseudoSourceValue::Stack || kind == PseudoSourceValue::FixedStack ? LenoSpace::Local
                                                                                     : LenoSpace::Generic;
  }
  bool isNoopAddrSpaceCast(unsigned from, unsigned to) const override {
    auto plain = [](unsigned space) {
      return space == LenoSpace::Generic || space == LenoSpace::Global || space == LenoSpace::Constant;
    };
    return plain(from) && plain(to);
  }

private:
  static TargetOptions options() {
    TargetOptions result;
    result.DisableIntegratedAS = true; // inline assembly goes into the text as it stands; leno-as reads it
    result.AllowFPOpFusion = FPOpFusion::Standard; // llvm.fmuladd may fuse, fmul and fadd stay two
    return result;
  }
  std::unique_ptr<TargetLoweringObjectFile> files = std::make_unique<TargetLoweringObjectFileELF>();
  std::unique_ptr<LenoSubtarget> subtarget;
};

/// A kernel's parameters are words of c[0], which instructions read themselves: each block has its own, where
/// selection sees them. `leno.parameter.i32(64)` is the word at that offset.
class ParametersInPlace : public FunctionPass {
public:
  static char ID;
  ParametersInPlace() : FunctionPass(ID) {}
  StringRef getPassName() const override { return "Leno parameters in place"; }
  bool runOnFunction(Function &function) override {
    if (!isKernel(function))
      return false;
    SmallVector<uint32_t> offsets = parameterOffsets(function);
    leno::placeParameters(function, offsets);
    for (Argument &argument : function.args()) {
      DenseMap<BasicBlock *, Value *> values;
      for (Use &use : make_early_inc_range(argument.uses())) {
        auto *user = cast<Instruction>(use.getUser());
        auto *phi = dyn_cast<PHINode>(user);
        BasicBlock *block = phi ? phi->getIncomingBlock(use) : user->getParent();
        if (block == &function.getEntryBlock())
          continue;
        Value *&value = values[block];
        if (!value)
          value = read(argument, offsets[argument.getArgNo()], block->getFirstInsertionPt());
        use.set(value);
      }
    }
    return true;
  }

private:
  static Value *read(Argument &argument, uint32_t offset, BasicBlock::iterator at) {
    IRBuilder<> builder(at->getParent(), at);
    std::string name;
    raw_string_ostream(name) << "leno.parameter." << *argument.getType();
    FunctionCallee callee = argument.getParent()->getParent()->getOrInsertFunction(name, argument.getType(),
                                                                                  builder.getInt32Ty());
    auto *function = cast<Function>(callee.getCallee());
    function->setDoesNotAccessMemory();
    function->setDoesNotThrow();
    function->setWillReturn();
    CallInst *call = builder.CreateCall(callee, builder.getInt32(offset));
    call->setDebugLoc(DebugLoc());
    if (argument.hasSExtAttr())
      call->addRetAttr(Attribute::SExt);
    return call;
  }
};
char ParametersInPlace::ID;

class LenoPassConfig : public TargetPassConfig {
public:
  LenoPassConfig(LenoTargetMachine &machine, PassManagerBase &passes) : TargetPassConfig(machine, passes) {
    setRequiresCodeGenSCCOrder(); // callees first: a kernel's local memory holds their frames
  }
  // What atomics there is no instruction for become loops around CAS, which are made ready as others are.
  void addIRPasses() override {
    addPass(createAtomicExpandLegacyPass());
    TargetPassConfig::addIRPasses();
  }
  // Loops with one way in and one block where their lanes meet afterwards: what LenoJoins can join.
  bool addPreISel() override {
    addPass(createIndirectBrExpandPass()); // computed gotos are switches
    addPass(createLowerSwitchPass());
    addPass(leno::createWaysIn());
    addPass(createFixIrreduciblePass());
    addPass(leno::createStructured(*TM));
    addPass(leno::createOneWayOut());
    // What a loop counts is the same in all lanes, and differs behind it where they leave apart: a value of
    // its own.
    addPass(createLCSSAPass());
    addPass(new ParametersInPlace);
    return false;
  }
  bool addInstSelector() override {
    addPass(createLenoISel(*TM, getOptLevel()));
    return false;
  }
  void addPreEmitPass() override {
    if (getOptLevel() != CodeGenOptLevel::None)
      addPass(createLenoGuards());
    addPass(createLenoJoins());
    addPass(leno::createParametersFromStart());
  }
};

TargetPassConfig *LenoTargetMachine::createPassConfig(PassManagerBase &passes) {
  return new LenoPassConfig(*this, passes);
}

} // namespace

LenoSubtarget::LenoSubtarget(const TargetMachine &machine)
    : LenoCodeGenSubtargetInfo(machine.getTargetTriple(), "leno", "leno", ""), instructions(*this, registers),
      lowering(machine, *this) {}

std::unique_ptr<TargetMachine> llvm::createLenoTargetMachine(CodeGenOptLevel level, bool debugInfo) {
  return std::make_unique<LenoTargetMachine>(level, debugInfo);
}
