//===- TerminalView.h - The warps on a whole terminal ----------------------===//
// Panes above, and below them rows that scroll, in which commands are typed and
// answered as they are without it. A pane shows what a command reports: `list`,
// `disassemble`, `info table`, `info stack`, asked of an interpreter of its own.
//===----------------------------------------------------------------------===//
#pragma once

#include "dbg/Interpreter.h"
#include "dbg/Text.h"
#include "dbg/terminal/Terminal.h"

namespace leno::dbg {

class TerminalView {
public:
  /// `log`: what `in` says goes there. Shows nothing yet.
  TerminalView(Interpreter &in, LogStream &log)
      : in(in), log(log), reader(in.session, answers, mistakes, in.hasColours()) {}
  ~TerminalView() { hide(); }
  TerminalView(const TerminalView &) = delete;

  /// "src", ..., "next", "prev", or "" for the one that was shown last. Fails where there is none of that
  /// name, or the terminal cannot show it.
  llvm::Error show(llvm::StringRef layout);
  void hide();
  bool isShown() const { return terminal.has_value(); }
  /// Shows what has changed, in panes; the cursor stays.
  void update();
  /// Everything anew, for the size that the terminal has now. The cursor is then where the next line begins.
  void redraw();
  /// The same; of a plain terminal an empty one. False: it has none.
  bool clear();
  void focusNextPane();
  /// The pane in focus.
  void turnPage(int direction);

private:
  enum class Content : u8 { Source, Code, Lanes, Stack };
  struct Layout {
    llvm::StringLiteral name;
    std::vector<Content> panes;
  };
  static llvm::ArrayRef<Layout> layouts();
  /// A row of a pane, in front of it a mark: of a breakpoint, or of the lane in focus.
  struct Row {
    char mark = ' ';
    std::string text;
  };
  /// What a pane shows: the first rows stay when the others scroll.
  struct Report {
    std::string title;
    std::vector<Row> fixed, rows;
    size_t first = 0; ///< of `rows` that is shown
  };
  struct Pane {
    Content content;
    unsigned top = 0, left = 0, height = 0, width = 0; ///< the title is its first row
    size_t first = 0;                                  ///< what is shown of it begins there
    size_t interest = ~size_t(0);                      ///< that was shown last
    std::string file{};
    bool isTurned = false; ///< by hand, until something moves
  };
  void arrange();
  unsigned rowsOf(const Pane &pane) const { return pane.height - 1; }
  std::vector<std::string> ask(llvm::StringRef command, bool &succeeded);
  Report read(Pane &pane);
  Report readSource(Pane &pane);
  Report readCode(Pane &pane);
  Report readTable(Pane &pane);
  void keepInView(Pane &pane, size_t row, size_t count, size_t visible);
  std::vector<std::pair<u64, bool>> breakpointAddresses() const;
  std::string drawn(Pane &pane);
  std::string drawnPanes();
  void write(const std::string &text);

  Interpreter &in;
  LogStream &log;
  AnswerStream answers;
  std::string mistakesText;
  llvm::raw_string_ostream mistakes{mistakesText};
  Interpreter reader; ///< of what the panes show
  std::optional<Terminal> terminal;
  Terminal::Size size{};
  size_t chosen = 0; ///< the layout
  std::vector<Pane> panes;
  size_t inFocus = 0;
  size_t saidBefore = 0; ///< lines that were said when it was shown
};

} // namespace leno::dbg
