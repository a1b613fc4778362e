//===- Text.h - Words for people: lanes, CTAs, tables, places -------------===//
#pragma once

#include "emu/Trap.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace leno::dbg {

/// A mistake in something typed, with its place: the text, a caret under the column, the message.
class TextError : public llvm::ErrorInfo<TextError> {
public:
  static char ID;
  TextError(llvm::StringRef text, size_t column, const llvm::Twine &message, bool isUnknownName = false)
      : text(text), column(column), message(message.str()), isUnknownName(isUnknownName) {}

  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

  std::string text;
  size_t column; ///< from 0; text.size() when something is missing at its end
  std::string message;
  bool isUnknownName; ///< nothing is called so, whatever the machine's state
};

llvm::Error textError(llvm::StringRef text, size_t column, const llvm::Twine &message);
/// The column of a part of `text` itself, for textError.
inline size_t columnIn(llvm::StringRef text, llvm::StringRef part) {
  return size_t(part.data() - text.data());
}

/// "lanes 0-7,16", "lane 3", "no lanes".
std::string describeLanes(LaneMask lanes);
/// "0-7,16" alone; "-" when there are none.
std::string laneRanges(LaneMask lanes);
/// The same of numbers in their order.
std::string numberRanges(llvm::ArrayRef<unsigned> numbers);
/// "(1,0,0)"
std::string describeIndex(Dim3 index);
/// "0x0040": with at least so many digits, and all of a larger value.
std::string hexAddress(u64 value, unsigned digits = 4);
/// "1 warp", "2 warps"
std::string plural(u64 count, llvm::StringRef noun);

/// Keeps what is printed to it, and tables also as rows of cells.
class AnswerStream : public llvm::raw_ostream {
public:
  AnswerStream() { SetUnbuffered(); }
  llvm::StringRef str() const { return text; }
  void forget() {
    text.clear();
    tables.clear();
  }
  std::vector<std::vector<std::vector<std::string>>> tables;

private:
  void write_impl(const char *bytes, size_t count) override { text.append(bytes, count); }
  uint64_t current_pos() const override { return text.size(); }
  std::string text;
};

/// Columns that line up; the last one is not padded.
class Table {
public:
  explicit Table(std::vector<std::string> header) { rows.push_back(std::move(header)); }
  void row(std::vector<std::string> cells) { rows.push_back(std::move(cells)); }
  bool empty() const { return rows.size() == 1; }
  void print(llvm::raw_ostream &os) const;
  /// A line instead when there are no rows; programs get the header alone.
  void printOr(llvm::raw_ostream &os, llvm::StringRef none) const;

private:
  std::vector<std::vector<std::string>> rows;
};

} // namespace leno::dbg
