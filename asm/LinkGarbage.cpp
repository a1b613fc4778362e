//===- LinkGarbage.cpp - Sections that nothing needs (--gc-sections) ------===//
#include "asm/Link.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace leno::ld {
namespace {

/// A section of an input, by their numbers.
using Node = std::pair<unsigned, unsigned>;

} // namespace

/// Kernels and the names of -u are the roots, and the constants: instructions name those by number, too,
/// which no relocation shows. Relocations lead on. Whatever code lies in one section goes or stays together.
Error Link::removeGarbage() {
  if (!options.gcSections)
    return Error::success();
  StringMap<Node> defined; // strong ones win over weak ones, then the first
  StringMap<bool> isWeak;
  for (unsigned i = 0; i < inputs.size(); ++i) {
    Input &input = *inputs[i];
    auto headers = input.elf.sections();
    if (!headers)
      return fileError(input.file, headers.takeError());
    input.isDead.assign(headers->size(), false);
    for (unsigned number = 0; number < headers->size(); ++number) {
      const ElfSection &section = (*headers)[number];
      if (section.sh_type == ELF::SHT_SYMTAB) {
        auto note = [&](const ElfSymbol &symbol, StringRef name) {
          bool weak = symbol.getBinding() == ELF::STB_WEAK;
          if (symbol.isUndefined() || symbol.getBinding() == ELF::STB_LOCAL ||
              symbol.st_shndx >= headers->size())
            return Error::success();
          auto [it, isNew] = defined.try_emplace(name, i, symbol.st_shndx);
          if (isNew || (isWeak[name] && !weak)) {
            it->second = {i, symbol.st_shndx};
            isWeak[name] = weak;
          }
          return Error::success();
        };
        if (Error error = forEachSymbol(input.file, input.elf, section, note))
          return error;
      }
      bool isLoaded = section.sh_flags & ELF::SHF_ALLOC &&
                      (section.sh_type == ELF::SHT_PROGBITS || section.sh_type == ELF::SHT_NOBITS);
      input.isDead[number] = isLoaded;
    }
  }
  std::vector<Node> queue;
  auto reach = [&](Node node) {
    if (node.second < inputs[node.first]->isDead.size() && inputs[node.first]->isDead[node.second]) {
      inputs[node.first]->isDead[node.second] = false;
      queue.push_back(node);
    }
  };
  auto reachName = [&](StringRef name) {
    if (auto it = defined.find(name); it != defined.end())
      reach(it->second);
  };
  bool anyRoot = !options.undefined.empty();
  for (const std::string &name : options.undefined)
    reachName(name);
  for (unsigned i = 0; i < inputs.size(); ++i) {
    for (const KernelInfo &kernel : inputs[i]->info.kernels) {
      anyRoot = true;
      reachName(kernel.name);
    }
    auto headers = cantFail(inputs[i]->elf.sections());
    for (unsigned number = 0; number < headers.size(); ++number) {
      Expected<StringRef> name = inputs[i]->elf.getSectionName(headers[number]);
      if (!name)
        return fileError(inputs[i]->file, name.takeError());
      if (name->starts_with(constantSection))
        reach({i, number});
    }
  }
  if (!anyRoot)
    return createStringError(
        "--gc-sections would leave nothing: there is no kernel, and no -u names a symbol");
  while (!queue.empty()) {
    auto [i, number] = queue.back();
    queue.pop_back();
    Input &input = *inputs[i];
    for (const ElfSection &header : cantFail(input.elf.sections())) {
      if (header.sh_type != ELF::SHT_RELA || header.sh_info != number)
        continue;
      auto relocations = input.elf.relas(header);
      auto table = input.elf.getSection(header.sh_link);
      if (!relocations || !table)
        return fileError(input.file, joinErrors(relocations ? Error::success() : relocations.takeError(),
                                                table ? Error::success() : table.takeError()));
      auto strings = input.elf.getStringTableForSymtab(**table);
      if (!strings)
        return fileError(input.file, strings.takeError());
      for (const auto &relocation : *relocations) {
        auto symbol = input.elf.getRelocationSymbol(relocation, *table);
        if (!symbol)
          return fileError(input.file, symbol.takeError());
        if (!*symbol)
          continue;
        if ((*symbol)->getBinding() == ELF::STB_LOCAL) {
          reach({i, (*symbol)->st_shndx});
          continue;
        }
        Expected<StringRef> name = (*symbol)->getName(*strings);
        if (!name)
          return fileError(input.file, name.takeError());
        reachName(*name);
      }
    }
  }
  if (options.removed)
    for (const auto &input : inputs)
      for (unsigned number = 0; number < input->isDead.size(); ++number)
        if (const ElfSection *section = cantFail(input->elf.getSection(number));
            input->isDead[number] && section->sh_size)
          options.removed->push_back(
              (input->file.getBufferIdentifier() + ":(" + cantFail(input->elf.getSectionName(*section)) + ")")
                  .str());
  return Error::success();
}

} // namespace leno::ld
