//===- LoadProgram.cpp - Any kind of input file to an executable ----------===//
#include "asm/LoadProgram.h"

#include "asm/CompileSource.h"
#include "asm/Linker.h"
#include "asm/support/InputFile.h"

using namespace llvm;

namespace leno {

static Expected<SmallVector<char, 0>> link(std::unique_ptr<MemoryBuffer> file, const AssembleOptions &options,
                                           raw_ostream &diagnostics) {
  Expected<FileKind> kind = identifyFile(*file);
  if (!kind)
    return kind.takeError();
  std::string name = file->getBufferIdentifier().str();
  if (*kind != FileKind::Source && !options.defines.empty())
    return createStringError(name + ": this is no source: -D " + options.defines.front() +
                             " can change nothing in it");
  switch (*kind) {
  case FileKind::Executable:
    return SmallVector<char, 0>(file->getBufferStart(), file->getBufferEnd());
  case FileKind::Object:
    return link(MemoryBufferRef(file->getBuffer(), name));
  case FileKind::Source:
    break;
  }
  AssembleOptions withLines = options;
  withLines.debugLines = withLines.standalone = withLines.sharedUses = true;
  Expected<SmallVector<char, 0>> object = assemble(std::move(file), withLines, diagnostics);
  if (!object)
    return object.takeError();
  return link(MemoryBufferRef(StringRef(object->data(), object->size()), name));
}

Expected<Executable> loadProgram(StringRef path, const AssembleOptions &options, raw_ostream &diagnostics) {
  Expected<SmallVector<char, 0>> linked = linkProgram(path, options, diagnostics);
  if (!linked)
    return linked.takeError();
  return Executable::load(MemoryBufferRef(StringRef(linked->data(), linked->size()), path));
}

Expected<SmallVector<char, 0>> linkProgram(StringRef path, const AssembleOptions &options,
                                           raw_ostream &diagnostics) {
  if (isCompiled(path)) {
    auto file = compileSource(path, options, diagnostics);
    if (!file)
      return file.takeError();
    return SmallVector<char, 0>((*file)->getBufferStart(), (*file)->getBufferEnd());
  }
  auto file = readInput(path, options.files);
  if (!file)
    return file.takeError();
  return link(std::move(*file), options, diagnostics);
}

Expected<SmallVector<char, 0>> linkProgramText(StringRef text, StringRef name, const AssembleOptions &options,
                                               raw_ostream &diagnostics) {
  return link(MemoryBuffer::getMemBufferCopy(text, name), options, diagnostics);
}

Expected<Executable> loadProgramText(StringRef text, StringRef name, const AssembleOptions &options,
                                     raw_ostream &diagnostics) {
  Expected<SmallVector<char, 0>> linked = linkProgramText(text, name, options, diagnostics);
  if (!linked)
    return linked.takeError();
  return Executable::load(MemoryBufferRef(StringRef(linked->data(), linked->size()), name));
}

} // namespace leno
