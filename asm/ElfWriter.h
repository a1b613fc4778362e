//===- ElfWriter.h - Lays out a linked ELF file ---------------------------===//
#pragma once

#include "asm/ElfReader.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/MC/StringTableBuilder.h"

#include <string>
#include <vector>

namespace leno {

/// Sections in the order they are added, then the symbol and string tables. A loadable section (SHF_ALLOC)
/// gets a program header and address 0. Same input, same bytes.
class ElfWriter {
public:
  explicit ElfWriter(uint16_t type) : type(type) {}

  /// Gives the section's number.
  unsigned addSection(std::string name, uint32_t type, uint64_t flags, uint64_t alignment, uint64_t entrySize,
                      std::string bytes);
  /// A section without bytes in the file (SHT_NOBITS): where it begins and how long it is.
  void setZeroes(unsigned number, uint64_t address, uint64_t size);
  /// A relocation that is left for the loader: of `section`, against the beginning of section `target`.
  void addRelocation(unsigned section, uint64_t offset, uint32_t type, unsigned target, int64_t addend);
  /// Locals must come before globals [ELF specification, symbol table].
  void addSymbol(std::string name, uint64_t value, uint64_t size, uint8_t info, unsigned section);
  llvm::SmallVector<char, 0> finish();

private:
  struct Section {
    std::string name;
    uint32_t type;
    uint64_t flags, alignment, entrySize;
    std::string bytes;
    uint32_t link = 0, info = 0;
    uint64_t address = 0, zeroes = 0;
  };
  struct NamedSymbol {
    std::string name;
    uint64_t value, size;
    uint8_t info;
    unsigned section;
  };
  struct Relocation {
    unsigned section;
    uint64_t offset;
    uint32_t type;
    unsigned target;
    int64_t addend;
  };
  void writeSymbols();

  uint16_t type;
  std::vector<Section> sections;
  std::vector<Relocation> relocations;
  std::vector<NamedSymbol> symbols;
};

} // namespace leno
