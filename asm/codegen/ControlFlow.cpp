//===- ControlFlow.cpp - Control flow that LenoJoins can join -----------------===//
#include "asm/codegen/ControlFlow.h"

#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/TargetTransformInfoImpl.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Pass.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Scalar/StructurizeCFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/FixIrreducible.h"
#include "llvm/Transforms/Utils/UnifyLoopExits.h"

using namespace llvm;

namespace leno {
namespace {

class OneWayOut : public FunctionPass {
public:
  static char ID;
  OneWayOut() : FunctionPass(ID) {}
  StringRef getPassName() const override { return "Leno loops with one way out"; }
  bool runOnFunction(Function &function) override {
    FunctionAnalysisManager analyses;
    analyses.registerPass([] { return PassInstrumentationAnalysis(); });
    analyses.registerPass([] { return DominatorTreeAnalysis(); });
    analyses.registerPass([] { return LoopAnalysis(); });
    const LoopInfo &loops = analyses.getResult<LoopAnalysis>(function);
    auto hasSeveral = [](const Loop *loop) { return !loop->hasNoExitBlocks() && !loop->getUniqueExitBlock(); };
    bool changed = any_of(loops.getLoopsInPreorder(), hasSeveral);
    if (changed)
      UnifyLoopExitsPass().run(function, analyses);
    for (const Loop *loop : loops.getLoopsInPreorder())
      if (BasicBlock *exit = loop->getUniqueExitBlock())
        for (PHINode &phi : exit->phis())
          changed |= markWays(*loop, phi);
    return changed;
  }

private:
  static bool markWays(const Loop &loop, PHINode &phi) {
    const Value *first = nullptr;
    for (auto [from, value] : zip(phi.blocks(), phi.incoming_values())) {
      if (!loop.contains(from) || value == first)
        continue;
      if (first) {
        phi.setMetadata(toldByWayOut, MDNode::get(phi.getContext(), {}));
        return true;
      }
      first = value;
    }
    return false;
  }
};
char OneWayOut::ID;

/// FixIrreducible of LLVM 22 loses values where a branch has two ways into a circle and only one of them is
/// led through the new head: each way gets a block of its own.
class WaysIn : public FunctionPass {
public:
  static char ID;
  WaysIn() : FunctionPass(ID) {}
  StringRef getPassName() const override { return "Leno ways into circles"; }
  bool runOnFunction(Function &function) override {
    CycleInfo cycles;
    cycles.compute(function);
    SmallVector<std::pair<BasicBlock *, BasicBlock *>> ways;
    SmallVector<CycleInfo::CycleT *> open(cycles.toplevel_cycles());
    while (!open.empty()) {
      CycleInfo::CycleT *cycle = open.pop_back_val();
      open.append(cycle->child_begin(), cycle->child_end());
      if (cycle->isReducible())
        continue;
      for (BasicBlock *entry : cycle->entries())
        for (BasicBlock *from : predecessors(entry))
          if (from->getTerminator()->getNumSuccessors() > 1 && !is_contained(ways, std::pair(from, entry)))
            ways.push_back({from, entry});
    }
    for (auto [from, entry] : ways)
      SplitBlockPredecessors(entry, {from}, ".way");
    return !ways.empty();
  }
};
char WaysIn::ID;

/// StructurizeCFG of LLVM 22 moves what costs nothing (a trunc) in front of branches, and loses values then.
struct NothingIsFree : TargetTransformInfoImplCRTPBase<NothingIsFree> {
  explicit NothingIsFree(const DataLayout &layout) : TargetTransformInfoImplCRTPBase(layout) {}
  InstructionCost getInstructionCost(const User *, ArrayRef<const Value *>,
                                     TTI::TargetCostKind) const override {
    return TTI::TCC_Basic;
  }
};

class Structured : public FunctionPass {
public:
  static char ID;
  explicit Structured(TargetMachine &machine) : FunctionPass(ID), machine(machine) {}
  StringRef getPassName() const override { return "Leno structured control flow"; }
  bool runOnFunction(Function &function) override {
    if (!function.hasFnAttribute(structured))
      return false;
    EliminateUnreachableBlocks(function);
    BasicBlock *end = oneEnd(function);
    leadOut(function, end);
    PassBuilder builder(&machine);
    FunctionAnalysisManager analyses;
    analyses.registerPass([] {
      return TargetIRAnalysis([](const Function &function) {
        return TargetTransformInfo(std::make_unique<NothingIsFree>(function.getDataLayout()));
      });
    });
    builder.registerFunctionAnalyses(analyses);
    ModuleAnalysisManager modules;
    builder.registerModuleAnalyses(modules);
    analyses.registerPass([&] { return ModuleAnalysisManagerFunctionProxy(modules); });
    modules.registerPass([&] { return FunctionAnalysisManagerModuleProxy(analyses); });
    FunctionPassManager passes;
    passes.addPass(FixIrreduciblePass());
    passes.addPass(UnifyLoopExitsPass());
    passes.addPass(StructurizeCFGPass());
    passes.run(function, analyses);
    return true;
  }

private:
  /// All that ends goes to one block; where the program says that nobody comes, that is as good.
  static BasicBlock *oneEnd(Function &function) {
    LLVMContext &context = function.getContext();
    BasicBlock *end = BasicBlock::Create(context, "", &function);
    Type *type = function.getReturnType();
    PHINode *result = type->isVoidTy() ? nullptr : PHINode::Create(type, 2, "", end);
    ReturnInst::Create(context, result, end);
    for (BasicBlock &block : function) {
      Instruction *last = block.getTerminator();
      if (&block == end || last->getNumSuccessors())
        continue;
      if (result)
        result->addIncoming(isa<ReturnInst>(last) ? cast<ReturnInst>(last)->getReturnValue()
                                                  : PoisonValue::get(type),
                            &block);
      goTo(block, end, last->getDebugLoc());
      last->eraseFromParent();
    }
    return end;
  }
  static void goTo(BasicBlock &block, BasicBlock *to, const DebugLoc &where) {
    IRBuilder<> builder(&block);
    builder.SetCurrentDebugLocation(where);
    builder.CreateBr(to);
  }
  /// Every block gets a way to the end, that nobody takes.
  static void leadOut(Function &function, BasicBlock *end) {
    for (;;) {
      SmallPtrSet<BasicBlock *, 16> leads;
      for (BasicBlock *block : inverse_depth_first(end))
        leads.insert(block);
      BasicBlock *stuck = nullptr;
      // The one that is found last goes back: it lies in a circle.
      for (BasicBlock *block : depth_first(&function))
        if (!leads.contains(block))
          stuck = block;
      if (!stuck)
        return;
      Instruction *last = stuck->getTerminator();
      BasicBlock *rest = SplitBlock(stuck, last);
      Instruction *way = stuck->getTerminator();
      IRBuilder<> builder(way);
      builder.CreateCondBr(builder.getTrue(), rest, end);
      way->eraseFromParent();
      for (PHINode &phi : end->phis())
        phi.addIncoming(PoisonValue::get(phi.getType()), stuck);
    }
  }
  TargetMachine &machine;
};
char Structured::ID;

} // namespace

FunctionPass *createStructured(TargetMachine &machine) { return new Structured(machine); }
FunctionPass *createWaysIn() { return new WaysIn; }
FunctionPass *createOneWayOut() { return new OneWayOut; }

} // namespace leno
