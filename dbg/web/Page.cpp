#include "dbg/web/Page.h"
#include "asm/support/Assert.h"
#include "dbg/web/Request.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace leno::dbg::web {

namespace {
struct File {
  StringRef path;
  const char *text;
  size_t size;
};
#include "dbg/web/WebPage.inc"
} // namespace

static StringRef pageFile(StringRef name) {
  for (const File &file : files)
    if (file.path == name)
      return {file.text, file.size};
  LENO_ASSERT(false, "a part of the page is not there");
  return {};
}

SmallVector<StringRef, 16> commandsOfStop() {
  SmallVector<StringRef, 16> lines;
  pageFile("stop-commands.txt").split(lines, '\n', -1, /*KeepEmpty=*/false);
  return lines;
}

/// Text in a script's element: nothing in it may look like the element's end.
static void writeText(raw_ostream &os, StringRef text) {
  for (char c : text)
    if (c == '<')
      os << "\\u003c";
    else
      os << c;
}

static std::string policyOf(StringRef nonce) {
  return ("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'nonce-" +
          nonce + "'; script-src 'nonce-" + nonce +
          "'; img-src data:; base-uri 'none'; form-action 'none'\">\n")
      .str();
}

/// `nonce`: what alone may be executed has it; empty: who serves the page says what may.
static void writeParts(raw_ostream &os, StringRef recording, StringRef nonce) {
  StringRef left = pageFile("view.html");
  while (!left.empty()) {
    const size_t mark = left.find('@');
    os << left.substr(0, mark);
    left = left.substr(mark == StringRef::npos ? left.size() : mark);
    if (left.consume_front("@CSS@"))
      os << pageFile("view.css");
    else if (left.consume_front("@JS@"))
      os << pageFile("links.js") << pageFile("panels.js") << pageFile("view.js");
    else if (left.consume_front("@STOP@"))
      os << pageFile("stop-commands.txt");
    else if (left.consume_front("@NONCE@"))
      os << (nonce.empty() ? "" : (" nonce=\"" + nonce + "\"").str());
    else if (left.consume_front("@POLICY@"))
      os << (nonce.empty() ? "" : policyOf(nonce));
    else if (left.consume_front("@DATA@"))
      writeText(os, recording);
    else if (!left.empty()) {
      os << left.front();
      left = left.drop_front();
    }
  }
}

void writePage(raw_ostream &os, StringRef recording) { writeParts(os, recording, ""); }

static std::string pageWith(StringRef nonce) {
  std::string text;
  raw_string_ostream os(text);
  writeParts(os, "null", nonce);
  return text;
}
std::string livePage() { return pageWith(""); }
std::string panelPage() { return pageWith(newToken()); }

} // namespace leno::dbg::web
