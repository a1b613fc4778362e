//===- LogStream.h - What is said, also to a file --------------------------===//
#pragma once

#include "llvm/Support/raw_ostream.h"
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace leno::dbg {

/// Passes everything on; while there is a file, to it as well, without colours.
class LogStream : public llvm::raw_ostream {
public:
  explicit LogStream(llvm::raw_ostream &base) : base_(base) { SetUnbuffered(); }
  llvm::raw_ostream &base() { return base_; }
  std::unique_ptr<llvm::raw_fd_ostream> file;
  std::string path = "leno-dbg.log"; ///< of the next one
  bool overwrites = false;
  bool redirects = false; ///< to the file only
  /// To the file alone, when there is one.
  void alsoTo(llvm::StringRef text);
  /// Of what was said and typed, the last few; one that is not complete is left out.
  std::vector<llvm::StringRef> lastLines(size_t most) const;
  size_t linesSaid() const { return said; }

private:
  void write_impl(const char *bytes, size_t count) override;
  uint64_t current_pos() const override { return base_.tell(); }
  llvm::raw_ostream &base_;
  static constexpr size_t mostKept = 500;
  std::deque<std::string> kept; ///< with colours
  std::string begun;
  size_t said = 0;
};

} // namespace leno::dbg
