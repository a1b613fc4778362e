#include "dbg/terminal/TerminalView.h"
#include "dbg/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace leno::dbg {

//===--- Layouts ----------------------------------------------------------===//

/// Below these there are no panes.
static constexpr unsigned fewestRows = 8, fewestColumns = 20;
/// From here on lanes have their place beside the code.
static constexpr unsigned columnsForTwo = 60;

ArrayRef<TerminalView::Layout> TerminalView::layouts() {
  using enum Content;
  static const Layout all[] = {{"warp", {Source, Lanes, Stack}}, {"src", {Source}}, {"asm", {Code}},
                               {"split", {Source, Code}},        {"lanes", {Lanes}}, {"stack", {Stack}}};
  return all;
}

/// Places for the panes: one below the other, but for lanes beside the code.
void TerminalView::arrange() {
  size = Terminal::size();
  bool fits = size.rows >= fewestRows && size.columns >= fewestColumns;
  std::vector<Pane> before = std::exchange(panes, {});
  ArrayRef<Content> contents = layouts()[chosen].panes;
  if (fits)
    for (Content content : contents) {
      auto old = llvm::find_if(before, [&](const Pane &pane) { return pane.content == content; });
      panes.push_back(old == before.end() ? Pane{content} : *old);
    }
  const unsigned typed = std::max(3u, size.rows / 3), height = size.rows - typed;
  bool hasSides = size.columns >= columnsForTwo && contents.size() == 3;
  unsigned rowsOfPanes = unsigned(contents.size()) - hasSides, top = 0;
  // The stack is short: a third, where two are one below the other.
  for (size_t i = 0; i < panes.size(); ++i) {
    Pane &pane = panes[i];
    bool isBeside = hasSides && i == 1;
    unsigned left = rowsOfPanes;
    pane.left = isBeside ? size.columns / 2 + 1 : 0;
    pane.width = isBeside ? size.columns - pane.left : hasSides && i == 0 ? size.columns / 2 : size.columns;
    if (isBeside) {
      pane.top = panes[0].top;
      pane.height = panes[0].height;
      continue;
    }
    pane.top = top;
    pane.height = left == 1 ? height - top : hasSides ? height - height / 3 : (height - top) / left;
    top += pane.height;
    --rowsOfPanes;
  }
  inFocus = std::min(inFocus, panes.empty() ? 0 : panes.size() - 1);
}

//===--- Reports ----------------------------------------------------------===//

std::vector<std::string> TerminalView::ask(StringRef command, bool &succeeded) {
  answers.forget();
  mistakesText.clear();
  succeeded = reader.execute(command);
  SmallVector<StringRef, 64> lines;
  (succeeded ? answers.str() : StringRef(mistakesText)).rtrim('\n').split(lines, '\n');
  return {lines.begin(), lines.end()};
}

/// Without colours.
static std::string plainText(StringRef line) {
  std::string result;
  while (!line.empty()) {
    auto [before, after] = line.split('\x1b');
    result += before;
    line = before.size() == line.size() ? "" : after.split('m').second;
  }
  return result;
}

static bool isCurrent(StringRef line) { return StringRef(plainText(line)).starts_with("=> "); }

/// Words of a message, in rows.
static std::vector<std::string> wrapped(ArrayRef<std::string> lines, unsigned width) {
  std::vector<std::string> rows;
  for (StringRef line : lines) {
    line.consume_front("error: ");
    while (line.size() > width) {
      size_t end = line.take_front(width + 1).rfind(' ');
      end = end == StringRef::npos || end == 0 ? width : end;
      rows.push_back(line.take_front(end).str());
      line = line.substr(end).ltrim();
    }
    rows.push_back(line.str());
  }
  return rows;
}

/// Scrolls as little as is needed to show a row, once it is another one.
void TerminalView::keepInView(Pane &pane, size_t row, size_t count, size_t visible) {
  if (pane.interest != row) {
    if (row < pane.first)
      pane.first = row;
    else if (row >= pane.first + visible)
      pane.first = row + 1 - visible;
  }
  pane.interest = row;
  pane.first = std::min(pane.first, count > visible ? count - visible : 0);
}

/// Of the program in focus, and whether they are enabled.
std::vector<std::pair<u64, bool>> TerminalView::breakpointAddresses() const {
  std::vector<std::pair<u64, bool>> result;
  const Session &session = in.session;
  for (const Breakpoint &point : session.stops().breakpoints().all())
    if (point.kind == Breakpoint::Code && (!point.program || point.program == &session.focus().executable()))
      for (u64 address : point.location.addresses)
        result.push_back({address, point.enabled});
  return result;
}

/// The warp's line is kept where the pane shows it already; else it comes to the middle.
TerminalView::Report TerminalView::readSource(Pane &pane) {
  const unsigned count = rowsOf(pane);
  bool succeeded;
  reader.settings.listSize = count;
  auto window = [&](size_t first) {
    return ask((Twine(first) + "," + Twine(first + count - 1)).str().insert(0, "list "), succeeded);
  };
  std::vector<std::string> lines = ask("list .", succeeded);
  if (!succeeded)
    return readCode(pane);
  std::string file = reader.listNext->file;
  size_t middle = reader.listFirst;
  size_t at = size_t(llvm::find_if(lines, isCurrent) - lines.begin()) + middle;
  size_t last = in.sources.lineCount(file);
  bool isShown = pane.file == file && pane.first && at >= pane.first && at < pane.first + count;
  bool hasMoved = pane.interest != at || pane.file != file;
  if (!(isShown || (pane.isTurned && !hasMoved)))
    pane.first = middle;
  pane.isTurned &= !hasMoved;
  pane.first = std::clamp<size_t>(pane.first, 1, last > count ? last - count + 1 : 1);
  pane.interest = at;
  pane.file = file;
  lines = window(pane.first);
  Report report{sys::path::filename(file).str(), {}, {}};
  std::vector<std::pair<u64, bool>> points = breakpointAddresses();
  for (size_t i = 0; i < lines.size(); ++i) {
    Row row{' ', lines[i]};
    for (auto [address, enabled] : points)
      if (std::optional<SourceLine> line = in.session.focus().executable().line(address);
          line && line->file == file && line->line == pane.first + i)
        row.mark = enabled ? 'B' : row.mark == 'B' ? 'B' : 'b';
    report.rows.push_back(std::move(row));
  }
  return report;
}

TerminalView::Report TerminalView::readCode(Pane &pane) {
  const size_t count = rowsOf(pane);
  const u64 end = in.session.code().names().codeBytes() / 8;
  const size_t at = size_t(in.session.focus().pc().value_or(in.session.focus().kernel().entry) / 8);
  bool hasMoved = pane.interest != at;
  bool isShown =
      pane.interest != ~size_t(0) && pane.file.empty() && at >= pane.first && at < pane.first + count;
  if (!isShown && (hasMoved || !pane.isTurned))
    pane.first = at > count / 2 ? at - count / 2 : 0;
  pane.isTurned &= !hasMoved;
  pane.first = std::min<size_t>(pane.first, end > count ? end - count : 0);
  pane.interest = at;
  pane.file.clear();
  bool succeeded;
  std::vector<std::string> lines =
      ask("disassemble *" + std::to_string(pane.first * 8) + ",+" + std::to_string(count * 8), succeeded);
  Report report{in.session.focus().kernel().name, {}, {}};
  std::vector<std::pair<u64, bool>> points = breakpointAddresses();
  for (size_t i = 0; i < lines.size(); ++i) {
    Row row{' ', lines[i]};
    for (auto [address, enabled] : points)
      if (address == (pane.first + i) * 8)
        row.mark = enabled ? 'B' : row.mark == 'B' ? 'B' : 'b';
    report.rows.push_back(std::move(row));
  }
  return report;
}

/// Of lanes or of the stack: a header that stays, and rows.
TerminalView::Report TerminalView::readTable(Pane &pane) {
  bool isLanes = pane.content == Content::Lanes, succeeded;
  reader.tableColumns = in.tableColumns;
  reader.tableFormat = in.tableFormat;
  std::vector<std::string> lines = ask(isLanes ? "info table" : "info stack", succeeded);
  Report report{isLanes ? "lanes" : "divergence stack", {}, {}};
  if (!succeeded)
    lines = wrapped(lines, pane.width - 1);
  else if (isLanes) {
    report.title = lines[0];
    lines.erase(lines.begin());
  }
  size_t interest = 0;
  std::string lane = std::to_string(in.session.focus().position().lane);
  for (size_t i = 0; i < lines.size(); ++i) {
    Row row{' ', lines[i]};
    if (succeeded && i == 0 && lines.size() > 1) {
      report.fixed.push_back(std::move(row));
      continue;
    }
    if (succeeded && isLanes && StringRef(plainText(lines[i])).ltrim().split(' ').first == lane) {
      row.mark = '>';
      interest = report.rows.size();
    }
    report.rows.push_back(std::move(row));
  }
  size_t fixed = report.fixed.size(), visible = rowsOf(pane) > fixed ? rowsOf(pane) - fixed : 1;
  keepInView(pane, interest, report.rows.size(), visible);
  report.first = pane.first;
  return report;
}

TerminalView::Report TerminalView::read(Pane &pane) {
  switch (pane.content) {
  case Content::Source:
    return readSource(pane);
  case Content::Code:
    return readCode(pane);
  case Content::Lanes:
  case Content::Stack:
    break;
  }
  return readTable(pane);
}

//===--- Drawing ----------------------------------------------------------===//

std::string TerminalView::drawn(Pane &pane) {
  Report report = read(pane);
  bool isFocused = panes.size() > 1 && &pane == &panes[inFocus];
  // Where no lanes are shown, nothing else says which warp it is.
  Warp *warp = in.session.focus().warp();
  if (warp && pane.top == 0 && pane.left == 0 &&
      llvm::none_of(panes, [](const Pane &one) { return one.content == Content::Lanes; }))
    report.title += "  " + in.describeWarp(*warp);
  std::string text = terminal->goTo(pane.top, pane.left) + terminal->reverse +
                     clippedTo((isFocused ? "> " : "  ") + report.title, pane.width) + terminal->plain;
  for (unsigned row = 1; row < pane.height; ++row) {
    size_t i = row - 1;
    const Row *shown = i < report.fixed.size() ? &report.fixed[i] : nullptr;
    if (!shown && (i = i - report.fixed.size() + report.first) < report.rows.size())
      shown = &report.rows[i];
    text += terminal->goTo(pane.top + row, pane.left) +
            clippedTo(shown ? shown->mark + shown->text : "", pane.width);
  }
  // What stands beside it.
  if (pane.left > 0)
    for (unsigned row = 0; row < pane.height; ++row)
      text += terminal->goTo(pane.top + row, pane.left - 1) + "|";
  return text;
}

std::string TerminalView::drawnPanes() {
  reader.sources = in.sources;
  reader.sources.onNewer = nullptr;
  reader.setColours(in.hasColours());
  reader.frame = in.frame;
  std::string text;
  for (Pane &pane : panes)
    text += drawn(pane);
  return text;
}

void TerminalView::write(const std::string &text) {
  std::fflush(stdout);
  outs() << text;
  outs().flush();
}

void TerminalView::update() {
  if (!isShown())
    return;
  if (std::optional<SourceLine> here = in.session.code().hereLine())
    in.sources.lineCount(here->file); // what is to be said of the file is said below
  write(terminal->saveCursor + drawnPanes() + terminal->restoreCursor);
}

void TerminalView::redraw() {
  if (!isShown())
    return;
  arrange();
  unsigned top = panes.empty() ? 0 : panes.back().top + panes.back().height;
  std::string text = terminal->plain + terminal->scrollRows(0, size.rows - 1) + terminal->clear +
                     drawnPanes() + terminal->scrollRows(top, size.rows - 1) +
                     terminal->goTo(size.rows - 1, 0);
  for (StringRef line : log.lastLines(size.rows - top - 1))
    text += (line + "\n").str();
  write(text);
}

//===--- Coming and going -------------------------------------------------===//

Error TerminalView::show(StringRef name) {
  size_t wanted = chosen;
  if (name == "next" || name == "prev")
    wanted = (chosen + (name == "next" ? 1 : layouts().size() - 1)) % layouts().size();
  else if (!name.empty()) {
    auto found = llvm::find_if(layouts(), [&](const Layout &one) { return one.name == name; });
    if (found == layouts().end())
      return textError(name, 0,
                       "expected a layout: " +
                           join(map_range(layouts(), [](const Layout &one) { return one.name; }), ", ") +
                           ", or next or prev");
    wanted = size_t(found - layouts().begin());
  }
  if (!isShown()) {
    Expected<Terminal> opened = Terminal::open();
    if (!opened)
      return opened.takeError();
    terminal = std::move(*opened);
    write(terminal->otherScreen);
    saidBefore = log.linesSaid();
    std::string leaving = terminal->plain + terminal->scrollRows(0, 9999) +
                          (terminal->firstScreen.empty() ? terminal->clear : terminal->firstScreen);
    restoreOnSignals(leaving, terminal->otherScreen);
  }
  if (wanted != chosen)
    inFocus = 0;
  chosen = wanted;
  redraw();
  return Error::success();
}

/// What was said meanwhile stays to be read, as much of it as was there.
void TerminalView::hide() {
  if (!isShown())
    return;
  restoreOnSignals("", "");
  Terminal::Size now = Terminal::size();
  std::string text = terminal->plain + terminal->scrollRows(0, now.rows - 1);
  text += terminal->firstScreen.empty() ? terminal->clear
                                        : terminal->goTo(now.rows - 1, 0) + terminal->firstScreen;
  text += "\r" + terminal->clearRow;
  size_t said = log.linesSaid() - saidBefore;
  for (StringRef line : log.lastLines(std::min<size_t>(said, now.rows - 1)))
    text += (line + "\n").str();
  terminal.reset();
  write(text);
}

bool TerminalView::clear() {
  if (isShown())
    return redraw(), true;
  Expected<Terminal> plain = Terminal::open();
  if (!plain) {
    consumeError(plain.takeError());
    return false;
  }
  write(plain->clear);
  return true;
}

void TerminalView::focusNextPane() {
  if (panes.size() > 1)
    inFocus = (inFocus + 1) % panes.size();
  update();
}

void TerminalView::turnPage(int direction) {
  if (panes.empty())
    return;
  Pane &pane = panes[inFocus];
  size_t step = std::max(1u, rowsOf(pane) / 2);
  pane.first = direction > 0 ? pane.first + step : pane.first - std::min(pane.first, step);
  pane.isTurned = true;
  update();
}

} // namespace leno::dbg
