#include "dbg/SourceText.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace leno::dbg {

const std::vector<std::string> &SourceText::lines(StringRef file) {
  auto [it, isNew] = files.try_emplace(file.str());
  if (!isNew)
    return it->second;
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(file, /*IsText=*/true);
  if (!buffer)
    return it->second;
  for (line_iterator line(**buffer, /*SkipBlanks=*/false); !line.is_at_end(); ++line)
    it->second.push_back(line->rtrim("\r").str());
  return it->second;
}

std::optional<StringRef> SourceText::line(StringRef file, unsigned number) {
  const std::vector<std::string> &all = lines(file);
  if (number == 0 || number > all.size())
    return std::nullopt;
  return StringRef(all[number - 1]);
}

unsigned SourceText::lineCount(StringRef file) { return unsigned(lines(file).size()); }

} // namespace leno::dbg
