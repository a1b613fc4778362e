//===- SourceText.h - The lines of source files ---------------------------===//
#pragma once

#include "asm/SourceSearch.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Chrono.h"
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace leno::dbg {

/// Reads each file once. A file that is gone or changed is no error: then there is only disassembly.
class SourceText {
public:
  /// `assembledIn` gives the folder in which a file's name means it.
  explicit SourceText(std::function<std::string(llvm::StringRef file)> assembledIn)
      : assembledIn(std::move(assembledIn)) {}

  /// Lines from 1 on; nullopt when there is no such file or line.
  std::optional<llvm::StringRef> line(llvm::StringRef file, unsigned number);
  /// 0 when the file cannot be read.
  unsigned lineCount(llvm::StringRef file);
  /// Where the file is; its own name when it is nowhere.
  std::string path(llvm::StringRef file) const;
  /// "cannot find the source file 'a.s' (tried /x/a.s and a.s)"
  std::string cannotFind(llvm::StringRef file) const;
  /// Whether a file cannot be found; true only once for each.
  bool isNewlyMissing(llvm::StringRef file);
  /// The text of a file that may not be here.
  void give(llvm::StringRef file, llvm::StringRef text);
  /// All lines, each with its end; empty when it cannot be read.
  std::string whole(llvm::StringRef file);
  /// Everything is read anew.
  void forget() {
    files.clear();
    told.clear();
  }
  const SourceSearch &search() const { return places; }
  /// Looks elsewhere from now on; what was given stays.
  void setSearch(SourceSearch search);
  /// Files that have changed after this are told when they are read.
  std::optional<llvm::sys::TimePoint<>> since;
  std::function<void(llvm::StringRef file)> onNewer;

private:
  const std::vector<std::string> &lines(llvm::StringRef file);
  std::function<std::string(llvm::StringRef)> assembledIn;
  SourceSearch places;
  struct File {
    std::vector<std::string> lines;
    bool isGiven = false;
  };
  std::map<std::string, File, std::less<>> files;
  std::set<std::string, std::less<>> told; ///< that they are missing
};

} // namespace leno::dbg
