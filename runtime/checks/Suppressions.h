//===- Suppressions.h - Findings that are known and left alone ------------===//
// A YAML file: a list of mappings, each with some of the keys
//
//     - check: race              # the checker
//       kind: store-after-load   # what it found
//       kernel: histogram
//       line: histogram.s:31     # of the later instruction, else its label
//       before: histogram.s:28   # of the earlier one
//       text: '*shared memory*'  # the sentence
//
// Values are patterns: '*' stands for anything, '?' for one character. A finding
// that fits all keys of an entry is suppressed. A line's file may be told with
// or without its folders.
//===----------------------------------------------------------------------===//
#pragma once
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <array>
#include <string>
#include <vector>

namespace leno::checks {

/// What entries are held against.
struct Suppressible {
  std::string check, kind, kernel, line, before, text; ///< in the order of the keys
};

class Suppressions {
public:
  /// Adds the entries of a file. Errors are located in it.
  llvm::Error read(llvm::StringRef path);
  bool holds(const Suppressible &finding) const;
  bool empty() const { return entries.empty(); }
  /// A file that suppresses these, and nothing of another text.
  static void write(llvm::raw_ostream &os, const std::vector<Suppressible> &findings);

private:
  using Entry = std::array<std::string, 6>; ///< patterns by key; empty: any
  std::vector<Entry> entries;
};

} // namespace leno::checks
