//===- LinkRelocations.cpp - Addresses filled in --------------------------===//
#include "asm/LenoFixupKinds.h"
#include "asm/Link.h"
#include "asm/support/NearMiss.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace leno::ld {

/// "k+0x10 (a.s:5)" for a place in code, ".data+0x8" elsewhere.
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
  if (best.empty() || distance)
    text += "+0x" + utohexstr(distance, true);
  std::string source = sourceOf(site.input, site.inputSection, site.inputOffset);
  return source.empty() ? text : text + " (" + source + ")";
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

/// Whether a symbol's section was left out.
bool Link::isGone(const Input &input, const ElfSymbol &symbol) const {
  return symbol.st_shndx < input.isDead.size() && input.isDead[symbol.st_shndx];
}

/// Code that is not there has the address that debuggers take for none. In .debug_ranges that is a mark of
/// its own, and the ranges are empty at the address before.
static uint64_t addressOfNone(const Merged &debug) { return ~uint64_t(0) - (debug.name == ".debug_ranges"); }

/// A relocation of the object that is written: globals may still be replaced, what is local is a place in its
/// section.
Error Link::keepForNextLink(const Site &site, uint32_t type, const ElfSymbol *symbol, StringRef strings,
                            int64_t addend) {
  LeftRelocation left{site.section, site.offset, type, {-1, uint64_t(addend)}};
  if (symbol && sections[unsigned(site.section)].content == Content::Debug && isGone(site.input, *symbol)) {
    left.target.value = addressOfNone(sections[unsigned(site.section)]);
  } else if (symbol && symbol->getBinding() != ELF::STB_LOCAL) {
    Expected<StringRef> name = symbol->getName(strings);
    if (!name)
      return fileError(site.input.file, name.takeError());
    left.symbol = *name;
    left.addend = addend;
    if (!globals.count(*name)) {
      bool isWeak = symbol->getBinding() == ELF::STB_WEAK;
      auto [it, isNew] = stillUndefined.insert({*name, isWeak});
      it->second &= isWeak;
    }
  } else if (symbol) {
    Expected<Place> found = placeOf(site.input, *symbol, strings, site);
    if (!found)
      return found.takeError();
    left.target = {found->section, found->value + uint64_t(addend)};
  }
  leftRelocations.push_back(left);
  return Error::success();
}

Error Link::relocateSection(Input &input, const ElfSection &header) {
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
    Site site{input, index, offset + relocation.r_offset, header.sh_info, relocation.r_offset};
    if (relocation.r_offset > target.bytes.size() || site.offset + size > target.bytes.size())
      return fileError(input.file, "a relocation lies outside its section");
    bool inWord = type != R_LENO_32 && type != R_LENO_64;
    if (inWord && (target.content != Content::Code || site.offset % wordBytes))
      return fileError(input.file, Twine("relocation ") + relocationName(type) + " at " + describe(site) +
                                       " is for an instruction, and none is there");
    if (options.relocatable) {
      if (Error error = keepForNextLink(site, type, *symbol, *strings, relocation.r_addend))
        return error;
      continue;
    }
    Place place{-1, 0};
    StringRef name;
    if (*symbol && target.content == Content::Debug && isGone(input, **symbol)) {
      if (type == R_LENO_64)
        support::endian::write64le(&target.bytes[site.offset], addressOfNone(target));
      continue;
    }
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
    leftRelocations.push_back({site.section, site.offset, type, target});
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

} // namespace leno::ld
