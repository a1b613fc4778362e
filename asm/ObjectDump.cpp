//===- ObjectDump.cpp - Objects and executables as text -------------------===//
#include "asm/ObjectDump.h"

#include "asm/Decoder.h"
#include "asm/ElfWriter.h"
#include "asm/FileNames.h"
#include "asm/LenoFixupKinds.h"
#include "asm/LiveColumns.h"
#include "asm/SourceSearch.h"
#include "asm/support/NearMiss.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace llvm;

namespace leno {
namespace {

/// The source lines between the instructions (-S).
class SourceText {
public:
  SourceText(const LineTable &lines, raw_ostream &os) : lines(lines), reader(lines), os(os) {}
  void print(uint64_t address);
  std::vector<std::string> takeComplaints() { return reader.takeComplaints(); }

private:
  const LineTable &lines;
  SourceReader reader;
  raw_ostream &os;
  SourceLine last;
};

void SourceText::print(uint64_t address) {
  std::optional<SourceLine> line = lines.line(address);
  if (!line || (line->line == last.line && line->file == last.file))
    return;
  last = *line;
  os << "# " << line->file << ':' << line->line << ": " << reader.text(*line).value_or("").trim() << '\n';
}

/// Prints one section of code.
class CodePrinter {
public:
  CodePrinter(FileNames &names, DumpSection &section, const ModuleInfo &info, const DumpOptions &options,
              SourceText *source, raw_ostream &os)
      : names(names), section(section), info(info), options(options), source(source), os(os) {
    findKernels();
    nameTargets();
    if (options.selects() || options.live || options.graph)
      analyse();
  }
  void print();
  void printGraph(unsigned &cluster);
  /// Whether any of what was asked for is here.
  bool isWanted() const { return !options.selects() || !wanted.empty(); }

private:
  uint64_t word(uint64_t address) const { return support::endian::read64le(&section.bytes[address]); }
  void findKernels();
  const KernelInfo *kernelAt(uint64_t address) const;
  void nameTargets();
  void analyse();
  void select();
  bool isWantedAt(uint64_t address) const;
  void printLabels(uint64_t address);
  void printHeads(uint64_t address);
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
  std::optional<SectionCode> code;
  std::optional<LiveColumns> columns;
  std::set<uint32_t> heads;                          ///< instructions before which the columns' heads stand
  std::vector<std::pair<uint64_t, uint64_t>> wanted; ///< of what was asked for: begin, end
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
  Effects use = decoder.effectsOf(inst);
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
  // Without metadata there is nothing to keep: what decodes is shown.
  if (!info.isPresent)
    return false;
  return use.registers > (kernel ? kernel->registers : info.functionRegisters) ||
         barriers > (kernel ? kernel->barriers : info.functionBarriers);
}

/// The kernel's directives, so that the text makes the same metadata.
void CodePrinter::beginKernel(const KernelInfo &kernel, uint64_t address, uint64_t size) {
  os << "\n\t.kernel " << quotedName(kernel.name) << '\n';
  if (kernel.block[0])
    os << '\t' << blockText(kernel.block) << '\n';
  if (!kernel.hints.empty())
    os << '\t' << hintsText(kernel.hints) << '\n';
  auto argument = kernel.arguments.begin();
  auto argumentsAt = [&](size_t number) {
    for (; argument != kernel.arguments.end() && argument->first == number; ++argument) {
      os << '\t' << argumentText(*argument, quotedName(argument->name)) << '\n';
      if (!argument->offsets.empty())
        return void(++argument);
    }
  };
  for (auto [number, param] : enumerate(kernel.params)) {
    argumentsAt(number);
    os << "\t.param " << param.typeText() << ' ' << quotedName(param.name) << '\n';
  }
  argumentsAt(kernel.params.size());
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
    else if (decoder.effectsOf(inst).misaligned)
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
  if (columns)
    remark << columns->marks(uint32_t(address / wordBytes));
  if (options.raw) {
    remark << (comment.empty() ? "" : "  ")
           << format("%04llx: %016llx", (unsigned long long)address, (unsigned long long)word(address));
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

void CodePrinter::analyse() {
  std::vector<check::ImageKernel> images;
  for (const auto &[begin, end, kernel] : kernels)
    images.push_back({kernel->name, begin, end - begin});
  code.emplace(section, images);
  if (options.live) {
    columns.emplace(*code);
    heads.insert(0);
    for (const check::FlowPart &part : code->flows.parts)
      heads.insert(part.root);
    for (const check::Kernel &kernel : code->code.kernels)
      heads.insert({kernel.begin, kernel.end});
  }
  select();
}

/// Where the kernels and labels lie that were asked for.
void CodePrinter::select() {
  for (const auto &[begin, end, kernel] : kernels)
    if (is_contained(options.kernelNames, kernel->name))
      wanted.emplace_back(begin, end);
  for (const auto &[address, labels] : section.labels)
    for (const DumpLabel &label : labels)
      if (is_contained(options.symbols, label.name) && address < section.size)
        wanted.emplace_back(address, label.size ? address + label.size
                                                : code->endOfFunction(uint32_t(address / wordBytes)) *
                                                      uint64_t(wordBytes));
}

bool CodePrinter::isWantedAt(uint64_t address) const {
  return !options.selects() ||
         any_of(wanted, [&](const auto &range) { return address >= range.first && address < range.second; });
}

/// The heads of the columns, where a kernel or function begins.
void CodePrinter::printHeads(uint64_t address) {
  auto at = uint32_t(address / wordBytes);
  if (!heads.count(at))
    return;
  os << "# n: registers in use; ^ written, v read, x both, : needed later\n";
  os.indent(1 + 48) << "# " << columns->heads(at, code->endOfFunction(at)) << '\n';
}

void CodePrinter::printGraph(unsigned &cluster) {
  auto labelsAt = [&](uint64_t address) {
    std::string text;
    if (auto labels = section.labels.find(address); labels != section.labels.end())
      for (const DumpLabel &label : labels->second)
        text += label.name + ":\n";
    return text;
  };
  auto textOf = [&](uint64_t address) {
    MCInst inst;
    std::string text = decoder.decode(word(address), inst) && !isData(address, inst)
                           ? instruction(address, inst)
                           : ".quad 0x" + utohexstr(word(address), true, 16);
    std::string number;
    raw_string_ostream(number) << format("%04llx  ", (unsigned long long)address);
    return labelsAt(address) + number + text;
  };
  auto nameOf = [&](uint32_t root) {
    std::string name = labelsAt(uint64_t(root) * wordBytes);
    return name.empty() ? "at 0x" + utohexstr(uint64_t(root) * wordBytes, true)
                        : StringRef(name).split(":\n").first.str();
  };
  auto isShown = [&](uint32_t root) { return isWantedAt(uint64_t(root) * wordBytes); };
  FlowGraphText{section, *code, textOf, nameOf, isShown, options.heat}.print(os, cluster);
}

void CodePrinter::print() {
  for (uint64_t address = 0; address <= section.size; address += wordBytes) {
    if (open && address >= kernelEnd) {
      os << "\t.endkernel\n";
      open = false;
    }
    if (!isWantedAt(address))
      continue;
    printLabels(address);
    if (address == section.size)
      break;
    if (columns)
      printHeads(address);
    if (source)
      source->print(names.isLinked() ? address : LineTable::address(section.number, address));
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

/// Every kernel and label that was asked for is there.
Error checkNames(MemoryBufferRef file, const FileNames &names, const ModuleInfo &info,
                 const DumpOptions &options) {
  for (const std::string &name : options.kernelNames) {
    NearMiss near(name);
    for (const KernelInfo &kernel : info.kernels)
      near.consider(kernel.name, kernel.name);
    if (none_of(info.kernels, [&](const KernelInfo &kernel) { return kernel.name == name; }))
      return fileError(file, "there is no kernel '" + name + "'" + near.hint());
  }
  for (const std::string &name : options.symbols) {
    NearMiss near(name);
    bool found = false;
    for (const auto &[number, section] : names.sections)
      if (section.isCode())
        for (const auto &[address, labels] : section.labels)
          for (const DumpLabel &label : labels) {
            found |= label.name == name;
            near.consider(label.name, label.name);
          }
    if (!found)
      return fileError(file, "there is no label '" + name + "' in its code" + near.hint());
  }
  return Error::success();
}

void printGraph(MemoryBufferRef file, FileNames &names, const ModuleInfo &info, const DumpOptions &options,
                raw_ostream &os) {
  os << "digraph \"";
  printEscapedString(file.getBufferIdentifier(), os);
  os << "\" {\n  node [shape=box, fontname=\"monospace\"];\n  edge [fontname=\"monospace\"];\n";
  unsigned cluster = 0;
  for (auto &[number, section] : names.sections)
    if (section.isCode())
      CodePrinter(names, section, info, options, nullptr, os).printGraph(cluster);
  os << "}\n";
}

/// A profile has the addresses of a linked program.
Error checkHeat(MemoryBufferRef file, FileNames &names, const ModuleInfo &info, const BlockHeat &heat) {
  if (!info.isLinked)
    return fileError(file, "a profile is of a linked program: give that");
  std::vector<uint64_t> words;
  for (const auto &[number, section] : names.sections)
    if (section.isCode())
      for (uint64_t at = 0; at < section.size; at += wordBytes)
        words.push_back(support::endian::read64le(&section.bytes[at]));
  if (Error error = heat.check(words))
    return fileError(file, toString(std::move(error)));
  return Error::success();
}

Error printSections(MemoryBufferRef file, const Elf &elf, const ModuleInfo &info, const DumpOptions &options,
                    const LineTable *lines, raw_ostream &os) {
  FileNames names(file, elf);
  if (Error error = names.read())
    return error;
  if (info.isLinked)
    for (const KernelInfo &kernel : info.kernels)
      names.nameFunction(kernel.entry, kernel.name, kernel.bytes);
  for (const auto &[number, section] : names.sections)
    if (section.isCode() && (section.size % wordBytes || section.isZeroes()))
      return fileError(file, "section " + section.name +
                                 " does not hold whole instructions: " + Twine(section.size) + " bytes");
  if (options.selects())
    if (Error error = checkNames(file, names, info, options))
      return error;
  if (options.graph) {
    if (options.heat)
      if (Error error = checkHeat(file, names, info, *options.heat))
        return error;
    printGraph(file, names, info, options, os);
    return Error::success();
  }
  if (!options.selects()) {
    for (const std::string &source : names.sourceFiles)
      os << "\t.file " << '"' << source << "\"\n";
    for (const auto &[constant, value] : names.constants)
      os << "\t.set " << quotedName(constant) << ", " << int64_t(value) << '\n';
    for (const DumpLabel &external : names.externals)
      os << (external.binding == ELF::STB_WEAK ? "\t.weak " : "\t.globl ") << quotedName(external.name)
         << '\n';
  }
  std::optional<SourceText> source;
  if (lines)
    source.emplace(*lines, os);
  for (auto &[number, section] : names.sections) {
    if (section.isCode()) {
      CodePrinter printer(names, section, info, options, source ? &*source : nullptr, os);
      if (!printer.isWanted())
        continue;
      printSectionDirective(section, os);
      printer.print();
      continue;
    }
    if (options.selects())
      continue;
    printSectionDirective(section, os);
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
  if (source)
    for (const std::string &complaint : source->takeComplaints())
      WithColor::warning(errs(), "leno-objdump") << complaint << '\n';
  return Error::success();
}

/// As comments, so that the text still assembles.
void printKernels(const ModuleInfo &info, const DumpOptions &options, raw_ostream &out) {
  std::string text;
  raw_string_ostream os(text);
  if (info.kernels.empty())
    os << "no kernels\n";
  for (const KernelInfo &kernel : info.kernels) {
    if (options.selects() && !is_contained(options.kernelNames, kernel.name))
      continue;
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
      os << "    c[0][" << format_hex(param.offset, 4) << "]  " << left_justify(param.typeText(), 4) << ' '
         << param.name << '\n';
    for (const RegisterName &name : kernel.names)
      os << (name.isPredicate ? "    P" : "    R") << left_justify(std::to_string(name.first), 12)
         << name.name << (name.isRange ? "[" + std::to_string(name.count) + "]" : "") << '\n';
  }
  for (StringRef rest = text; !rest.empty();) {
    auto [line, after] = rest.split('\n');
    out << "# " << line << '\n';
    rest = after;
  }
}

} // namespace

Expected<SmallVector<char, 0>> objectOfWords(MemoryBufferRef file, bool isBinary) {
  StringRef text = file.getBuffer();
  std::string bytes;
  if (isBinary) {
    if (text.size() % wordBytes)
      return fileError(file, "it has " + Twine(text.size()) + " bytes, no whole number of words of " +
                                 Twine(wordBytes));
    bytes = text.str();
  } else {
    unsigned line = 1;
    for (StringRef rest = text; !rest.empty(); ++line) {
      auto [whole, after] = rest.split('\n');
      SmallVector<StringRef> words;
      SplitString(whole.split('#').first, words, " \t\r,");
      for (StringRef word : words) {
        StringRef digits = word;
        if (!digits.consume_front("0x"))
          digits.consume_front("0X");
        uint64_t value;
        if (digits.empty() || digits.getAsInteger(16, value)) {
          std::string shown;
          raw_string_ostream os(shown);
          printEscapedString(word.take_front(40), os);
          return createStringError(file.getBufferIdentifier() + ":" + Twine(line) + ":" +
                                   Twine(word.data() - whole.data() + 1) + ": '" + shown +
                                   "' is no word: up to 16 hexadecimal digits (--binary reads raw bytes)");
        }
        char word8[wordBytes];
        support::endian::write64le(word8, value);
        bytes.append(word8, wordBytes);
      }
      rest = after;
    }
  }
  ElfWriter writer(ELF::ET_REL);
  writer.addSection(".text", ELF::SHT_PROGBITS, ELF::SHF_ALLOC | ELF::SHF_EXECINSTR, wordBytes, 0, bytes);
  return writer.finish();
}

Error dump(MemoryBufferRef file, const DumpOptions &options, raw_ostream &os) {
  Expected<Elf> elf = openElf(file);
  if (!elf)
    return elf.takeError();
  Expected<ModuleInfo> info = readModuleInfo(*elf);
  if (!info)
    return fileError(file, info.takeError());
  std::optional<LineTable> lines;
  if (options.source) {
    if (Error error = LineTable::read(file, *elf).moveInto(lines.emplace()))
      return error;
    if (lines->isEmpty())
      return fileError(file, "it has no line table: assemble it with -g");
  }
  if (options.kernels)
    printKernels(*info, options, os);
  if (!options.disassemble)
    return Error::success();
  return printSections(file, *elf, *info, options, lines ? &*lines : nullptr, os);
}

} // namespace leno
