// report.html: one page with all it needs in it. Its parts stand in page/.
#include "runtime/profile/Report.h"

#include "asm/support/Assert.h"

namespace leno::profile {

namespace {
struct File {
  llvm::StringRef path;
  const char *text;
  size_t size;
};
#include "runtime/profile/Page.inc"
} // namespace

static llvm::StringRef pageFile(llvm::StringRef name) {
  for (const File &file : files)
    if (file.path == name)
      return {file.text, file.size};
  LENO_ASSERT(false, "a part of the page is not there");
  return {};
}

/// JSON in a page: nothing in it may look like the script's end.
static void writeData(llvm::raw_ostream &os, Launches launches) {
  std::string text;
  llvm::raw_string_ostream json(text);
  writeJson(json, launches);
  for (char c : text)
    if (c == '<')
      os << "\\u003c";
    else
      os << c;
}

void writeHtml(llvm::raw_ostream &os, Launches launches) {
  llvm::StringRef left = pageFile("report.html");
  while (!left.empty()) {
    const size_t mark = left.find('@');
    os << left.substr(0, mark);
    left = left.substr(mark == llvm::StringRef::npos ? left.size() : mark);
    if (left.consume_front("@CSS@"))
      os << pageFile("report.css");
    else if (left.consume_front("@JS@"))
      os << pageFile("report.js");
    else if (left.consume_front("@DATA@"))
      writeData(os, launches);
    else if (!left.empty()) {
      os << left.front();
      left = left.drop_front();
    }
  }
}

} // namespace leno::profile
