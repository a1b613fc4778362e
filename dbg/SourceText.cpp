#include "dbg/SourceText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace leno::dbg {

const std::vector<std::string> &SourceText::lines(StringRef file) {
  auto [it, isNew] = files.try_emplace(file.str());
  if (!isNew)
    return it->second.lines;
  std::optional<std::string> path = places.find(file, assembledIn(file));
  if (!path)
    return it->second.lines;
  it->second.lines = readLines(*path);
  sys::fs::file_status status;
  if (since && onNewer && !sys::fs::status(*path, status) && status.getLastModificationTime() > *since)
    onNewer(file);
  return it->second.lines;
}

void SourceText::give(StringRef file, StringRef text) { files[file.str()] = {linesOf(text), true}; }

void SourceText::setSearch(SourceSearch search) {
  places = std::move(search);
  std::erase_if(files, [](const auto &entry) { return !entry.second.isGiven; });
  told.clear();
}

std::string SourceText::path(StringRef file) const {
  return places.find(file, assembledIn(file)).value_or(file.str());
}

std::string SourceText::cannotFind(StringRef file) const {
  return leno::cannotFind(file, places.candidates(file, assembledIn(file)));
}

bool SourceText::isNewlyMissing(StringRef file) {
  return isFileName(file) && lines(file).empty() && !places.find(file, assembledIn(file)) &&
         told.insert(file.str()).second;
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
