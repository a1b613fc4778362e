//===- Compile.cpp - LLVM's IR to assembly text ------------------------------------===//
#include "asm/codegen/Compile.h"

#include "asm/Spirv.h"
#include "asm/codegen/ControlFlow.h"
#include "asm/codegen/Kernels.h"
#include "asm/codegen/LenoCode.h"
#include "asm/codegen/LenoTargetMachine.h"
#include "asm/codegen/Prepare.h"
#include "asm/codegen/Spir.h"

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
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
#include "llvm/Transforms/Utils/Cloning.h"

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
        os << sourceName("", unsupported->getAbsolutePath()) << ':' << unsupported->getLocation().getLine()
           << ':' << unsupported->getLocation().getColumn() << ": " << kind << unsupported->getMessage()
           << '\n';
      else
        os << file << ": " << kind << "in '" << unsupported->getFunction().getName()
           << "': " << unsupported->getMessage() << '\n';
      return true;
    }
    auto *assembly = dyn_cast<DiagnosticInfoInlineAsm>(&info);
    const DILocation *place =
        assembly && assembly->getInstruction() ? assembly->getInstruction()->getDebugLoc().get() : nullptr;
    if (place)
      os << sourceName(place->getDirectory(), place->getFilename()) << ':' << place->getLine() << ':'
         << place->getColumn() << ": " << kind << "inline assembly: ";
    else
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
  if (isSpirv(input.getBuffer())) {
    Expected<std::unique_ptr<MemoryBuffer>> translated = translateSpirv(input);
    return translated ? readModule(**translated, context) : translated.takeError();
  }
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module = parseIR(input.getMemBufferRef(), diagnostic, context);
  if (module) {
    if (isForSpir(*module))
      if (Error error = adoptSpir(*module))
        return std::move(error);
    return module;
  }
  std::string text;
  raw_string_ostream os(text);
  diagnostic.print(nullptr, os, /*ShowColors=*/false);
  return createStringError(StringRef(text).rtrim());
}

namespace {
/// A module on its way to text, and who tells what is wrong with it.
class Compilation {
public:
  Compilation(Module &module, const CompileOptions &options, raw_ostream &diagnostics)
      : module(module), options(options) {
    initializePasses();
    auto owned = std::make_unique<Teller>(diagnostics, module.getModuleIdentifier());
    teller = owned.get();
    module.getContext().setDiagnosticHandler(std::move(owned));
    machine = createLenoTargetMachine(options.level ? CodeGenOptLevel::Default : CodeGenOptLevel::None,
                                      options.debugInfo);
  }
  ~Compilation() { module.getContext().setDiagnosticHandler(nullptr); }

  Error optimize() {
    mendKernels(module);
    if (Error error = told())
      return error;
    std::string broken;
    raw_string_ostream brokenText(broken);
    bool brokenDebugInfo = false;
    if (verifyModule(module, &brokenText, &brokenDebugInfo))
      return createStringError(module.getModuleIdentifier() + ": " + StringRef(broken).rtrim());
    if (brokenDebugInfo)
      StripDebugInfo(module);
    if (Error error = prepareModule(module, *machine, options))
      return error;
    return told();
  }
  /// Functions whose joins are not proven are compiled again, structured; the rest comes out as before.
  Error write(SmallVectorImpl<char> &text) {
    std::unique_ptr<Module> again = CloneModule(module);
    if (Error error = write(module, text))
      return error;
    bool proven = true;
    for (auto [function, copy] : zip(module, *again))
      if (function.hasFnAttribute(unproven)) {
        copy.addFnAttr(structured);
        proven = false;
      }
    if (proven)
      return Error::success();
    text.clear();
    return write(*again, text);
  }

private:
  Error write(Module &module, SmallVectorImpl<char> &text) {
    raw_svector_ostream out(text);
    legacy::PassManager passes;
    passes.add(new TargetLibraryInfoWrapperPass(machine->getTargetTriple()));
    if (machine->addPassesToEmitFile(passes, out, nullptr, CodeGenFileType::AssemblyFile))
      return createStringError("the code generator cannot write assembly text");
    passes.run(module);
    return told();
  }
  Error told() const {
    if (!teller->errors)
      return Error::success();
    return createStringError(module.getModuleIdentifier() + ": " + Twine(teller->errors) +
                             (teller->errors > 1 ? " errors" : " error"));
  }
  Module &module;
  const CompileOptions &options;
  Teller *teller;
  std::unique_ptr<TargetMachine> machine;
};
} // namespace

std::string placeOfCompilation() {
  const LenoPlace &place = placeOfSelection();
  if (!place.function)
    return "";
  std::string text = place.function->getParent()->getModuleIdentifier() + ": ";
  if (const DILocation *where = place.where.get())
    text = sourceName(where->getDirectory(), where->getFilename()) + ":" + std::to_string(where->getLine()) + ":" +
           std::to_string(where->getColumn()) + ": ";
  return text + "error: in '" + place.function->getName().str() + "': ";
}

Error optimizeModule(Module &module, const CompileOptions &options, raw_ostream &diagnostics) {
  return Compilation(module, options, diagnostics).optimize();
}

Expected<std::string> compileModule(Module &module, const CompileOptions &options, raw_ostream &diagnostics) {
  Compilation compilation(module, options, diagnostics);
  SmallString<0> text;
  if (Error error = compilation.optimize())
    return std::move(error);
  if (Error error = compilation.write(text))
    return std::move(error);
  return text.str().str();
}

} // namespace leno
