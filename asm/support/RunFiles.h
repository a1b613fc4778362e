//===- RunFiles.h - Which files a run of a tool reads and writes ----------===//
// A slip of the hand must not cost a file: no output may be a file that the same run reads, or writes
// otherwise. Files are told apart by what they are and not by how they are spelled: device and inode, so that
// links are seen through; of a file that is not there yet, those of its folder, and its name. Devices, pipes
// and sockets may be given as often as one likes.
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace leno {

class RunFiles {
public:
  /// Notes a file that is read; "-" is standard input. Those who open inputs call it (readInput and the
  /// assembler for `.include` and `.incbin`).
  void reads(llvm::StringRef path) { add(path, Input); }
  /// Notes a file that will be written; "-" is standard output.
  void writes(llvm::StringRef path) { add(path, Output); }
  /// Notes a file that is read and one that what became of it is written to. One file for both is meant.
  void rewrites(llvm::StringRef input, llvm::StringRef output);
  /// Whether each output is a file of its own. In whatever order they were noted; nothing is touched.
  llvm::Error check() const;
  /// The files that are read, as they were noted.
  std::vector<std::string> inputs() const;

private:
  struct Identity {
    uint64_t device, inode;
    std::string name; ///< in that folder, of a file that is not there yet
    friend bool operator==(const Identity &, const Identity &) = default;
  };
  enum Use : uint8_t { Input, Output, Both };
  struct File {
    std::string path;
    Use use;
    bool isDescriptor; ///< written behind what is there, as standard output is
    std::optional<Identity> identity;
  };
  static File describe(llvm::StringRef path, Use use);
  static std::optional<Identity> ofDescriptor(int descriptor);
  void add(llvm::StringRef path, Use use) { files.push_back(describe(path, use)); }
  static llvm::Error conflict(const File &output, const File &other);

  std::vector<File> files;
};

} // namespace leno
