//===- ObjectDump.cpp - Objects and executables as text -------------------===//
#include "asm/ObjectDump.h"

#include "asm/Decoder.h"
#include "asm/ElfReader.h"
#include "asm/Executable.h"
#include "asm/LenoFixupKinds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <map>
#include <set>

using namespace llvm;

namespace leno {
namespace {

struct Label {
  std::string name;
  bool isGlobal, isFunction;
};

/// One section of code with what refers to it.
class CodeSection {
public:
  CodeSection(MemoryBufferRef file, const Elf &elf, unsigned number) : file(file), elf(elf), number(number) {}

  Error read();
  Error print(const ModuleInfo &info, const DumpOptions &options, const Executable *executable,
              raw_ostream &os);

private:
  Error readRelocations(const ElfSection &header, const ElfSection &symbolTable, StringRef strings);
  void nameTargets();
  std::string labelAt(uint64_t address) const;
  std::string place(const std::map<uint64_t, std::string> &relocated, uint64_t address,
                    std::optional<Decoder::Place> named) const;
  /// Addresses are final: an absolute one names a label.
  bool linked() const { return elf.getHeader().e_type == ELF::ET_EXEC; }
  void printSource(const Executable &executable, uint64_t address, raw_ostream &os);

  MemoryBufferRef file;
  const Elf &elf;
  unsigned number;
  std::string name;
  std::vector<uint64_t> words;
  std::map<uint64_t, std::vector<Label>> labels;
  std::set<std::string> names;
  std::vector<std::pair<std::string, uint64_t>> constants; ///< absolute symbols, in the order of the table
  /// By address: what a relocated field refers to, and the join of a set-sync form.
  std::map<uint64_t, std::string> references, joins;
  Decoder decoder;
  std::map<std::string, std::unique_ptr<MemoryBuffer>> sources;
  SourceLine lastLine;
};

Error CodeSection::read() {
  auto headers = cantFail(elf.sections());
  const ElfSection &header = headers[number];
  name = cantFail(elf.getSectionName(header)).str();
  ArrayRef<uint8_t> bytes = cantFail(elf.getSectionContents(header));
  if (bytes.size() % wordBytes)
    return fileError(file, "section " + name + " does not hold whole instructions: " + Twine(bytes.size()) +
                               " bytes");
  for (size_t i = 0; i < bytes.size(); i += wordBytes)
    words.push_back(support::endian::read64le(&bytes[i]));
  for (const ElfSection &table : headers) {
    if (table.sh_type != ELF::SHT_SYMTAB)
      continue;
    auto symbols = elf.symbols(&table);
    if (!symbols)
      return fileError(file, symbols.takeError());
    auto strings = elf.getStringTableForSymtab(table);
    if (!strings)
      return fileError(file, strings.takeError());
    for (const ElfSymbol &symbol : *symbols) {
      Expected<StringRef> symbolName = symbol.getName(*strings);
      if (!symbolName)
        return fileError(file, symbolName.takeError());
      if (symbol.st_shndx == ELF::SHN_ABS && symbol.getType() == ELF::STT_NOTYPE && !symbolName->empty())
        constants.emplace_back(symbolName->str(), symbol.st_value);
      if (symbol.st_shndx != number || symbolName->empty() || symbol.st_value > words.size() * wordBytes ||
          symbol.st_value % wordBytes)
        continue;
      labels[symbol.st_value].push_back(
          {symbolName->str(), symbol.getBinding() == ELF::STB_GLOBAL, symbol.getType() == ELF::STT_FUNC});
      names.insert(symbolName->str());
    }
    for (const ElfSection &relocations : headers)
      if (relocations.sh_type == ELF::SHT_RELA && relocations.sh_info == number)
        if (Error error = readRelocations(relocations, table, *strings))
          return error;
  }
  nameTargets();
  return Error::success();
}

Error CodeSection::readRelocations(const ElfSection &header, const ElfSection &symbolTable,
                                   StringRef strings) {
  auto relocations = elf.relas(header);
  if (!relocations)
    return fileError(file, relocations.takeError());
  for (const auto &relocation : *relocations) {
    auto symbol = elf.getRelocationSymbol(relocation, &symbolTable);
    if (!symbol)
      return fileError(file, symbol.takeError());
    if (!*symbol)
      continue;
    std::string text;
    if ((*symbol)->getType() == ELF::STT_SECTION && (*symbol)->st_shndx == number) {
      // A label of this section: give its place a name.
      auto address = uint64_t(relocation.r_addend);
      if (address % wordBytes == 0 && address <= words.size() * wordBytes) {
        if (labels[address].empty())
          labels[address].push_back({"L_" + utohexstr(address, true), false, false});
        text = labels[address].front().name;
      }
    } else {
      Expected<StringRef> symbolName = (*symbol)->getName(strings);
      if (!symbolName)
        return fileError(file, symbolName.takeError());
      text = symbolName->str();
      if (relocation.r_addend)
        text += (relocation.r_addend < 0 ? "-" : "+") + std::to_string(std::abs(relocation.r_addend));
    }
    (relocation.getType(false) == R_LENO_JOIN20 ? joins : references)[relocation.r_offset] = text;
  }
  return Error::success();
}

/// Every branch target without a label gets one.
void CodeSection::nameTargets() {
  auto name = [&](uint64_t target) {
    if (target > words.size() * wordBytes || !labels[target].empty())
      return;
    std::string label = "L_" + utohexstr(target, true);
    while (names.count(label))
      label += "_";
    names.insert(label);
    labels[target].push_back({label, false, false});
  };
  for (size_t i = 0; i < words.size(); ++i) {
    MCInst inst;
    uint64_t address = i * wordBytes;
    if (!decoder.decode(words[i], inst))
      continue;
    if (auto target = decoder.targetOf(inst, address);
        target && !references.count(address) && (!target->absolute || linked()))
      name(target->address);
    if (auto join = decoder.joinOf(inst, address); join && !joins.count(address))
      name(join->address);
  }
}

/// What stands at the address a word refers to: the relocation's symbol, or the label there.
std::string CodeSection::place(const std::map<uint64_t, std::string> &relocated, uint64_t address,
                               std::optional<Decoder::Place> named) const {
  auto it = relocated.find(address);
  if (it != relocated.end())
    return it->second;
  return named && (!named->absolute || linked()) ? labelAt(named->address) : "";
}

std::string CodeSection::labelAt(uint64_t address) const {
  auto it = labels.find(address);
  return it == labels.end() || it->second.empty() ? "" : it->second.front().name;
}

void CodeSection::printSource(const Executable &executable, uint64_t address, raw_ostream &os) {
  std::optional<SourceLine> line = executable.line(address);
  if (!line || (line->line == lastLine.line && line->file == lastLine.file))
    return;
  lastLine = *line;
  auto &buffer = sources[line->file];
  if (!buffer)
    if (auto opened = MemoryBuffer::getFile(line->file))
      buffer = std::move(*opened);
  StringRef text;
  if (buffer)
    for (line_iterator it(*buffer, /*SkipBlanks=*/false); !it.is_at_end(); ++it)
      if (it.line_number() == int64_t(line->line)) {
        text = *it;
        break;
      }
  os << "# " << line->file << ':' << line->line << ": " << text.trim() << '\n';
}

Error CodeSection::print(const ModuleInfo &info, const DumpOptions &options, const Executable *executable,
                         raw_ostream &os) {
  for (const auto &[constant, value] : constants)
    os << "\t.set " << constant << ", " << int64_t(value) << '\n';
  os << "\t.text\n";
  const KernelInfo *open = nullptr;
  uint64_t kernelEnd = 0;
  auto kernelNamed = [&](StringRef label) {
    auto it = find_if(info.kernels, [&](const KernelInfo &k) { return k.name == label; });
    return it == info.kernels.end() ? nullptr : &*it;
  };
  std::map<std::string, uint64_t> sizes;
  for (const ElfSection &table : cantFail(elf.sections()))
    if (table.sh_type == ELF::SHT_SYMTAB)
      for (const ElfSymbol &symbol : cantFail(elf.symbols(&table)))
        if (symbol.st_shndx == number)
          sizes[cantFail(symbol.getName(cantFail(elf.getStringTableForSymtab(table)))).str()] =
              symbol.st_size;

  for (size_t i = 0; i <= words.size(); ++i) {
    uint64_t address = i * wordBytes;
    if (open && address >= kernelEnd) {
      os << "\t.endkernel\n";
      open = nullptr;
    }
    for (const Label &label : labels[address]) {
      const KernelInfo *kernel = label.isFunction ? kernelNamed(label.name) : nullptr;
      if (kernel && !open) {
        os << "\n\t.kernel " << kernel->name << '\n';
        for (const KernelParam &param : kernel->params)
          os << "\t.param " << paramTypeName(param.type) << ' ' << param.name << '\n';
        uint32_t at = 0;
        for (const SharedVariable &variable : kernel->shared) {
          // The alignment that puts it where it is.
          uint32_t alignment = 1;
          while (alignTo(at, alignment) != variable.offset && alignment < 4096)
            alignment *= 2;
          os << "\t.shared " << variable.name << ", " << variable.bytes << ", " << alignment << '\n';
          at = variable.offset + variable.bytes;
        }
        if (kernel->localBytes)
          os << "\t.local " << kernel->localBytes << '\n';
        open = kernel;
        kernelEnd = address + sizes[label.name];
        continue;
      }
      if (label.isGlobal)
        os << "\t.globl " << label.name << '\n';
      os << label.name << ":\n";
    }
    if (i == words.size())
      break;
    if (options.source && executable)
      printSource(*executable, address, os);
    MCInst inst;
    std::string text;
    bool known = decoder.decode(words[i], inst);
    if (known) {
      std::string target = place(references, address, decoder.targetOf(inst, address));
      std::string join = place(joins, address, decoder.joinOf(inst, address));
      if (inst.getOpcode() == LENO::MOV32I && !target.empty())
        text = decoder.printWithSymbol(inst, unsigned(operandIndex(inst.getOpcode(), OperandName::rb_)),
                                       target) +
               ";";
      else
        text = decoder.print(inst, target, join) + ";";
    } else {
      text = ".quad 0x" + utohexstr(words[i], true, 16);
    }
    os << '\t' << text;
    if (options.raw)
      os.indent(text.size() < 48 ? unsigned(48 - text.size()) : 1)
          << format("# %04llx: %016llx", (unsigned long long)address, (unsigned long long)words[i]);
    if (!known)
      os << (options.raw ? "" : "\t#")
         << " not an instruction: unknown opcode, field or a bit that must be zero";
    os << '\n';
  }
  return Error::success();
}

void printKernels(const ModuleInfo &info, raw_ostream &os) {
  if (info.kernels.empty())
    os << "no kernels\n";
  for (const KernelInfo &kernel : info.kernels) {
    os << "kernel " << kernel.name << "\n  registers  " << kernel.registers << "\n  shared     "
       << kernel.sharedBytes << " bytes\n  stack      " << stackDepthText(kernel.stackDepth) << '\n';
    for (const SharedVariable &variable : kernel.shared)
      os << "    " << format_hex(variable.offset, 6) << "  " << left_justify(variable.name, 16)
         << variable.bytes << " bytes\n";
    os << "  local      " << kernel.localBytes << " bytes a lane\n";
    os << "  parameters " << kernel.params.size() << '\n';
    for (const KernelParam &param : kernel.params)
      os << "    c[0][" << format_hex(param.offset, 4) << "]  " << left_justify(paramTypeName(param.type), 4)
         << ' ' << param.name << '\n';
  }
}

} // namespace

Error dump(MemoryBufferRef file, const DumpOptions &options, raw_ostream &os) {
  Expected<Elf> elf = openElf(file);
  if (!elf)
    return elf.takeError();
  Expected<ModuleInfo> info = readModuleInfo(*elf);
  if (!info)
    return fileError(file, info.takeError());
  std::optional<Executable> executable;
  if (options.source) {
    Expected<Executable> loaded = Executable::load(file);
    if (!loaded)
      return loaded.takeError();
    if (!loaded->hasLines())
      return fileError(file, "it has no line table: assemble it with -g");
    executable = std::move(*loaded);
  }
  if (options.kernels)
    printKernels(*info, os);
  if (!options.disassemble)
    return Error::success();
  auto sections = cantFail(elf->sections());
  for (unsigned i = 0; i < sections.size(); ++i) {
    if (sections[i].sh_type != ELF::SHT_PROGBITS || !(sections[i].sh_flags & ELF::SHF_EXECINSTR) ||
        !sections[i].sh_size)
      continue;
    CodeSection section(file, *elf, i);
    if (Error error = section.read())
      return error;
    if (Error error = section.print(*info, options, executable ? &*executable : nullptr, os))
      return error;
  }
  return Error::success();
}

} // namespace leno
