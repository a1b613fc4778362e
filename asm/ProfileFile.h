//===- ProfileFile.h - The counts that leno-run --profile has written -----===//
// profile.json (runtime/profile/Profile.md), as far as others need it.
//===----------------------------------------------------------------------===//
#pragma once

#include "asm/support/RunFiles.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <map>
#include <string>
#include <vector>

namespace leno {

struct ProfileFile {
  struct Kind {
    std::string key, label;
  };
  using Counts = std::vector<uint64_t>; ///< by kind
  struct Instruction {
    uint64_t address;
    std::string word; ///< "0x0118000000000e00"; empty: it is none of the program
    Counts counts;
  };
  struct Line {
    std::string file;
    unsigned line; ///< 1-based
    Counts counts;
  };
  struct Launch {
    std::string name, context;
    uint64_t number; ///< of the context's launches
    Counts counts;
    std::vector<Instruction> instructions; ///< by address
    std::vector<Line> lines;               ///< by file and line
  };

  std::vector<Kind> kinds;
  std::vector<Launch> launches;
  std::map<std::string, std::vector<std::string>> sources; ///< the lines of each file

  /// Reads profile.json of a folder, or such a file. The error names the file and what is wrong.
  static llvm::Expected<ProfileFile> read(llvm::StringRef path, RunFiles &files);
  /// The place of a kind in Counts; kinds.size(): there is none.
  size_t kind(llvm::StringRef key) const;
  /// The source line without blanks around it; empty when it is not known.
  llvm::StringRef textOf(const Line &line) const;
};

} // namespace leno
