//===- Compile.cpp - LLVM's IR to assembly text ------------------------------------===//
#include "asm/codegen/Compile.h"

#include "asm/codegen/LenoTargetMachine.h"
#include "asm/codegen/Prepare.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/InitializePasses.h"
#include "llvm/PassRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace leno {
namespace {

/// Tells what LLVM and the code generator have to say of the program.
class Teller : public DiagnosticHandler {
public:
  Teller(raw_ostream &os, std::string file) : os(os), file(std::move(file)) {}
  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (info.getSeverity() != DS_Error && info.getSeverity() != DS_Warning)
      return true;
    const char *kind = info.getSeverity() == DS_Error ? "error: " : "warning: ";
    errors += info.getSeverity() == DS_Error;
    if (auto *unsupported = dyn_cast<DiagnosticInfoUnsupported>(&info)) {
      if (unsupported->isLocationAvailable())
        os << unsupported->getLocationStr() << ": " << kind << unsupported->getMessage() << '\n';
      else
        os << file << ": " << kind << "in '" << unsupported->getFunction().getName()
           << "': " << unsupported->getMessage() << '\n';
      return true;
    }
    os << file << ": " << kind;
    DiagnosticPrinterRawOStream printer(os);
    info.print(printer);
    os << '\n';
    return true;
  }
  unsigned errors = 0;

private:
  raw_ostream &os;
  std::string file;
};

void initializePasses() {
  static bool done = [] {
    PassRegistry &registry = *PassRegistry::getPassRegistry();
    initializeCore(registry);
    initializeAnalysis(registry);
    initializeTransformUtils(registry);
    initializeScalarOpts(registry);
    initializeCodeGen(registry);
    initializeTarget(registry);
    return true;
  }();
  (void)done;
}

} // namespace

Expected<std::unique_ptr<Module>> readModule(const MemoryBuffer &input, LLVMContext &context) {
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module = parseIR(input.getMemBufferRef(), diagnostic, context);
  if (module)
    return module;
  std::string text;
  raw_string_ostream os(text);
  diagnostic.print(nullptr, os, /*ShowColors=*/false);
  return createStringError(StringRef(text).rtrim());
}

Expected<std::string> compileModule(Module &module, const CompileOptions &options, raw_ostream &diagnostics) {
  initializePasses();
  auto owned = std::make_unique<Teller>(diagnostics, module.getModuleIdentifier());
  Teller &teller = *owned;
  module.getContext().setDiagnosticHandler(std::move(owned));
  std::string broken;
  raw_string_ostream brokenText(broken);
  if (verifyModule(module, &brokenText))
    return createStringError(module.getModuleIdentifier() + ": " + StringRef(broken).rtrim());

  std::unique_ptr<TargetMachine> machine =
      createLenoTargetMachine(options.level ? CodeGenOptLevel::Default : CodeGenOptLevel::None);
  SmallString<0> text;
  raw_svector_ostream out(text);
  Error error = prepareModule(module, *machine, options.level);
  if (options.debugLines)
    module.getOrInsertNamedMetadata(lenoLines);
  if (!error && !teller.errors) {
    legacy::PassManager passes;
    passes.add(new TargetLibraryInfoWrapperPass(machine->getTargetTriple()));
    if (machine->addPassesToEmitFile(passes, out, nullptr, CodeGenFileType::AssemblyFile))
      return createStringError("the code generator cannot write assembly text");
    passes.run(module);
  }
  unsigned errors = teller.errors;
  module.getContext().setDiagnosticHandler(nullptr);
  if (error)
    return std::move(error);
  if (errors)
    return createStringError(module.getModuleIdentifier() + ": " + Twine(errors) +
                             (errors > 1 ? " errors" : " error"));
  return text.str().str();
}

} // namespace leno
