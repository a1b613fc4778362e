//===- Archives.h - Members of archives, as a link needs them -------------===//
#pragma once

#include "asm/ElfReader.h"

#include "llvm/Object/Archive.h"

#include <deque>

namespace leno {

/// Whether a file is an archive, as llvm-ar makes them.
bool isArchive(llvm::MemoryBufferRef file);

/// An open archive. Its members are named "lib.a(member.o)" in messages.
class ArchiveFile {
public:
  static llvm::Expected<ArchiveFile> open(llvm::MemoryBufferRef file);
  llvm::ArrayRef<llvm::MemoryBufferRef> members() const { return buffers; }

private:
  std::unique_ptr<llvm::object::Archive> archive; ///< owns the members of thin archives
  std::deque<std::string> names;
  std::vector<llvm::MemoryBufferRef> buffers;
};

/// The files of a link in the order they were named. Of an archive those members are linked that define a
/// symbol which something linked needs and no object defines; the order of the archives does not matter.
class LinkInputs {
public:
  /// An object or an archive; of a whole archive every member is linked.
  llvm::Error add(llvm::MemoryBufferRef file, bool wholeArchive);
  /// The objects to link. `wanted` are needed, too.
  llvm::Expected<std::vector<llvm::MemoryBufferRef>> select(llvm::ArrayRef<std::string> wanted);

private:
  struct Candidate {
    llvm::MemoryBufferRef file;
    bool isLinked;
    std::vector<std::string> defines = {}, needs = {};
  };
  static llvm::Error readSymbols(Candidate &candidate);

  std::deque<ArchiveFile> archives;
  std::vector<Candidate> candidates;
};

} // namespace leno
