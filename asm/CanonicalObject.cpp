//===- CanonicalObject.cpp - Symbols of an object in one order ------------===//
#include "asm/CanonicalObject.h"

#include "asm/ElfReader.h"
#include "asm/support/Assert.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace llvm;

namespace leno {

void sortSymbols(SmallVectorImpl<char> &object) {
  Elf elf = cantFail(Elf::create(StringRef(object.data(), object.size())));
  auto sections = cantFail(elf.sections());
  auto table = find_if(sections, [](const ElfSection &s) { return s.sh_type == ELF::SHT_SYMTAB; });
  if (table == sections.end())
    return;
  auto symbols = cantFail(elf.symbols(&*table));
  auto strings = cantFail(elf.getStringTableForSymtab(*table));
  // By old number: where each symbol goes. Number 0 stays, and locals come before globals [ELF
  // specification].
  std::vector<uint32_t> order(symbols.size()), place(symbols.size());
  std::iota(order.begin(), order.end(), 0);
  auto key = [&](uint32_t i) {
    const ElfSymbol &s = symbols[i];
    return std::tuple(i != 0, s.getBinding() != ELF::STB_LOCAL, s.getType() != ELF::STT_FILE,
                      uint32_t(s.st_shndx), uint64_t(s.st_value), cantFail(s.getName(strings)));
  };
  llvm::stable_sort(order, [&](uint32_t a, uint32_t b) { return key(a) < key(b); });
  std::vector<ElfSymbol> sorted;
  for (uint32_t i : order) {
    place[i] = uint32_t(sorted.size());
    sorted.push_back(symbols[i]);
  }
  for (const ElfSection &section : sections) {
    if (section.sh_type != ELF::SHT_RELA)
      continue;
    auto *relocations = reinterpret_cast<Elf::Elf_Rela *>(object.data() + section.sh_offset);
    for (size_t i = 0; i < section.sh_size / sizeof(Elf::Elf_Rela); ++i) {
      LENO_ASSERT(relocations[i].getSymbol(false) < place.size(), "a relocation without a symbol");
      relocations[i].setSymbol(place[relocations[i].getSymbol(false)], false);
    }
  }
  llvm::copy(ArrayRef(reinterpret_cast<const char *>(sorted.data()), sorted.size() * sizeof(ElfSymbol)),
             object.data() + table->sh_offset);
}

} // namespace leno
