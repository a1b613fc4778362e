//===- Listing.cpp - Source beside what became of it (leno-as -l) ---------===//
#include "asm/Listing.h"

#include "asm/ElfReader.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCAssembler.h"
#include "llvm/MC/MCSection.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <set>

using namespace llvm;

namespace leno {
namespace {
/// Bytes of data on a row, and of one directive in all.
constexpr size_t rowBytes = 8, mostBytes = 64;

bool isExpansion(const SourceMgr &sources, unsigned buffer) {
  return sources.getMemoryBuffer(buffer)->getBufferIdentifier().starts_with("<instantiation>");
}
} // namespace

void Listing::note(SMLoc loc, bool isInstruction, MCStreamer &streamer) {
  records.push_back({loc, isInstruction, streamer.getCurrentSectionOnly(), streamer.getCurrentFragment(),
                     streamer.getCurFragSize(), ""});
}

void Listing::layOut(const MCAssembler &assembler, const SourceMgr &sources, const MacroCalls &calls) {
  std::map<const MCSection *, Record *> last;
  for (Record &record : records) {
    record.offset += assembler.getFragmentOffset(*record.fragment);
    record.name = record.section->getName().str();
    record.buffer = sources.FindBufferContainingLoc(record.loc);
    if (Record *&before = last[record.section]) {
      before->end = std::max(before->offset, record.offset);
      before = &record;
    } else {
      before = &record;
    }
  }
  for (unsigned id = 1; id <= sources.getNumBuffers(); ++id) {
    SMLoc from =
        isExpansion(sources, id)
            ? calls.callOf(SMLoc::getFromPointer(sources.getMemoryBuffer(id)->getBufferStart()), sources)
            : sources.getParentIncludeLoc(id);
    if (from.isValid())
      called.emplace_back(id, from);
  }
}

struct Listing::Printer {
  const SourceMgr &sources;
  raw_ostream &os;
  std::map<std::pair<unsigned, unsigned>, Line> lines; ///< by buffer and line
  StringMap<ArrayRef<uint8_t>> contents;               ///< of sections
  std::set<std::pair<std::string, uint64_t>> relocated;
  std::string section = ".text"; ///< of the row before

  Error read(const Elf &elf);
  void row(const Record *record, size_t at, StringRef number, StringRef text);
  void statement(const Line *line, StringRef number, StringRef text);
  void file(unsigned buffer);
  void expansion(unsigned buffer, const Twine &call);
  void expansions(const Line *line, unsigned buffer, const Twine &number);
};

Error Listing::Printer::read(const Elf &elf) {
  auto sections = elf.sections();
  if (!sections)
    return sections.takeError();
  for (const ElfSection &section : *sections) {
    Expected<StringRef> name = elf.getSectionName(section);
    if (!name)
      return name.takeError();
    if (section.sh_type == ELF::SHT_RELA) {
      auto of = elf.getSection(section.sh_info);
      auto relocations = elf.relas(section);
      if (!of || !relocations)
        return joinErrors(of.takeError(), relocations.takeError());
      Expected<StringRef> target = elf.getSectionName(**of);
      if (!target)
        return target.takeError();
      for (const auto &relocation : *relocations)
        relocated.insert({target->str(), relocation.r_offset});
      continue;
    }
    Expected<ArrayRef<uint8_t>> bytes = elf.getSectionContents(section);
    if (!bytes)
      return bytes.takeError();
    contents[*name] = section.sh_type == ELF::SHT_NOBITS ? ArrayRef<uint8_t>() : *bytes;
  }
  return Error::success();
}

/// A row: address, word or bytes, line, text. `at` counts the bytes of the record that are told already.
void Listing::Printer::row(const Record *record, size_t at, StringRef number, StringRef text) {
  std::string address, bytes;
  if (record) {
    ArrayRef<uint8_t> all = contents.lookup(record->name);
    uint64_t begin = std::min<uint64_t>(record->offset + at, all.size());
    ArrayRef<uint8_t> rest = all.slice(begin);
    if (record->name != section)
      os << formatv("{0,-32}section {1}\n", "", section = record->name);
    address = formatv("{0:x-4}", record->offset + at);
    if (record->isInstruction) {
      if (rest.size() >= 8)
        bytes = formatv("{0:x-16}", support::endian::read64le(rest.data()));
      if (relocated.contains({record->name, record->offset}))
        bytes += '*';
    } else {
      uint64_t end = record->end ? record->end - record->offset : rest.size() + at;
      for (uint8_t byte : rest.take_front(std::min<size_t>(rowBytes, end > at ? end - at : 0)))
        bytes += formatv("{0:x-2}", byte);
    }
  }
  std::string line = formatv("{0,8}  {1,-17}  {2,6}  {3}", address, bytes, number, text);
  os << StringRef(line).rtrim() << '\n';
}

void Listing::Printer::statement(const Line *line, StringRef number, StringRef text) {
  if (!line || line->records.empty())
    return row(nullptr, 0, number, text);
  for (const Record *record : line->records) {
    row(record, 0, number, text);
    number = text = "";
    if (record->isInstruction)
      continue;
    size_t size = contents.lookup(record->name).size();
    size = std::min<size_t>(size, record->end ? record->end : size);
    size = size > record->offset ? size - record->offset : 0;
    for (size_t at = rowBytes; at < std::min(size, mostBytes); at += rowBytes)
      row(record, at, "", "");
    if (size > mostBytes)
      os << formatv("{0,10}... {1} bytes in all\n", "", size);
  }
}

void Listing::Printer::expansions(const Line *line, unsigned buffer, const Twine &number) {
  if (!line)
    return;
  for (const Expansion &expansionHere : line->expansions) {
    if (!expansionHere.isInclude) {
      expansion(expansionHere.buffer, number);
      continue;
    }
    os << formatv("{0,32}{1}:\n", "", sources.getMemoryBuffer(expansionHere.buffer)->getBufferIdentifier());
    file(expansionHere.buffer);
    os << formatv("{0,32}{1}:\n", "", sources.getMemoryBuffer(buffer)->getBufferIdentifier());
  }
}

/// What a macro or a repetition gave: the lines that do something, marked with a +.
void Listing::Printer::expansion(unsigned buffer, const Twine &call) {
  std::string number = (call + "+").str();
  unsigned count = 0;
  for (StringRef text : split(sources.getMemoryBuffer(buffer)->getBuffer(), '\n')) {
    auto it = lines.find({buffer, ++count});
    if (it == lines.end())
      continue;
    statement(&it->second, number, text.rtrim());
    expansions(&it->second, buffer, number);
  }
}

void Listing::Printer::file(unsigned buffer) {
  StringRef rest = sources.getMemoryBuffer(buffer)->getBuffer();
  for (unsigned count = 1; !rest.empty(); ++count) {
    StringRef text;
    std::tie(text, rest) = rest.split('\n');
    auto it = lines.find({buffer, count});
    const Line *line = it == lines.end() ? nullptr : &it->second;
    statement(line, utostr(count), text.rtrim());
    expansions(line, buffer, Twine(count));
  }
}

Error Listing::print(StringRef object, const SourceMgr &sources, raw_ostream &os) {
  Printer printer{sources, os, {}, {}, {}};
  Expected<Elf> elf = openElf(MemoryBufferRef(object, "object"));
  if (!elf)
    return elf.takeError();
  if (Error error = printer.read(*elf))
    return error;
  auto lineOf = [&](SMLoc loc, unsigned buffer) -> Line & {
    return printer.lines[{buffer, sources.FindLineNumber(loc, buffer)}];
  };
  for (const Record &record : records)
    if (record.buffer)
      lineOf(record.loc, record.buffer).records.push_back(&record);
  for (auto [id, from] : called)
    if (unsigned buffer = sources.FindBufferContainingLoc(from))
      lineOf(from, buffer).expansions.push_back({id, !isExpansion(sources, id)});
  os << " address  word                 line  source\n";
  printer.file(sources.getMainFileID());
  return Error::success();
}

} // namespace leno
