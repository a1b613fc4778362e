//===- LineTable.cpp - Which source line an instruction came from ---------===//
#include "asm/LineTable.h"

#include "asm/LenoFixupKinds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Support/Path.h"

#include <map>

using namespace llvm;

namespace leno {
namespace {

using Bytes = SmallVector<uint8_t, 0>;

/// The sections of debug information, decompressed, by their number.
Expected<std::map<unsigned, Bytes>> debugSections(MemoryBufferRef file, const Elf &elf) {
  std::map<unsigned, Bytes> found;
  auto headers = cantFail(elf.sections());
  for (unsigned i = 0; i < headers.size(); ++i) {
    Expected<StringRef> name = elf.getSectionName(headers[i]);
    if (!name)
      return fileError(file, name.takeError());
    if (!name->starts_with(".debug_") || headers[i].sh_type != ELF::SHT_PROGBITS)
      continue;
    Bytes storage;
    Expected<ArrayRef<uint8_t>> bytes = sectionBytes(file, elf, headers[i], storage);
    if (!bytes)
      return bytes.takeError();
    if (storage.empty())
      storage.assign(bytes->begin(), bytes->end());
    found[i] = std::move(storage);
  }
  return found;
}

/// What the linker would do to an object's debug information. What is damaged stays as it is.
void relocate(const Elf &elf, std::map<unsigned, Bytes> &sections) {
  auto headers = cantFail(elf.sections());
  for (const ElfSection &header : headers) {
    auto target = sections.find(header.sh_info);
    if (header.sh_type != ELF::SHT_RELA || target == sections.end())
      continue;
    auto relocations = elf.relas(header);
    auto table = elf.getSection(header.sh_link);
    if (!relocations || !table) {
      consumeError(joinErrors(relocations ? Error::success() : relocations.takeError(),
                              table ? Error::success() : table.takeError()));
      continue;
    }
    for (const auto &relocation : *relocations) {
      auto symbol = elf.getRelocationSymbol(relocation, *table);
      if (!symbol) {
        consumeError(symbol.takeError());
        continue;
      }
      uint64_t value = uint64_t(relocation.r_addend);
      if (*symbol) {
        unsigned section = (*symbol)->st_shndx;
        bool isCode = section < headers.size() && headers[section].sh_flags & ELF::SHF_EXECINSTR;
        value += isCode ? LineTable::address(section, (*symbol)->st_value) : uint64_t((*symbol)->st_value);
      }
      uint32_t type = relocation.getType(false);
      uint64_t size = type == R_LENO_64 ? 8 : 4;
      if ((type != R_LENO_64 && type != R_LENO_32) || target->second.size() < size ||
          relocation.r_offset > target->second.size() - size)
        continue;
      uint8_t *at = target->second.data() + relocation.r_offset;
      size == 8 ? support::endian::write64le(at, value) : support::endian::write32le(at, uint32_t(value));
    }
  }
}

} // namespace

unsigned LineTable::fileNumber(std::string name, StringRef directory) {
  auto same = [&](const File &file) { return file.name == name; };
  auto known = find_if(sources, same);
  if (known != sources.end() && known->directory != directory) {
    // One name for two files: the folder tells them apart.
    SmallString<128> whole(directory);
    sys::path::append(whole, name);
    name = std::string(whole);
    known = find_if(sources, same);
  }
  if (known == sources.end())
    known = sources.insert(sources.end(), {name, directory.str()});
  return unsigned(known - sources.begin());
}

Expected<LineTable> LineTable::read(MemoryBufferRef file, const Elf &elf) {
  LineTable lines;
  auto sections = debugSections(file, elf);
  if (!sections)
    return sections.takeError();
  if (sections->empty())
    return lines;
  if (elf.getHeader().e_type == ELF::ET_REL)
    relocate(elf, *sections);
  auto named = std::make_shared<DebugSections>();
  auto headers = cantFail(elf.sections());
  for (const auto &[number, bytes] : *sections)
    (*named)[cantFail(elf.getSectionName(headers[number])).drop_front()] = MemoryBuffer::getMemBufferCopy(toStringRef(bytes));
  // Damaged line tables only cost the lines.
  auto quiet = [](Error error) { consumeError(std::move(error)); };
  std::unique_ptr<DWARFContext> dwarf =
      DWARFContext::create(*named, /*AddrSize=*/8, /*isLittleEndian=*/true, quiet, quiet);
  // Text of a compiler has `.loc` lines, and tables without a unit; their files tell their folders themselves.
  std::map<uint64_t, const char *> folders;
  for (const auto &unit : dwarf->compile_units())
    if (auto table = dwarf::toSectionOffset(unit->getUnitDIE().find(dwarf::DW_AT_stmt_list)))
      folders[*table] = unit->getCompilationDir();
  const DWARFObject &object = dwarf->getDWARFObj();
  DWARFDataExtractor data(object, object.getLineSection(), /*IsLittleEndian=*/true, /*AddressSize=*/8);
  DWARFDebugLine::SectionParser parser(data, *dwarf, dwarf->normal_units());
  while (!parser.done()) {
    auto folder = folders.find(parser.getOffset());
    DWARFDebugLine::LineTable table = parser.parseNext(quiet, quiet);
    std::map<uint64_t, unsigned> numbers;
    auto addFile = [&](uint64_t index) {
      std::string name = "?", directory;
      if (folder != folders.end()) {
        directory = folder->second ? folder->second : "";
        table.getFileNameByIndex(index, "", DILineInfoSpecifier::FileLineInfoKind::RelativeFilePath, name);
        // A compiler names the unit's own folder again.
        if (StringRef rest = name; !directory.empty() && rest.consume_front(directory) && rest.consume_front("/"))
          name = rest.str();
      } else {
        table.getFileNameByIndex(index, "", DILineInfoSpecifier::FileLineInfoKind::RawValue, name);
        std::string path;
        if (table.getFileNameByIndex(index, "", DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath, path))
          directory = sys::path::parent_path(path).str();
      }
      return lines.fileNumber(std::move(name), directory);
    };
    for (const DWARFDebugLine::Row &row : table.Rows) {
      auto [it, isNew] = numbers.try_emplace(row.File, 0);
      if (isNew)
        it->second = addFile(row.File);
      lines.rows.push_back({row.Address.Address, it->second, row.EndSequence ? 0 : row.Line, row.PrologueEnd != 0});
    }
  }
  llvm::stable_sort(lines.rows, [](const Row &a, const Row &b) {
    return std::pair(a.address, a.line != 0) < std::pair(b.address, b.line != 0);
  });
  lines.from = std::move(named);
  return lines;
}

std::optional<uint64_t> LineTable::endOfPrologue(uint64_t begin, uint64_t end) const {
  for (auto it = llvm::lower_bound(rows, begin, [](const Row &r, uint64_t a) { return r.address < a; });
       it != rows.end() && it->address < end; ++it)
    if (it->endsPrologue)
      return it->address;
  return std::nullopt;
}

std::optional<SourceLine> LineTable::line(uint64_t address) const {
  auto it = llvm::upper_bound(rows, address, [](uint64_t a, const Row &r) { return a < r.address; });
  if (it == rows.begin() || (--it)->line == 0)
    return std::nullopt;
  return SourceLine{sources[it->file].name, it->line};
}

std::vector<uint64_t> LineTable::addressesOf(StringRef file, unsigned line) const {
  std::vector<uint64_t> result;
  const Row *previous = nullptr;
  for (const Row &row : rows) {
    StringRef name = sources[row.file].name;
    bool wanted =
        row.line && row.line == line && (file.empty() || name == file || sys::path::filename(name) == file);
    bool continues = previous && previous->line == row.line && previous->file == row.file;
    if (wanted && !continues)
      result.push_back(row.address);
    previous = &row;
  }
  return result;
}

std::vector<std::string> LineTable::files() const {
  std::vector<std::string> names;
  for (const File &file : sources)
    names.push_back(file.name);
  return names;
}

StringRef LineTable::directoryOf(StringRef file) const {
  auto known = find_if(sources, [&](const File &source) { return file == source.name; });
  return known == sources.end() ? StringRef() : StringRef(known->directory);
}

} // namespace leno
