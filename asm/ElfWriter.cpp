//===- ElfWriter.cpp - Lays out a linked ELF file -------------------------===//
#include "asm/ElfWriter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>

using namespace llvm;

namespace leno {

unsigned ElfWriter::addSection(std::string name, uint32_t sectionType, uint64_t flags, uint64_t alignment,
                               uint64_t entrySize, std::string bytes) {
  sections.push_back({std::move(name), sectionType, flags, alignment, entrySize, std::move(bytes)});
  return unsigned(sections.size()); // number 0 is the null section
}

unsigned ElfWriter::addSymbol(std::string name, uint64_t value, uint64_t size, uint8_t info,
                              unsigned section) {
  symbols.push_back({std::move(name), value, size, info, section});
  return unsigned(symbols.size()); // number 0 is the null symbol
}

void ElfWriter::addRelocation(unsigned section, uint64_t offset, uint32_t relocationType, unsigned symbol,
                              int64_t addend) {
  relocations.push_back({section, offset, relocationType, symbol, addend});
}

/// The symbol table, and the relocations that refer to it.
void ElfWriter::writeSymbols() {
  StringTableBuilder strings(StringTableBuilder::ELF);
  for (const NamedSymbol &symbol : symbols)
    strings.add(symbol.name);
  strings.finalizeInOrder();
  std::string table(sizeof(ElfSymbol), '\0'), stringBytes;
  uint32_t firstGlobal = 1;
  for (const NamedSymbol &symbol : symbols) {
    ElfSymbol entry;
    std::memset(&entry, 0, sizeof entry);
    entry.st_name = strings.getOffset(symbol.name);
    entry.st_value = symbol.value;
    entry.st_size = symbol.size;
    entry.st_info = symbol.info;
    entry.st_shndx = uint16_t(symbol.section);
    firstGlobal += entry.getBinding() == ELF::STB_LOCAL;
    table.append(reinterpret_cast<const char *>(&entry), sizeof entry);
  }
  raw_string_ostream stringStream(stringBytes);
  strings.write(stringStream);
  unsigned symtab = addSection(".symtab", ELF::SHT_SYMTAB, 0, 8, sizeof(ElfSymbol), std::move(table));
  unsigned strtab = addSection(".strtab", ELF::SHT_STRTAB, 0, 1, 0, std::move(stringBytes));
  sections[symtab - 1].link = strtab;
  sections[symtab - 1].info = firstGlobal;

  llvm::stable_sort(relocations, [](const Relocation &a, const Relocation &b) {
    return std::tie(a.section, a.offset) < std::tie(b.section, b.offset);
  });
  for (size_t i = 0; i < relocations.size();) {
    unsigned section = relocations[i].section;
    std::string entries;
    for (; i < relocations.size() && relocations[i].section == section; ++i) {
      Elf::Elf_Rela entry;
      std::memset(&entry, 0, sizeof entry);
      entry.r_offset = relocations[i].offset;
      entry.setSymbolAndType(relocations[i].symbol, relocations[i].type, false);
      entry.r_addend = relocations[i].addend;
      entries.append(reinterpret_cast<const char *>(&entry), sizeof entry);
    }
    unsigned rela = addSection(".rela" + sections[section - 1].name, ELF::SHT_RELA, ELF::SHF_INFO_LINK, 8,
                               sizeof(Elf::Elf_Rela), std::move(entries));
    sections[rela - 1].link = symtab;
    sections[rela - 1].info = section;
  }
}

SmallVector<char, 0> ElfWriter::finish() {
  writeSymbols();
  // The builder refers to the names, so the last section is added before them all.
  unsigned shstrtab = addSection(".shstrtab", ELF::SHT_STRTAB, 0, 1, 0, "");
  StringTableBuilder names(StringTableBuilder::ELF);
  for (const Section &section : sections)
    names.add(section.name);
  names.finalizeInOrder();
  raw_string_ostream nameStream(sections.back().bytes);
  names.write(nameStream);

  unsigned loads = 0;
  for (const Section &section : sections)
    loads += type == ELF::ET_EXEC && section.flags & ELF::SHF_ALLOC;
  SmallVector<char, 0> file(sizeof(Elf::Elf_Ehdr) + loads * sizeof(Elf::Elf_Phdr));
  std::vector<ElfSection> headers(1 + sections.size());
  std::memset(headers.data(), 0, headers.size() * sizeof(ElfSection));
  std::vector<Elf::Elf_Phdr> segments;
  for (size_t i = 0; i < sections.size(); ++i) {
    const Section &section = sections[i];
    file.resize(alignTo(file.size(), std::max<uint64_t>(section.alignment, 1)));
    ElfSection &header = headers[i + 1];
    header.sh_name = names.getOffset(section.name);
    header.sh_type = section.type;
    header.sh_flags = section.flags;
    header.sh_addr = section.address;
    header.sh_offset = file.size();
    header.sh_size = section.type == ELF::SHT_NOBITS ? section.zeroes : section.bytes.size();
    header.sh_link = section.link;
    header.sh_info = section.info;
    header.sh_addralign = section.alignment;
    header.sh_entsize = section.entrySize;
    if (type == ELF::ET_EXEC && section.flags & ELF::SHF_ALLOC) {
      Elf::Elf_Phdr segment;
      std::memset(&segment, 0, sizeof segment);
      segment.p_type = section.type == ELF::SHT_NOTE ? ELF::PT_NOTE : ELF::PT_LOAD;
      segment.p_flags = ELF::PF_R | (section.flags & ELF::SHF_EXECINSTR ? unsigned(ELF::PF_X) : 0u) |
                        (section.flags & ELF::SHF_WRITE ? unsigned(ELF::PF_W) : 0u);
      segment.p_vaddr = section.address;
      segment.p_paddr = section.address;
      segment.p_offset = file.size();
      segment.p_filesz = section.bytes.size();
      segment.p_memsz = header.sh_size;
      segment.p_align = section.alignment;
      segments.push_back(segment);
    }
    file.append(section.bytes.begin(), section.bytes.end());
  }
  file.resize(alignTo(file.size(), 8));

  Elf::Elf_Ehdr header;
  std::memset(&header, 0, sizeof header);
  std::memcpy(header.e_ident, ELF::ElfMagic, 4);
  header.e_ident[ELF::EI_CLASS] = ELF::ELFCLASS64;
  header.e_ident[ELF::EI_DATA] = ELF::ELFDATA2LSB;
  header.e_ident[ELF::EI_VERSION] = ELF::EV_CURRENT;
  header.e_type = type;
  header.e_machine = elfMachine;
  header.e_version = ELF::EV_CURRENT;
  header.e_flags = elfVersion;
  header.e_ehsize = sizeof header;
  header.e_phoff = loads ? sizeof header : 0;
  header.e_phentsize = loads ? sizeof(Elf::Elf_Phdr) : 0;
  header.e_phnum = loads;
  header.e_shoff = file.size();
  header.e_shentsize = sizeof(ElfSection);
  header.e_shnum = headers.size();
  header.e_shstrndx = shstrtab;
  std::memcpy(file.data(), &header, sizeof header);
  llvm::copy(
      ArrayRef(reinterpret_cast<const char *>(segments.data()), segments.size() * sizeof(Elf::Elf_Phdr)),
      file.data() + sizeof header);
  const char *table0 = reinterpret_cast<const char *>(headers.data());
  file.append(table0, table0 + headers.size() * sizeof(ElfSection));
  return file;
}

} // namespace leno
