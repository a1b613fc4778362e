//===- LoaderFuzzer.cpp - Any bytes as an object or executable ------------===//
// What reads files: the loader, the linker and the dump. Damaged files give
// errors; files that link load.
//===----------------------------------------------------------------------===//
#include "asm/Executable.h"
#include "asm/Linker.h"
#include "asm/ObjectDump.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace llvm;
using namespace leno;

static void load(MemoryBufferRef file, bool mustLoad) {
  Expected<Executable> executable = Executable::load(file);
  if (!executable) {
    std::string what = toString(executable.takeError());
    if (mustLoad) {
      errs() << "what was linked does not load: " << what << '\n';
      std::abort();
    }
    return;
  }
  for (uint64_t address = 0; address < 8 * executable->code().size(); address += 8) {
    (void)executable->describe(address);
    (void)executable->line(address);
  }
  consumeError(executable->kernel("").takeError());
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::unique_ptr<MemoryBuffer> buffer =
      MemoryBuffer::getMemBufferCopy(StringRef(reinterpret_cast<const char *>(data), size), "fuzz.o");
  MemoryBufferRef file = buffer->getMemBufferRef();
  Expected<FileKind> kind = identifyFile(file);
  if (!kind) {
    consumeError(kind.takeError());
    return 0;
  }
  if (*kind == FileKind::Source)
    return 0;
  for (bool raw : {false, true})
    consumeError(dump(file, {.kernels = raw, .raw = raw, .source = raw}, nulls()));
  if (*kind == FileKind::Executable) {
    load(file, false);
    return 0;
  }
  if (Expected<SmallVector<char, 0>> linked = link(file))
    load(MemoryBufferRef(StringRef(linked->data(), linked->size()), "linked"), true);
  else
    consumeError(linked.takeError());
  return 0;
}
