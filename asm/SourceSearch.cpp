//===- SourceSearch.cpp - Where source files are looked for ---------------===//
#include "asm/SourceSearch.h"

#include "asm/support/InputFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace leno {

std::string SourceSearch::substituted(StringRef path) const {
  for (const Substitution &substitution : substitutions) {
    StringRef rest = path, from = StringRef(substitution.from).rtrim('/');
    if (rest.consume_front(from) && (rest.empty() || rest.front() == '/'))
      return substitution.to + rest.str();
  }
  return path.str();
}

std::vector<std::string> SourceSearch::candidates(StringRef name, StringRef assembledIn) const {
  std::vector<std::string> all;
  auto add = [&](StringRef directory, StringRef file) {
    SmallString<128> path(directory);
    sys::path::append(path, file);
    sys::path::remove_dots(path);
    if (!is_contained(all, path.str()))
      all.push_back(path.str().str());
  };
  for (const std::string &directory : directories) {
    if (!sys::path::is_absolute(name))
      add(directory, name);
    add(directory, sys::path::filename(name));
  }
  SmallString<128> whole(sys::path::is_absolute(name) ? "" : assembledIn);
  sys::path::append(whole, name);
  add("", substituted(whole));
  if (!sys::path::is_absolute(name))
    add("", substituted(name));
  return all;
}

std::optional<std::string> SourceSearch::find(StringRef name, StringRef assembledIn) const {
  // The name comes from a file that is not to be trusted: a device or pipe would never end.
  for (std::string &path : candidates(name, assembledIn))
    if (sys::fs::is_regular_file(path))
      return std::move(path);
  return std::nullopt;
}

std::string cannotFind(StringRef name, ArrayRef<std::string> tried) {
  return ("cannot find the source file '" + name + "' (tried " +
          (tried.size() > 1 ? join(tried.drop_back(), ", ") + " and " : "") + tried.back() + ")")
      .str();
}

std::vector<std::string> linesOf(StringRef text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    lines.push_back(line.rtrim('\r').str());
    text = rest;
  }
  return lines;
}

std::vector<std::string> readLines(StringRef path) {
  auto buffer = readWhole(path);
  if (buffer)
    return linesOf((*buffer)->getBuffer());
  consumeError(buffer.takeError()); // as one that is not there
  return {};
}

std::optional<StringRef> SourceReader::text(const SourceLine &line) {
  auto [it, isNew] = files.try_emplace(line.file);
  if (isNew) {
    StringRef directory = lines.directoryOf(line.file);
    if (std::optional<std::string> path = search.find(line.file, directory))
      it->second = readLines(*path);
    else if (isFileName(line.file))
      complaints.push_back(cannotFind(line.file, search.candidates(line.file, directory)));
  }
  if (line.line == 0 || line.line > it->second.size())
    return std::nullopt;
  return StringRef(it->second[line.line - 1]);
}

} // namespace leno
