//===- Code.cpp - A program as the static checker sees it -----------------===//
#include "asm/checker/Code.h"

#include "asm/Decoder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCRegisterInfo.h"

using namespace llvm;

namespace leno::check {

Instruction &Code::append(const MCInst &inst, const MCRegisterInfo &registers) {
  Effects found = leno::effectsOf(inst, registers);
  Instruction result;
  static_cast<Execution &>(result) = found.execution;
  result.firstEffect = uint32_t(effects.size());
  result.effectCount = uint8_t(found.cells.size());
  append_range(effects, found.cells);
  hasIndirect |= result.flow == Flow::Indirect;
  instructions.push_back(result);
  return instructions.back();
}

Instruction &Code::appendOpaque() {
  Instruction result;
  result.firstEffect = uint32_t(effects.size());
  instructions.push_back(result);
  return instructions.back();
}

Code decodeImage(ArrayRef<uint64_t> words, ArrayRef<ImageKernel> kernels) {
  Code code;
  Decoder decoder;
  std::unique_ptr<MCRegisterInfo> registers = createRegisterInfo();
  MCInst inst;
  auto place = [&](int64_t bytes) {
    return bytes >= 0 && bytes % wordBytes == 0 && uint64_t(bytes) <= words.size() * wordBytes
               ? uint32_t(bytes / wordBytes)
               : none;
  };
  for (size_t i = 0; i < words.size(); ++i) {
    if (!decoder.decode(words[i], inst)) {
      code.appendOpaque();
      continue;
    }
    Instruction &added = code.append(inst, *registers);
    int64_t base = added.relative ? int64_t((i + 1) * wordBytes) : 0;
    if (int index = targetOperand(inst); index >= 0 && inst.getOperand(unsigned(index)).isImm())
      added.target = place(base + inst.getOperand(unsigned(index)).getImm());
    if (int index = joinOperand(inst); index >= 0 && inst.getOperand(unsigned(index)).isImm())
      added.join = place(int64_t((i + 1) * wordBytes) + inst.getOperand(unsigned(index)).getImm());
  }
  if (!code.instructions.empty())
    code.instructions.front().startsSection = true;
  auto within = [&](uint64_t address) {
    return uint32_t(std::min<uint64_t>(words.size(), address / wordBytes));
  };
  for (const ImageKernel &kernel : kernels) {
    uint32_t begin = within(kernel.entry);
    code.kernels.push_back({kernel.name, begin, std::max(begin, within(kernel.entry + kernel.bytes))});
  }
  return code;
}

} // namespace leno::check
