//===- Decoder.cpp - Words to MC instructions and text --------------------===//
#include "asm/Decoder.h"

#include "asm/Encodings.h"
#include "asm/LenoFixupKinds.h"
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

bool Decoder::printRelocated(MCInst inst, unsigned relocation, const std::string &symbol, int64_t addend,
                             std::string &text) const {
  bool constant = relocation == R_LENO_CONSTANT14 || relocation == R_LENO_CONSTANT16;
  bool half = relocation == R_LENO_LO32 || relocation == R_LENO_HI32;
  int index = -1;
  if (constant)
    index = constantOffsetIndex(inst.getOpcode());
  else if ((half || relocation == R_LENO_IMM32) && inst.getOpcode() == LENO::MOV32I)
    index = operandIndex(inst.getOpcode(), OperandName::rb_);
  if (index < 0)
    return false;
  MCContext &context = state->context;
  const MCExpr *expr = MCSymbolRefExpr::create(context.getOrCreateSymbol(symbol), context);
  if (addend)
    expr = MCBinaryExpr::createAdd(expr, MCConstantExpr::create(addend, context), context);
  if (half)
    expr = MCSpecifierExpr::create(expr, relocation == R_LENO_LO32 ? AddressHalf::Low : AddressHalf::High,
                                   context);
  inst.getOperand(unsigned(index)) = MCOperand::createExpr(expr);
  text = print(inst);
  return true;
}

Effects Decoder::effectsOf(const MCInst &inst) const { return leno::effectsOf(inst, *state->registerInfo); }

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
  auto text = [&](const std::optional<Place> &place) { return place ? describe(place->address) : ""; };
  return print(inst, text(targetOf(inst, address)), text(joinOf(inst, address)));
}

unsigned Decoder::encodingOf(MCRegister reg) const { return state->registerInfo->getEncodingValue(reg); }

static std::optional<Decoder::Place> placeOf(const MCInst &inst, OperandName name, uint64_t base,
                                             bool absolute) {
  int index = operandIndex(inst.getOpcode(), name);
  if (index < 0 || !inst.getOperand(index).isImm())
    return std::nullopt;
  return Decoder::Place{base + uint64_t(inst.getOperand(index).getImm()), absolute};
}

std::optional<Decoder::Place> Decoder::targetOf(const MCInst &inst, uint64_t address) const {
  if (auto relative = placeOf(inst, OperandName::target_, address + wordBytes, false))
    return relative;
  std::optional<Place> place = placeOf(inst, OperandName::address_, 0, true);
  // Added to a register, 0 names no place.
  bool indirect = operandIndex(inst.getOpcode(), OperandName::ra_) >= 0;
  return place && !(indirect && !place->address) ? place : std::nullopt;
}
std::optional<Decoder::Place> Decoder::joinOf(const MCInst &inst, uint64_t address) const {
  return placeOf(inst, OperandName::join_, address + wordBytes, false);
}

} // namespace leno
