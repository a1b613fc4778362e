//===- SourceSearch.h - Where source files are looked for -----------------===//
#pragma once

#include "asm/LineTable.h"

#include <map>

namespace leno {

/// Finds the files that a line table names. The name alone says little: it is relative to the folder in which
/// the program was assembled, perhaps on another machine.
class SourceSearch {
public:
  std::vector<std::string> directories; ///< looked into first
  /// A path that begins with `from`, up to a separator or its end, begins with `to` instead; the first that
  /// fits counts.
  struct Substitution {
    std::string from, to;
  };
  std::vector<Substitution> substitutions;

  /// The places where a file may be, best first: below `directories`, by its name and by its last part; in
  /// the folder where it was assembled; here.
  std::vector<std::string> candidates(llvm::StringRef name, llvm::StringRef assembledIn) const;
  /// The first candidate that is a regular file.
  std::optional<std::string> find(llvm::StringRef name, llvm::StringRef assembledIn) const;

private:
  std::string substituted(llvm::StringRef path) const;
};

/// Text of the files of one line table, each read once.
class SourceReader {
public:
  SourceReader(const LineTable &lines, const SourceSearch &search = {}) : lines(lines), search(search) {}
  /// Nothing when the file is not there or is shorter.
  std::optional<llvm::StringRef> text(const SourceLine &line);
  /// "cannot find the source file 'a.s' (tried /x/a.s and ./a.s)", once for each file that was asked for and
  /// not found.
  std::vector<std::string> takeComplaints() { return std::exchange(complaints, {}); }

private:
  const LineTable &lines;
  SourceSearch search;
  std::map<std::string, std::vector<std::string>> files;
  std::vector<std::string> complaints;
};

/// Whether a name of a line table is that of a file: text from a pipe is nowhere to be found.
inline bool isFileName(llvm::StringRef name) { return !name.starts_with("<"); }
/// "cannot find the source file 'a.s' (tried /x/a.s and a.s)"
std::string cannotFind(llvm::StringRef name, llvm::ArrayRef<std::string> tried);
/// The lines of a text, or of a file, without their ends.
std::vector<std::string> linesOf(llvm::StringRef text);
std::vector<std::string> readLines(llvm::StringRef path);

} // namespace leno
