//===- Linker.cpp - Objects to one executable, as a library ---------------===//
#include "asm/Linker.h"

#include "asm/ElfReader.h"
#include "asm/ElfWriter.h"
#include "asm/LenoFixupKinds.h"
#include "asm/NearMiss.h"
#include "asm/checker/Checker.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace llvm;

namespace leno {
namespace {

/// What the machine does with a section.
enum class Content { Code, Constants, Data, Zeroes, Debug };

/// A section of the output: the sections of that content in the objects, one after another. Data and zeroes
/// make up the block of global memory that the loader allocates.
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
  uint64_t address = 0; ///< where it begins in what it is part of: the zeroes come after the data
};

/// Where a symbol lies: a merged section (-1: an absolute value) and the value, which is an offset there.
struct Place {
  int section;
  uint64_t value;
};

/// What is left for the loader: an address in global memory.
struct LoadRelocation {
  int section;
  uint64_t offset;
  uint32_t type;
  Place target;
};

struct Input {
  MemoryBufferRef file;
  Elf elf;
  ModuleInfo info;
  /// For each section: the merged one it went to (-1: none) and its offset there.
  std::vector<std::pair<int, uint64_t>> placed;
};

struct Definition {
  const Input *input;
  int section; ///< -1: absolute
  uint64_t value;
  uint64_t size;
  uint8_t info;
};

class Link {
public:
  Error add(MemoryBufferRef file);
  Error layOut();
  Error resolve();
  Error relocate();
  Error describeKernels();
  void measureStacks();
  SmallVector<char, 0> write();

private:
  Error place(Input &input);
  Error readSymbols(const Input &input);
  Error define(const Input &input, const ElfSymbol &symbol, StringRef name);
  Error relocateSection(const Input &input, const ElfSection &relocations);
  struct Site;
  Expected<Place> placeOf(const Input &input, const ElfSymbol &symbol, StringRef strings, const Site &site);
  Error relocateOne(const Site &site, uint32_t type, Place target, StringRef name);
  Error applyBranch(const Site &site, uint32_t type, Place target, StringRef name);
  Error applyConstant(const Site &site, uint32_t type, Place target, StringRef name);
  Expected<Merged *> merged(const Input &input, StringRef name, const ElfSection &section);
  std::string describe(const Site &site) const;
  StringRef nameOf(const Input &input, const ElfSymbol &symbol, StringRef strings, int section,
                   uint64_t value) const;

  std::vector<std::unique_ptr<Input>> inputs;
  std::vector<Merged> sections;
  StringMap<int> sectionIndex;
  MapVector<StringRef, Definition> globals;
  std::vector<std::pair<std::string, Definition>> locals;
  std::vector<std::string> problems;
  StringMap<bool> reported;
  std::vector<LoadRelocation> loadRelocations;
  ModuleInfo module;
};

/// The place that a relocation changes.
struct Link::Site {
  const Input &input;
  int section;
  uint64_t offset; ///< in the merged section
};

/// The output section for one of an object, by what it holds; null when the output has no part of it.
Expected<Merged *> Link::merged(const Input &input, StringRef name, const ElfSection &section) {
  bool loaded = section.sh_flags & ELF::SHF_ALLOC;
  unsigned bank = 0;
  Merged wanted{name.str(), Content::Debug};
  if (section.sh_flags & ELF::SHF_EXECINSTR)
    wanted = {".text", Content::Code};
  else if (loaded && name.starts_with(constantSection)) {
    if (name.drop_front(StringRef(constantSection).size()).getAsInteger(10, bank) || bank < 1 || bank > 15)
      return fileError(input.file, "section " + name + ": constants lie in banks 1 to 15");
    wanted = {name.str(), Content::Constants, bank};
  } else if (loaded && section.sh_type == ELF::SHT_NOBITS)
    wanted = {".bss", Content::Zeroes};
  else if (loaded)
    wanted = {".data", Content::Data};
  else if (!name.starts_with(".debug_"))
    return nullptr;
  wanted.type = wanted.content == Content::Zeroes ? ELF::SHT_NOBITS : ELF::SHT_PROGBITS;
  wanted.flags = wanted.content == Content::Debug       ? uint64_t(section.sh_flags)
                 : wanted.content == Content::Code      ? ELF::SHF_ALLOC | ELF::SHF_EXECINSTR
                 : wanted.content == Content::Constants ? uint64_t(ELF::SHF_ALLOC)
                                                        : ELF::SHF_ALLOC | ELF::SHF_WRITE;
  wanted.entrySize = wanted.content == Content::Debug ? uint64_t(section.sh_entsize) : 0;
  auto [it, inserted] = sectionIndex.try_emplace(wanted.name, int(sections.size()));
  if (inserted)
    sections.push_back(wanted);
  return &sections[it->second];
}

Error Link::add(MemoryBufferRef file) {
  Expected<Elf> elf = openElf(file);
  if (!elf)
    return elf.takeError();
  if (elf->getHeader().e_type != ELF::ET_REL)
    return fileError(file, "only objects can be linked; this is not one (make it with leno-as -c)");
  Expected<ModuleInfo> info = readModuleInfo(*elf);
  if (!info)
    return fileError(file, info.takeError());
  inputs.push_back(std::make_unique<Input>(Input{file, *elf, std::move(*info), {}}));
  return place(*inputs.back());
}

Error Link::place(Input &input) {
  auto headers = input.elf.sections();
  if (!headers)
    return fileError(input.file, headers.takeError());
  for (const ElfSection &section : *headers) {
    input.placed.emplace_back(-1, 0);
    Expected<StringRef> name = input.elf.getSectionName(section);
    if (!name)
      return fileError(input.file, name.takeError());
    if ((section.sh_type != ELF::SHT_PROGBITS && section.sh_type != ELF::SHT_NOBITS) || !section.sh_size)
      continue;
    Expected<Merged *> output = merged(input, *name, section);
    if (!output)
      return output.takeError();
    if (!*output)
      continue;
    Merged &target = **output;
    bool code = target.content == Content::Code, zeroes = target.content == Content::Zeroes;
    uint64_t alignment = std::max<uint64_t>(code ? wordBytes : 1, section.sh_addralign);
    if (!isPowerOf2_64(alignment) || alignment > (code ? 65536 : maxDataAlignment))
      return fileError(input.file, "section " + *name + " has the alignment " + Twine(alignment) +
                                       (code ? "" : "; data can have up to " + Twine(maxDataAlignment)));
    if (code && section.sh_size % wordBytes)
      return fileError(input.file, "section " + *name + " does not hold whole instructions: " +
                                       Twine(section.sh_size) + " bytes");
    target.alignment = std::max(target.alignment, alignment);
    uint64_t begin = alignTo(target.size, alignment);
    input.placed.back() = {int(&target - sections.data()), begin};
    target.size = begin + section.sh_size;
    if (zeroes)
      continue;
    Expected<ArrayRef<uint8_t>> bytes = input.elf.getSectionContents(section);
    if (!bytes)
      return fileError(input.file, bytes.takeError());
    target.bytes.resize(begin);
    target.bytes.append(bytes->begin(), bytes->end());
    if (target.content == Content::Constants && target.size > constantBankBytes)
      return fileError(input.file, "constant bank " + Twine(target.bank) + " is too full: " +
                                       Twine(target.size) + " bytes; a bank has " + Twine(constantBankBytes));
  }
  return readSymbols(input);
}

Error Link::readSymbols(const Input &input) {
  for (const ElfSection &section : cantFail(input.elf.sections()))
    if (section.sh_type == ELF::SHT_SYMTAB)
      if (Error error =
              forEachSymbol(input.file, input.elf, section, [&](const ElfSymbol &symbol, StringRef name) {
                return define(input, symbol, name);
              }))
        return error;
  return Error::success();
}

Error Link::define(const Input &input, const ElfSymbol &symbol, StringRef name) {
  if (symbol.isUndefined() || symbol.getType() == ELF::STT_SECTION || symbol.getType() == ELF::STT_FILE)
    return Error::success();
  Definition definition{&input, -1, symbol.st_value, symbol.st_size, symbol.st_info};
  if (symbol.st_shndx != ELF::SHN_ABS) {
    if (symbol.st_shndx >= input.placed.size())
      return fileError(input.file, "symbol '" + name + "' lies in a section that is not there");
    auto [index, offset] = input.placed[symbol.st_shndx];
    if (index < 0)
      return Error::success();
    definition.section = index;
    definition.value += offset;
  }
  if (symbol.getBinding() == ELF::STB_LOCAL) {
    locals.emplace_back(name.str(), definition);
    return Error::success();
  }
  auto [it, inserted] = globals.insert({name, definition});
  if (inserted || symbol.getBinding() == ELF::STB_WEAK)
    return Error::success();
  if (it->second.info >> 4 == ELF::STB_WEAK)
    it->second = definition;
  else
    problems.push_back(("'" + name + "' is defined twice: in " +
                        it->second.input->file.getBufferIdentifier() + " and in " +
                        input.file.getBufferIdentifier())
                           .str());
  return Error::success();
}

/// Once all objects are in: the zeroes follow the data.
Error Link::layOut() {
  uint64_t data = 0;
  for (const Merged &section : sections)
    if (section.content == Content::Data)
      data = section.size;
  for (Merged &section : sections) {
    if (section.content != Content::Zeroes)
      continue;
    section.address = alignTo(data, section.alignment);
    if (section.size > maxGlobalBytes)
      return createStringError("the zeroed data are " + Twine(section.size) + " bytes; global memory has " +
                               Twine(maxGlobalBytes));
  }
  return Error::success();
}

/// "k+0x10" for a place in code, ".data+0x8" elsewhere.
std::string Link::describe(const Site &site) const {
  StringRef best;
  uint64_t bestValue = 0;
  for (const auto &[name, definition] : globals)
    if (sections[site.section].content == Content::Code && definition.section == site.section &&
        definition.value <= site.offset && (best.empty() || definition.value >= bestValue)) {
      best = name;
      bestValue = definition.value;
    }
  std::string text = best.empty() ? sections[site.section].name : best.str();
  uint64_t distance = site.offset - bestValue;
  return best.empty() || distance ? text + "+0x" + utohexstr(distance, true) : text;
}

Expected<Place> Link::placeOf(const Input &input, const ElfSymbol &symbol, StringRef strings,
                              const Site &site) {
  if (symbol.isUndefined()) {
    Expected<StringRef> name = symbol.getName(strings);
    if (!name)
      return fileError(input.file, name.takeError());
    auto it = globals.find(*name);
    if (it != globals.end())
      return Place{it->second.section, it->second.value};
    if (symbol.getBinding() != ELF::STB_WEAK &&
        reported.try_emplace((input.file.getBufferIdentifier() + ":" + *name).str(), true).second) {
      NearMiss near(*name);
      for (const auto &known : globals)
        near.consider(known.first, known.first);
      problems.push_back((input.file.getBufferIdentifier() + ": '" + *name +
                          "' is undefined: no object defines it (it is used at " + describe(site) + ")" +
                          near.hint())
                             .str());
    }
    return Place{-1, 0};
  }
  if (symbol.st_shndx == ELF::SHN_ABS)
    return Place{-1, symbol.st_value};
  if (symbol.st_shndx >= input.placed.size() || input.placed[symbol.st_shndx].first < 0)
    return fileError(input.file, "a relocation refers to a section that is not linked");
  auto [section, offset] = input.placed[symbol.st_shndx];
  return Place{section, symbol.st_value + offset};
}

Error Link::relocate() {
  for (const auto &input : inputs)
    for (const ElfSection &section : cantFail(input->elf.sections()))
      if (section.sh_type == ELF::SHT_RELA)
        if (Error error = relocateSection(*input, section))
          return error;
  return Error::success();
}

Error Link::relocateSection(const Input &input, const ElfSection &header) {
  if (header.sh_info >= input.placed.size())
    return fileError(input.file, "relocations for a section that is not there");
  auto [index, offset] = input.placed[header.sh_info];
  if (index < 0)
    return Error::success();
  Merged &target = sections[index];
  auto relocations = input.elf.relas(header);
  if (!relocations)
    return fileError(input.file, relocations.takeError());
  auto symbolTable = input.elf.getSection(header.sh_link);
  if (!symbolTable)
    return fileError(input.file, symbolTable.takeError());
  auto strings = input.elf.getStringTableForSymtab(**symbolTable);
  if (!strings)
    return fileError(input.file, strings.takeError());
  for (const auto &relocation : *relocations) {
    auto symbol = input.elf.getRelocationSymbol(relocation, *symbolTable);
    if (!symbol)
      return fileError(input.file, symbol.takeError());
    uint32_t type = relocation.getType(false);
    if (type == R_LENO_NONE)
      continue;
    unsigned size = type == R_LENO_32 ? 4 : 8;
    Site site{input, index, offset + relocation.r_offset};
    if (relocation.r_offset > target.bytes.size() || site.offset + size > target.bytes.size())
      return fileError(input.file, "a relocation lies outside its section");
    bool inWord = type != R_LENO_32 && type != R_LENO_64;
    if (inWord && (target.content != Content::Code || site.offset % wordBytes))
      return fileError(input.file, Twine("relocation ") + relocationName(type) + " at " + describe(site) +
                                       " is for an instruction, and none is there");
    Place place{-1, 0};
    StringRef name;
    if (*symbol) {
      Expected<Place> found = placeOf(input, **symbol, *strings, site);
      if (!found)
        return found.takeError();
      place = *found;
      name = nameOf(input, **symbol, *strings, place.section, place.value + uint64_t(relocation.r_addend));
    }
    place.value += uint64_t(relocation.r_addend);
    if (Error error = relocateOne(site, type, place, name))
      return error;
  }
  return Error::success();
}

/// The name of what a relocation refers to, for messages: one against a section means a local label there.
StringRef Link::nameOf(const Input &input, const ElfSymbol &symbol, StringRef strings, int section,
                       uint64_t value) const {
  if (Expected<StringRef> name = symbol.getName(strings); !name)
    consumeError(name.takeError());
  else if (!name->empty() || symbol.getType() != ELF::STT_SECTION)
    return *name;
  for (const auto &[name, definition] : locals)
    if (definition.input == &input && definition.section == section && definition.value == value)
      return name;
  return "";
}

Error Link::relocateOne(const Site &site, uint32_t type, Place target, StringRef name) {
  char *at = &sections[site.section].bytes[site.offset];
  Content content = target.section < 0 ? Content::Code : sections[target.section].content;
  bool global = content == Content::Data || content == Content::Zeroes;
  if (global && type == R_LENO_64 && sections[site.section].content == Content::Code)
    return fileError(site.input.file,
                     "the reference at " + describe(site) + (name.empty() ? "" : " to '" + name.str() + "'") +
                         " is an address in global memory among code: put it into .data, or a .const bank");
  if (global && (type == R_LENO_64 || type == R_LENO_LO32 || type == R_LENO_HI32)) {
    loadRelocations.push_back({site.section, site.offset, type, target});
    return Error::success();
  }
  auto what = [&] {
    return "the reference at " + describe(site) + (name.empty() ? "" : " to '" + name.str() + "'");
  };
  uint64_t value = target.value;
  switch (type) {
  case R_LENO_32:
    if (global)
      return fileError(site.input.file, what() + " has 32 bits, an address in global memory 64: use .quad");
    support::endian::write32le(at, uint32_t(value));
    return Error::success();
  case R_LENO_64:
    support::endian::write64le(at, value);
    return Error::success();
  case R_LENO_TARGET24:
  case R_LENO_JOIN20:
    return applyBranch(site, type, target, name);
  case R_LENO_CONSTANT14:
  case R_LENO_CONSTANT16:
    return applyConstant(site, type, target, name);
  case R_LENO_IMM32:
    if (global)
      return fileError(site.input.file, what() + " has 32 bits, an address in global memory 64: "
                                                 "take its halves with lo() and hi()");
    if (!isUInt<32>(value) && !isInt<32>(int64_t(value)))
      return fileError(site.input.file, what() + " does not fit in 32 bits");
    break;
  case R_LENO_ADDRESS24:
    if (target.section >= 0 && content != Content::Code)
      return fileError(site.input.file, what() + " is no address of code");
    if (value % wordBytes || !isUInt<27>(value))
      return fileError(site.input.file, what() + " is not an address of code: a multiple of 8 below 2^27");
    support::endian::write64le(at,
                               (support::endian::read64le(at) & ~address24Field) | value / wordBytes << 21);
    return Error::success();
  case R_LENO_LO32:
    break;
  case R_LENO_HI32:
    value >>= 32;
    break;
  default:
    return fileError(site.input.file, "unknown relocation type " + Twine(type));
  }
  uint64_t word = support::endian::read64le(at);
  support::endian::write64le(at, (word & ~imm32Field) | ((value << 21) & imm32Field));
  return Error::success();
}

Error Link::applyBranch(const Site &site, uint32_t type, Place target, StringRef name) {
  if (target.section >= 0 && sections[target.section].content != Content::Code)
    return fileError(site.input.file, "the branch at " + describe(site) + " leads to data" +
                                          (name.empty() ? "" : ": '" + name + "' is no code"));
  WordDistance distance{type == R_LENO_TARGET24 ? 24u : 20u};
  int64_t bytes = int64_t(target.value - site.offset) - wordBytes;
  if (bytes % wordBytes || !isIntN(distance.width, bytes / wordBytes))
    return fileError(site.input.file, "the branch at " + describe(site) +
                                          " does not reach its target: it is " + Twine(bytes) +
                                          " bytes away");
  char *at = &sections[site.section].bytes[site.offset];
  uint64_t word = support::endian::read64le(at);
  support::endian::write64le(at, (word & ~distance.field()) | distance.place(bytes / wordBytes));
  return Error::success();
}

/// The instruction names the bank; the label must lie in it.
Error Link::applyConstant(const Site &site, uint32_t type, Place target, StringRef name) {
  ConstantField field{type == R_LENO_CONSTANT14};
  char *at = &sections[site.section].bytes[site.offset];
  uint64_t word = support::endian::read64le(at);
  std::string what = "the constant at " + describe(site) + (name.empty() ? "" : ", '" + name.str() + "',");
  if (target.section >= 0 && sections[target.section].content != Content::Constants)
    return fileError(site.input.file, what + " does not lie in a constant bank");
  if (target.section >= 0 && sections[target.section].bank != field.bank(word))
    return fileError(site.input.file, what + " lies in bank " + Twine(sections[target.section].bank) +
                                          ", not in bank " + Twine(field.bank(word)));
  if (target.value >= constantBankBytes || (field.inWords && target.value % 4))
    return fileError(site.input.file,
                     what + " is at offset " + Twine(int64_t(target.value)) +
                         (target.value >= constantBankBytes ? ", outside its bank" : ", no multiple of 4"));
  support::endian::write64le(at, (word & ~field.field()) | field.place(target.value));
  return Error::success();
}

/// A kernel needs the registers of what it may call; which functions those are is not worked out, so all
/// count.
Error Link::describeKernels() {
  for (const auto &input : inputs)
    module.functionRegisters = std::max(module.functionRegisters, input->info.functionRegisters);
  for (const auto &input : inputs)
    module.functionBarriers = std::max(module.functionBarriers, input->info.functionBarriers);
  for (const auto &input : inputs)
    for (KernelInfo kernel : input->info.kernels) {
      kernel.registers = std::max(kernel.registers, module.functionRegisters);
      kernel.barriers = std::max(kernel.barriers, module.functionBarriers);
      auto found = globals.find(kernel.name);
      if (found == globals.end())
        return fileError(input->file,
                         "the metadata names kernel '" + kernel.name + "', which is not defined");
      const Definition &definition = found->second;
      if (definition.section < 0 || sections[definition.section].content != Content::Code ||
          definition.value % wordBytes || definition.value >= sections[definition.section].bytes.size())
        return fileError(input->file, "kernel '" + kernel.name + "' has no code");
      module.kernels.push_back(std::move(kernel));
    }
  measureStacks();
  return Error::success();
}

/// What an object could not know of its stack, because it calls functions of others, the whole program tells.
void Link::measureStacks() {
  auto unknown = [](const KernelInfo &kernel) { return kernel.stackDepth.kind == StackDepth::Unknown; };
  auto text = sectionIndex.find(".text");
  if (text == sectionIndex.end() || none_of(module.kernels, unknown))
    return;
  StringRef bytes = sections[text->second].bytes;
  std::vector<uint64_t> words;
  for (size_t i = 0; i + wordBytes <= bytes.size(); i += wordBytes)
    words.push_back(support::endian::read64le(bytes.data() + i));
  std::vector<check::ImageKernel> kernels;
  for (const KernelInfo &kernel : module.kernels) {
    const Definition &definition = globals.find(kernel.name)->second;
    kernels.push_back({kernel.name, definition.value, definition.size});
  }
  std::vector<StackDepth> depths = check::stackDepths(check::decodeImage(words, kernels));
  for (size_t i = 0; i < module.kernels.size(); ++i)
    if (unknown(module.kernels[i]) && i < depths.size())
      module.kernels[i].stackDepth = depths[i];
}

Error Link::resolve() {
  if (problems.empty())
    return Error::success();
  std::string all;
  for (const std::string &problem : problems)
    all += (all.empty() ? "" : "\nerror: ") + problem;
  return createStringError(all);
}

/// Code, data, constants, lines: the same order whatever was mentioned first.
static bool standsBefore(const Merged &a, const Merged &b) {
  auto rank = [](const Merged &m) {
    constexpr int order[] = {0, 3, 1, 2, 4}; // Code, Constants, Data, Zeroes, Debug
    return std::pair(order[size_t(m.content)], m.bank);
  };
  return rank(a) < rank(b);
}

SmallVector<char, 0> Link::write() {
  ElfWriter writer(ELF::ET_EXEC);
  std::vector<unsigned> order(sections.size()), numbers(sections.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::stable_sort(order, [&](unsigned a, unsigned b) { return standsBefore(sections[a], sections[b]); });
  for (unsigned i : order) {
    const Merged &section = sections[i];
    numbers[i] = writer.addSection(section.name, section.type, section.flags, section.alignment,
                                   section.entrySize, section.bytes);
    if (section.content == Content::Zeroes)
      writer.setZeroes(numbers[i], section.address, section.size);
  }
  writer.addSection(noteSection, ELF::SHT_NOTE, 0, 4, 0, encodeNote(module));
  for (const LoadRelocation &r : loadRelocations)
    writer.addRelocation(numbers[r.section], r.offset, r.type, numbers[r.target.section],
                         int64_t(r.target.value));
  auto number = [&](const Definition &d) {
    return d.section < 0 ? unsigned(ELF::SHN_ABS) : numbers[d.section];
  };
  // By place and name, whatever the order of mention: text that was disassembled links to the same file.
  auto isBefore = [&](const auto &a, const auto &b) {
    return std::tuple(number(a.second), a.second.value, StringRef(a.first)) <
           std::tuple(number(b.second), b.second.value, StringRef(b.first));
  };
  llvm::sort(locals, isBefore);
  auto exported = globals.takeVector();
  llvm::sort(exported, isBefore);
  auto add = [&](StringRef name, const Definition &d) {
    uint64_t address = d.section < 0 ? 0 : sections[d.section].address;
    writer.addSymbol(name.str(), address + d.value, d.size, d.info, number(d));
  };
  for (const auto &[name, definition] : locals)
    add(name, definition);
  for (const auto &[name, definition] : exported)
    add(name, definition);
  return writer.finish();
}

} // namespace

Expected<SmallVector<char, 0>> link(ArrayRef<MemoryBufferRef> objects) {
  Link link;
  for (MemoryBufferRef object : objects)
    if (Error error = link.add(object))
      return std::move(error);
  if (Error error = link.layOut())
    return std::move(error);
  if (Error error = link.relocate())
    return std::move(error);
  if (Error error = link.resolve())
    return std::move(error);
  if (Error error = link.describeKernels())
    return std::move(error);
  return link.write();
}

} // namespace leno
