//===- Executable.cpp - A linked program, as the machine loads it ---------===//
#include "asm/Executable.h"

#include "asm/ElfReader.h"
#include "asm/LenoFixupKinds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Path.h"

#include <algorithm>

using namespace llvm;

namespace leno {

Executable::Executable() = default;
Executable::Executable(Executable &&) noexcept = default;
Executable &Executable::operator=(Executable &&) noexcept = default;
Executable::~Executable() = default;

/// Reads the sections of a file into an executable.
class Executable::Reader {
public:
  Reader(MemoryBufferRef file, const Elf &elf, Executable &into) : file(file), elf(elf), into(into) {}
  Error read();

private:
  Error readSection(const ElfSection &section, unsigned number);
  Error readSymbols(const ElfSection &section);
  Error readRelocations(const ElfSection &section);
  /// What a section number stands for: as Relocation::part, or nothing.
  std::map<unsigned, int> parts;

  MemoryBufferRef file;
  const Elf &elf;
  Executable &into;
};

Error Executable::Reader::read() {
  auto sections = cantFail(elf.sections());
  for (unsigned i = 0; i < sections.size(); ++i)
    if (Error error = readSection(sections[i], i))
      return error;
  for (const ElfSection &section : sections) {
    if (section.sh_type == ELF::SHT_SYMTAB)
      if (Error error = readSymbols(section))
        return error;
    if (section.sh_type == ELF::SHT_RELA)
      if (Error error = readRelocations(section))
        return error;
  }
  return Error::success();
}

Error Executable::Reader::readSection(const ElfSection &section, unsigned number) {
  bool zeroes = section.sh_type == ELF::SHT_NOBITS;
  if (!(section.sh_flags & ELF::SHF_ALLOC) || (section.sh_type != ELF::SHT_PROGBITS && !zeroes))
    return Error::success();
  Expected<StringRef> name = elf.getSectionName(section);
  if (!name)
    return fileError(file, name.takeError());
  ArrayRef<uint8_t> bytes;
  if (!zeroes)
    bytes = cantFail(elf.getSectionContents(section));
  if (section.sh_flags & ELF::SHF_EXECINSTR) {
    if (bytes.size() % wordBytes || section.sh_addr != 0 || zeroes || !into.words.empty())
      return fileError(file, "its code does not begin at address 0 or does not hold whole instructions");
    for (size_t i = 0; i < bytes.size(); i += wordBytes)
      into.words.push_back(support::endian::read64le(&bytes[i]));
    parts[number] = 0;
    return Error::success();
  }
  if (name->starts_with(constantSection)) {
    unsigned bank;
    if (name->drop_front(StringRef(constantSection).size()).getAsInteger(10, bank) || bank < 1 || bank > 15 ||
        zeroes || bytes.size() > constantBankBytes || !into.constants[bank].empty())
      return fileError(file, "its section " + *name + " is no constant bank");
    into.constants[bank].assign(bytes.begin(), bytes.end());
    parts[number] = int(bank);
    return Error::success();
  }
  uint64_t alignment = std::max<uint64_t>(section.sh_addralign, 1);
  if (!isPowerOf2_64(alignment) || alignment > maxDataAlignment || section.sh_size > maxGlobalBytes ||
      section.sh_addr > maxGlobalBytes ||
      (zeroes ? section.sh_addr < into.data.size() : section.sh_addr != 0) || (!zeroes && !into.data.empty()))
    return fileError(file, "its section " + *name + " of data lies where none can");
  if (!zeroes)
    into.data.assign(bytes.begin(), bytes.end());
  into.dataAlignment = std::max(into.dataAlignment, alignment);
  into.globalSize = std::max<uint64_t>(into.globalSize, section.sh_addr + section.sh_size);
  parts[number] = -1;
  return Error::success();
}

Error Executable::Reader::readSymbols(const ElfSection &section) {
  return forEachSymbol(file, elf, section, [&](const ElfSymbol &symbol, StringRef name) {
    auto part = parts.find(symbol.st_shndx);
    if (name.empty() || part == parts.end())
      return Error::success();
    (part->second > 0   ? into.constantNames[part->second]
     : part->second < 0 ? into.globals
                        : into.labels)
        .push_back({name.str(), symbol.st_value, symbol.getType() == ELF::STT_FUNC, symbol.st_size});
    return Error::success();
  });
}

Error Executable::Reader::readRelocations(const ElfSection &section) {
  auto part = parts.find(section.sh_info);
  if (part == parts.end())
    return Error::success(); // of the line table: the linker has applied them
  auto relocations = elf.relas(section);
  auto symbolTable = elf.getSection(section.sh_link);
  if (!relocations || !symbolTable)
    return fileError(file, joinErrors(relocations ? Error::success() : relocations.takeError(),
                                      symbolTable ? Error::success() : symbolTable.takeError()));
  size_t bytes = part->second == 0    ? into.words.size() * wordBytes
                 : part->second == -1 ? into.data.size()
                                      : into.constants[part->second].size();
  for (const auto &relocation : *relocations) {
    auto symbol = elf.getRelocationSymbol(relocation, *symbolTable);
    if (!symbol)
      return fileError(file, symbol.takeError());
    uint32_t type = relocation.getType(false);
    auto target = *symbol ? parts.find((*symbol)->st_shndx) : parts.end();
    bool half = type == R_LENO_LO32 || type == R_LENO_HI32;
    if ((type != R_LENO_64 && !half) || target == parts.end() || target->second != -1 || bytes < 8 ||
        relocation.r_offset > bytes - 8 || (part->second == 0) != half ||
        (half && relocation.r_offset % wordBytes))
      return fileError(file, "a relocation of it is damaged: " + Twine(relocationName(type)) + " at 0x" +
                                 Twine::utohexstr(relocation.r_offset));
    into.relocations.push_back(
        {part->second, relocation.r_offset, type, (*symbol)->st_value + uint64_t(relocation.r_addend)});
  }
  return Error::success();
}

Image Executable::image(uint64_t globalBase) const {
  Image image{words, data, {}};
  for (unsigned bank = 0; bank < 16; ++bank)
    image.constants[bank] = constants[bank];
  for (const Relocation &relocation : relocations) {
    uint64_t value = globalBase + relocation.target;
    if (relocation.part == 0) {
      uint64_t &word = image.code[relocation.offset / wordBytes];
      uint64_t half = relocation.type == R_LENO_HI32 ? value >> 32 : value;
      word = (word & ~imm32Field) | ((half << 21) & imm32Field);
    } else {
      auto &bytes = relocation.part < 0 ? image.data : image.constants[relocation.part];
      support::endian::write64le(&bytes[relocation.offset], value);
    }
  }
  return image;
}

bool Executable::codeIsRelocated() const {
  return any_of(relocations, [](const Relocation &r) { return r.part == 0; });
}

Expected<Executable> Executable::load(MemoryBufferRef file) {
  Expected<Elf> elf = openElf(file);
  if (!elf)
    return elf.takeError();
  if (elf->getHeader().e_type != ELF::ET_EXEC)
    return fileError(file, "this is an object, not an executable: link it with leno-ld");
  Executable executable;
  Expected<ModuleInfo> info = readModuleInfo(*elf);
  if (!info)
    return fileError(file, info.takeError());
  executable.info = std::move(*info);
  if (Error error = Reader(file, *elf, executable).read())
    return std::move(error);
  uint64_t end = executable.words.size() * wordBytes;
  std::erase_if(executable.labels, [&](const Symbol &s) { return s.address > end; });
  // At one address the kernel's name comes last, so that it is the one that descriptions use.
  std::stable_sort(executable.labels.begin(), executable.labels.end(), [](const Symbol &a, const Symbol &b) {
    return std::tie(a.address, a.isFunction) < std::tie(b.address, b.isFunction);
  });
  for (KernelInfo &kernel : executable.info.kernels) {
    const Symbol *symbol = executable.symbol(kernel.name);
    if (!symbol || symbol->address % wordBytes || symbol->address >= end)
      return fileError(file, "kernel '" + kernel.name + "' has no code");
    kernel.entry = symbol->address;
    kernel.bytes = std::min(symbol->size, end - symbol->address);
  }
  executable.readLines(file);
  return executable;
}

void Executable::readLines(MemoryBufferRef file) {
  Expected<std::unique_ptr<object::ObjectFile>> object = object::ObjectFile::createELFObjectFile(file);
  if (!object) {
    consumeError(object.takeError());
    return;
  }
  // Damaged line tables only cost the lines.
  auto quiet = [](Error error) { consumeError(std::move(error)); };
  std::unique_ptr<DWARFContext> dwarf = DWARFContext::create(
      **object, DWARFContext::ProcessDebugRelocations::Ignore, nullptr, "", quiet, quiet);
  for (const auto &unit : dwarf->compile_units()) {
    const DWARFDebugLine::LineTable *table = dwarf->getLineTableForUnit(unit.get());
    if (!table)
      continue;
    std::map<uint64_t, unsigned> fileIndex;
    for (const DWARFDebugLine::Row &row : table->Rows) {
      if (row.EndSequence)
        continue;
      auto [it, inserted] = fileIndex.try_emplace(row.File, 0);
      if (inserted) {
        std::string name;
        if (!table->getFileNameByIndex(row.File, "", DILineInfoSpecifier::FileLineInfoKind::RelativeFilePath,
                                       name))
          name = "?";
        it->second = unsigned(fileNames.size());
        fileNames.push_back(name);
      }
      lines.push_back({row.Address.Address, it->second, row.Line});
    }
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const Row &a, const Row &b) { return a.address < b.address; });
}

Expected<const KernelInfo *> Executable::kernel(StringRef name) const {
  if (name.empty() && info.kernels.size() == 1)
    return &info.kernels.front();
  std::string list;
  for (const KernelInfo &kernel : info.kernels) {
    if (!name.empty() && kernel.name == name)
      return &kernel;
    list += (list.empty() ? "" : ", ") + kernel.name;
  }
  if (info.kernels.empty())
    return createStringError("the program has no kernel: declare one with .kernel");
  if (name.empty())
    return createStringError("the program has several kernels: choose one with --kernel (" + list + ")");
  return createStringError("there is no kernel '" + name + "'; the program has " + list);
}

const Symbol *Executable::symbol(StringRef name) const {
  auto it = std::find_if(labels.begin(), labels.end(), [&](const Symbol &s) { return name == s.name; });
  return it == labels.end() ? nullptr : &*it;
}

std::string Executable::describe(uint64_t address) const {
  auto it = std::upper_bound(labels.begin(), labels.end(), address,
                             [](uint64_t a, const Symbol &s) { return a < s.address; });
  if (it == labels.begin())
    return "0x" + utohexstr(address, true);
  --it;
  return it->address == address ? it->name : it->name + "+0x" + utohexstr(address - it->address, true);
}

std::optional<SourceLine> Executable::line(uint64_t address) const {
  auto it = std::upper_bound(lines.begin(), lines.end(), address,
                             [](uint64_t a, const Row &r) { return a < r.address; });
  if (it == lines.begin() || address >= words.size() * wordBytes)
    return std::nullopt;
  --it;
  return SourceLine{fileNames[it->file], it->line};
}

std::vector<uint64_t> Executable::addressesOf(StringRef file, unsigned line) const {
  std::vector<uint64_t> result;
  const Row *previous = nullptr;
  for (const Row &row : lines) {
    StringRef name = fileNames[row.file];
    bool wanted = row.line == line && (file.empty() || name == file || sys::path::filename(name) == file);
    bool continues = previous && previous->line == row.line && previous->file == row.file;
    if (wanted && !continues)
      result.push_back(row.address);
    previous = &row;
  }
  return result;
}

std::vector<std::string> Executable::files() const { return fileNames; }

} // namespace leno
