//===- Terminal.h - A screen of which a part scrolls -----------------------===//
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace leno::dbg {

/// The terminal on standard output, as terminfo describes it. Rows and columns count from 0.
class Terminal {
public:
  /// Fails where TERM names one that cannot go to a place of its screen, or scroll a part of it.
  static llvm::Expected<Terminal> open();

  struct Size {
    unsigned rows, columns;
  };
  static Size size();

  // Text that makes it do so.
  std::string goTo(unsigned row, unsigned column) const;
  /// What scrolls; puts the cursor anywhere.
  std::string scrollRows(unsigned first, unsigned last) const;
  std::string clear, clearRow, reverse, bold, plain, saveCursor, restoreCursor, otherScreen, firstScreen;

private:
  std::string address, region;
};

/// Marks what a terminal is to be told when a signal ends or stops the process; "" for nothing. One that was
/// stopped is told `again` when it goes on, and that its screen has changed.
void restoreOnSignals(llvm::StringRef leaving, llvm::StringRef again);
/// Whether the screen has changed, by its size or by what else was on it, since this was last asked.
bool takeScreenChanged();
/// From now on that is noted.
void watchScreen();

/// At most `width` columns of a line, and blanks up to there: tabulators become blanks, what would move the
/// cursor a question mark; colours are kept, and end with the line.
std::string clippedTo(llvm::StringRef line, unsigned width);

} // namespace leno::dbg
