//===- LineReader.h - Lines typed on a terminal ----------------------------===//
// libedit with what the view needs of it: keys of its own, and what is to be done
// while nobody types.
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/StringRef.h"
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace leno::dbg {

enum class ViewKey : unsigned char { OnOff, NextPane, PageUp, PageDown, Refresh, OnePane, OtherLayout };

class LineReader {
public:
  /// With the history of `program`, in the user's home.
  explicit LineReader(llvm::StringRef program);
  ~LineReader();
  LineReader(const LineReader &) = delete;

  /// Nullopt: the input has ended, or Ctrl-C was typed.
  std::optional<std::string> read(llvm::StringRef prompt);
  void remember(llvm::StringRef line);
  void saveHistory();

  /// Whole lines that go on as the one before the cursor does.
  std::function<std::vector<std::string>(llvm::StringRef typed)> complete;
  // Called while a line is read. True: now the cursor is at the start of an empty row.
  std::function<bool(ViewKey)> onKey;
  std::function<bool()> onScreenChanged;

private:
  struct Editor;
  std::unique_ptr<Editor> editor;
};

} // namespace leno::dbg
