//===- BuiltinIncludes.cpp - Include files that every assembler has -------===//
#include "asm/BuiltinIncludes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"

#include <iterator>

using namespace llvm;

namespace leno {

namespace {
struct File {
  StringLiteral path;
  const char *text;
  size_t size;
};
#include "asm/BuiltinIncludes.inc"
} // namespace

IntrusiveRefCntPtr<vfs::FileSystem> withBuiltinFiles(IntrusiveRefCntPtr<vfs::FileSystem> others) {
  auto memory = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  for (const File &file : files)
    memory->addFile(Twine(builtinFolder) + "/" + file.path, 0,
                    MemoryBuffer::getMemBuffer(StringRef(file.text, file.size), file.path));
  auto both = makeIntrusiveRefCnt<vfs::OverlayFileSystem>(std::move(others));
  both->pushOverlay(memory);
  return both;
}

bool isBuiltinFile(StringRef name) {
  return any_of(files, [&](const File &file) { return file.path == name; });
}

static StringMap<StringRef> macrosOfFiles() {
  StringMap<StringRef> macros;
  for (const File &file : files) {
    StringRef line, rest(file.text, file.size);
    while (!rest.empty()) {
      std::tie(line, rest) = rest.split('\n');
      line = line.trim();
      if (line.consume_front(".macro"))
        macros.try_emplace(line.trim().take_until([](char c) { return isSpace(c); }), file.path);
    }
  }
  return macros;
}

StringRef builtinFileOfMacro(StringRef macro) {
  static const StringMap<StringRef> macros = macrosOfFiles();
  return macros.lookup(macro);
}

} // namespace leno
