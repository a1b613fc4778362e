//===- Executable.cpp - A linked program, as the machine loads it ---------===//
#include "asm/Executable.h"

#include "asm/ElfReader.h"

#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/Path.h"

#include <algorithm>

using namespace llvm;

namespace leno {

Executable::Executable() = default;
Executable::Executable(Executable &&) noexcept = default;
Executable &Executable::operator=(Executable &&) noexcept = default;
Executable::~Executable() = default;

Expected<Executable> Executable::load(MemoryBufferRef file) {
  Expected<Elf> elf = openElf(file);
  if (!elf)
    return elf.takeError();
  if (elf->getHeader().e_type != ELF::ET_EXEC)
    return fileError(file, "this is an object, not an executable: link it with leno-ld");
  Executable executable;
  Expected<ModuleInfo> info = readModuleInfo(*elf);
  if (!info)
    return fileError(file, info.takeError());
  executable.info = std::move(*info);
  for (const ElfSection &section : cantFail(elf->sections())) {
    if (section.sh_type == ELF::SHT_PROGBITS && (section.sh_flags & ELF::SHF_EXECINSTR)) {
      ArrayRef<uint8_t> bytes = cantFail(elf->getSectionContents(section));
      if (bytes.size() % wordBytes || section.sh_addr != 0 || !executable.words.empty())
        return fileError(file, "its code does not begin at address 0 or does not hold whole instructions");
      for (size_t i = 0; i < bytes.size(); i += wordBytes)
        executable.words.push_back(support::endian::read64le(&bytes[i]));
    }
    if (section.sh_type != ELF::SHT_SYMTAB)
      continue;
    auto symbols = elf->symbols(&section);
    auto strings = elf->getStringTableForSymtab(section);
    if (!symbols || !strings)
      return fileError(file, joinErrors(symbols ? Error::success() : symbols.takeError(),
                                        strings ? Error::success() : strings.takeError()));
    for (const ElfSymbol &symbol : *symbols) {
      Expected<StringRef> name = symbol.getName(*strings);
      if (!name)
        return fileError(file, name.takeError());
      if (!name->empty() && !symbol.isUndefined() && symbol.st_shndx < ELF::SHN_LORESERVE)
        executable.labels.push_back(
            {name->str(), symbol.st_value, symbol.getType() == ELF::STT_FUNC, symbol.st_size});
    }
  }
  uint64_t end = executable.words.size() * wordBytes;
  std::erase_if(executable.labels, [&](const Symbol &s) { return s.address > end; });
  // At one address the kernel's name comes last, so that it is the one that descriptions use.
  std::stable_sort(executable.labels.begin(), executable.labels.end(), [](const Symbol &a, const Symbol &b) {
    return std::tie(a.address, a.isFunction) < std::tie(b.address, b.isFunction);
  });
  for (KernelInfo &kernel : executable.info.kernels) {
    const Symbol *symbol = executable.symbol(kernel.name);
    if (!symbol || symbol->address % wordBytes || symbol->address >= end)
      return fileError(file, "kernel '" + kernel.name + "' has no code");
    kernel.entry = symbol->address;
    kernel.bytes = std::min(symbol->size, end - symbol->address);
  }
  executable.readLines(file);
  return executable;
}

void Executable::readLines(MemoryBufferRef file) {
  Expected<std::unique_ptr<object::ObjectFile>> object = object::ObjectFile::createELFObjectFile(file);
  if (!object) {
    consumeError(object.takeError());
    return;
  }
  // Damaged line tables only cost the lines.
  auto quiet = [](Error error) { consumeError(std::move(error)); };
  std::unique_ptr<DWARFContext> dwarf = DWARFContext::create(
      **object, DWARFContext::ProcessDebugRelocations::Ignore, nullptr, "", quiet, quiet);
  for (const auto &unit : dwarf->compile_units()) {
    const DWARFDebugLine::LineTable *table = dwarf->getLineTableForUnit(unit.get());
    if (!table)
      continue;
    std::map<uint64_t, unsigned> fileIndex;
    for (const DWARFDebugLine::Row &row : table->Rows) {
      if (row.EndSequence)
        continue;
      auto [it, inserted] = fileIndex.try_emplace(row.File, 0);
      if (inserted) {
        std::string name;
        if (!table->getFileNameByIndex(row.File, "", DILineInfoSpecifier::FileLineInfoKind::RelativeFilePath,
                                       name))
          name = "?";
        it->second = unsigned(fileNames.size());
        fileNames.push_back(name);
      }
      lines.push_back({row.Address.Address, it->second, row.Line});
    }
  }
  std::stable_sort(lines.begin(), lines.end(),
                   [](const Row &a, const Row &b) { return a.address < b.address; });
}

Expected<const KernelInfo *> Executable::kernel(StringRef name) const {
  if (name.empty() && info.kernels.size() == 1)
    return &info.kernels.front();
  std::string list;
  for (const KernelInfo &kernel : info.kernels) {
    if (!name.empty() && kernel.name == name)
      return &kernel;
    list += (list.empty() ? "" : ", ") + kernel.name;
  }
  if (info.kernels.empty())
    return createStringError("the program has no kernel: declare one with .kernel");
  if (name.empty())
    return createStringError("the program has several kernels: choose one with --kernel (" + list + ")");
  return createStringError("there is no kernel '" + name + "'; the program has " + list);
}

const Symbol *Executable::symbol(StringRef name) const {
  auto it = std::find_if(labels.begin(), labels.end(), [&](const Symbol &s) { return name == s.name; });
  return it == labels.end() ? nullptr : &*it;
}

std::string Executable::describe(uint64_t address) const {
  auto it = std::upper_bound(labels.begin(), labels.end(), address,
                             [](uint64_t a, const Symbol &s) { return a < s.address; });
  if (it == labels.begin())
    return "0x" + utohexstr(address, true);
  --it;
  return it->address == address ? it->name : it->name + "+0x" + utohexstr(address - it->address, true);
}

std::optional<SourceLine> Executable::line(uint64_t address) const {
  auto it = std::upper_bound(lines.begin(), lines.end(), address,
                             [](uint64_t a, const Row &r) { return a < r.address; });
  if (it == lines.begin() || address >= words.size() * wordBytes)
    return std::nullopt;
  --it;
  return SourceLine{fileNames[it->file], it->line};
}

std::vector<uint64_t> Executable::addressesOf(StringRef file, unsigned line) const {
  std::vector<uint64_t> result;
  const Row *previous = nullptr;
  for (const Row &row : lines) {
    StringRef name = fileNames[row.file];
    bool wanted = row.line == line && (file.empty() || name == file || sys::path::filename(name) == file);
    bool continues = previous && previous->line == row.line && previous->file == row.file;
    if (wanted && !continues)
      result.push_back(row.address);
    previous = &row;
  }
  return result;
}

std::vector<std::string> Executable::files() const { return fileNames; }

} // namespace leno
