//===- AssemblerNumbers.cpp - The assembler's side of the code generator ---------===//
#include "asm/codegen/AssemblerNumbers.h"

#include "asm/AsmTables.h"
#include "asm/Effects.h"
#include "asm/LenoInstPrinter.h"

#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstBuilder.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"

#include <map>

using namespace llvm;

namespace leno {

static const MCRegisterInfo &registers() {
  static const std::unique_ptr<MCRegisterInfo> info = createRegisterInfo();
  return *info;
}
static const MCInstrInfo &instructions() {
  static const std::unique_ptr<MCInstrInfo> info = createInstrInfo();
  return *info;
}

std::optional<SpecialRegisterFacts> specialRegisterByBuiltin(StringRef name) {
  for (const SpecialRegisterInfo &info : allSpecialRegisters()) {
    std::string text = info.text.drop_front(3).lower();
    llvm::replace(text, '.', '_');
    if (text != name)
      continue;
    MCInst read =
        MCInstBuilder(LENO::S2R).addReg(LENO::R0).addReg(LENO::PT).addImm(0).addImm(0).addImm(info.value);
    // Blocks narrower than a warp have several rows in it.
    bool byLane = effectsOf(read, registers()).execution.byLane || name.starts_with("tid_");
    return SpecialRegisterFacts{info.value, byLane, name.starts_with("clock")};
  }
  return std::nullopt;
}

static std::vector<unsigned> numbersByName(unsigned count, function_ref<StringRef(unsigned)> name,
                                           unsigned theirs, function_ref<StringRef(unsigned)> theirName) {
  std::map<StringRef, unsigned> numbers;
  for (unsigned i = 1; i < theirs; ++i)
    numbers.emplace(theirName(i), i);
  std::vector<unsigned> result(count);
  for (unsigned i = 1; i < count; ++i)
    if (auto found = numbers.find(name(i)); found != numbers.end())
      result[i] = found->second;
  return result;
}

std::vector<unsigned> assemblerInstructions(unsigned count, function_ref<StringRef(unsigned)> name) {
  return numbersByName(count, name, instructions().getNumOpcodes(),
                       [](unsigned i) { return instructions().getName(i); });
}
std::vector<unsigned> assemblerRegisters(unsigned count, function_ref<StringRef(unsigned)> name) {
  return numbersByName(count, name, registers().getNumRegs(),
                       [](unsigned i) { return registers().getName(i); });
}

bool isRegisterName(StringRef name) {
  for (unsigned i = 1; i < registers().getNumRegs(); ++i)
    if (name.equals_insensitive(registers().getName(i)))
      return true;
  return false;
}

namespace {
/// Indents, as LLVM's printers do.
class TextPrinter : public LenoInstPrinter {
  using LenoInstPrinter::LenoInstPrinter;
  void printInst(const MCInst *inst, uint64_t address, StringRef annotation, const MCSubtargetInfo &subtarget,
                 raw_ostream &os) override {
    os << '\t';
    LenoInstPrinter::printInst(inst, address, annotation, subtarget, os);
  }
};
} // namespace

std::unique_ptr<MCInstPrinter> createTextPrinter(const MCAsmInfo &asmInfo) {
  return std::make_unique<TextPrinter>(asmInfo, instructions(), registers());
}

} // namespace leno
