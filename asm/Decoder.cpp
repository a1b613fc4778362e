//===- Decoder.cpp - Words to MC instructions and text --------------------===//
#include "asm/Decoder.h"

#include "asm/LenoInstPrinter.h"

#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace leno {

struct Decoder::State {
  std::unique_ptr<MCRegisterInfo> registerInfo = createRegisterInfo();
  std::unique_ptr<MCAsmInfo> asmInfo = createAsmInfo();
  std::unique_ptr<MCInstrInfo> instrInfo = createInstrInfo();
  std::unique_ptr<MCSubtargetInfo> subtargetInfo = createSubtargetInfo();
  MCContext context{lenoTriple(), asmInfo.get(), registerInfo.get(), subtargetInfo.get()};
  std::unique_ptr<MCDisassembler> disassembler = createDisassembler(*subtargetInfo, context);
  LenoInstPrinter printer{*asmInfo, *instrInfo, *registerInfo};
};

Decoder::Decoder() : state(std::make_unique<State>()) { state->printer.semicolon = false; }
Decoder::~Decoder() = default;

bool Decoder::decode(uint64_t word, MCInst &inst) const {
  uint8_t bytes[wordBytes];
  support::endian::write64le(bytes, word);
  uint64_t size;
  inst.clear();
  return state->disassembler->getInstruction(inst, size, bytes, 0, nulls()) == MCDisassembler::Success;
}

std::string Decoder::print(const MCInst &inst, const std::string &target, const std::string &join) const {
  std::string text;
  raw_string_ostream os(text);
  state->printer.targetName = target;
  state->printer.joinName = join;
  state->printer.printInst(&inst, 0, "", *state->subtargetInfo, os);
  return text;
}

std::string Decoder::printWithSymbol(MCInst inst, unsigned index, const std::string &symbol) const {
  MCSymbol *name = state->context.getOrCreateSymbol(symbol);
  inst.getOperand(index) = MCOperand::createExpr(MCSymbolRefExpr::create(name, state->context));
  return print(inst);
}

std::string Decoder::print(uint64_t word) const {
  MCInst inst;
  if (decode(word, inst))
    return print(inst);
  std::string text;
  raw_string_ostream(text) << ".quad " << format_hex(word, 18);
  return text;
}

std::string Decoder::print(uint64_t word, uint64_t address,
                           function_ref<std::string(uint64_t)> describe) const {
  MCInst inst;
  if (!decode(word, inst))
    return print(word);
  int64_t target, join;
  uint64_t next = address + wordBytes;
  return print(inst, branchOffset(inst, target) ? describe(next + uint64_t(target)) : "",
               joinOffset(inst, join) ? describe(next + uint64_t(join)) : "");
}

unsigned Decoder::encodingOf(MCRegister reg) const { return state->registerInfo->getEncodingValue(reg); }

static bool offsetOf(const MCInst &inst, OperandName name, int64_t &offset) {
  int index = operandIndex(inst.getOpcode(), name);
  if (index < 0 || !inst.getOperand(index).isImm())
    return false;
  offset = inst.getOperand(index).getImm();
  return true;
}

bool Decoder::branchOffset(const MCInst &inst, int64_t &offset) const {
  return offsetOf(inst, OperandName::target_, offset);
}
bool Decoder::joinOffset(const MCInst &inst, int64_t &offset) const {
  return offsetOf(inst, OperandName::join_, offset);
}

} // namespace leno
