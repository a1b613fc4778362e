#include "dbg/LogStream.h"

using namespace llvm;

namespace leno::dbg {

std::vector<StringRef> LogStream::lastLines(size_t most) const {
  return {kept.end() - ptrdiff_t(std::min(most, kept.size())), kept.end()};
}

void LogStream::alsoTo(StringRef text) {
  begun += text;
  for (size_t end; (end = begun.find('\n')) != std::string::npos; begun.erase(0, end + 1)) {
    kept.push_back(begun.substr(0, end));
    ++said;
    if (kept.size() > mostKept)
      kept.pop_front();
  }
  if (!file)
    return;
  while (!text.empty()) {
    auto [plain, rest] = text.split('\x1b');
    *file << plain;
    // The escape sequence of a colour ends with an m.
    text = plain.size() == text.size() ? "" : rest.split('m').second;
  }
  file->flush();
  if (std::error_code error = file->error()) { // a full disk: left standing, it would end the debugger
    file->clear_error();
    file.reset();
    errs() << "error: cannot write '" << path << "': " << error.message() << "; the log is off\n";
  }
}

void LogStream::write_impl(const char *bytes, size_t count) {
  alsoTo(StringRef(bytes, count));
  if (!file || !redirects)
    base_.write(bytes, count);
}

} // namespace leno::dbg
