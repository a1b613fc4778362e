//===- LenoMCCodeEmitter.cpp - Instructions to words ----------------------===//
// The word is put together by TableGen's emitter; here are the operands that
// are more than a number: sources with signs, constants, addresses, targets.
//===----------------------------------------------------------------------===//
#include "asm/LenoFixupKinds.h"
#include "asm/LenoMCTargetDesc.h"

#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/EndianStream.h"

using namespace llvm;

namespace leno {
namespace {

class LenoMCCodeEmitter : public MCCodeEmitter {
public:
  explicit LenoMCCodeEmitter(MCContext &context) : context(context) {}

  void encodeInstruction(const MCInst &inst, SmallVectorImpl<char> &bytes, SmallVectorImpl<MCFixup> &fixups,
                         const MCSubtargetInfo &subtarget) const override {
    support::endian::write<uint64_t>(bytes, getBinaryCodeForInstr(inst, fixups, subtarget),
                                     endianness::little);
  }

private:
  uint64_t getBinaryCodeForInstr(const MCInst &MI, SmallVectorImpl<MCFixup> &Fixups,
                                 const MCSubtargetInfo &STI) const;

  uint64_t getMachineOpValue(const MCInst &, const MCOperand &operand, SmallVectorImpl<MCFixup> &,
                             const MCSubtargetInfo &) const {
    return operand.isReg() ? encoding(operand) : uint64_t(operand.getImm());
  }

  uint64_t encoding(const MCOperand &operand) const {
    return context.getRegisterInfo()->getEncodingValue(operand.getReg());
  }
  static uint64_t imm(const MCInst &inst, unsigned index) {
    return uint64_t(inst.getOperand(index).getImm());
  }

  // {negate, predicate (3)}
  uint64_t encodePredicate(const MCInst &inst, unsigned index, SmallVectorImpl<MCFixup> &,
                           const MCSubtargetInfo &) const {
    return encoding(inst.getOperand(index)) | imm(inst, index + 1) << 3;
  }
  // {absolute, negate, payload (20)}
  uint64_t encodeRegSource(const MCInst &inst, unsigned index, SmallVectorImpl<MCFixup> &,
                           const MCSubtargetInfo &) const {
    return encoding(inst.getOperand(index)) | imm(inst, index + 1) << 20;
  }
  uint64_t encodeConstSource(const MCInst &inst, unsigned index, SmallVectorImpl<MCFixup> &fixups,
                             const MCSubtargetInfo &) const {
    return imm(inst, index) << 14 | constantOffset(inst, index + 1, fixup_constant14, fixups) >> 2 |
           imm(inst, index + 2) << 20;
  }
  /// A label's offset in its bank is known when everything is linked.
  static uint64_t constantOffset(const MCInst &inst, unsigned index, MCFixupKind kind,
                                 SmallVectorImpl<MCFixup> &fixups) {
    if (inst.getOperand(index).isImm())
      return imm(inst, index);
    fixups.push_back(MCFixup::create(0, inst.getOperand(index).getExpr(), kind));
    return 0;
  }
  // {part (4), absolute, negate, payload (20)}
  uint64_t encodeRegPart(const MCInst &inst, unsigned index, SmallVectorImpl<MCFixup> &fixups,
                         const MCSubtargetInfo &subtarget) const {
    return encodeRegSource(inst, index, fixups, subtarget) | imm(inst, index + 2) << 22;
  }
  uint64_t encodeConstPart(const MCInst &inst, unsigned index, SmallVectorImpl<MCFixup> &fixups,
                           const MCSubtargetInfo &subtarget) const {
    return encodeConstSource(inst, index, fixups, subtarget) | imm(inst, index + 3) << 22;
  }
  // {bank (4), offset (16), base (8)}
  uint64_t encodeConstAddress(const MCInst &inst, unsigned index, SmallVectorImpl<MCFixup> &fixups,
                              const MCSubtargetInfo &) const {
    return imm(inst, index) << 24 |
           (constantOffset(inst, index + 2, fixup_constant16, fixups) & 0xffff) << 8 |
           encoding(inst.getOperand(index + 1));
  }
  // {wide, offset (24), base (8)}
  uint64_t encodeAddress(const MCInst &inst, unsigned index, SmallVectorImpl<MCFixup> &,
                         const MCSubtargetInfo &) const {
    return imm(inst, index + 1) << 32 | (imm(inst, index + 2) & 0xffffff) << 8 |
           encoding(inst.getOperand(index));
  }
  template <unsigned Width>
  uint64_t encodeImm(const MCInst &inst, unsigned index, SmallVectorImpl<MCFixup> &,
                     const MCSubtargetInfo &) const {
    return imm(inst, index) & ((uint64_t(1) << Width) - 1);
  }
  uint64_t encodeFImm20(const MCInst &inst, unsigned index, SmallVectorImpl<MCFixup> &,
                        const MCSubtargetInfo &) const {
    return imm(inst, index) >> 12;
  }
  uint64_t encodeDImm20(const MCInst &inst, unsigned index, SmallVectorImpl<MCFixup> &,
                        const MCSubtargetInfo &) const {
    return imm(inst, index) >> 44;
  }
  uint64_t encodeImm32(const MCInst &inst, unsigned index, SmallVectorImpl<MCFixup> &fixups,
                       const MCSubtargetInfo &) const {
    const MCOperand &operand = inst.getOperand(index);
    if (operand.isImm())
      return uint32_t(operand.getImm());
    const MCExpr *expr = operand.getExpr();
    MCFixupKind kind = fixup_imm32;
    if (const auto *half = dyn_cast<MCSpecifierExpr>(expr)) {
      kind = half->getSpecifier() == AddressHalf::Low ? fixup_lo32 : fixup_hi32;
      expr = half->getSubExpr();
    }
    fixups.push_back(MCFixup::create(0, expr, kind));
    return 0;
  }
  uint64_t encodeAddress24(const MCInst &inst, unsigned index, SmallVectorImpl<MCFixup> &fixups,
                           const MCSubtargetInfo &) const {
    const MCOperand &operand = inst.getOperand(index);
    if (operand.isImm())
      return uint64_t(operand.getImm()) / wordBytes;
    fixups.push_back(MCFixup::create(0, operand.getExpr(), fixup_address24));
    return 0;
  }
  uint64_t encodeTarget24(const MCInst &inst, unsigned index, SmallVectorImpl<MCFixup> &fixups,
                          const MCSubtargetInfo &) const {
    return encodeDistance(inst.getOperand(index), fixup_target24, fixups) & 0xffffff;
  }
  uint64_t encodeJoin20(const MCInst &inst, unsigned index, SmallVectorImpl<MCFixup> &fixups,
                        const MCSubtargetInfo &) const {
    return encodeDistance(inst.getOperand(index), fixup_join20, fixups) & 0xfffff;
  }
  static uint64_t encodeDistance(const MCOperand &operand, MCFixupKind kind,
                                 SmallVectorImpl<MCFixup> &fixups) {
    if (operand.isImm())
      return uint64_t(operand.getImm() / int64_t(wordBytes));
    fixups.push_back(MCFixup::create(0, operand.getExpr(), kind, /*PCRel=*/true));
    return 0;
  }

  MCContext &context;
};

} // namespace

#include "isa/LenoGenMCCodeEmitter.inc"

std::unique_ptr<MCCodeEmitter> createCodeEmitter(MCContext &context) {
  return std::make_unique<LenoMCCodeEmitter>(context);
}

} // namespace leno
