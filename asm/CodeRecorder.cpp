//===- CodeRecorder.cpp - What the static checker gets from the parser ----===//
#include "asm/CodeRecorder.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCSection.h"
#include "llvm/MC/MCSymbolELF.h"
#include "llvm/Support/Casting.h"

using namespace llvm;

namespace leno {

void CodeRecorder::enter(const MCSection *section) {
  if (section == current)
    return;
  mixed |= is_contained(left, section);
  if (current)
    left.push_back(current);
  current = section;
}

void CodeRecorder::instruction(const MCInst &inst, const MCRegisterInfo &registers,
                               const MCSection *section) {
  bool starts = section != current;
  enter(section);
  auto number = uint32_t(code.instructions.size());
  check::Instruction &added = code.append(inst, registers);
  added.loc = inst.getLoc();
  added.startsSection = starts;
  if (starts && !inKernel)
    outside.push_back(number);
  int target = targetOperand(inst), join = joinOperand(inst);
  auto expression = [&](int index) {
    return index >= 0 && inst.getOperand(unsigned(index)).isExpr()
               ? inst.getOperand(unsigned(index)).getExpr()
               : nullptr;
  };
  if (target >= 0)
    branches.push_back({number, expression(target), expression(join)});
  for (int i = 0; i < int(inst.getNumOperands()); ++i)
    if (i != target && i != join)
      if (const MCExpr *expr = expression(i))
        noteAddresses(expr);
}

void CodeRecorder::data(SMLoc loc, const MCSection *section) {
  bool starts = section != current;
  enter(section);
  // One stands for all words of the directive.
  check::Instruction &added = code.appendOpaque();
  added.loc = loc;
  added.startsSection = starts;
}

void CodeRecorder::label(const MCSymbol &symbol, const MCSection *section) {
  auto number = uint32_t(code.instructions.size());
  labels.try_emplace(&symbol, number);
  if (!inKernel)
    outside.push_back(number);
}

void CodeRecorder::beginKernel(StringRef name) {
  auto number = uint32_t(code.instructions.size());
  code.kernels.push_back({name.str(), number, number});
  inKernel = true;
}

void CodeRecorder::endKernel() {
  code.kernels.back().end = uint32_t(code.instructions.size());
  inKernel = false;
}

void CodeRecorder::noteAddresses(const MCExpr *expr) {
  if (auto *reference = dyn_cast<MCSymbolRefExpr>(expr)) {
    named.push_back(&reference->getSymbol());
  } else if (auto *binary = dyn_cast<MCBinaryExpr>(expr)) {
    noteAddresses(binary->getLHS());
    noteAddresses(binary->getRHS());
  } else if (auto *unary = dyn_cast<MCUnaryExpr>(expr)) {
    noteAddresses(unary->getSubExpr());
  }
}

/// A label, or a label and a number of bytes.
uint32_t CodeRecorder::resolve(const MCExpr *expr) const {
  int64_t bytes = 0;
  for (int steps = 0; expr && steps < 16; ++steps) {
    if (auto *binary = dyn_cast<MCBinaryExpr>(expr)) {
      auto *constant = dyn_cast<MCConstantExpr>(binary->getRHS());
      bool adds = binary->getOpcode() == MCBinaryExpr::Add;
      if (!constant || (!adds && binary->getOpcode() != MCBinaryExpr::Sub))
        return check::none;
      bytes += adds ? constant->getValue() : -constant->getValue();
      expr = binary->getLHS();
      continue;
    }
    auto *reference = dyn_cast<MCSymbolRefExpr>(expr);
    if (!reference)
      return check::none;
    const MCSymbol &symbol = reference->getSymbol();
    if (symbol.isVariable()) {
      expr = symbol.getVariableValue();
      continue;
    }
    auto it = labels.find(&symbol);
    int64_t place = it == labels.end() ? -1 : int64_t(it->second) + bytes / int64_t(wordBytes);
    bool inside = it != labels.end() && bytes % wordBytes == 0 && place >= 0 &&
                  place <= int64_t(code.instructions.size());
    return inside ? uint32_t(place) : check::none;
  }
  return check::none;
}

void CodeRecorder::finish() {
  if (inKernel)
    endKernel(); // its end is missing, which was told
  for (const Branch &branch : branches) {
    code.instructions[branch.at].target = resolve(branch.target);
    code.instructions[branch.at].join = resolve(branch.join);
  }
  size_t count = code.instructions.size();
  // Kernels begin by themselves.
  std::vector<uint32_t> functions, others;
  DenseSet<uint32_t> kernels;
  for (const check::Kernel &kernel : code.kernels)
    kernels.insert(kernel.begin);
  auto begins = [&](std::vector<uint32_t> &list, uint32_t place) {
    if (place < count && !kernels.contains(place))
      list.push_back(place);
  };
  DenseSet<uint32_t> outsideKernels(outside.begin(), outside.end());
  for (const auto &[symbol, place] : labels) {
    if (place < count)
      code.instructions[place].labelled = true;
    if (static_cast<const MCSymbolELF *>(symbol)->getBinding() == ELF::STB_GLOBAL)
      begins(outsideKernels.contains(place) ? functions : others, place);
  }
  for (uint32_t place : outside)
    begins(others, place);
  for (const MCSymbol *symbol : named)
    if (auto it = labels.find(symbol); it != labels.end())
      begins(others, it->second);
  llvm::sort(functions); // the map's order is that of addresses
  if (!mixed)
    result = check::check(code, functions, others);
}

} // namespace leno
