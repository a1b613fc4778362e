//===- BuiltinIncludes.cpp - Include files that every assembler has -------===//
#include "asm/BuiltinIncludes.h"

#include "asm/RunFiles.h"

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

class NotedFileSystem : public vfs::ProxyFileSystem {
public:
  NotedFileSystem(IntrusiveRefCntPtr<vfs::FileSystem> all, RunFiles &opened)
      : ProxyFileSystem(std::move(all)), opened(opened) {}
  ErrorOr<std::unique_ptr<vfs::File>> openFileForRead(const Twine &path) override {
    auto file = ProxyFileSystem::openFileForRead(path);
    if (file)
      opened.reads(path.str());
    return file;
  }

private:
  RunFiles &opened;
};
} // namespace

IntrusiveRefCntPtr<vfs::FileSystem> builtinFiles(RunFiles *opened) {
  auto memory = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  for (const File &file : files)
    memory->addFile(Twine(builtinFolder) + "/" + file.path, 0,
                    MemoryBuffer::getMemBuffer(StringRef(file.text, file.size), file.path));
  IntrusiveRefCntPtr<vfs::FileSystem> real = vfs::getRealFileSystem();
  if (opened)
    real = makeIntrusiveRefCnt<NotedFileSystem>(real, *opened);
  auto both = makeIntrusiveRefCnt<vfs::OverlayFileSystem>(real);
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
