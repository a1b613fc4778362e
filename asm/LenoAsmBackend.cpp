//===- LenoAsmBackend.cpp - Fixups applied, or turned into relocations ----===//
#include "asm/KernelInfo.h"
#include "asm/LenoFixupKinds.h"
#include "asm/LenoMCTargetDesc.h"
#include "asm/support/NearMiss.h"

#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCAssembler.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCELFObjectWriter.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCObjectWriter.h"
#include "llvm/MC/MCValue.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/EndianStream.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace leno {
namespace {

class LenoELFObjectWriter : public MCELFObjectTargetWriter {
public:
  LenoELFObjectWriter()
      : MCELFObjectTargetWriter(true, ELF::ELFOSABI_NONE, elfMachine, /*HasRelocationAddend=*/true) {}

  unsigned getRelocType(const MCFixup &fixup, const MCValue &, bool isPCRel) const override {
    switch (unsigned(fixup.getKind())) {
    case fixup_target24:
      return R_LENO_TARGET24;
    case fixup_join20:
      return R_LENO_JOIN20;
    case fixup_imm32:
      return R_LENO_IMM32;
    case fixup_address24:
      return R_LENO_ADDRESS24;
    case fixup_lo32:
      return R_LENO_LO32;
    case fixup_hi32:
      return R_LENO_HI32;
    case fixup_constant14:
      return R_LENO_CONSTANT14;
    case fixup_constant16:
      return R_LENO_CONSTANT16;
    case FK_Data_4:
      return isPCRel ? fail(fixup) : unsigned(R_LENO_32);
    case FK_Data_8:
      return isPCRel ? fail(fixup) : unsigned(R_LENO_64);
    default:
      return fail(fixup);
    }
  }

  // The linker merges sections by name: a section symbol plus an addend serves as well as the label itself.
  bool needsRelocateWithSymbol(const MCValue &, unsigned) const override { return false; }

private:
  unsigned fail(const MCFixup &fixup) const {
    reportError(fixup.getLoc(), "this value depends on another section and has no relocation of its size");
    return R_LENO_NONE;
  }
};

class LenoAsmBackend : public MCAsmBackend {
public:
  explicit LenoAsmBackend(bool standalone) : MCAsmBackend(endianness::little), standalone(standalone) {}

  std::unique_ptr<MCObjectTargetWriter> createObjectTargetWriter() const override {
    return std::make_unique<LenoELFObjectWriter>();
  }

  MCFixupKindInfo getFixupKindInfo(MCFixupKind kind) const override {
    static const MCFixupKindInfo infos[] = {{"fixup_target24", 21, 24, 0},   {"fixup_join20", 5, 44, 0},
                                            {"fixup_imm32", 21, 32, 0},      {"fixup_address24", 21, 24, 0},
                                            {"fixup_lo32", 21, 32, 0},       {"fixup_hi32", 21, 32, 0},
                                            {"fixup_constant14", 21, 14, 0}, {"fixup_constant16", 21, 16, 0}};
    if (kind >= FirstTargetFixupKind && kind < MCFixupKind(fixup_last))
      return infos[kind - FirstTargetFixupKind];
    return MCAsmBackend::getFixupKindInfo(kind);
  }

  void applyFixup(const MCFragment &fragment, const MCFixup &fixup, const MCValue &target, uint8_t *data,
                  uint64_t value, bool isResolved) override {
    maybeAddReloc(fragment, fixup, target, value, isResolved);
    if (!isResolved) {
      if (const MCSymbol *symbol = target.getAddSym(); standalone && symbol && symbol->isUndefined())
        tellUndefined(firstLoc(fixup.getValue()), symbol->getName());
      return; // RELA: the addend lives in the relocation
    }
    unsigned size = 8;
    switch (unsigned(fixup.getKind())) {
    case fixup_target24:
    case fixup_join20: {
      WordDistance distance{unsigned(fixup.getKind()) == fixup_target24 ? 24u : 20u};
      int64_t bytes = int64_t(value) - wordBytes;
      if (bytes % wordBytes)
        getContext().reportError(fixup.getLoc(), "the branch target is not at an instruction: it lies " +
                                                     Twine(bytes % wordBytes) + " bytes past one");
      else if (!isIntN(distance.width, bytes / wordBytes))
        getContext().reportError(fixup.getLoc(),
                                 (distance.width == 24 ? "the branch target is " : "the join is ") +
                                     Twine(bytes / wordBytes) + " instructions away; the limit is " +
                                     Twine(maxIntN(distance.width)));
      value = distance.place(bytes / wordBytes);
      break;
    }
    case fixup_imm32:
      if (!isInt<32>(int64_t(value)) && !isUInt<32>(value))
        getContext().reportError(fixup.getLoc(), "the value does not fit in 32 bits");
      value = (value & 0xffffffff) << 21;
      break;
    case fixup_address24:
      if (value % wordBytes || !isUInt<27>(value))
        getContext().reportError(fixup.getLoc(),
                                 "the address is not one of code: a multiple of 8 below 2^27");
      value = value / wordBytes << 21;
      break;
    case fixup_lo32:
      value = (value & 0xffffffff) << 21;
      break;
    case fixup_hi32:
      value = (value >> 32) << 21;
      break;
    case fixup_constant14:
    case fixup_constant16: {
      ConstantField field{unsigned(fixup.getKind()) == fixup_constant14};
      if (value >= constantBankBytes)
        getContext().reportError(fixup.getLoc(), "offset " + Twine(int64_t(value)) +
                                                     " is outside the bank: it has bytes 0 to 65535");
      else if (field.inWords && value % 4)
        getContext().reportError(fixup.getLoc(),
                                 "offset " + Twine(value) + " of the constant is not a multiple of 4");
      value = field.place(value);
      break;
    }
    default:
      size = getFixupKindInfo(fixup.getKind()).TargetSize / 8;
      if (size > 8)
        return;
      break;
    }
    for (unsigned i = 0; i < size; ++i)
      data[i] |= uint8_t(value >> (8 * i));
  }

  /// Where LLVM meets such an equated symbol later, it ends the program.
  bool finishLayout() const override {
    for (const MCSymbol &symbol : Asm->symbols()) {
      MCValue value;
      if (!symbol.isVariable() || symbol.getVariableValue()->evaluateAsValue(value, *Asm))
        continue;
      getContext().reportError(firstLoc(symbol.getVariableValue()),
                               "'" + symbol.getName() +
                                   "' cannot be worked out: next to numbers there may be one label, or the "
                                   "difference of two labels of one section");
      const_cast<MCSymbol &>(symbol).setVariableValue(MCConstantExpr::create(0, getContext()));
    }
    return false;
  }

  // Bytes of data may come before: were it 8, LLVM would add the alignment to 7 until 8 divides the sum.
  unsigned getMinimumNopSize() const override { return 1; }

  bool writeNopData(raw_ostream &os, uint64_t count, const MCSubtargetInfo *) const override {
    os.write_zeros(unsigned(count % wordBytes));
    constexpr uint64_t nop = uint64_t(0x70) << 57 | 7; // @PT NOP
    for (count /= wordBytes; count; --count)
      support::endian::write<uint64_t>(os, nop, endianness::little);
    return true;
  }

private:
  /// Where an expression begins; its own location is that of its operator.
  static SMLoc firstLoc(const MCExpr *expr) {
    while (const auto *binary = dyn_cast<MCBinaryExpr>(expr))
      expr = binary->getLHS();
    return expr->getLoc();
  }

  void tellUndefined(SMLoc loc, StringRef name) {
    NearMiss near(name);
    for (const auto &entry : getContext().getSymbols())
      if (const MCSymbol *known = entry.second.Symbol;
          known && !known->isUndefined() && !known->isTemporary())
        near.consider(known->getName(), known->getName());
    getContext().reportError(loc, "label '" + name + "' is not defined" + near.hint());
  }

  bool standalone;
};

} // namespace

std::unique_ptr<MCAsmBackend> createAsmBackend(bool standalone) {
  return std::make_unique<LenoAsmBackend>(standalone);
}

} // namespace leno
