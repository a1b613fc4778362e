//===- Executable.h - A linked program, as the machine loads it -----------===//
#pragma once

#include "asm/KernelInfo.h"
#include "asm/LineTable.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <map>
#include <memory>

namespace leno {

struct Symbol {
  std::string name;
  uint64_t address = 0; ///< bytes
  bool isFunction = false;
  uint64_t size = 0; ///< bytes, when the symbol tells
};

/// A program's bytes with every address filled in.
struct Image {
  std::vector<uint64_t> code;
  std::vector<uint8_t> data; ///< initial values of global memory; what follows them is zero
  std::vector<uint8_t> constants[16];
};

/// A linked Leno program: code words from byte address 0 upwards (word i is at 8 * i), its kernels, labels
/// and lines. The file's bytes are checked on load; nothing in it is trusted.
class Executable {
public:
  /// Loads a linked ELF file. The error names the file and what is wrong with it.
  static llvm::Expected<Executable> load(llvm::MemoryBufferRef file);
  Executable(Executable &&) noexcept;
  Executable &operator=(Executable &&) noexcept;
  ~Executable();

  llvm::ArrayRef<uint64_t> code() const { return words; }
  /// Initial values of a constant bank, before the loader has filled in addresses.
  llvm::ArrayRef<uint8_t> constantBank(unsigned bank) const { return constants[bank]; }
  /// Global memory that the program's data need, its alignment, and the names in it (addresses are offsets).
  uint64_t globalBytes() const { return globalSize; }
  uint64_t globalAlignment() const { return dataAlignment; }
  llvm::ArrayRef<Symbol> globalSymbols() const { return globals; }
  /// Where the file has the first byte of global memory: debug information speaks of such addresses.
  uint64_t globalFileAddress() const { return globalInFile; }
  /// Names in the data of a constant bank; addresses are offsets in it.
  llvm::ArrayRef<Symbol> constantSymbols(unsigned bank) const { return constantNames[bank]; }
  /// The program when its global memory begins at `globalBase`.
  Image image(uint64_t globalBase) const;
  /// Whether the code depends on where global memory begins.
  bool codeIsRelocated() const;
  llvm::ArrayRef<KernelInfo> kernels() const { return info.kernels; }
  /// The named kernel, or (empty name) the only one; the error lists the names there are.
  llvm::Expected<const KernelInfo *> kernel(llvm::StringRef name) const;
  /// Labels and kernels by address, in ascending order.
  llvm::ArrayRef<Symbol> symbols() const { return labels; }
  const Symbol *symbol(llvm::StringRef name) const;
  /// "label+0x10" for an address; "0x30" when no label is at or before it.
  std::string describe(uint64_t address) const;
  /// The line an instruction came from, when the file was assembled with -g.
  std::optional<SourceLine> line(uint64_t address) const {
    return address < words.size() * 8 ? lines.line(address) : std::nullopt;
  }
  const LineTable &lineTable() const { return lines; }
  bool hasLines() const { return !lines.isEmpty(); }
  std::vector<uint64_t> addressesOf(llvm::StringRef file, unsigned line) const {
    return lines.addressesOf(file, line);
  }
  /// Source files named by the line table.
  std::vector<std::string> files() const { return lines.files(); }

private:
  Executable();
  /// A word or 64-bit datum to which the address of global memory is added, or a half of it.
  struct Relocation {
    int part; ///< 0: code, -1: data, 1 to 15: a constant bank
    uint64_t offset;
    uint32_t type;
    uint64_t target; ///< offset in global memory
  };
  class Reader;
  void nameKernels();

  std::vector<uint64_t> words;
  std::vector<uint8_t> data, constants[16];
  uint64_t globalSize = 0, dataAlignment = 1, globalInFile = 0;
  std::vector<Relocation> relocations;
  std::vector<Symbol> globals, constantNames[16];
  ModuleInfo info;
  std::vector<Symbol> labels;
  LineTable lines;
};

} // namespace leno
