//===- AssemblerFuzzer.cpp - Any text as assembly -------------------------===//
// Text gives errors, or a file that links, loads and disassembles. Directives
// that read other files, or repeat as often as a number says, are left out:
// they are LLVM's own, and only find that a billion is much.
//===----------------------------------------------------------------------===//
#include "asm/Linker.h"
#include "asm/LoadProgram.h"
#include "asm/ObjectDump.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace llvm;
using namespace leno;

static bool isLeftOut(StringRef text) {
  static constexpr StringLiteral names[] = {".inc",  ".rep",   ".irp",   ".fill",  ".space",
                                            ".skip", ".zero",  ".align", ".balig", ".p2al",
                                            ".org",  ".macro", ".ds",    ".dcb",   ".bundle"};
  std::string lower = text.lower();
  return any_of(names, [&](StringRef name) { return StringRef(lower).contains(name); });
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  StringRef text(reinterpret_cast<const char *>(data), size);
  if (text.contains('\0') || isLeftOut(text))
    return 0;
  AssembleOptions options;
  Expected<SmallVector<char, 0>> object =
      assemble(MemoryBuffer::getMemBufferCopy(text, "fuzz.s"), options, nulls());
  if (!object) {
    consumeError(object.takeError());
    return 0;
  }
  MemoryBufferRef file(StringRef(object->data(), object->size()), "fuzz.o");
  if (Error error = dump(file, {.kernels = true}, nulls())) {
    errs() << "what was assembled cannot be disassembled: " << toString(std::move(error)) << '\n';
    std::abort();
  }
  Expected<SmallVector<char, 0>> linked = link(file);
  if (!linked) {
    consumeError(linked.takeError());
    return 0;
  }
  Expected<Executable> executable =
      Executable::load(MemoryBufferRef(StringRef(linked->data(), linked->size()), "fuzz"));
  if (!executable) {
    errs() << "what was linked does not load: " << toString(executable.takeError()) << '\n';
    std::abort();
  }
  return 0;
}
