//===- LenoDisassembler.cpp - Words to instructions -----------------------===//
// A word decodes only when every field has a meaning and every unclaimed bit
// is zero; anything else is an undefined encoding.
//===----------------------------------------------------------------------===//
#include "asm/LenoMCTargetDesc.h"

#include "asm/AsmTables.h"

#include "llvm/MC/MCDecoder.h"
#include "llvm/MC/MCDecoderOps.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

#include <array>

using namespace llvm;
using namespace llvm::MCD;
using DecodeStatus = MCDisassembler::DecodeStatus;

namespace leno {
namespace {

/// Registers by number: TableGen's enum is sorted by name.
struct RegisterTable {
  std::array<MCPhysReg, 256> gpr;
  std::array<MCPhysReg, 8> pred;
  RegisterTable() {
    auto info = createRegisterInfo();
    for (MCPhysReg reg : info->getRegClass(LENO::GPRRegClassID))
      gpr[info->getEncodingValue(reg)] = reg;
    for (MCPhysReg reg : info->getRegClass(LENO::PRRegClassID))
      pred[info->getEncodingValue(reg)] = reg;
  }
};
const RegisterTable &registers() {
  static const RegisterTable table;
  return table;
}

using Bits = uint64_t;

void addReg(MCInst &inst, MCPhysReg reg) { inst.addOperand(MCOperand::createReg(reg)); }
void addImm(MCInst &inst, int64_t value) { inst.addOperand(MCOperand::createImm(value)); }

DecodeStatus DecodeGPRRegisterClass(MCInst &inst, Bits bits, uint64_t, const MCDisassembler *) {
  if (bits > 255)
    return MCDisassembler::Fail;
  addReg(inst, registers().gpr[bits]);
  return MCDisassembler::Success;
}

DecodeStatus DecodePRRegisterClass(MCInst &inst, Bits bits, uint64_t, const MCDisassembler *) {
  if (bits > 7)
    return MCDisassembler::Fail;
  addReg(inst, registers().pred[bits]);
  return MCDisassembler::Success;
}

DecodeStatus decodePredicate(MCInst &inst, Bits bits, uint64_t, const MCDisassembler *) {
  addReg(inst, registers().pred[bits & 7]);
  addImm(inst, int64_t(bits >> 3));
  return MCDisassembler::Success;
}

DecodeStatus decodeRegSource(MCInst &inst, Bits bits, uint64_t, const MCDisassembler *) {
  if ((bits & 0xfffff) > 255)
    return MCDisassembler::Fail;
  addReg(inst, registers().gpr[bits & 255]);
  addImm(inst, int64_t(bits >> 20));
  return MCDisassembler::Success;
}

/// The destination, which is decoded first, once more.
DecodeStatus decodeRegTied(MCInst &inst, Bits bits, uint64_t, const MCDisassembler *) {
  MCOperand destination = inst.getOperand(0);
  inst.addOperand(destination);
  addImm(inst, int64_t(bits >> 20));
  return MCDisassembler::Success;
}

DecodeStatus decodeConstSource(MCInst &inst, Bits bits, uint64_t, const MCDisassembler *) {
  if ((bits & 0xfffff) >> 18)
    return MCDisassembler::Fail;
  addImm(inst, int64_t(bits >> 14 & 15));
  addImm(inst, int64_t(bits & 0x3fff) * 4);
  addImm(inst, int64_t(bits >> 20));
  return MCDisassembler::Success;
}

// {part (4), absolute, negate, payload (20)}
template <auto DecodeWhole>
DecodeStatus decodePart(MCInst &inst, Bits bits, uint64_t at, const MCDisassembler *d) {
  Bits part = bits >> 22;
  if (part >= modGroup(LenoMod::SubWord).spellings.size() ||
      DecodeWhole(inst, bits & 0x3fffff, at, d) != MCDisassembler::Success)
    return MCDisassembler::Fail;
  addImm(inst, int64_t(part));
  return MCDisassembler::Success;
}
constexpr auto decodeRegPart = decodePart<decodeRegSource>;
constexpr auto decodeConstPart = decodePart<decodeConstSource>;

DecodeStatus decodeConstAddress(MCInst &inst, Bits bits, uint64_t, const MCDisassembler *) {
  addImm(inst, int64_t(bits >> 24));
  addReg(inst, registers().gpr[bits & 255]);
  addImm(inst, int64_t(bits >> 8 & 0xffff));
  return MCDisassembler::Success;
}

template <unsigned Width>
DecodeStatus decodeAddress(MCInst &inst, Bits bits, uint64_t, const MCDisassembler *) {
  // The 64-bit form needs an aligned pair, or RZ.
  unsigned base = bits & 255;
  bool wide = bits >> 32;
  addReg(inst, registers().gpr[base]);
  addImm(inst, wide);
  addImm(inst, SignExtend64<Width>(bits >> 8 & 0xffffff));
  return MCDisassembler::Success;
}

template <unsigned Width> DecodeStatus decodeSImm(MCInst &inst, Bits bits, uint64_t, const MCDisassembler *) {
  if (bits >> Width)
    return MCDisassembler::Fail;
  addImm(inst, SignExtend64<Width>(bits));
  return MCDisassembler::Success;
}

template <unsigned Width> DecodeStatus decodeUImm(MCInst &inst, Bits bits, uint64_t, const MCDisassembler *) {
  if (bits >> Width)
    return MCDisassembler::Fail;
  addImm(inst, int64_t(bits));
  return MCDisassembler::Success;
}

DecodeStatus decodeThreadCount(MCInst &inst, Bits bits, uint64_t, const MCDisassembler *) {
  if (bits % 32)
    return MCDisassembler::Fail;
  addImm(inst, int64_t(bits));
  return MCDisassembler::Success;
}

DecodeStatus decodeFImm20(MCInst &inst, Bits bits, uint64_t, const MCDisassembler *) {
  if (bits >> 20)
    return MCDisassembler::Fail;
  addImm(inst, int64_t(bits << 12));
  return MCDisassembler::Success;
}

DecodeStatus decodeDImm20(MCInst &inst, Bits bits, uint64_t, const MCDisassembler *) {
  if (bits >> 20)
    return MCDisassembler::Fail;
  addImm(inst, int64_t(bits << 44));
  return MCDisassembler::Success;
}

template <unsigned Width>
DecodeStatus decodeTarget(MCInst &inst, Bits bits, uint64_t, const MCDisassembler *) {
  addImm(inst, SignExtend64<Width>(bits) * wordBytes);
  return MCDisassembler::Success;
}

DecodeStatus decodeAddress24(MCInst &inst, Bits bits, uint64_t, const MCDisassembler *) {
  addImm(inst, int64_t(bits) * wordBytes);
  return MCDisassembler::Success;
}

DecodeStatus decodeSpecial(MCInst &inst, Bits bits, uint64_t, const MCDisassembler *) {
  if (!specialRegister(unsigned(bits)))
    return MCDisassembler::Fail;
  addImm(inst, int64_t(bits));
  return MCDisassembler::Success;
}

template <LenoMod Mod> DecodeStatus decodeMod(MCInst &inst, Bits bits, uint64_t, const MCDisassembler *) {
  if (bits >= modGroup(Mod).spellings.size())
    return MCDisassembler::Fail;
  addImm(inst, int64_t(bits));
  return MCDisassembler::Success;
}

} // namespace
} // namespace leno

using namespace leno;
#define DEBUG_TYPE "leno-disassembler" // the generated code logs under it in debug builds
#include "isa/LenoGenDisassemblerTables.inc"

namespace leno {
namespace {

class LenoDisassembler : public MCDisassembler {
public:
  using MCDisassembler::MCDisassembler;

  DecodeStatus getInstruction(MCInst &inst, uint64_t &size, ArrayRef<uint8_t> bytes, uint64_t address,
                              raw_ostream &) const override {
    size = 0;
    if (bytes.size() < wordBytes)
      return Fail;
    size = wordBytes;
    uint64_t word = support::endian::read64le(bytes.data());
    DecodeStatus status = decodeInstruction(DecoderTable64, inst, word, address, this, STI);
    return status == Fail || brokenRule(inst) ? Fail : status;
  }
};

} // namespace

std::unique_ptr<MCDisassembler> createDisassembler(const MCSubtargetInfo &subtargetInfo, MCContext &context) {
  return std::make_unique<LenoDisassembler>(subtargetInfo, context);
}

} // namespace leno
