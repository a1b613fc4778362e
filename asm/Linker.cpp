//===- Linker.cpp - Objects to one executable, as a library ---------------===//
#include "asm/LenoFixupKinds.h"
#include "asm/Link.h"
#include "asm/checker/Checker.h"
#include "asm/support/NearMiss.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace leno::ld {

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
  if (options.relocatable)
    wanted.name = name.str();
  wanted.type = wanted.content == Content::Zeroes ? ELF::SHT_NOBITS : ELF::SHT_PROGBITS;
  wanted.flags = options.relocatable                    ? section.sh_flags & ~uint64_t(ELF::SHF_COMPRESSED)
                 : wanted.content == Content::Debug     ? section.sh_flags & ~uint64_t(ELF::SHF_COMPRESSED)
                 : wanted.content == Content::Code      ? ELF::SHF_ALLOC | ELF::SHF_EXECINSTR
                 : wanted.content == Content::Constants ? uint64_t(ELF::SHF_ALLOC)
                                                        : ELF::SHF_ALLOC | ELF::SHF_WRITE;
  wanted.entrySize =
      wanted.content == Content::Debug || options.relocatable ? uint64_t(section.sh_entsize) : 0;
  std::string key = wanted.name;
  if (options.relocatable)
    key += ":" + std::to_string(wanted.flags) + ":" + std::to_string(wanted.type);
  auto [it, inserted] = sectionIndex.try_emplace(key, int(sections.size()));
  if (inserted)
    sections.push_back(wanted);
  return &sections[it->second];
}

Error Link::open(MemoryBufferRef file) {
  Expected<Elf> elf = openElf(file);
  if (!elf)
    return elf.takeError();
  if (elf->getHeader().e_type != ELF::ET_REL)
    return fileError(file, "only objects can be linked; this is not one (make it with leno-as -c)");
  Expected<ModuleInfo> info = readModuleInfo(*elf);
  if (!info)
    return fileError(file, info.takeError());
  inputs.push_back(std::make_unique<Input>(Input{file, *elf, std::move(*info)}));
  return Error::success();
}

Error Link::place() {
  for (const auto &input : inputs)
    if (Error error = place(*input))
      return error;
  checkUndefined();
  return Error::success();
}

Error Link::place(Input &input) {
  auto headers = input.elf.sections();
  if (!headers)
    return fileError(input.file, headers.takeError());
  input.placed.assign(headers->size(), {-1, 0});
  for (unsigned i = 0; i < headers->size(); ++i)
    if (Error error = placeSection(input, i, (*headers)[i]))
      return error;
  return readSymbols(input);
}

Error Link::placeSection(Input &input, unsigned number, const ElfSection &section) {
  if ((section.sh_type != ELF::SHT_PROGBITS && section.sh_type != ELF::SHT_NOBITS) || !section.sh_size)
    return Error::success();
  if (number < input.isDead.size() && input.isDead[number])
    return Error::success();
  Expected<StringRef> name = input.elf.getSectionName(section);
  if (!name)
    return fileError(input.file, name.takeError());
  Expected<Merged *> output = merged(input, *name, section);
  if (!output)
    return output.takeError();
  if (!*output)
    return Error::success();
  Merged &target = **output;
  bool code = target.content == Content::Code;
  uint64_t alignment = std::max<uint64_t>(code ? wordBytes : 1, sectionAlignment(input.elf, section));
  if (!isPowerOf2_64(alignment) || alignment > (code ? 65536 : maxDataAlignment))
    return fileError(input.file, "section " + *name + " has the alignment " + Twine(alignment) +
                                     (code ? "" : "; data can have up to " + Twine(maxDataAlignment)));
  if (code && section.sh_size % wordBytes)
    return fileError(input.file, "section " + *name + " does not hold whole instructions: " +
                                     Twine(section.sh_size) + " bytes");
  target.alignment = std::max(target.alignment, alignment);
  uint64_t begin = alignTo(target.size, alignment);
  input.placed[number] = {int(&target - sections.data()), begin};
  if (target.content == Content::Zeroes) {
    target.size = begin + section.sh_size;
    return Error::success();
  }
  SmallVector<uint8_t, 0> storage;
  Expected<ArrayRef<uint8_t>> bytes = sectionBytes(input.file, input.elf, section, storage);
  if (!bytes)
    return bytes.takeError();
  target.bytes.resize(begin);
  target.bytes.append(bytes->begin(), bytes->end());
  target.size = target.bytes.size();
  if (target.content == Content::Constants && target.size > constantBankBytes)
    return fileError(input.file, "constant bank " + Twine(target.bank) + " is too full: " +
                                     Twine(target.size) + " bytes; a bank has " + Twine(constantBankBytes));
  return Error::success();
}

Error Link::readSymbols(Input &input) {
  for (const ElfSection &section : cantFail(input.elf.sections()))
    if (section.sh_type == ELF::SHT_SYMTAB)
      if (Error error =
              forEachSymbol(input.file, input.elf, section, [&](const ElfSymbol &symbol, StringRef name) {
                return define(input, symbol, name);
              }))
        return error;
  return Error::success();
}

Error Link::define(Input &input, const ElfSymbol &symbol, StringRef name) {
  if (symbol.isUndefined() || symbol.getType() == ELF::STT_SECTION || symbol.getType() == ELF::STT_FILE)
    return Error::success();
  Definition definition{&input,          symbol.st_shndx, symbol.st_value, -1,
                        symbol.st_value, symbol.st_size,  symbol.st_info};
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
    problems.push_back("'" + name.str() + "' is defined twice: at " + placeText(it->second) + " and at " +
                       placeText(definition));
  return Error::success();
}

/// "a.s:3", where the line table tells.
std::string Link::sourceOf(Input &input, unsigned section, uint64_t offset) const {
  if (!input.lines) {
    input.lines.emplace();
    consumeError(LineTable::read(input.file, input.elf).moveInto(*input.lines));
  }
  std::optional<SourceLine> line = input.lines->line(LineTable::address(section, offset));
  return line ? line->file + ":" + std::to_string(line->line) : "";
}

/// "f.s:3 (a.o, .text+0x10)"
std::string Link::placeText(const Definition &definition) const {
  Input &input = *definition.input;
  std::string in = input.file.getBufferIdentifier().str();
  if (definition.inputSection >= input.placed.size())
    return in;
  StringRef section =
      cantFail(input.elf.getSectionName(*cantFail(input.elf.getSection(definition.inputSection))));
  in += ", " + section.str() + "+0x" + utohexstr(definition.inputValue, true);
  std::string source = sourceOf(input, definition.inputSection, definition.inputValue);
  return source.empty() ? in : source + " (" + in + ")";
}

/// Names that were asked for on the command line.
void Link::checkUndefined() {
  for (const std::string &name : options.undefined) {
    if (globals.count(name))
      continue;
    NearMiss near(name);
    for (const auto &known : globals)
      near.consider(known.first, known.first);
    problems.push_back("-u " + name + ": no object defines it" + near.hint());
  }
}

Error Link::layOut() {
  for (const Merged &section : sections) {
    if (section.content == Content::Zeroes && section.size > maxGlobalBytes)
      return createStringError("the zeroed data are " + Twine(section.size) + " bytes; global memory has " +
                               Twine(maxGlobalBytes));
    if (section.content == Content::Code && section.size > maxCodeBytes)
      return createStringError("the code has " + Twine(section.size) + " bytes; the most is " +
                               Twine(maxCodeBytes));
  }
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
      if (options.relocatable) {
        module.kernels.push_back(std::move(kernel));
        continue;
      }
      kernel.registers = std::max(kernel.registers, module.functionRegisters);
      kernel.barriers = std::max(kernel.barriers, module.functionBarriers);
      auto found = globals.find(kernel.name);
      if (found == globals.end())
        return fileError(input->file, "the metadata names kernel '" + kernel.name +
                                          "', which is not defined; were its symbols stripped?");
      const Definition &definition = found->second;
      if (definition.section < 0 || sections[definition.section].content != Content::Code ||
          definition.value % wordBytes || definition.value >= sections[definition.section].bytes.size())
        return fileError(input->file, "kernel '" + kernel.name + "' has no code");
      kernel.entry = definition.value;
      kernel.bytes =
          std::min<uint64_t>(definition.size, sections[definition.section].bytes.size() - definition.value);
      module.kernels.push_back(std::move(kernel));
    }
  module.isLinked = !options.relocatable;
  measureStacks();
  return Error::success();
}

/// What an object could not know of its stack, because it calls functions of others, the whole program tells.
void Link::measureStacks() {
  auto unknown = [](const KernelInfo &kernel) { return kernel.stackDepth.kind == StackDepth::Unknown; };
  auto text = sectionIndex.find(".text");
  if (options.relocatable || text == sectionIndex.end() || none_of(module.kernels, unknown))
    return;
  StringRef bytes = sections[text->second].bytes;
  std::vector<uint64_t> words;
  for (size_t i = 0; i + wordBytes <= bytes.size(); i += wordBytes)
    words.push_back(support::endian::read64le(bytes.data() + i));
  std::vector<check::ImageKernel> kernels;
  for (const KernelInfo &kernel : module.kernels)
    kernels.push_back({kernel.name, kernel.entry, kernel.bytes});
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

} // namespace leno::ld

namespace leno {

Expected<SmallVector<char, 0>> link(ArrayRef<MemoryBufferRef> objects, const LinkOptions &options) {
  ld::Link link(options);
  for (MemoryBufferRef object : objects)
    if (Error error = link.open(object))
      return std::move(error);
  using Step = Error (ld::Link::*)();
  for (Step step : {Step(&ld::Link::removeGarbage), Step(&ld::Link::place), Step(&ld::Link::layOut),
                    Step(&ld::Link::relocate), Step(&ld::Link::resolve), Step(&ld::Link::describeKernels)})
    if (Error error = (link.*step)())
      return std::move(error);
  return link.write();
}

} // namespace leno
