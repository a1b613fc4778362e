//===- LineTable.h - Which source line an instruction came from -----------===//
#pragma once

#include "asm/ElfReader.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace leno {

/// The sections .debug_* of a file by their names without the dot, decompressed and relocated, for LLVM's
/// DWARFContext.
using DebugSections = llvm::StringMap<std::unique_ptr<llvm::MemoryBuffer>>;

struct SourceLine {
  std::string file;  ///< as the assembler was given it
  unsigned line = 0; ///< 1-based
};

/// The line table of an object or executable (DWARF, -g), compressed or not.
class LineTable {
public:
  /// Empty when the file has none, and without what is damaged in it; damaged compression is an error.
  static llvm::Expected<LineTable> read(llvm::MemoryBufferRef file, const Elf &elf);

  /// Sections of an object all begin at 0: a place in one is told by this. A program's code is section 0
  /// here.
  static uint64_t address(unsigned section, uint64_t offset) { return uint64_t(section) << 40 | offset; }
  /// The line of the instruction at an address, if any.
  std::optional<SourceLine> line(uint64_t address) const;
  /// First address of each run of instructions of that line. An empty file means any; a bare file name
  /// matches any folder.
  std::vector<uint64_t> addressesOf(llvm::StringRef file, unsigned line) const;
  std::vector<std::string> files() const;
  /// The folder in which the file's name means it: where it was assembled. Empty when that is not known.
  llvm::StringRef directoryOf(llvm::StringRef file) const;
  bool isEmpty() const { return rows.empty(); }
  /// Behind what a function does before its first line; nullopt: the table does not say.
  std::optional<uint64_t> endOfPrologue(uint64_t begin, uint64_t end) const;
  /// What the table was read from, and more is to be read from. Null: there is none.
  const std::shared_ptr<const DebugSections> &sections() const { return from; }

private:
  struct Row {
    uint64_t address;
    unsigned file, line; ///< line 0: past the last instruction of a run
    bool endsPrologue = false;
  };
  struct File {
    std::string name, directory;
  };
  unsigned fileNumber(std::string name, llvm::StringRef directory);

  std::vector<Row> rows; ///< ascending by address
  std::vector<File> sources;
  std::shared_ptr<const DebugSections> from;
};

} // namespace leno
