//===- LenoMCTargetDesc.cpp - The MC descriptions made by TableGen --------===//
#include "asm/LenoMCTargetDesc.h"

#include "asm/LenoMCAsmInfo.h"

#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"

#define GET_REGINFO_MC_DESC
#include "isa/LenoGenRegisterInfo.inc"
#define GET_INSTRINFO_MC_DESC
#define GET_INSTRINFO_MC_HELPERS
#include "isa/LenoGenInstrInfo.inc"
#define GET_SUBTARGETINFO_MC_DESC
#include "isa/LenoGenSubtargetInfo.inc"

namespace leno {

const llvm::Triple &lenoTriple() {
  static const llvm::Triple triple("leno-unknown-unknown-elf");
  return triple;
}

std::unique_ptr<llvm::MCRegisterInfo> createRegisterInfo() {
  auto info = std::make_unique<llvm::MCRegisterInfo>();
  llvm::InitLenoMCRegisterInfo(info.get(), LENO::RZ);
  return info;
}

std::unique_ptr<llvm::MCInstrInfo> createInstrInfo() {
  auto info = std::make_unique<llvm::MCInstrInfo>();
  llvm::InitLenoMCInstrInfo(info.get());
  return info;
}

std::unique_ptr<llvm::MCSubtargetInfo> createSubtargetInfo() {
  return std::unique_ptr<llvm::MCSubtargetInfo>(
      llvm::createLenoMCSubtargetInfoImpl(lenoTriple(), "leno", "leno", ""));
}

LenoMCAsmInfo::LenoMCAsmInfo() {
  CodePointerSize = 8;
  MinInstAlignment = wordBytes;
  MaxInstLength = wordBytes;
  CommentString = "#";
  SeparatorString = ";";
  PrivateGlobalPrefix = ".L";
  PrivateLabelPrefix = ".L";
  Data16bitsDirective = "\t.half\t";
  Data32bitsDirective = "\t.word\t";
  Data64bitsDirective = "\t.quad\t";
  SupportsDebugInformation = true;
  // References inside .debug_* stay plain values, so that the linked file needs no relocation of debug
  // sections beyond addresses.
  DwarfUsesRelocationsAcrossSections = true;
  UsesELFSectionDirectiveForBSS = true;
}

void LenoMCAsmInfo::printSpecifierExpr(llvm::raw_ostream &os, const llvm::MCSpecifierExpr &expr) const {
  os << (expr.getSpecifier() == AddressHalf::Low ? "lo(" : "hi(");
  printExpr(os, *expr.getSubExpr());
  os << ')';
}

std::unique_ptr<llvm::MCAsmInfo> createAsmInfo() { return std::make_unique<LenoMCAsmInfo>(); }

} // namespace leno
