//===- LenoMCTargetDesc.h - The MC descriptions made by TableGen ----------===//
#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <memory>

namespace llvm {
class MCAsmBackend;
class MCAsmInfo;
class MCAsmParser;
class MCCodeEmitter;
class MCContext;
class MCDisassembler;
class MCInstPrinter;
class MCInstrInfo;
class MCRegisterInfo;
class MCSubtargetInfo;
class MCTargetAsmParser;
class MCTargetOptions;
class Triple;
} // namespace llvm

#define GET_REGINFO_ENUM
#include "isa/LenoGenRegisterInfo.inc"
#define GET_INSTRINFO_ENUM
#define GET_INSTRINFO_MC_HELPER_DECLS
#include "isa/LenoGenInstrInfo.inc"
#define GET_SUBTARGETINFO_ENUM
#include "isa/LenoGenSubtargetInfo.inc"

namespace leno {

namespace LENO = llvm::LENO;

#define GET_LENO_MODS
#define GET_LENO_OPERAND_INDEX
#include "isa/LenoAsmTables.inc"
#undef GET_LENO_MODS
#undef GET_LENO_OPERAND_INDEX

/// Bytes of an instruction.
constexpr unsigned wordBytes = 8;
/// Our private ELF machine number, and the version of the encoding in e_flags.
constexpr uint16_t elfMachine = 0x4c45;
constexpr uint32_t elfVersion = 1;
/// Sections of constants: the bank's number follows. Every other section of data is global memory.
constexpr const char *constantSection = ".const";
/// Alignment that data can ask for: that of an allocation. And the bytes of global memory there can be.
constexpr uint64_t maxDataAlignment = 256;
constexpr uint64_t maxGlobalBytes = uint64_t(1) << 40;
/// The note that carries ModuleInfo.
constexpr const char *noteSection = ".note.leno";
constexpr const char *noteName = "Leno";
constexpr uint32_t noteType = 1;

/// The halves of a 64-bit address, as specifiers of expressions: lo(x) and hi(x).
namespace AddressHalf {
enum : uint16_t { Low = 1, High = 2 };
}

/// The triple only selects ELF; the target is not registered with LLVM.
const llvm::Triple &lenoTriple();

std::unique_ptr<llvm::MCRegisterInfo> createRegisterInfo();
std::unique_ptr<llvm::MCInstrInfo> createInstrInfo();
std::unique_ptr<llvm::MCSubtargetInfo> createSubtargetInfo();
std::unique_ptr<llvm::MCAsmInfo> createAsmInfo();
std::unique_ptr<llvm::MCCodeEmitter> createCodeEmitter(llvm::MCContext &context);
/// `standalone`: no other object will define what this one leaves undefined, so that it is an error here.
std::unique_ptr<llvm::MCAsmBackend> createAsmBackend(bool standalone);
std::unique_ptr<llvm::MCInstPrinter> createInstPrinter(const llvm::MCAsmInfo &asmInfo,
                                                       const llvm::MCInstrInfo &instrInfo,
                                                       const llvm::MCRegisterInfo &registerInfo);
std::unique_ptr<llvm::MCDisassembler> createDisassembler(const llvm::MCSubtargetInfo &subtargetInfo,
                                                         llvm::MCContext &context);
std::unique_ptr<llvm::MCTargetAsmParser> createAsmParser(const llvm::MCSubtargetInfo &subtargetInfo,
                                                         llvm::MCAsmParser &parser,
                                                         const llvm::MCInstrInfo &instrInfo,
                                                         const llvm::MCTargetOptions &options);

} // namespace leno
