//===- ElfWriter.h - Lays out a linked ELF file ---------------------------===//
#pragma once

#include "asm/ElfReader.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/MC/StringTableBuilder.h"

#include <string>
#include <vector>

namespace leno {

/// Sections in the order they are added, then the symbol and string tables and the relocations. In an
/// executable a section with SHF_ALLOC gets a program header. Same input, same bytes.
class ElfWriter {
public:
  explicit ElfWriter(uint16_t type) : type(type) {}

  /// Gives the section's number.
  unsigned addSection(std::string name, uint32_t type, uint64_t flags, uint64_t alignment, uint64_t entrySize,
                      std::string bytes);
  void setAddress(unsigned number, uint64_t address) { sections[number - 1].address = address; }
  /// A section without bytes in the file (SHT_NOBITS): how long it is.
  void setZeroes(unsigned number, uint64_t size) { sections[number - 1].zeroes = size; }
  /// Gives the symbol's number. Locals must come before globals [ELF specification, symbol table].
  unsigned addSymbol(std::string name, uint64_t value, uint64_t size, uint8_t info, unsigned section);
  /// A relocation that is left for a later link: of `section`, against a symbol.
  void addRelocation(unsigned section, uint64_t offset, uint32_t type, unsigned symbol, int64_t addend);
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
    unsigned symbol;
    int64_t addend;
  };
  void writeSymbols();

  uint16_t type;
  std::vector<Section> sections;
  std::vector<Relocation> relocations;
  std::vector<NamedSymbol> symbols;
};

} // namespace leno
