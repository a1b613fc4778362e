//===- ObjectDump.cpp - Objects and executables as text -------------------===//
#include "asm/ObjectDump.h"

#include "asm/Decoder.h"
#include "asm/Executable.h"
#include "asm/FileNames.h"
#include "asm/LenoFixupKinds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace llvm;

namespace leno {
namespace {

/// The source lines between the instructions (-S).
class SourceText {
public:
  SourceText(const Executable &executable, raw_ostream &os) : executable(executable), os(os) {}
  void print(uint64_t address);

private:
  const Executable &executable;
  raw_ostream &os;
  std::map<std::string, std::unique_ptr<MemoryBuffer>> files;
  SourceLine last;
};

void SourceText::print(uint64_t address) {
  std::optional<SourceLine> line = executable.line(address);
  if (!line || (line->line == last.line && line->file == last.file))
    return;
  last = *line;
  auto &buffer = files[line->file];
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

/// Prints one section of code.
class CodePrinter {
public:
  CodePrinter(FileNames &names, DumpSection &section, const ModuleInfo &info, const DumpOptions &options,
              SourceText *source, raw_ostream &os)
      : names(names), section(section), info(info), options(options), source(source), os(os) {}
  void print();

private:
  uint64_t word(uint64_t address) const { return support::endian::read64le(&section.bytes[address]); }
  void findKernels();
  const KernelInfo *kernelAt(uint64_t address) const;
  void nameTargets();
  void printLabels(uint64_t address);
  void beginKernel(const KernelInfo &kernel, uint64_t address, uint64_t size);
  void printWord(uint64_t address);
  std::string instruction(uint64_t address, const MCInst &inst) const;
  bool isData(uint64_t address, const MCInst &inst) const;
  const DumpReference *reference(uint64_t address, bool join) const;
  /// Addresses are final once linked: an absolute one names a label.
  bool isKnown(const Decoder::Place &place) const { return !place.absolute || names.isLinked(); }

  FileNames &names;
  DumpSection &section;
  const ModuleInfo &info;
  const DumpOptions &options;
  SourceText *source;
  raw_ostream &os;
  Decoder decoder;
  std::vector<std::tuple<uint64_t, uint64_t, const KernelInfo *>> kernels; ///< begin, end
  bool open = false;
  uint64_t kernelEnd = 0;
};

/// What a relocation puts into a word: its target or other value, or the join of a set-sync form.
const DumpReference *CodePrinter::reference(uint64_t address, bool join) const {
  auto it = section.references.find(address);
  if (it != section.references.end())
    for (const DumpReference &reference : it->second)
      if ((reference.type == R_LENO_JOIN20) == join)
        return &reference;
  return nullptr;
}

/// Every branch target without a label gets one.
void CodePrinter::nameTargets() {
  auto name = [&](uint64_t target) {
    if (target <= section.size)
      names.nameTarget(section, target);
  };
  for (uint64_t address = 0; address < section.size; address += wordBytes) {
    MCInst inst;
    if (!decoder.decode(word(address), inst) || isData(address, inst))
      continue;
    if (auto target = decoder.targetOf(inst, address);
        target && isKnown(*target) && !reference(address, false))
      name(target->address);
    if (auto join = decoder.joinOf(inst, address); join && !reference(address, true))
      name(join->address);
  }
}

const KernelInfo *CodePrinter::kernelAt(uint64_t address) const {
  for (const auto &[begin, end, kernel] : kernels)
    if (address >= begin && address < end)
      return kernel;
  return nullptr;
}

void CodePrinter::findKernels() {
  for (const auto &[address, labels] : section.labels)
    for (const DumpLabel &label : labels) {
      auto it = find_if(info.kernels, [&](const KernelInfo &k) { return k.name == label.name; });
      if (label.type == ELF::STT_FUNC && it != info.kernels.end() && address < section.size &&
          !kernelAt(address))
        kernels.emplace_back(address, address + label.size, &*it);
    }
}

/// Whether a word that decodes was written as data all the same: it asks for more than its kernel has, has a
/// relocation of data, or the assembler would refuse its registers.
bool CodePrinter::isData(uint64_t address, const MCInst &inst) const {
  RegisterUse use = decoder.registersOf(inst);
  if (use.misaligned)
    return true;
  for (uint64_t inside = address; inside < address + wordBytes; ++inside) {
    if (inside != address && (section.labels.count(inside) || section.references.count(inside)))
      return true;
    if (const DumpReference *found = reference(inside, false))
      if (found->type == R_LENO_32 || found->type == R_LENO_64)
        return true;
  }
  int barrier = operandIndex(inst.getOpcode(), OperandName::id_);
  uint32_t barriers = barrier < 0 ? 0 : uint32_t(inst.getOperand(unsigned(barrier)).getImm()) + 1;
  const KernelInfo *kernel = kernelAt(address);
  return use.registers > (kernel ? kernel->registers : info.functionRegisters) ||
         barriers > (kernel ? kernel->barriers : info.functionBarriers);
}

/// The kernel's directives, so that the text makes the same metadata.
void CodePrinter::beginKernel(const KernelInfo &kernel, uint64_t address, uint64_t size) {
  os << "\n\t.kernel " << quotedName(kernel.name) << '\n';
  for (const KernelParam &param : kernel.params)
    os << "\t.param " << paramTypeName(param.type) << ' ' << quotedName(param.name) << '\n';
  uint32_t at = 0;
  for (const SharedVariable &variable : kernel.shared) {
    // The alignment that puts it where it is.
    uint32_t alignment = 1;
    while (alignTo(at, alignment) != variable.offset && alignment < 4096)
      alignment *= 2;
    os << "\t.shared " << quotedName(variable.name) << ", " << variable.bytes << ", " << alignment << '\n';
    at = variable.offset + variable.bytes;
  }
  if (kernel.localBytes)
    os << "\t.local " << kernel.localBytes << '\n';
  if (kernel.givenRegisters)
    os << "\t.registers " << kernel.givenRegisters << '\n';
  for (const RegisterName &name : kernel.names) {
    os << (name.isPredicate ? "\t.pred " : "\t.reg ") << quotedName(name.name);
    if (name.isRange)
      os << '[' << name.firstIndex << ':' << name.firstIndex + name.count - 1 << ']';
    bool none = name.first == (name.isPredicate ? 7 : 255);
    os << (name.isPredicate ? ", P" : ", R")
       << (none ? name.isPredicate ? "T" : "Z" : std::to_string(name.first)) << '\n';
  }
  open = true;
  kernelEnd = address + size;
}

void CodePrinter::printLabels(uint64_t address) {
  auto labels = section.labels.find(address);
  if (labels == section.labels.end())
    return;
  for (const DumpLabel &label : labels->second) {
    const KernelInfo *kernel = label.type == ELF::STT_FUNC ? kernelAt(address) : nullptr;
    if (kernel && kernel->name == label.name && !open)
      beginKernel(*kernel, address, label.size);
    else
      printLabel(label, os);
  }
}

std::string CodePrinter::instruction(uint64_t address, const MCInst &inst) const {
  auto place = [&](bool join, std::optional<Decoder::Place> named) -> std::string {
    if (const DumpReference *found = reference(address, join))
      return found->text();
    auto labels = named && isKnown(*named) ? section.labels.find(named->address) : section.labels.end();
    return labels != section.labels.end() && !labels->second.empty() ? quotedName(labels->second.front().name)
                                                                     : "";
  };
  std::string text;
  const DumpReference *value = reference(address, false);
  if (value && decoder.printRelocated(inst, value->type, value->symbol, value->addend, text))
    return text + ";";
  return decoder.print(inst, place(false, decoder.targetOf(inst, address)),
                       place(true, decoder.joinOf(inst, address))) +
         ";";
}

void CodePrinter::printWord(uint64_t address) {
  MCInst inst;
  bool known = decoder.decode(word(address), inst), data = known && isData(address, inst);
  std::string text, note;
  if (!known || data) {
    if (!known)
      note = "not an instruction: " + decoder.explain(word(address));
    else if (decoder.registersOf(inst).misaligned)
      note = "misaligned: " + decoder.print(inst);
    raw_string_ostream data(text);
    printData(section, address, address + wordBytes, data);
    if (StringRef(text).count('\n') == 1 && !reference(address, false)) // no label or reference in it
      text = "\t.quad 0x" + utohexstr(word(address), true, 16) + "\n";
    text = StringRef(text).drop_front().drop_back().str();
  } else {
    text = instruction(address, inst);
  }
  os << '\t' << text;
  std::string comment;
  raw_string_ostream remark(comment);
  if (options.raw) {
    remark << format("%04llx: %016llx", (unsigned long long)address, (unsigned long long)word(address));
    for (uint64_t inside = address; inside < address + wordBytes; ++inside)
      if (auto it = section.references.find(inside); it != section.references.end())
        for (const DumpReference &found : it->second)
          remark << ' ' << relocationName(found.type) << ' ' << found.text();
  }
  if (!note.empty())
    remark << (comment.empty() ? "" : " ") << note;
  if (!comment.empty())
    os.indent(text.size() < 48 ? unsigned(48 - text.size()) : 1) << "# " << comment;
  os << '\n';
}

void CodePrinter::print() {
  findKernels();
  nameTargets();
  for (uint64_t address = 0; address <= section.size; address += wordBytes) {
    if (open && address >= kernelEnd) {
      os << "\t.endkernel\n";
      open = false;
    }
    printLabels(address);
    if (address == section.size)
      break;
    if (source)
      source->print(address);
    printWord(address);
  }
}

/// The directive that goes on in a section as it was made.
void printSectionDirective(const DumpSection &section, raw_ostream &os) {
  uint64_t flags = section.header->sh_flags;
  StringRef name = section.name, bank = name;
  unsigned number;
  if (name == ".text")
    os << "\t.text\n";
  else if (name == ".data")
    os << "\n\t.global\n";
  else if (name == ".bss")
    os << "\n\t.bss\n";
  else if (bank.consume_front(constantSection) && !bank.getAsInteger(10, number) && number >= 1 &&
           number <= 15)
    os << "\n\t.const " << number << '\n';
  else {
    os << "\n\t.section " << quotedName(name) << ",\"a" << (flags & ELF::SHF_WRITE ? "w" : "")
       << (flags & ELF::SHF_EXECINSTR ? "x" : "") << (flags & ELF::SHF_MERGE ? "M" : "")
       << (flags & ELF::SHF_STRINGS ? "S" : "") << "\",@" << (section.isZeroes() ? "nobits" : "progbits");
    if (flags & ELF::SHF_MERGE)
      os << ',' << section.header->sh_entsize;
    os << '\n';
  }
  uint64_t alignment = section.header->sh_addralign;
  uint64_t natural = section.isCode() ? wordBytes : 1;
  if (alignment > natural)
    os << "\t.balign " << alignment << '\n';
}

Error printSections(MemoryBufferRef file, const Elf &elf, const ModuleInfo &info, const DumpOptions &options,
                    const Executable *executable, raw_ostream &os) {
  FileNames names(file, elf);
  if (Error error = names.read())
    return error;
  for (const auto &[number, section] : names.sections)
    if (section.isCode() && (section.size % wordBytes || section.isZeroes()))
      return fileError(file, "section " + section.name +
                                 " does not hold whole instructions: " + Twine(section.size) + " bytes");
  for (const std::string &source : names.sourceFiles)
    os << "\t.file " << '"' << source << "\"\n";
  for (const auto &[constant, value] : names.constants)
    os << "\t.set " << quotedName(constant) << ", " << int64_t(value) << '\n';
  for (const DumpLabel &external : names.externals)
    os << (external.binding == ELF::STB_WEAK ? "\t.weak " : "\t.globl ") << quotedName(external.name) << '\n';
  std::optional<SourceText> source;
  if (options.source && executable)
    source.emplace(*executable, os);
  for (auto &[number, section] : names.sections) {
    printSectionDirective(section, os);
    if (section.isCode()) {
      CodePrinter(names, section, info, options, source ? &*source : nullptr, os).print();
      continue;
    }
    auto labelsAt = [&](uint64_t offset) {
      if (auto labels = section.labels.find(offset); labels != section.labels.end())
        for (const DumpLabel &label : labels->second)
          printLabel(label, os);
    };
    labelsAt(0);
    printData(section, 0, section.size, os);
    if (section.size)
      labelsAt(section.size);
  }
  return Error::success();
}

void printKernels(const ModuleInfo &info, raw_ostream &os) {
  if (info.kernels.empty())
    os << "no kernels\n";
  for (const KernelInfo &kernel : info.kernels) {
    os << "kernel " << kernel.name << "\n  registers  " << kernel.registers
       << (kernel.givenRegisters ? " (given)" : "") << "\n  barriers   " << kernel.barriers << '\n';
    os << "  stack      " << stackDepthText(kernel.stackDepth) << "\n  shared     " << kernel.sharedBytes
       << " bytes\n";
    for (const SharedVariable &variable : kernel.shared)
      os << "    " << format_hex(variable.offset, 6) << "  " << left_justify(variable.name, 16)
         << variable.bytes << " bytes\n";
    os << "  local      " << kernel.localBytes << " bytes a lane\n";
    os << "  parameters " << kernel.params.size() << '\n';
    for (const KernelParam &param : kernel.params)
      os << "    c[0][" << format_hex(param.offset, 4) << "]  " << left_justify(paramTypeName(param.type), 4)
         << ' ' << param.name << '\n';
    for (const RegisterName &name : kernel.names)
      os << (name.isPredicate ? "    P" : "    R") << left_justify(std::to_string(name.first), 12)
         << name.name << (name.isRange ? "[" + std::to_string(name.count) + "]" : "") << '\n';
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
  return printSections(file, *elf, *info, options, executable ? &*executable : nullptr, os);
}

} // namespace leno
