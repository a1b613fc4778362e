//===- Link.h - What one run of the linker knows --------------------------===//
// Linker.cpp reads the objects and places their sections, LinkGarbage.cpp leaves
// out what nothing needs, LinkRelocations.cpp fills in addresses, LinkOutput.cpp
// writes.
//===----------------------------------------------------------------------===//
#pragma once

#include "asm/ElfReader.h"
#include "asm/LineTable.h"
#include "asm/Linker.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

namespace leno {
class ElfWriter;
}

namespace leno::ld {

/// What the machine does with a section.
enum class Content { Code, Constants, Data, Zeroes, Debug };

/// A section of the output: the sections of that content in the objects, one after another. Data and zeroes
/// make up the block of global memory that the loader allocates. In an
/// object sections merge only with those of their own name and flags.
struct Merged {
  std::string name;
  Content content;
  unsigned bank = 0; ///< of constants
  uint32_t type = 0;
  uint64_t flags = 0;
  uint64_t entrySize = 0;
  uint64_t alignment = 1;
  std::string bytes = {};
  uint64_t size = 0;    ///< that of bytes, except for zeroes
  uint64_t address = 0; ///< in the executable

  bool isGlobal() const { return content == Content::Data || content == Content::Zeroes; }
};

/// Where a symbol lies: a merged section (-1: an absolute value) and the value, which is an offset there.
struct Place {
  int section;
  uint64_t value;
};

/// What is left for the loader, an address in global memory; in an object, for the next link.
struct LeftRelocation {
  int section;
  uint64_t offset;
  uint32_t type;
  Place target;
  llvm::StringRef symbol = {}; ///< in an object: the global that is meant, in place of `target`
  int64_t addend = 0;          ///< to that
};

struct Input {
  llvm::MemoryBufferRef file;
  Elf elf;
  ModuleInfo info;
  /// For each section: the merged one it went to (-1: none) and its offset there.
  std::vector<std::pair<int, uint64_t>> placed = {};
  std::vector<bool> isDead = {}; ///< for each section: nothing needs it
  std::optional<LineTable> lines = {};
};

struct Definition {
  Input *input;
  unsigned inputSection; ///< in the input
  uint64_t inputValue;
  int section; ///< merged; -1: absolute
  uint64_t value;
  uint64_t size;
  uint8_t info;
};

class Link {
public:
  explicit Link(const LinkOptions &options) : options(options) {}
  llvm::Error open(llvm::MemoryBufferRef file);
  llvm::Error removeGarbage();
  llvm::Error place();
  llvm::Error layOut();
  llvm::Error resolve();
  llvm::Error relocate();
  llvm::Error describeKernels();
  llvm::SmallVector<char, 0> write();

private:
  /// The place that a relocation changes.
  struct Site {
    Input &input;
    int section;
    uint64_t offset; ///< in the merged section
    unsigned inputSection;
    uint64_t inputOffset;
  };

  llvm::Error place(Input &input);
  llvm::Error placeSection(Input &input, unsigned number, const ElfSection &section);
  llvm::Error readSymbols(Input &input);
  llvm::Error define(Input &input, const ElfSymbol &symbol, llvm::StringRef name);
  llvm::Expected<Merged *> merged(const Input &input, llvm::StringRef name, const ElfSection &section);
  void checkUndefined();
  void measureStacks();

  llvm::Error relocateSection(Input &input, const ElfSection &relocations);
  llvm::Expected<Place> placeOf(const Input &input, const ElfSymbol &symbol, llvm::StringRef strings,
                                const Site &site);
  llvm::Error relocateOne(const Site &site, uint32_t type, Place target, llvm::StringRef name);
  llvm::Error keepForNextLink(const Site &site, uint32_t type, const ElfSymbol *symbol,
                              llvm::StringRef strings, int64_t addend);
  llvm::Error applyBranch(const Site &site, uint32_t type, Place target, llvm::StringRef name);
  llvm::Error applyConstant(const Site &site, uint32_t type, Place target, llvm::StringRef name);
  bool isGone(const Input &input, const ElfSymbol &symbol) const;
  std::string describe(const Site &site) const;
  std::string sourceOf(Input &input, unsigned section, uint64_t offset) const;
  std::string placeText(const Definition &definition) const;
  llvm::StringRef nameOf(const Input &input, const ElfSymbol &symbol, llvm::StringRef strings, int section,
                         uint64_t value) const;

  std::vector<unsigned> orderOfSections() const;
  std::vector<LeftRelocation> takeRelocationsOfDebug();
  llvm::SmallVector<char, 0> writeExecutable();
  llvm::SmallVector<char, 0> writeObject();
  void assignAddresses(llvm::ArrayRef<unsigned> order, uint64_t noteBytes);
  std::string encodeLoadRelocations();
  void sortSymbolsBy(llvm::ArrayRef<unsigned> numbers);
  void addSymbols(ElfWriter &writer, llvm::ArrayRef<unsigned> numbers,
                  llvm::StringMap<unsigned> *globalNumbers);
  std::string mapText(llvm::ArrayRef<unsigned> order) const;

  const LinkOptions &options;
  std::vector<std::unique_ptr<Input>> inputs;
  std::vector<Merged> sections;
  llvm::StringMap<int> sectionIndex;
  llvm::MapVector<llvm::StringRef, Definition> globals;
  std::vector<std::pair<std::string, Definition>> locals;
  llvm::MapVector<llvm::StringRef, bool> stillUndefined; ///< of an object: by name, whether it is weak
  std::vector<std::string> problems;
  llvm::StringMap<bool> reported;
  std::vector<LeftRelocation> leftRelocations;
  uint64_t noteAddress = 0, relocationsAddress = 0;
  ModuleInfo module;
};

} // namespace leno::ld
