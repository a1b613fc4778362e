//===- Executable.cpp - A linked program, as the machine loads it ---------===//
#include "asm/Executable.h"

#include "asm/ElfReader.h"
#include "asm/LenoFixupKinds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

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
  /// What is loaded of a section: its number, where it lies, and what it is (as Relocation::part).
  struct Part {
    unsigned number;
    uint64_t address, size;
    int kind;
    bool isZeroes = false;
  };
  Error readSection(const ElfSection &section, unsigned number);
  Error placeData();
  Error readSymbols(const ElfSection &section);
  Error readRelocations(const ElfSection &section);
  const Part *partAt(uint64_t address) const;
  std::vector<Part> parts;
  uint64_t dataBase = 0; ///< the address of global memory's first byte, in the file

  MemoryBufferRef file;
  const Elf &elf;
  Executable &into;
};

Error Executable::Reader::read() {
  auto sections = cantFail(elf.sections());
  for (unsigned i = 0; i < sections.size(); ++i)
    if (Error error = readSection(sections[i], i))
      return error;
  if (Error error = placeData())
    return error;
  for (const ElfSection &section : sections) {
    if (section.sh_type == ELF::SHT_SYMTAB)
      if (Error error = readSymbols(section))
        return error;
    if (section.sh_type == ELF::SHT_RELA && section.sh_flags & ELF::SHF_ALLOC)
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
    parts.push_back({number, section.sh_addr, section.sh_size, 0});
    return Error::success();
  }
  if (name->starts_with(constantSection)) {
    unsigned bank;
    if (name->drop_front(StringRef(constantSection).size()).getAsInteger(10, bank) || bank < 1 || bank > 15 ||
        zeroes || bytes.size() > constantBankBytes || !into.constants[bank].empty())
      return fileError(file, "its section " + *name + " is no constant bank");
    into.constants[bank].assign(bytes.begin(), bytes.end());
    parts.push_back({number, section.sh_addr, section.sh_size, int(bank)});
    return Error::success();
  }
  uint64_t alignment = std::max<uint64_t>(section.sh_addralign, 1);
  if (!isPowerOf2_64(alignment) || alignment > maxDataAlignment || section.sh_size > maxGlobalBytes ||
      section.sh_addr > 2 * maxGlobalBytes || section.sh_addr % alignment || (!zeroes && !into.data.empty()))
    return fileError(file, "its section " + *name + " of data lies where none can");
  if (!zeroes)
    into.data.assign(bytes.begin(), bytes.end());
  into.dataAlignment = std::max(into.dataAlignment, alignment);
  parts.push_back({number, section.sh_addr, section.sh_size, -1, zeroes});
  return Error::success();
}

/// The sections lie apart, and those of global memory are one block, its zeroes behind its data.
Error Executable::Reader::placeData() {
  llvm::erase_if(parts, [](const Part &part) { return !part.size; });
  llvm::sort(parts, [](const Part &a, const Part &b) { return a.address < b.address; });
  for (size_t i = 1; i < parts.size(); ++i)
    if (parts[i].address - parts[i - 1].address < parts[i - 1].size)
      return fileError(file, "two of its sections lie at one address: link it again, with this leno-ld");
  bool isFirst = true, isOneBlock = true;
  for (const Part &part : parts) {
    if (part.kind >= 0)
      continue;
    if (isFirst)
      into.globalInFile = dataBase = part.address;
    isOneBlock &= isFirst || part.isZeroes;
    isFirst = false;
    into.globalSize = part.address + part.size - dataBase;
  }
  if (dataBase % into.dataAlignment || into.globalSize > maxGlobalBytes || !isOneBlock)
    return fileError(file, "its sections of data do not make up one block");
  return Error::success();
}

const Executable::Reader::Part *Executable::Reader::partAt(uint64_t address) const {
  auto it =
      find_if(parts, [&](const Part &p) { return address >= p.address && address - p.address < p.size; });
  return it == parts.end() ? nullptr : &*it;
}

Error Executable::Reader::readSymbols(const ElfSection &section) {
  return forEachSymbol(file, elf, section, [&](const ElfSymbol &symbol, StringRef name) {
    auto part = find_if(parts, [&](const Part &p) { return p.number == symbol.st_shndx; });
    if (name.empty() || part == parts.end() || symbol.st_value < part->address)
      return Error::success();
    (part->kind > 0   ? into.constantNames[part->kind]
     : part->kind < 0 ? into.globals
                      : into.labels)
        .push_back({name.str(), symbol.st_value - (part->kind < 0 ? dataBase : part->address),
                    symbol.getType() == ELF::STT_FUNC, symbol.st_size});
    return Error::success();
  });
}

/// Those for the loader name addresses of the file, and no symbols: they outlast the symbol table.
Error Executable::Reader::readRelocations(const ElfSection &section) {
  auto relocations = elf.relas(section);
  if (!relocations)
    return fileError(file, relocations.takeError());
  for (const auto &relocation : *relocations) {
    uint32_t type = relocation.getType(false);
    const Part *part = partAt(relocation.r_offset);
    uint64_t offset = part ? relocation.r_offset - part->address : 0;
    bool half = type == R_LENO_LO32 || type == R_LENO_HI32;
    // The initial values of global memory are what its zeroes are not.
    uint64_t bytes = !part ? 0 : part->kind < 0 ? into.data.size() : part->size;
    if (part && part->kind < 0)
      offset = relocation.r_offset - dataBase;
    if ((type != R_LENO_64 && !half) || relocation.getSymbol(false) || bytes < 8 || offset > bytes - 8 ||
        (part->kind == 0) != half || (half && offset % wordBytes))
      return fileError(file, "a relocation of it is damaged: " + Twine(relocationName(type)) + " at 0x" +
                                 Twine::utohexstr(relocation.r_offset));
    into.relocations.push_back({part->kind, offset, type, uint64_t(relocation.r_addend) - dataBase});
  }
  return Error::success();
}

/// The kernels' names, should the symbols have been stripped: the metadata tells where they are.
void Executable::nameKernels() {
  if (info.isLinked)
    for (const KernelInfo &kernel : info.kernels)
      if (!symbol(kernel.name))
        labels.push_back({kernel.name, kernel.entry, /*isFunction=*/true, kernel.bytes});
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
  executable.nameKernels();
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
  if (Error error = LineTable::read(file, *elf).moveInto(executable.lines))
    return std::move(error);
  return executable;
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
  if (!info.isPresent)
    return createStringError("the program has lost its metadata of kernels (" + Twine(noteSection) +
                             "): link it again, or strip it without removing that section");
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

} // namespace leno
