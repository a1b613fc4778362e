//===- FileNames.cpp - An ELF file's sections with their names ------------===//
#include "asm/FileNames.h"

#include "asm/LenoFixupKinds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace leno {

std::string quotedName(StringRef name) {
  bool plain = !name.empty() && !isDigit(name[0]) &&
               all_of(name, [](char c) { return isAlnum(c) || c == '_' || c == '.' || c == '$'; });
  std::string text;
  raw_string_ostream os(text);
  if (plain) {
    os << name;
  } else {
    os << '"';
    printEscapedString(name, os);
    os << '"';
  }
  return text;
}

std::string DumpReference::text() const {
  std::string text = quotedName(symbol);
  if (addend)
    text += (addend < 0 ? "-" : "+") + std::to_string(addend < 0 ? 0 - uint64_t(addend) : uint64_t(addend));
  return text;
}

Error FileNames::read() {
  auto headers = cantFail(elf.sections());
  for (unsigned i = 0; i < headers.size(); ++i) {
    const ElfSection &header = headers[i];
    bool zeroes = header.sh_type == ELF::SHT_NOBITS;
    if (!(header.sh_flags & ELF::SHF_ALLOC) || (header.sh_type != ELF::SHT_PROGBITS && !zeroes))
      continue;
    Expected<StringRef> name = elf.getSectionName(header);
    if (!name)
      return fileError(file, name.takeError());
    ArrayRef<uint8_t> bytes;
    if (!zeroes)
      bytes = cantFail(elf.getSectionContents(header));
    sections[i] = {i, name->str(), &header, bytes, header.sh_size, {}, {}};
  }
  for (const ElfSection &header : headers)
    if (header.sh_type == ELF::SHT_SYMTAB)
      if (Error error = readSymbols(header))
        return error;
  for (const ElfSection &header : headers)
    if (header.sh_type == ELF::SHT_RELA)
      if (Error error = readRelocations(header))
        return error;
  erase_if(externals, [&](const DumpLabel &label) { return referenced.count(label.name); });
  return Error::success();
}

Error FileNames::readSymbols(const ElfSection &table) {
  return forEachSymbol(file, elf, table, [&](const ElfSymbol &symbol, StringRef name) {
    if (name.empty())
      return Error::success();
    DumpLabel label{name.str(), symbol.getBinding(), symbol.getType(), symbol.st_size};
    names.insert(label.name);
    if (symbol.getType() == ELF::STT_FILE)
      sourceFiles.push_back(label.name);
    else if (symbol.isUndefined())
      externals.push_back(label);
    else if (symbol.st_shndx == ELF::SHN_ABS)
      constants.emplace_back(label.name, symbol.st_value);
    if (auto section = sections.find(symbol.st_shndx); section != sections.end()) {
      uint64_t offset = symbol.st_value - section->second.header->sh_addr;
      if (offset <= section->second.size)
        section->second.labels[offset].push_back(label);
    }
    return Error::success();
  });
}

/// The section of global memory that an address of an executable lies in: the last one that begins before it.
DumpSection *FileNames::globalSectionAt(uint64_t address) {
  DumpSection *best = nullptr;
  for (auto &[number, section] : sections)
    if (!section.isCode() && !section.isConstants() &&
        (!best || (section.header->sh_addr <= address && section.header->sh_addr > best->header->sh_addr)))
      best = &section;
  return best;
}

/// What the linker left for the loader: from and to addresses, by no symbol.
Error FileNames::readLoadRelocations(const ElfSection &header) {
  auto relocations = elf.relas(header);
  if (!relocations)
    return fileError(file, relocations.takeError());
  for (const auto &relocation : *relocations) {
    auto address = uint64_t(relocation.r_addend);
    DumpSection *target = globalSectionAt(address);
    for (auto &[number, from] : sections)
      if (uint64_t offset = relocation.r_offset - from.header->sh_addr; target && offset < from.size) {
        DumpReference reference{relocation.getType(false), "", int64_t(address - target->header->sh_addr)};
        nameLocally(*target, reference);
        from.references[offset].push_back(reference);
      }
  }
  return Error::success();
}

Error FileNames::readRelocations(const ElfSection &header) {
  if (isLinked())
    return header.sh_flags & ELF::SHF_ALLOC ? readLoadRelocations(header) : Error::success();
  auto from = sections.find(header.sh_info);
  if (from == sections.end())
    return Error::success();
  auto relocations = elf.relas(header);
  auto table = elf.getSection(header.sh_link);
  if (!relocations || !table)
    return fileError(file, joinErrors(relocations ? Error::success() : relocations.takeError(),
                                      table ? Error::success() : table.takeError()));
  auto strings = elf.getStringTableForSymtab(**table);
  if (!strings)
    return fileError(file, strings.takeError());
  for (const auto &relocation : *relocations) {
    auto symbol = elf.getRelocationSymbol(relocation, *table);
    if (!symbol)
      return fileError(file, symbol.takeError());
    if (!*symbol)
      continue;
    DumpReference reference{relocation.getType(false), "", relocation.r_addend};
    auto target = sections.find((*symbol)->st_shndx);
    if ((*symbol)->getType() == ELF::STT_SECTION && target != sections.end()) {
      nameLocally(target->second, reference);
    } else {
      Expected<StringRef> name = (*symbol)->getName(*strings);
      if (!name)
        return fileError(file, name.takeError());
      reference.symbol = name->str();
      referenced.insert(reference.symbol);
    }
    from->second.references[relocation.r_offset].push_back(reference);
  }
  return Error::success();
}

std::string FileNames::makeLabel(DumpSection &section, uint64_t offset) {
  std::string name = ".L" + (section.isCode() ? "" : section.name.substr(section.name[0] == '.')) + "_" +
                     utohexstr(offset, true);
  while (!names.insert(name).second)
    name += "_";
  section.labels[offset].push_back({name, ELF::STB_LOCAL, ELF::STT_NOTYPE, 0, true});
  return name;
}

void FileNames::nameFunction(uint64_t address, StringRef name, uint64_t size) {
  for (auto &[number, section] : sections)
    if (section.isCode() && address - section.header->sh_addr < section.size &&
        names.insert(name.str()).second)
      section.labels[address - section.header->sh_addr].push_back(
          {name.str(), ELF::STB_GLOBAL, ELF::STT_FUNC, size});
}

void FileNames::nameTarget(DumpSection &section, uint64_t offset) {
  if (section.labels[offset].empty())
    makeLabel(section, offset);
}

/// A relocation against a section: by the nearest local label before its target. The name of a global symbol
/// would be kept in the file.
void FileNames::nameLocally(DumpSection &section, DumpReference &reference) {
  auto target = uint64_t(reference.addend);
  bool exact = section.isCode() && target % wordBytes == 0 && target <= section.size;
  for (auto it = section.labels.upper_bound(target); it != section.labels.begin();) {
    --it;
    if (exact && it->first != target)
      break;
    for (const DumpLabel &label : it->second)
      if (label.binding == ELF::STB_LOCAL) {
        reference.symbol = label.name;
        reference.addend = int64_t(target - it->first);
        return;
      }
  }
  reference.symbol = makeLabel(section, exact ? target : 0);
  reference.addend = exact ? 0 : int64_t(target);
}

void printLabel(const DumpLabel &label, raw_ostream &os) {
  std::string name = quotedName(label.name);
  if (label.binding == ELF::STB_GLOBAL)
    os << "\t.globl " << name << '\n';
  if (label.binding == ELF::STB_WEAK)
    os << "\t.weak " << name << '\n';
  if (label.type == ELF::STT_FUNC)
    os << "\t.type " << name << ", STT_FUNC\n";
  if (label.type == ELF::STT_OBJECT)
    os << "\t.type " << name << ", STT_OBJECT\n";
  if (label.size)
    os << "\t.size " << name << ", " << label.size << '\n';
  os << name << ":\n";
}

/// The length of a string that ends in a zero byte, that byte not counted; 0 when none begins here.
static size_t stringAt(ArrayRef<uint8_t> bytes) {
  size_t length = 0;
  while (length < bytes.size() &&
         (isPrint(char(bytes[length])) || bytes[length] == '\n' || bytes[length] == '\t'))
    ++length;
  return length >= 3 && length < bytes.size() && bytes[length] == 0 ? length : 0;
}

static size_t zeroesAt(ArrayRef<uint8_t> bytes) {
  return size_t(find_if(bytes, [](uint8_t b) { return b != 0; }) - bytes.begin());
}

static void printString(StringRef text, raw_ostream &os) {
  os << "\t.asciz \"";
  for (char c : text) {
    if (c == '\n' || c == '\t') {
      os << (c == '\n' ? "\\n" : "\\t");
      continue;
    }
    if (c == '"' || c == '\\')
      os << '\\';
    os << c;
  }
  os << "\"\n";
}

/// Words of four bytes, up to four a line, as long as nothing nicer begins.
static size_t printWords(ArrayRef<uint8_t> bytes, raw_ostream &os) {
  size_t done = 0;
  os << "\t.word ";
  do {
    os << (done ? ", 0x" : "0x") << utohexstr(support::endian::read32le(&bytes[done]), true);
    done += 4;
  } while (done < 16 && bytes.size() - done >= 4 && !stringAt(bytes.drop_front(done)) &&
           zeroesAt(bytes.drop_front(done)) < 16);
  os << '\n';
  return done;
}

/// Bytes without a label or reference in them.
static void printBytes(ArrayRef<uint8_t> bytes, uint64_t offset, raw_ostream &os) {
  while (!bytes.empty()) {
    size_t done = 1;
    if (size_t zeroes = zeroesAt(bytes); zeroes >= 16 || (zeroes == bytes.size() && zeroes > 8)) {
      done = zeroes;
      os << "\t.zero " << zeroes << '\n';
    } else if (size_t length = stringAt(bytes)) {
      done = length + 1;
      printString(StringRef(reinterpret_cast<const char *>(bytes.data()), length), os);
    } else if (offset % 4 == 0 && bytes.size() >= 4) {
      done = printWords(bytes, os);
    } else {
      os << "\t.byte 0x" << utohexstr(bytes[0], true) << '\n';
    }
    bytes = bytes.drop_front(done);
    offset += done;
  }
}

void printData(const DumpSection &section, uint64_t begin, uint64_t end, raw_ostream &os) {
  for (uint64_t offset = begin; offset < end;) {
    if (auto labels = section.labels.find(offset); labels != section.labels.end() && offset != begin)
      for (const DumpLabel &label : labels->second)
        printLabel(label, os);
    auto references = section.references.find(offset);
    if (references != section.references.end() && !references->second.empty()) {
      const DumpReference &reference = references->second.front();
      uint64_t size = reference.type == R_LENO_32 ? 4 : 8;
      if (size <= end - offset) {
        os << (size == 4 ? "\t.word " : "\t.quad ") << reference.text() << '\n';
        offset += size;
        continue;
      }
    }
    uint64_t next = end;
    if (auto it = section.labels.upper_bound(offset); it != section.labels.end())
      next = std::min(next, it->first);
    if (auto it = section.references.upper_bound(offset); it != section.references.end())
      next = std::min(next, it->first);
    if (section.isZeroes())
      os << "\t.zero " << next - offset << '\n';
    else
      printBytes(section.bytes.slice(offset, next - offset), offset, os);
    offset = next;
  }
}

} // namespace leno
