//===- FileNames.h - An ELF file's sections with their names --------------===//
// What a disassembler prints beside the bytes: labels, and what relocations
// refer to, in words that assemble back to the same file.
//===----------------------------------------------------------------------===//
#pragma once

#include "asm/ElfReader.h"

#include <map>
#include <set>

namespace leno {

struct DumpLabel {
  std::string name;
  uint8_t binding = llvm::ELF::STB_LOCAL, type = llvm::ELF::STT_NOTYPE;
  uint64_t size = 0;
  bool isPrivate = false; ///< made up here: it enters no symbol table
};

struct DumpReference {
  uint32_t type; ///< LenoRelocation
  std::string symbol;
  int64_t addend;
  /// "table+4"
  std::string text() const;
};

/// A section that the machine loads.
struct DumpSection {
  unsigned number;
  std::string name;
  const ElfSection *header;
  llvm::ArrayRef<uint8_t> bytes; ///< none of zeroes
  uint64_t size;
  std::map<uint64_t, std::vector<DumpLabel>> labels;
  std::map<uint64_t, std::vector<DumpReference>> references;

  bool isCode() const { return header->sh_flags & llvm::ELF::SHF_EXECINSTR; }
  bool isConstants() const { return llvm::StringRef(name).starts_with(constantSection); }
  bool isZeroes() const { return header->sh_type == llvm::ELF::SHT_NOBITS; }
};

class FileNames {
public:
  FileNames(llvm::MemoryBufferRef file, const Elf &elf) : file(file), elf(elf) {}
  llvm::Error read();

  std::map<unsigned, DumpSection> sections;                ///< by number
  std::vector<std::pair<std::string, uint64_t>> constants; ///< absolute symbols
  std::vector<DumpLabel> externals;                        ///< undefined, and no relocation names them
  std::vector<std::string> sourceFiles;                    ///< of `.file`

  /// The name of a branch target, made up when it has none.
  void nameTarget(DumpSection &section, uint64_t offset);
  /// A function whose symbol may have been stripped.
  void nameFunction(uint64_t address, llvm::StringRef name, uint64_t size);
  bool isLinked() const { return elf.getHeader().e_type == llvm::ELF::ET_EXEC; }
  /// Whether any symbol or made-up label has that name.
  bool has(const std::string &name) const { return names.count(name); }

private:
  llvm::Error readSymbols(const ElfSection &table);
  llvm::Error readRelocations(const ElfSection &relocations);
  llvm::Error readLoadRelocations(const ElfSection &relocations);
  DumpSection *globalSectionAt(uint64_t address);
  std::string makeLabel(DumpSection &section, uint64_t offset);
  void nameLocally(DumpSection &section, DumpReference &reference);

  llvm::MemoryBufferRef file;
  const Elf &elf;
  std::set<std::string> names, referenced;
};

/// A symbol's name as the assembler reads it: in quotes when it is not an identifier.
std::string quotedName(llvm::StringRef name);

/// Prints the bytes of [begin, end) as data, with labels and references.
void printData(const DumpSection &section, uint64_t begin, uint64_t end, llvm::raw_ostream &os);
/// The lines that define a label: `.globl`, `.type`, `.size` where they are needed, and its name.
void printLabel(const DumpLabel &label, llvm::raw_ostream &os);

} // namespace leno
