//===- BuiltinIncludes.cpp - Include files that every assembler has -------===//
#include "asm/BuiltinIncludes.h"

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

} // namespace leno
