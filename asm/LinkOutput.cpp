//===- LinkOutput.cpp - The linked file, and the map of it ----------------===//
#include "asm/CanonicalObject.h"
#include "asm/ElfWriter.h"
#include "asm/Link.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <numeric>

using namespace llvm;

namespace leno::ld {

/// Code, constants, data, lines: the same order whatever was mentioned first.
static bool standsBefore(const Merged &a, const Merged &b) {
  return std::pair(a.content, a.bank) < std::pair(b.content, b.bank);
}

std::vector<unsigned> Link::orderOfSections() const {
  std::vector<unsigned> order(sections.size());
  std::iota(order.begin(), order.end(), 0);
  // An object keeps the order of mention, as the assembler does.
  if (!options.relocatable)
    llvm::stable_sort(order, [&](unsigned a, unsigned b) { return standsBefore(sections[a], sections[b]); });
  return order;
}

/// By place and name, whatever the order of mention: text that was disassembled links to the same file.
void Link::sortSymbolsBy(ArrayRef<unsigned> numbers) {
  auto key = [&](const auto &named) {
    const Definition &d = named.second;
    return std::tuple(d.section < 0 ? unsigned(ELF::SHN_ABS) : numbers[unsigned(d.section)], d.value,
                      StringRef(named.first));
  };
  auto isBefore = [&](const auto &a, const auto &b) { return key(a) < key(b); };
  llvm::sort(locals, isBefore);
  auto exported = globals.takeVector();
  llvm::sort(exported, isBefore);
  for (const auto &named : exported)
    globals.insert(named);
}

void Link::addSymbols(ElfWriter &writer, ArrayRef<unsigned> numbers, StringMap<unsigned> *globalNumbers) {
  sortSymbolsBy(numbers);
  auto add = [&](StringRef name, const Definition &d) {
    uint64_t address = d.section < 0 ? 0 : sections[unsigned(d.section)].address;
    unsigned number = d.section < 0 ? unsigned(ELF::SHN_ABS) : numbers[unsigned(d.section)];
    return writer.addSymbol(name.str(), address + d.value, d.size, d.info, number);
  };
  for (const auto &[name, definition] : locals)
    add(name, definition);
  for (const auto &[name, definition] : globals)
    if (unsigned number = add(name, definition); globalNumbers)
      (*globalNumbers)[name] = number;
}

/// Code begins at 0, so that an address of it is what the machine's PC has. What follows lies on pages of its
/// own: no address means two things, and no label at the end of a section is also the next one's first.
void Link::assignAddresses(ArrayRef<unsigned> order, uint64_t noteBytes) {
  constexpr uint64_t page = 4096;
  uint64_t end = 0;
  auto next = [&](uint64_t alignment) { return alignTo(alignTo(end + 1, page), alignment); };
  uint64_t globalAlignment = 1;
  for (const Merged &section : sections)
    if (section.isGlobal())
      globalAlignment = std::max(globalAlignment, section.alignment);
  bool inGlobal = false;
  for (unsigned i : order) {
    Merged &section = sections[i];
    if (section.isGlobal() && !inGlobal) {
      noteAddress = next(4);
      relocationsAddress = alignTo(noteAddress + noteBytes, 8);
      end = relocationsAddress + leftRelocations.size() * sizeof(Elf::Elf_Rela);
      section.address = next(globalAlignment);
      inGlobal = true;
    } else if (section.isGlobal()) {
      section.address = alignTo(end, section.alignment); // one block with the data before it
    } else if (section.content != Content::Debug) {
      section.address = section.content == Content::Code ? 0 : next(section.alignment);
    }
    if (section.content != Content::Debug)
      end = section.address + section.size;
  }
  if (!inGlobal) {
    noteAddress = next(4);
    relocationsAddress = alignTo(noteAddress + noteBytes, 8);
  }
}

/// Against addresses of the file, and no symbols: they outlast the symbol table.
std::string Link::encodeLoadRelocations() {
  auto addressOf = [&](const LeftRelocation &r) { return sections[unsigned(r.section)].address + r.offset; };
  llvm::stable_sort(leftRelocations, [&](const LeftRelocation &a, const LeftRelocation &b) {
    return addressOf(a) < addressOf(b);
  });
  std::string entries;
  for (const LeftRelocation &r : leftRelocations) {
    Elf::Elf_Rela entry;
    std::memset(&entry, 0, sizeof entry);
    entry.r_offset = addressOf(r);
    entry.setSymbolAndType(0, r.type, false);
    entry.r_addend = int64_t(sections[unsigned(r.target.section)].address + r.target.value);
    entries.append(reinterpret_cast<const char *>(&entry), sizeof entry);
  }
  return entries;
}

/// Those are for who reads the file, and not for the loader.
std::vector<LeftRelocation> Link::takeRelocationsOfDebug() {
  auto first = std::stable_partition(
      leftRelocations.begin(), leftRelocations.end(),
      [&](const LeftRelocation &r) { return sections[unsigned(r.section)].content != Content::Debug; });
  std::vector<LeftRelocation> taken(first, leftRelocations.end());
  leftRelocations.erase(first, leftRelocations.end());
  return taken;
}

SmallVector<char, 0> Link::writeExecutable() {
  ElfWriter writer(ELF::ET_EXEC);
  std::vector<unsigned> order = orderOfSections(), numbers(sections.size());
  std::string note = encodeNote(module);
  std::vector<LeftRelocation> debug = takeRelocationsOfDebug();
  assignAddresses(order, note.size());
  // What is told of a variable in global memory is its address in this file, as its symbol's value is.
  for (const LeftRelocation &r : debug)
    support::endian::write64le(&sections[unsigned(r.section)].bytes[r.offset],
                               sections[unsigned(r.target.section)].address + r.target.value);
  // Like what the machine loads, the metadata and what the loader fills in are SHF_ALLOC: strip keeps them.
  bool wroteMetadata = false;
  auto writeMetadata = [&] {
    if (std::exchange(wroteMetadata, true))
      return;
    writer.setAddress(writer.addSection(noteSection, ELF::SHT_NOTE, ELF::SHF_ALLOC, 4, 0, note), noteAddress);
    if (!leftRelocations.empty())
      writer.setAddress(writer.addSection(".rela.dyn", ELF::SHT_RELA, ELF::SHF_ALLOC, 8,
                                          sizeof(Elf::Elf_Rela), encodeLoadRelocations()),
                        relocationsAddress);
  };
  for (unsigned i : order) {
    const Merged &section = sections[i];
    if (section.isGlobal() || section.content == Content::Debug)
      writeMetadata();
    numbers[i] = writer.addSection(section.name, section.type, section.flags, section.alignment,
                                   section.entrySize, section.bytes);
    writer.setAddress(numbers[i], section.address);
    if (section.content == Content::Zeroes)
      writer.setZeroes(numbers[i], section.size);
  }
  writeMetadata();
  addSymbols(writer, numbers, nullptr);
  if (options.map)
    *options.map = mapText(order);
  return writer.finish();
}

SmallVector<char, 0> Link::writeObject() {
  ElfWriter writer(ELF::ET_REL);
  std::vector<unsigned> order = orderOfSections(), numbers(sections.size()), sectionSymbols(sections.size());
  for (unsigned i : order) {
    const Merged &section = sections[i];
    numbers[i] = writer.addSection(section.name, section.type, section.flags, section.alignment,
                                   section.entrySize, section.bytes);
    if (section.content == Content::Zeroes)
      writer.setZeroes(numbers[i], section.size);
  }
  writer.addSection(noteSection, ELF::SHT_NOTE, ELF::SHF_ALLOC, 4, 0, encodeNote(module));
  for (const LeftRelocation &r : leftRelocations)
    if (r.symbol.empty() && r.target.section >= 0 && !sectionSymbols[unsigned(r.target.section)])
      sectionSymbols[unsigned(r.target.section)] = writer.addSymbol(
          "", 0, 0, ELF::STB_LOCAL << 4 | ELF::STT_SECTION, numbers[unsigned(r.target.section)]);
  StringMap<unsigned> globalNumbers;
  addSymbols(writer, numbers, &globalNumbers);
  for (auto [name, isWeak] : stillUndefined)
    globalNumbers[name] =
        writer.addSymbol(name.str(), 0, 0, (isWeak ? ELF::STB_WEAK : ELF::STB_GLOBAL) << 4, ELF::SHN_UNDEF);
  for (const LeftRelocation &r : leftRelocations)
    writer.addRelocation(numbers[unsigned(r.section)], r.offset, r.type,
                         !r.symbol.empty()      ? globalNumbers.lookup(r.symbol)
                         : r.target.section < 0 ? 0
                                                : sectionSymbols[unsigned(r.target.section)],
                         r.symbol.empty() ? int64_t(r.target.value) : r.addend);
  if (options.map)
    *options.map = mapText(order);
  SmallVector<char, 0> object = writer.finish();
  sortSymbols(object);
  return object;
}

SmallVector<char, 0> Link::write() { return options.relocatable ? writeObject() : writeExecutable(); }

/// In lld's columns: what each section of the output is made of, and the symbols in it.
std::string Link::mapText(ArrayRef<unsigned> order) const {
  std::string text;
  raw_string_ostream os(text);
  os << "             VMA     Size Align Out     In      Symbol\n";
  auto row = [&](uint64_t address, uint64_t size, uint64_t alignment, unsigned indent, const Twine &what) {
    os << formatv("{0,16:x-} {1,8:x-} {2,5} ", address, size, alignment);
    os.indent(indent) << what << '\n';
  };
  bool toldMetadata = options.relocatable;
  auto tellMetadata = [&] {
    if (std::exchange(toldMetadata, true))
      return;
    row(noteAddress, encodeNote(module).size(), 4, 0, noteSection);
    if (!leftRelocations.empty())
      row(relocationsAddress, leftRelocations.size() * sizeof(Elf::Elf_Rela), 8, 0, ".rela.dyn");
  };
  for (unsigned i : order) {
    const Merged &section = sections[i];
    if (section.isGlobal() || section.content == Content::Debug)
      tellMetadata();
    row(section.address, section.size, section.alignment, 0, section.name);
    for (const auto &input : inputs) {
      auto headers = cantFail(input->elf.sections());
      for (unsigned number = 0; number < headers.size(); ++number) {
        auto [merged, offset] = input->placed[number];
        if (merged != int(i))
          continue;
        const ElfSection &header = headers[number];
        SmallVector<uint8_t, 0> storage;
        uint64_t size = header.sh_flags & ELF::SHF_COMPRESSED
                            ? cantFail(sectionBytes(input->file, input->elf, header, storage)).size()
                            : uint64_t(header.sh_size);
        row(section.address + offset, size, std::max<uint64_t>(1, sectionAlignment(input->elf, header)), 8,
            input->file.getBufferIdentifier() + ":(" + cantFail(input->elf.getSectionName(header)) + ")");
        std::vector<std::pair<StringRef, const Definition *>> inside;
        auto consider = [&](StringRef name, const Definition &d) {
          if (d.input == input.get() && d.inputSection == number)
            inside.emplace_back(name, &d);
        };
        for (const auto &[name, definition] : locals)
          consider(name, definition);
        for (const auto &[name, definition] : globals)
          consider(name, definition);
        llvm::stable_sort(inside,
                          [](const auto &a, const auto &b) { return a.second->value < b.second->value; });
        for (const auto &[name, definition] : inside)
          row(section.address + definition->value, definition->size, 1, 16, name);
      }
    }
  }
  tellMetadata();
  return text;
}

} // namespace leno::ld
