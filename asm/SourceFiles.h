//===- SourceFiles.h - The host's files as the assembler opens them -------===//
#pragma once

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <memory>
#include <string>

namespace leno {

class RunFiles;

/// Each file that is opened is noted, and bounded as all inputs are (InputFile.h).
class SourceFiles : public llvm::vfs::ProxyFileSystem {
public:
  /// `opened` may be null.
  explicit SourceFiles(RunFiles *opened) : ProxyFileSystem(llvm::vfs::getRealFileSystem()), opened(opened) {}
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine &path) override;

  /// Whether what is opened next is text, whose byte-order mark is no part of it (.include), or bytes
  /// (.incbin).
  bool opensText = true;
  /// Of the last file that is there and could not be read: "'FILE': why"; empty when there is none.
  std::string unreadable;

private:
  RunFiles *opened;
};

/// The same text without the byte-order mark that some editors write.
std::unique_ptr<llvm::MemoryBuffer> withoutMark(std::unique_ptr<llvm::MemoryBuffer> text);

} // namespace leno
