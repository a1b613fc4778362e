//===- BuiltinIncludes.cpp - Include files that every assembler has -------===//
#include "asm/BuiltinIncludes.h"

#include "llvm/ADT/StringExtras.h"

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

IntrusiveRefCntPtr<vfs::FileSystem> builtinFiles() {
  auto memory = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  for (const File &file : files)
    memory->addFile(Twine(builtinFolder) + "/" + file.path, 0,
                    MemoryBuffer::getMemBuffer(StringRef(file.text, file.size), file.path));
  auto both = makeIntrusiveRefCnt<vfs::OverlayFileSystem>(vfs::getRealFileSystem());
  both->pushOverlay(memory);
  return both;
}

StringRef builtinFileOfMacro(StringRef macro) {
  for (const File &file : files) {
    StringRef line, rest(file.text, file.size);
    while (!rest.empty()) {
      std::tie(line, rest) = rest.split('\n');
      line = line.trim();
      if (line.consume_front(".macro") && line.trim().take_until([](char c) { return isSpace(c); }) == macro)
        return file.path;
    }
  }
  return "";
}

} // namespace leno
