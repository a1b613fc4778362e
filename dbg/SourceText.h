//===- SourceText.h - The lines of source files ---------------------------===//
#pragma once

#include "llvm/ADT/StringRef.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace leno::dbg {

/// Reads each file once. A file that is gone or changed is no error: then there is only disassembly.
class SourceText {
public:
  /// Lines from 1 on; nullopt when there is no such file or line.
  std::optional<llvm::StringRef> line(llvm::StringRef file, unsigned number);
  /// 0 when the file cannot be read.
  unsigned lineCount(llvm::StringRef file);
  /// The text of a file that may not be here.
  void give(llvm::StringRef file, llvm::StringRef text);
  /// All lines, each with its end; empty when it cannot be read.
  std::string whole(llvm::StringRef file);
  /// Everything is read anew.
  void forget() { files.clear(); }

private:
  const std::vector<std::string> &lines(llvm::StringRef file);
  std::map<std::string, std::vector<std::string>, std::less<>> files;
};

} // namespace leno::dbg
