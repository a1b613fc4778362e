//===- AssemblerFuzzer.cpp - Any text as assembly -------------------------===//
// Text gives errors, or a file that links, loads and disassembles. Directives
// that read other files or repeat as often as a number says are left out, and
// those that fill with large numbers: they are LLVM's own, and only find that a
// billion is much.
//===----------------------------------------------------------------------===//
#include "asm/Linker.h"
#include "asm/LoadProgram.h"
#include "asm/ObjectDump.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace llvm;
using namespace leno;

/// Without numbers of three digits and more, and without products, what fills and aligns stays small.
static bool hasLargeNumbers(StringRef text) {
  unsigned digits = 0, most = 0;
  for (char c : text) {
    digits = isHexDigit(c) ? digits + 1 : 0;
    most = std::max(most, digits);
  }
  return most > 2 || text.find_first_of("*<~-!") != StringRef::npos;
}

static bool isLeftOut(StringRef text) {
  static constexpr StringLiteral never[] = {".inc", ".rep", ".macro", ".p2al", ".bundle"};
  static constexpr StringLiteral large[] = {".irp",   ".fill",  ".space", ".skip", ".zero",
                                            ".align", ".balig", ".org",   ".ds",   ".dcb"};
  std::string lower = text.lower();
  auto contains = [&](StringRef name) { return StringRef(lower).contains(name); };
  return any_of(never, contains) || (any_of(large, contains) && hasLargeNumbers(text));
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
