//===- SourceFiles.cpp - The host's files as the assembler opens them -----===//
#include "asm/SourceFiles.h"

#include "asm/support/InputFile.h"
#include "asm/support/RunFiles.h"

using namespace llvm;

namespace leno {

std::unique_ptr<MemoryBuffer> withoutMark(std::unique_ptr<MemoryBuffer> text) {
  StringRef whole = text->getBuffer();
  if (!whole.consume_front("\xef\xbb\xbf"))
    return text;
  return MemoryBuffer::getMemBufferCopy(whole, text->getBufferIdentifier());
}

namespace {
class FileInMemory : public vfs::File {
public:
  FileInMemory(vfs::Status status, std::unique_ptr<MemoryBuffer> bytes)
      : ofFile(std::move(status)), bytes(std::move(bytes)) {}
  ErrorOr<vfs::Status> status() override { return ofFile; }
  ErrorOr<std::unique_ptr<MemoryBuffer>> getBuffer(const Twine &, int64_t, bool, bool) override {
    return std::move(bytes);
  }
  std::error_code close() override { return {}; }

private:
  vfs::Status ofFile;
  std::unique_ptr<MemoryBuffer> bytes;
};
} // namespace

ErrorOr<std::unique_ptr<vfs::File>> SourceFiles::openFileForRead(const Twine &name) {
  std::string path = name.str();
  ErrorOr<vfs::Status> status = ProxyFileSystem::status(path);
  if (!status)
    return status.getError();
  Expected<std::unique_ptr<MemoryBuffer>> bytes = readWhole(path);
  if (!bytes) {
    unreadable = "'" + path + "': " + toString(bytes.takeError());
    return std::make_error_code(std::errc::io_error);
  }
  if (opened)
    opened->reads(path);
  if (opensText)
    *bytes = withoutMark(std::move(*bytes));
  return std::make_unique<FileInMemory>(std::move(*status), std::move(*bytes));
}

} // namespace leno
