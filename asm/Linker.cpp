//===- Linker.cpp - Objects to one executable, as a library ---------------===//
#include "asm/Linker.h"

#include "asm/ElfReader.h"
#include "asm/ElfWriter.h"
#include "asm/LenoFixupKinds.h"
#include "asm/checker/Checker.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace leno {
namespace {

/// A section of the output: the same-named sections of the objects, one after another.
struct Merged {
  std::string name;
  uint32_t type = 0;
  uint64_t flags = 0;
  uint64_t entrySize = 0;
  uint64_t alignment = 1;
  std::string bytes = {};
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
  Error resolve();
  Error relocate();
  Error describeKernels();
  void measureStacks();
  SmallVector<char, 0> write();

private:
  Error place(Input &input);
  Error readSymbols(const Input &input);
  Error relocateSection(const Input &input, const ElfSection &relocations);
  Expected<uint64_t> symbolValue(const Input &input, const ElfSymbol &symbol, StringRef strings);

  Merged &merged(StringRef name) {
    auto [it, inserted] = sectionIndex.try_emplace(name, int(sections.size()));
    if (inserted)
      sections.push_back({name.str()});
    return sections[it->second];
  }
  /// Only code has addresses; everything else is offsets into its own section.
  static constexpr uint64_t base = 0;

  std::vector<std::unique_ptr<Input>> inputs;
  std::vector<Merged> sections;
  StringMap<int> sectionIndex;
  MapVector<StringRef, Definition> globals;
  std::vector<std::pair<std::string, Definition>> locals;
  std::vector<std::string> problems;
  StringMap<bool> reported;
  ModuleInfo module;
};

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
    bool debug = name->starts_with(".debug_");
    bool code = section.sh_flags & ELF::SHF_EXECINSTR;
    if (section.sh_type != ELF::SHT_PROGBITS && section.sh_type != ELF::SHT_NOBITS)
      continue;
    if ((section.sh_flags & ELF::SHF_ALLOC) && !code && section.sh_size)
      return fileError(input.file,
                       "section " + *name + " holds data; a program's data are its buffers and constants");
    if ((!debug && !code) || !section.sh_size)
      continue;
    Merged &target = merged(code ? ".text" : *name);
    target.type = section.sh_type;
    target.flags = section.sh_flags;
    target.entrySize = section.sh_entsize;
    uint64_t alignment = std::max<uint64_t>(code ? wordBytes : 1, section.sh_addralign);
    if (!isPowerOf2_64(alignment) || alignment > 65536)
      return fileError(input.file, "section " + *name + " has the alignment " + Twine(alignment));
    if (code && section.sh_size % wordBytes)
      return fileError(input.file, "section " + *name + " does not hold whole instructions: " +
                                       Twine(section.sh_size) + " bytes");
    target.alignment = std::max(target.alignment, alignment);
    target.bytes.resize(alignTo(target.bytes.size(), alignment));
    input.placed.back() = {int(&target - sections.data()), target.bytes.size()};
    Expected<ArrayRef<uint8_t>> bytes = input.elf.getSectionContents(section);
    if (!bytes)
      return fileError(input.file, bytes.takeError());
    target.bytes.append(bytes->begin(), bytes->end());
  }
  return readSymbols(input);
}

Error Link::readSymbols(const Input &input) {
  auto headers = cantFail(input.elf.sections());
  for (const ElfSection &section : headers) {
    if (section.sh_type != ELF::SHT_SYMTAB)
      continue;
    auto symbols = input.elf.symbols(&section);
    auto strings = input.elf.getStringTableForSymtab(section);
    if (!symbols || !strings) {
      Error error = joinErrors(symbols ? Error::success() : symbols.takeError(),
                               strings ? Error::success() : strings.takeError());
      return fileError(input.file, std::move(error));
    }
    for (const ElfSymbol &symbol : drop_begin(*symbols, symbols->empty() ? 0 : 1)) {
      if (symbol.isUndefined() || symbol.getType() == ELF::STT_SECTION || symbol.getType() == ELF::STT_FILE)
        continue;
      Expected<StringRef> name = symbol.getName(*strings);
      if (!name)
        return fileError(input.file, name.takeError());
      Definition definition{&input, -1, symbol.st_value, symbol.st_size, symbol.st_info};
      if (symbol.st_shndx != ELF::SHN_ABS) {
        if (symbol.st_shndx >= input.placed.size())
          return fileError(input.file, "symbol '" + *name + "' lies in a section that is not there");
        auto [index, offset] = input.placed[symbol.st_shndx];
        if (index < 0)
          continue;
        definition.section = index;
        definition.value += offset;
      }
      if (symbol.getBinding() == ELF::STB_LOCAL) {
        locals.emplace_back(name->str(), definition);
        continue;
      }
      auto [it, inserted] = globals.insert({*name, definition});
      if (!inserted)
        problems.push_back(("'" + *name + "' is defined twice: in " +
                            it->second.input->file.getBufferIdentifier() + " and in " +
                            input.file.getBufferIdentifier())
                               .str());
    }
  }
  return Error::success();
}

Expected<uint64_t> Link::symbolValue(const Input &input, const ElfSymbol &symbol, StringRef strings) {
  if (symbol.isUndefined()) {
    Expected<StringRef> name = symbol.getName(strings);
    if (!name)
      return fileError(input.file, name.takeError());
    auto it = globals.find(*name);
    if (it != globals.end())
      return it->second.value;
    if (reported.try_emplace((input.file.getBufferIdentifier() + ":" + *name).str(), true).second)
      problems.push_back(
          (input.file.getBufferIdentifier() + ": '" + *name + "' is undefined: no object defines it").str());
    return 0;
  }
  if (symbol.st_shndx == ELF::SHN_ABS)
    return symbol.st_value;
  if (symbol.st_shndx >= input.placed.size() || input.placed[symbol.st_shndx].first < 0)
    return fileError(input.file, "a relocation refers to a section that is not linked");
  return symbol.st_value + input.placed[symbol.st_shndx].second;
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
    uint64_t value = uint64_t(relocation.r_addend);
    if (*symbol) {
      Expected<uint64_t> symbolAddress = symbolValue(input, **symbol, *strings);
      if (!symbolAddress)
        return symbolAddress.takeError();
      value += *symbolAddress;
    }
    uint32_t type = relocation.getType(false);
    unsigned size = type == R_LENO_32 ? 4 : 8;
    uint64_t place = offset + relocation.r_offset;
    if (type == R_LENO_NONE)
      continue;
    if (relocation.r_offset > target.bytes.size() || place + size > target.bytes.size())
      return fileError(input.file, "a relocation lies outside its section");
    char *at = &target.bytes[place];
    uint64_t word = size == 8 ? support::endian::read64le(at) : support::endian::read32le(at);
    switch (type) {
    case R_LENO_32:
    case R_LENO_64:
      word = value;
      break;
    case R_LENO_TARGET24:
    case R_LENO_JOIN20: {
      WordDistance distance{type == R_LENO_TARGET24 ? 24u : 20u};
      int64_t bytes = int64_t(value - (base + place)) - wordBytes;
      if (bytes % wordBytes || !isIntN(distance.width, bytes / wordBytes))
        return fileError(input.file, "the branch at .text+0x" + Twine::utohexstr(place) +
                                         " does not reach its target: it is " + Twine(bytes) + " bytes away");
      word = (word & ~distance.field()) | distance.place(bytes / wordBytes);
      break;
    }
    case R_LENO_IMM32:
      if (!isUInt<32>(value) && !isInt<32>(int64_t(value)))
        return fileError(input.file,
                         "a value of 32 bits at .text+0x" + Twine::utohexstr(place) + " does not fit");
      word = (word & ~(uint64_t(0xffffffff) << 21)) | (value & 0xffffffff) << 21;
      break;
    case R_LENO_ADDRESS24:
      if (value % wordBytes || !isUInt<27>(value))
        return fileError(input.file, "the address that .text+0x" + Twine::utohexstr(place) +
                                         " refers to is not one of code: a multiple of 8 below 2^27");
      word = (word & ~(uint64_t(0xffffff) << 21)) | value / wordBytes << 21;
      break;
    default:
      return fileError(input.file, "unknown relocation type " + Twine(type));
    }
    if (size == 8)
      support::endian::write64le(at, word);
    else
      support::endian::write32le(at, uint32_t(word));
  }
  return Error::success();
}

/// A kernel needs the registers of what it may call; which functions those are is not worked out, so all
/// count.
Error Link::describeKernels() {
  for (const auto &input : inputs)
    module.functionRegisters = std::max(module.functionRegisters, input->info.functionRegisters);
  for (const auto &input : inputs)
    for (KernelInfo kernel : input->info.kernels) {
      kernel.registers = std::max(kernel.registers, module.functionRegisters);
      if (!globals.count(kernel.name))
        return fileError(input->file,
                         "the metadata names kernel '" + kernel.name + "', which is not defined");
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

SmallVector<char, 0> Link::write() {
  ElfWriter writer(ELF::ET_EXEC);
  std::vector<unsigned> numbers;
  numbers.reserve(sections.size());
  for (const Merged &section : sections)
    numbers.push_back(writer.addSection(section.name, section.type, section.flags, section.alignment,
                                        section.entrySize, section.bytes));
  writer.addSection(noteSection, ELF::SHT_NOTE, 0, 4, 0, encodeNote(module));
  // By place and name, whatever the order of mention: text that was disassembled links to the same file.
  auto order = [](const auto &a, const auto &b) {
    return std::tie(a.second.section, a.second.value, a.first) <
           std::tie(b.second.section, b.second.value, b.first);
  };
  llvm::sort(locals, order);
  auto exported = globals.takeVector();
  llvm::sort(exported, order);
  auto number = [&](const Definition &d) {
    return d.section < 0 ? unsigned(ELF::SHN_ABS) : numbers[d.section];
  };
  for (const auto &[name, definition] : locals)
    writer.addSymbol(name, definition.value, definition.size, definition.info, number(definition));
  for (const auto &[name, definition] : exported)
    writer.addSymbol(name.str(), definition.value, definition.size, definition.info, number(definition));
  return writer.finish();
}

} // namespace

Expected<SmallVector<char, 0>> link(ArrayRef<MemoryBufferRef> objects) {
  Link link;
  for (MemoryBufferRef object : objects)
    if (Error error = link.add(object))
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
