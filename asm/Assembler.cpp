//===- Assembler.cpp - Text to object, as a library -----------------------===//
#include "asm/Assembler.h"

#include "asm/BuiltinIncludes.h"
#include "asm/CanonicalObject.h"
#include "asm/Diagnostics.h"
#include "asm/LenoInstPrinter.h"
#include "asm/LenoTargetStreamer.h"
#include "asm/SourceFiles.h"
#include "asm/support/FloatEnvironment.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCAssembler.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCELFObjectWriter.h"
#include "llvm/MC/MCELFStreamer.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCObjectWriter.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace leno {
namespace {

/// Everything one run of LLVM's MC layer needs, in the order it must live.
class Job {
public:
  Job(std::unique_ptr<MemoryBuffer> source, const AssembleOptions &options, raw_ostream &diagnosticsOut)
      : options(options), diagnostics(diagnosticsOut, options, sources),
        fileName(source->getBufferIdentifier()) {
    source = withoutMark(std::move(source));
    text = source->getBuffer();
    sources.AddNewSourceBuffer(std::move(source), SMLoc());
    // The file's own folder comes after what was asked for, so that a program finds its parts from anywhere.
    std::vector<std::string> directories = options.includeDirs;
    directories.push_back(sys::path::parent_path(fileName).str());
    directories.push_back(builtinFolder);
    sources.setIncludeDirs(directories);
    sources.setVirtualFileSystem(withBuiltinFiles(files));
    sources.setDiagHandler(
        [](const SMDiagnostic &d, void *self) { static_cast<Diagnostics *>(self)->tell(d); }, &diagnostics);
    context.setDiagnosticHandler([this](const SMDiagnostic &d, bool, const SourceMgr &,
                                        std::vector<const MDNode *> &) { diagnostics.tell(d); });
    context.setObjectFileInfo(&objectFileInfo);
    objectFileInfo.initMCObjectFileInfo(context, /*PIC=*/false);
    if (options.debugLines)
      describeSource();
  }

  template <class MakeStreamer> Error run(MakeStreamer makeStreamer) {
    std::unique_ptr<MCStreamer> streamer = makeStreamer(*this);
    std::unique_ptr<MCAsmParser> parser(createMCAsmParser(sources, context, *streamer, *asmInfo));
    std::unique_ptr<MCTargetAsmParser> target =
        createAsmParser(*subtargetInfo, *parser, *instrInfo, targetOptions);
    parser->setTargetParser(*target);
    diagnostics.parser = &static_cast<LenoAsmParser &>(*target);
    diagnostics.parser->warnings = &options.warnings;
    diagnostics.parser->files = files.get();
    auto detach = make_scope_exit([&] {
      diagnostics.flush();
      diagnostics.parser = nullptr;
    });
    if (Error e = define(*streamer))
      return e;
    auto &kernels = static_cast<LenoTargetStreamer &>(*streamer->getTargetStreamer());
    kernels.notesSharedUses = options.sharedUses;
    if (options.listing)
      kernels.listing = &listing;
    bool failed = parser->Run(/*NoInitialTextSection=*/false);
    if (!failed && !diagnostics.errors() && !context.hadError() && kernels.writesObject())
      kernels.codePlaces().check(static_cast<MCObjectStreamer &>(*streamer).getAssembler(),
                                 [&](SMLoc loc, const Twine &text) { context.reportError(loc, text); });
    if (!failed && !diagnostics.errors() && !context.hadError())
      reportFindings(kernels.recorder(), static_cast<LenoAsmParser &>(*target).macroCalls(), sources,
                     options.warnings, [&](const SMDiagnostic &d) { diagnostics.tell(d); });
    if (failed || diagnostics.errors() || context.hadError())
      return createStringError(fileName + ": " + Twine(std::max(1u, diagnostics.errors())) +
                               (diagnostics.errors() > 1 ? " errors" : " error"));
    if (kernels.listing)
      listing.layOut(static_cast<MCObjectStreamer &>(*streamer).getAssembler(), sources,
                     static_cast<LenoAsmParser &>(*target).macroCalls());
    return Error::success();
  }

  FloatScope floats; // numbers are read and told as everywhere
  const AssembleOptions &options;
  IntrusiveRefCntPtr<SourceFiles> files = makeIntrusiveRefCnt<SourceFiles>(options.files);
  SourceMgr sources;
  Diagnostics diagnostics;
  std::string fileName;
  StringRef text;
  MCTargetOptions targetOptions;
  std::unique_ptr<MCRegisterInfo> registerInfo = createRegisterInfo();
  std::unique_ptr<MCAsmInfo> asmInfo = createAsmInfo();
  std::unique_ptr<MCInstrInfo> instrInfo = createInstrInfo();
  std::unique_ptr<MCSubtargetInfo> subtargetInfo = createSubtargetInfo();
  MCObjectFileInfo objectFileInfo;
  Listing listing;
  MCContext context{lenoTriple(),        asmInfo.get(), registerInfo.get(),
                    subtargetInfo.get(), &sources,      &targetOptions};

private:
  /// DWARF 4: its line table needs no relocation against strings, which foreign readers could not apply.
  void describeSource() {
    SmallString<128> directory;
    if (!sys::fs::current_path(directory)) {
      // LLVM cuts the folder off the beginning of names, be it the name of another folder that only begins
      // alike.
      if (StringRef rest = fileName; rest.consume_front(directory) && !rest.starts_with("/"))
        directory += '/';
      context.setCompilationDir(directory);
    }
    for (const auto &[from, to] : options.prefixMap)
      context.addDebugPrefixMapEntry(from, to);
    context.setGenDwarfForAssembly(true);
    context.setDwarfVersion(4);
    context.setMainFileName(fileName);
    context.setGenDwarfRootFile(fileName, text);
  }

  Error define(MCStreamer &streamer) {
    for (const std::string &text : options.defines) {
      Expected<Definition> definition = readDefinition(text);
      if (!definition)
        return definition.takeError();
      context.setSymbolValue(streamer, definition->name, uint64_t(definition->value));
    }
    return Error::success();
  }
};

} // namespace

Expected<Definition> readDefinition(StringRef text) {
  auto [name, valueText] = text.split('=');
  int64_t value = 1;
  auto isOfName = [](char c) { return isAlnum(c) || StringRef("_.$").contains(c); };
  if (name.empty() || isDigit(name[0]) || !all_of(name, isOfName) ||
      (text.contains('=') && valueText.getAsInteger(0, value)))
    return createStringError("-D " + text + ": expected SYMBOL=INTEGER, such as -D SIZE=64");
  return Definition{name, value};
}

Expected<SmallVector<char, 0>> assemble(std::unique_ptr<MemoryBuffer> source, const AssembleOptions &options,
                                        raw_ostream &diagnostics) {
  SmallVector<char, 0> object;
  raw_svector_ostream out(object);
  Job job(std::move(source), options, diagnostics);
  Error error = job.run([&](Job &job) {
    std::unique_ptr<MCAsmBackend> backend = createAsmBackend(job.options.standalone);
    std::unique_ptr<MCObjectWriter> writer = backend->createObjectWriter(out);
    std::unique_ptr<MCStreamer> streamer(createELFStreamer(job.context, std::move(backend), std::move(writer),
                                                           createCodeEmitter(job.context)));
    static_cast<MCELFStreamer &>(*streamer).getWriter().setELFHeaderEFlags(elfVersion);
    new LenoELFTargetStreamer(*streamer); // owned by the streamer
    return streamer;
  });
  if (error)
    return std::move(error);
  sortSymbols(object);
  if (options.listing) {
    raw_string_ostream os(*options.listing);
    if (Error e = job.listing.print(StringRef(object.data(), object.size()), job.sources, os))
      return std::move(e);
  }
  return object;
}

Error assembleToText(std::unique_ptr<MemoryBuffer> source, const AssembleOptions &options, raw_ostream &out,
                     raw_ostream &diagnostics) {
  Job job(std::move(source), options, diagnostics);
  job.targetOptions.ShowMCEncoding = true;
  job.targetOptions.AsmVerbose = true;
  return job.run([&](Job &job) {
    auto formatted = std::make_unique<formatted_raw_ostream>(out);
    std::unique_ptr<MCStreamer> streamer(createAsmStreamer(
        job.context, std::move(formatted), createInstPrinter(*job.asmInfo, *job.instrInfo, *job.registerInfo),
        createCodeEmitter(job.context), createAsmBackend(false)));
    new LenoAsmTargetStreamer(*streamer, out); // owned by the streamer
    return streamer;
  });
}

} // namespace leno
