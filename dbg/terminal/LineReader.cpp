#include "dbg/terminal/LineReader.h"
#include "dbg/Interrupt.h"
#include "dbg/terminal/Terminal.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cwchar>
#include <histedit.h>
#include <poll.h>
#include <unistd.h>

using namespace llvm;

namespace leno::dbg {

struct LineReader::Editor {
  EditLine *line = nullptr;
  History *history = nullptr;
  HistEvent event{};
  std::string prompt, path;

  static LineReader &of(EditLine *line) {
    LineReader *reader = nullptr;
    el_get(line, EL_CLIENTDATA, &reader);
    return *reader;
  }
  static char *promptOf(EditLine *line) { return of(line).editor->prompt.data(); }
  static bool awaitInput(EditLine *line);
  static int readCharacter(EditLine *line, wchar_t *character);
  static unsigned char complete(EditLine *line, int);
  template <ViewKey key> static unsigned char press(EditLine *line, int) {
    if (LineReader &reader = of(line); reader.onKey && reader.onKey(key))
      el_set(line, EL_REFRESH);
    return CC_NORM;
  }
  template <ViewKey key> void bind(const char *name, std::initializer_list<const char *> keys) {
    el_set(line, EL_ADDFN, name, "of the full-screen view", press<key>);
    for (const char *one : keys)
      el_set(line, EL_BIND, one, name, nullptr);
  }
};

//===--- Characters -------------------------------------------------------===//

/// False: Ctrl-C came first.
bool LineReader::Editor::awaitInput(EditLine *line) {
  sigset_t watched, open;
  sigemptyset(&watched);
  for (int signal : {SIGWINCH, SIGINT, SIGTSTP})
    sigaddset(&watched, signal);
  sigprocmask(SIG_BLOCK, &watched, &open);
  bool hasInput = false;
  while (!hasInput && !interruptRequested()) {
    if (takeScreenChanged()) {
      el_resize(line);
      if (LineReader &reader = of(line); reader.onScreenChanged && reader.onScreenChanged())
        el_set(line, EL_REFRESH);
    }
    pollfd input{STDIN_FILENO, POLLIN, 0};
    int found = ppoll(&input, 1, nullptr, &open);
    hasInput = found > 0 || (found < 0 && errno != EINTR);
  }
  sigprocmask(SIG_SETMASK, &open, nullptr);
  return hasInput;
}

int LineReader::Editor::readCharacter(EditLine *line, wchar_t *character) {
  char bytes[MB_LEN_MAX];
  for (size_t size = 0; size < sizeof bytes;) {
    if (!awaitInput(line)) {
      errno = EINTR;
      return -1;
    }
    if (ssize_t got = ::read(STDIN_FILENO, bytes + size, 1); got <= 0)
      return got < 0 && errno != EIO ? -1 : 0;
    std::mbstate_t state{};
    size_t used = std::mbrtowc(character, bytes, ++size, &state);
    if (used == size_t(-2))
      continue;
    if (used == size_t(-1)) // no character of this locale: the byte as it is
      *character = wchar_t(uint8_t(bytes[0]));
    return 1;
  }
  return 0;
}

//===--- Completion -------------------------------------------------------===//

unsigned char LineReader::Editor::complete(EditLine *line, int) {
  const LineInfo *info = el_line(line);
  StringRef typed(info->buffer, size_t(info->cursor - info->buffer));
  LineReader &reader = of(line);
  std::vector<std::string> all = reader.complete ? reader.complete(typed) : std::vector<std::string>();
  if (all.empty())
    return CC_REFRESH_BEEP;
  StringRef common = all.front();
  for (const std::string &one : all)
    common = common.take_front(
        size_t(std::mismatch(common.begin(), common.end(), one.begin(), one.end()).first - common.begin()));
  if (common.size() > typed.size()) {
    el_insertstr(line, common.drop_front(typed.size()).str().c_str());
    return CC_REFRESH;
  }
  if (all.size() == 1)
    return CC_REFRESH;
  // Below the line, one to a row.
  std::string list = "\n";
  for (const std::string &one : all)
    list += one + "\n";
  std::fputs(list.c_str(), stdout);
  el_set(line, EL_REFRESH);
  return CC_NORM;
}

//===--- Lines ------------------------------------------------------------===//

LineReader::LineReader(StringRef program) : editor(std::make_unique<Editor>()) {
  SmallString<128> path;
  if (sys::path::home_directory(path)) {
    sys::path::append(path, "." + program + "-history");
    editor->path = path.str().str();
  }
  editor->history = history_init();
  history(editor->history, &editor->event, H_SETSIZE, 800);
  history(editor->history, &editor->event, H_SETUNIQUE, 1);
  if (!editor->path.empty())
    history(editor->history, &editor->event, H_LOAD, editor->path.c_str());

  EditLine *line = editor->line = el_init(program.str().c_str(), stdin, stdout, stderr);
  el_set(line, EL_CLIENTDATA, this);
  el_set(line, EL_PROMPT, &Editor::promptOf);
  el_set(line, EL_EDITOR, "emacs");
  el_set(line, EL_HIST, history, editor->history);
  el_set(line, EL_GETCFN, &Editor::readCharacter);
  el_set(line, EL_ADDFN, "complete", "what can follow", &Editor::complete);
  el_set(line, EL_BIND, "\t", "complete", nullptr);
  el_set(line, EL_BIND, "^r", "em-inc-search-prev", nullptr);
  el_set(line, EL_BIND, "^w", "ed-delete-prev-word", nullptr);
  el_set(line, EL_BIND, "\033[3~", "ed-delete-next-char", nullptr);
  editor->bind<ViewKey::OnOff>("view", {"^Xa", "^XA", "^X^A"});
  editor->bind<ViewKey::NextPane>("view-next-pane", {"^Xo", "^XO", "^X^O"});
  editor->bind<ViewKey::OnePane>("view-one-pane", {"^X1"});
  editor->bind<ViewKey::OtherLayout>("view-other-layout", {"^X2"});
  editor->bind<ViewKey::PageUp>("view-page-up", {"\033[5~"});
  editor->bind<ViewKey::PageDown>("view-page-down", {"\033[6~"});
  editor->bind<ViewKey::Refresh>("view-refresh", {"^L"});
  watchScreen();
}

LineReader::~LineReader() {
  el_end(editor->line);
  history_end(editor->history);
}

std::optional<std::string> LineReader::read(StringRef prompt) {
  editor->prompt = prompt.str();
  int count = 0;
  const char *typed = el_gets(editor->line, &count);
  if (!typed || count <= 0) {
    if (interruptRequested())
      std::fputs("^C\n", stdout);
    std::fflush(stdout);
    return std::nullopt;
  }
  return StringRef(typed, size_t(count)).rtrim("\r\n").str();
}

void LineReader::remember(StringRef line) {
  if (!line.empty())
    history(editor->history, &editor->event, H_ENTER, line.str().c_str());
}

void LineReader::saveHistory() {
  if (!editor->path.empty())
    history(editor->history, &editor->event, H_SAVE, editor->path.c_str());
}

} // namespace leno::dbg
