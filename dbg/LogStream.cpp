#include "dbg/LogStream.h"

using namespace llvm;

namespace leno::dbg {

void LogStream::alsoTo(StringRef text) {
  if (!file)
    return;
  while (!text.empty()) {
    auto [plain, rest] = text.split('\x1b');
    *file << plain;
    // The escape sequence of a colour ends with an m.
    text = plain.size() == text.size() ? "" : rest.split('m').second;
  }
  file->flush();
}

void LogStream::write_impl(const char *bytes, size_t count) {
  alsoTo(StringRef(bytes, count));
  if (!file || !redirects)
    base_.write(bytes, count);
}

} // namespace leno::dbg
