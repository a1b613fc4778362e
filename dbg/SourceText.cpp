#include "dbg/SourceText.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace leno::dbg {

static std::vector<std::string> linesOf(MemoryBufferRef text) {
  std::vector<std::string> lines;
  for (line_iterator line(text, /*SkipBlanks=*/false); !line.is_at_end(); ++line)
    lines.push_back(line->rtrim("\r").str());
  return lines;
}

const std::vector<std::string> &SourceText::lines(StringRef file) {
  auto [it, isNew] = files.try_emplace(file.str());
  if (!isNew)
    return it->second;
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(file, /*IsText=*/true);
  if (buffer)
    it->second = linesOf((*buffer)->getMemBufferRef());
  return it->second;
}

void SourceText::give(StringRef file, StringRef text) {
  files[file.str()] = linesOf(MemoryBuffer::getMemBufferCopy(text)->getMemBufferRef());
}

std::string SourceText::whole(StringRef file) {
  std::string text;
  for (const std::string &line : lines(file))
    text += line + "\n";
  return text;
}

std::optional<StringRef> SourceText::line(StringRef file, unsigned number) {
  const std::vector<std::string> &all = lines(file);
  if (number == 0 || number > all.size())
    return std::nullopt;
  return StringRef(all[number - 1]);
}

unsigned SourceText::lineCount(StringRef file) { return unsigned(lines(file).size()); }

} // namespace leno::dbg
