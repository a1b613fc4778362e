// Output files that appear whole or not at all.
#pragma once

#include "asm/support/RunFiles.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <functional>
#include <string>
#include <vector>

namespace leno {

/// What is wrong with `path` as an output, as far as can be known without touching it: a directory, a missing
/// or read-only directory, a read-only file. For a check before long work.
llvm::Error checkOutputPath(llvm::StringRef path);

/// A set of outputs that are committed together. Every file is written under a temporary name in its own
/// directory; only when all are complete are they renamed. On any failure, an interrupt (SIGINT, SIGTERM,
/// SIGHUP) included, the temporaries are removed and what stood there before is untouched. POSIX renames one
/// file at a time: should a rename itself fail, the error names the files already replaced.
///
/// A replaced file keeps its permission bits; through a symbolic link, its target is replaced. Pipes, devices
/// and /dev/stdout, /dev/stderr, /dev/fd/N are written straight through, after the temporaries and before the
/// renames, so that a closed pipe or a full device commits nothing.
class OutputSet {
public:
  using Writer = std::function<llvm::Error(llvm::raw_ostream &)>;

  /// `files`: what else this run reads and writes, none of which an output may be.
  explicit OutputSet(RunFiles files = {}) : files(std::move(files)) {}
  OutputSet(const OutputSet &) = delete;
  OutputSet &operator=(const OutputSet &) = delete;
  /// Removes the temporaries of a set that was not committed.
  ~OutputSet();

  /// Adds an output; checks it as checkOutputPath does, and that it is a file of its own (RunFiles).
  /// `write` is called once, by commit.
  llvm::Error add(llvm::StringRef path, Writer write);
  /// Adds text for standard output.
  void addStandardOutput(Writer write);
  /// Writes everything. The set is empty afterwards, whatever came of it.
  llvm::Error commit();

private:
  struct Entry {
    std::string path;      ///< as the user wrote it, for messages
    std::string target;    ///< the file behind symbolic links
    std::string temporary; ///< empty while there is none
    int descriptor = -1;   ///< an open descriptor that the path names
    bool straightThrough = false;
    Writer write;
  };
  static llvm::Error writeTemporary(Entry &entry);
  static llvm::Error writeThrough(Entry &entry);
  llvm::Error writeAll();
  llvm::Error renameAll();
  void discard();

  static llvm::Error resolve(Entry &entry);
  friend llvm::Error checkOutputPath(llvm::StringRef path);

  RunFiles files;
  std::vector<Entry> entries;
};

/// One output by itself.
llvm::Error writeFileAtomically(llvm::StringRef path, OutputSet::Writer write);

// How paths are understood, here and in RunFiles.
/// The descriptor that /dev/stdout and its like name; -1: none.
int namedDescriptor(llvm::StringRef path);
/// Puts what a symbolic link points to in its place, there or not.
std::error_code followLinks(std::string &target);

} // namespace leno
