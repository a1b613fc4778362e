//===- LenoTargetStreamer.cpp - Kernels, as the assembler sees them -------===//
#include "asm/LenoTargetStreamer.h"

#include "asm/ElfReader.h"
#include "asm/LenoMCTargetDesc.h"

#include "llvm/BinaryFormat/ELF.h"
#include "llvm/MC/MCAssembler.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCELFStreamer.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCSectionELF.h"
#include "llvm/MC/MCSymbolELF.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace leno {

void LenoTargetStreamer::beginKernel(StringRef name) {
  KernelInfo kernel;
  kernel.name = name.str();
  module.kernels.push_back(std::move(kernel));
  open = true;
  // After data a kernel goes on in the code.
  const auto *section = static_cast<const MCSectionELF *>(getStreamer().getCurrentSectionOnly());
  if (!section || !(section->getFlags() & ELF::SHF_EXECINSTR))
    getStreamer().switchSection(getStreamer().getContext().getObjectFileInfo()->getTextSection());
  kernelSection = getStreamer().getCurrentSectionOnly();
  code.beginKernel(name);
  kernelBegun(module.kernels.back());
}

void LenoTargetStreamer::addParam(KernelParam param) {
  KernelInfo &kernel = module.kernels.back();
  param.offset = uint32_t(alignTo(kernel.paramEnd(), paramTypeSize(param.type)));
  kernel.params.push_back(param);
  paramAdded(param);
}

void LenoTargetStreamer::addArgument(KernelArgument argument) {
  KernelInfo &kernel = module.kernels.back();
  argument.first = uint32_t(kernel.params.size());
  kernel.arguments.push_back(std::move(argument));
  argumentAdded(kernel.arguments.back());
}

void LenoTargetStreamer::setBlock(const std::array<uint32_t, 3> &block) {
  module.kernels.back().block = block;
  blockSet(block);
}

void LenoTargetStreamer::setHints(std::string text) {
  module.kernels.back().hints = std::move(text);
  hintsSet(module.kernels.back().hints);
}

void LenoTargetStreamer::addShared(StringRef name, uint32_t bytes, uint32_t alignment) {
  KernelInfo &kernel = module.kernels.back();
  SharedVariable variable{name.str(), uint32_t(alignTo(kernel.sharedBytes, alignment)), bytes};
  kernel.sharedBytes = variable.offset + bytes;
  kernel.shared.push_back(variable);
  sharedAdded(variable);
}

void LenoTargetStreamer::setLocal(uint32_t bytes) {
  module.kernels.back().localBytes = bytes;
  localSet(bytes);
}

void LenoTargetStreamer::setRegisters(uint32_t count) {
  KernelInfo &kernel = module.kernels.back();
  kernel.givenRegisters = count;
  kernel.registers = std::max(kernel.registers, count);
  registersSet(count);
}

void LenoTargetStreamer::endKernel(std::vector<RegisterName> names, std::vector<SharedUse> sharedUses) {
  open = false;
  module.kernels.back().names = std::move(names);
  module.kernels.back().sharedUses = std::move(sharedUses);
  if (getStreamer().getCurrentSectionOnly() != kernelSection)
    getStreamer().switchSection(kernelSection);
  code.endKernel();
  kernelEnded(module.kernels.back());
}

bool LenoTargetStreamer::inCode() const {
  const MCSection *section = const_cast<LenoTargetStreamer *>(this)->getStreamer().getCurrentSectionOnly();
  return records && section && section->isText();
}

void LenoTargetStreamer::noteData(SMLoc loc) {
  if (listing)
    listing->note(loc, false, getStreamer());
  if (inCode()) {
    code.data(loc, getStreamer().getCurrentSectionOnly());
    places.note(loc, false, getStreamer());
  }
}

void LenoTargetStreamer::emitLabel(MCSymbol *symbol) {
  if (inCode())
    code.label(*symbol, getStreamer().getCurrentSectionOnly());
}

void LenoTargetStreamer::noteInstruction(const MCInst &inst, uint32_t registers, uint32_t barriers) {
  if (listing)
    listing->note(inst.getLoc(), true, getStreamer());
  if (records) {
    code.instruction(inst, *getContext().getRegisterInfo(), getStreamer().getCurrentSectionOnly());
    places.note(inst.getLoc(), true, getStreamer());
  }
  uint32_t &count = open ? module.kernels.back().registers : module.functionRegisters;
  count = std::max(count, registers);
  uint32_t &barrierCount = open ? module.kernels.back().barriers : module.functionBarriers;
  barrierCount = std::max(barrierCount, barriers);
  if (open)
    module.kernels.back().bytes += wordBytes;
}

void LenoAsmTargetStreamer::kernelBegun(const KernelInfo &kernel) {
  os << "\t.kernel\t" << kernel.name << '\n';
}
void LenoAsmTargetStreamer::paramAdded(const KernelParam &param) {
  os << "\t.param\t" << param.typeText() << ' ' << param.name << '\n';
}
void LenoAsmTargetStreamer::argumentAdded(const KernelArgument &argument) {
  os << '\t' << argumentText(argument, argument.name) << '\n';
}
void LenoAsmTargetStreamer::blockSet(const std::array<uint32_t, 3> &block) {
  os << '\t' << blockText(block) << '\n';
}
void LenoAsmTargetStreamer::hintsSet(StringRef text) { os << '\t' << hintsText(text) << '\n'; }
void LenoAsmTargetStreamer::sharedAdded(const SharedVariable &variable) {
  os << "\t.shared\t" << variable.name << ", " << variable.bytes << '\n';
}
void LenoAsmTargetStreamer::localSet(uint32_t bytes) { os << "\t.local\t" << bytes << '\n'; }
void LenoAsmTargetStreamer::registersSet(uint32_t count) { os << "\t.registers\t" << count << '\n'; }
void LenoAsmTargetStreamer::kernelEnded(const KernelInfo &) { os << "\t.endkernel\n"; }

void LenoELFTargetStreamer::kernelBegun(const KernelInfo &kernel) {
  MCSymbol *symbol = getStreamer().getContext().getOrCreateSymbol(kernel.name);
  getStreamer().emitSymbolAttribute(symbol, MCSA_Global);
  getStreamer().emitSymbolAttribute(symbol, MCSA_ELF_TypeFunction);
  getStreamer().emitLabel(symbol);
}

// Its length is measured, not counted: words of data belong to it too.
void LenoELFTargetStreamer::kernelEnded(const KernelInfo &kernel) {
  MCContext &context = getStreamer().getContext();
  auto *symbol = static_cast<MCSymbolELF *>(context.getOrCreateSymbol(kernel.name));
  MCSymbol *end = context.createTempSymbol();
  getStreamer().emitLabel(end);
  symbol->setSize(MCBinaryExpr::createSub(MCSymbolRefExpr::create(end, context),
                                          MCSymbolRefExpr::create(symbol, context), context));
}

void LenoELFTargetStreamer::finish() {
  code.finish();
  for (size_t i = 0; i < module.kernels.size(); ++i)
    module.kernels[i].stackDepth = code.depthOf(i);
  MCStreamer &os = getStreamer();
  // Of words of instructions or words of data: a disassembler need not tell one from the other.
  for (MCSection &section : static_cast<MCELFStreamer &>(os).getAssembler())
    if (section.isText())
      section.ensureMinAlignment(Align(wordBytes));
  os.pushSection();
  os.switchSection(os.getContext().getELFSection(noteSection, ELF::SHT_NOTE, ELF::SHF_ALLOC));
  os.emitValueToAlignment(Align(4));
  os.emitBytes(encodeNote(module));
  os.popSection();
}

} // namespace leno
