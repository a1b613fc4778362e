#include "dbg/terminal/Terminal.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Unicode.h"
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sys/ioctl.h>
#include <unistd.h>
// The last: their macros have the names of everything.
#include <curses.h>
#include <term.h>
#undef columns
#undef lines

using namespace llvm;

namespace leno::dbg {

//===--- What it can ------------------------------------------------------===//

/// Without the delays that old terminals wanted: "$<5>".
static std::string withoutDelays(StringRef text) {
  std::string result;
  while (!text.empty()) {
    auto [before, after] = text.split("$<");
    result += before;
    text = before.size() == text.size() ? "" : after.split('>').second;
  }
  return result;
}

static std::string capability(const char *name) {
  const char *text = tigetstr(name);
  return text && text != reinterpret_cast<const char *>(-1) ? text : "";
}

Expected<Terminal> Terminal::open() {
  const char *name = std::getenv("TERM");
  std::string shown = name && *name ? name : "";
  auto fail = [&](const Twine &why) {
    return createStringError("no full-screen view on this terminal: " + why +
                             "; `list`, `disassemble`, `info table` and `info stack` show its parts");
  };
  if (!isatty(STDOUT_FILENO))
    return fail("standard output is none");
  if (shown.empty())
    return fail("TERM does not say which it is");
  int found = 0;
  if (setupterm(nullptr, STDOUT_FILENO, &found) != 0 /*OK*/)
    return fail("nothing is known of '" + shown + "', as TERM calls it");
  Terminal terminal;
  terminal.address = capability("cup");
  terminal.region = capability("csr");
  terminal.clear = withoutDelays(capability("clear"));
  if (terminal.address.empty() || terminal.clear.empty())
    return fail("'" + shown + "', as TERM calls it, cannot go to a place of its screen");
  terminal.saveCursor = withoutDelays(capability("sc"));
  terminal.restoreCursor = withoutDelays(capability("rc"));
  if (terminal.region.empty() || terminal.saveCursor.empty() || terminal.restoreCursor.empty())
    return fail("'" + shown + "', as TERM calls it, cannot scroll a part of its screen");
  terminal.clearRow = withoutDelays(capability("el"));
  terminal.reverse = withoutDelays(capability("rev"));
  terminal.bold = withoutDelays(capability("bold"));
  terminal.plain = withoutDelays(capability("sgr0"));
  terminal.otherScreen = withoutDelays(capability("smcup"));
  terminal.firstScreen = withoutDelays(capability("rmcup"));
  return terminal;
}

static std::string filledIn(const std::string &capability, unsigned first, unsigned second) {
  return withoutDelays(tparm(const_cast<char *>(capability.c_str()), long(first), long(second), 0L, 0L, 0L,
                             0L, 0L, 0L, 0L));
}
std::string Terminal::goTo(unsigned row, unsigned column) const { return filledIn(address, row, column); }
std::string Terminal::scrollRows(unsigned first, unsigned last) const {
  return filledIn(region, first, last);
}

Terminal::Size Terminal::size() {
  winsize window{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_row && window.ws_col)
    return {window.ws_row, window.ws_col};
  return {24, 80};
}

//===--- Signals ----------------------------------------------------------===//

static volatile std::sig_atomic_t screenChanged = 0;
static char leavingText[256], againText[256];
static volatile std::sig_atomic_t leavingSize = 0, againSize = 0;
static constexpr int ending[] = {SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGSEGV, SIGBUS};
static struct sigaction before[std::size(ending)];

static void tellTerminal(const char *text, int size) {
  if (size > 0 && write(STDOUT_FILENO, text, size_t(size)) < 0) {
    // A terminal that is gone needs nothing.
  }
}

static void onEnd(int signal) {
  tellTerminal(leavingText, leavingSize);
  for (size_t i = 0; i < std::size(ending); ++i)
    if (ending[i] == signal)
      sigaction(signal, &before[i], nullptr);
  raise(signal);
}

static void onStop(int) {
  int error = errno;
  tellTerminal(leavingText, leavingSize);
  raise(SIGSTOP);
  tellTerminal(againText, againSize);
  screenChanged = 1;
  errno = error;
}

static void handle(int signal, void (*handler)(int), struct sigaction *old = nullptr) {
  struct sigaction action{};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(signal, &action, old);
}

void watchScreen() {
  handle(SIGWINCH, [](int) { screenChanged = 1; });
}

void restoreOnSignals(StringRef leaving, StringRef again) {
  bool isOn = leavingSize > 0;
  leavingSize = int(std::min(leaving.size(), sizeof leavingText));
  std::memcpy(leavingText, leaving.data(), size_t(leavingSize));
  againSize = int(std::min(again.size(), sizeof againText));
  std::memcpy(againText, again.data(), size_t(againSize));
  if (isOn == !leaving.empty())
    return;
  for (size_t i = 0; i < std::size(ending); ++i)
    if (isOn)
      sigaction(ending[i], &before[i], nullptr);
    else
      handle(ending[i], onEnd, &before[i]);
  handle(SIGTSTP, isOn ? SIG_DFL : onStop);
}

bool takeScreenChanged() {
  bool changed = screenChanged;
  screenChanged = 0;
  return changed;
}

//===--- Lines ------------------------------------------------------------===//

/// "\x1b[1;33m": a colour, or nothing.
static StringRef colourAt(StringRef text) {
  if (!text.starts_with("\x1b["))
    return "";
  size_t end = text.find_if_not([](char c) { return isDigit(c) || c == ';'; }, 2);
  return end != StringRef::npos && text[end] == 'm' ? text.take_front(end + 1) : "";
}

std::string clippedTo(StringRef line, unsigned width) {
  std::string result;
  unsigned used = 0;
  bool hasColour = false;
  while (!line.empty()) {
    if (StringRef colour = colourAt(line); !colour.empty()) {
      result += colour;
      hasColour = true;
      line = line.substr(colour.size());
      continue;
    }
    size_t bytes = std::min<size_t>(getNumBytesForUTF8(UTF8(line[0])), line.size());
    std::string shown = line.take_front(bytes).str();
    int columns = sys::unicode::columnWidthUTF8(shown);
    if (line[0] == '\t') {
      columns = int(8 - used % 8);
      shown.assign(size_t(columns), ' ');
    } else if (columns < 0) {
      shown = "?";
      bytes = columns = 1;
    }
    if (used + unsigned(columns) > width)
      break;
    result += shown;
    used += unsigned(columns);
    line = line.substr(bytes);
  }
  if (hasColour)
    result += "\x1b[0m";
  return result + std::string(width - used, ' ');
}

} // namespace leno::dbg
