//===- Archives.cpp - Members of archives, as a link needs them -----------===//
#include "asm/Archives.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace llvm;

namespace leno {

bool isArchive(MemoryBufferRef file) {
  return file.getBuffer().starts_with("!<arch>\n") || file.getBuffer().starts_with("!<thin>\n");
}

Expected<ArchiveFile> ArchiveFile::open(MemoryBufferRef file) {
  ArchiveFile result;
  if (Error error = object::Archive::create(file).moveInto(result.archive))
    return fileError(file, "this archive is damaged: " + toString(std::move(error)));
  Error walk = Error::success();
  for (const object::Archive::Child &child : result.archive->children(walk)) {
    Expected<MemoryBufferRef> member = child.getMemoryBufferRef();
    if (!member) {
      consumeError(std::move(walk));
      return fileError(file, member.takeError());
    }
    Expected<StringRef> name = child.getName();
    if (!name) {
      consumeError(std::move(walk));
      return fileError(file, name.takeError());
    }
    result.names.push_back((file.getBufferIdentifier() + "(" + *name + ")").str());
    result.buffers.emplace_back(member->getBuffer(), result.names.back());
  }
  if (walk)
    return fileError(file, "this archive is damaged: " + toString(std::move(walk)));
  return result;
}

/// The archive's own index is not asked: it may be missing, or older than a member.
Error LinkInputs::readSymbols(Candidate &candidate) {
  Expected<Elf> elf = openElf(candidate.file);
  if (!elf)
    return elf.takeError();
  for (const ElfSection &section : cantFail(elf->sections()))
    if (section.sh_type == ELF::SHT_SYMTAB)
      if (Error error =
              forEachSymbol(candidate.file, *elf, section, [&](const ElfSymbol &symbol, StringRef name) {
                if (symbol.getBinding() == ELF::STB_LOCAL)
                  return Error::success();
                if (!symbol.isUndefined())
                  candidate.defines.push_back(name.str());
                else if (symbol.getBinding() != ELF::STB_WEAK)
                  candidate.needs.push_back(name.str());
                return Error::success();
              }))
        return error;
  return Error::success();
}

Error LinkInputs::add(MemoryBufferRef file, bool wholeArchive) {
  if (!isArchive(file)) {
    candidates.push_back({file, true});
    return Error::success();
  }
  Expected<ArchiveFile> archive = ArchiveFile::open(file);
  if (!archive)
    return archive.takeError();
  archives.push_back(std::move(*archive));
  for (MemoryBufferRef member : archives.back().members())
    // What is no object at all defines nothing, and is in nobody's way.
    if (wholeArchive || member.getBuffer().starts_with(StringRef(ELF::ElfMagic, 4)))
      candidates.push_back({member, wholeArchive});
  return Error::success();
}

Expected<std::vector<MemoryBufferRef>> LinkInputs::select(ArrayRef<std::string> wanted) {
  std::vector<MemoryBufferRef> result;
  if (!archives.empty()) {
    StringMap<size_t> offered;
    StringSet<> defined;
    std::vector<std::string> needed(wanted.begin(), wanted.end());
    auto link = [&](Candidate &candidate) {
      candidate.isLinked = true;
      for (const std::string &name : candidate.defines)
        defined.insert(name);
      needed.insert(needed.end(), candidate.needs.begin(), candidate.needs.end());
    };
    for (size_t i = 0; i < candidates.size(); ++i) {
      if (Error error = readSymbols(candidates[i]))
        return std::move(error);
      if (candidates[i].isLinked)
        link(candidates[i]);
      else
        for (const std::string &name : candidates[i].defines)
          offered.try_emplace(name, i);
    }
    while (!needed.empty()) {
      std::string name = std::move(needed.back());
      needed.pop_back();
      auto it = offered.find(name);
      if (!defined.contains(name) && it != offered.end())
        link(candidates[it->second]);
    }
  }
  for (const Candidate &candidate : candidates)
    if (candidate.isLinked)
      result.push_back(candidate.file);
  if (result.empty())
    return createStringError(
        "nothing of the archives is needed: name an object, or a symbol with -u, or give "
        "--whole-archive before the archive");
  return result;
}

} // namespace leno
