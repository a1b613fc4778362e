//===- LiveColumns.cpp - Life ranges beside the instructions --------------===//
#include "asm/LiveColumns.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace leno {

std::string LiveColumns::heads(uint32_t begin, uint32_t end) {
  check::Cells named;
  for (uint32_t i = begin; i < end; ++i)
    for (const Effect &effect : code.code.effectsOf(code.code.instructions[i]))
      for (unsigned cell = effect.cell; cell < effect.cell + effect.count; ++cell)
        named.set(cell);
  cells.clear();
  std::string text = "  n";
  for (unsigned cell = 0; cell < cellCount; ++cell)
    if (named[cell]) {
      cells.push_back(cell);
      text += ' ' + check::cellName(cell);
    }
  return text;
}

std::string LiveColumns::marks(uint32_t instruction) const {
  check::Cells reads, writes;
  for (const Effect &effect : code.code.effectsOf(code.code.instructions[instruction]))
    for (unsigned cell = effect.cell; cell < effect.cell + effect.count; ++cell)
      (effect.writes ? writes : reads).set(cell);
  const check::Cells &before = lives.before(instruction), &after = lives.after(instruction);
  check::Cells used = before | after | reads | writes;
  size_t registers = 0;
  for (unsigned cell = 0; cell < firstPredicate; ++cell)
    registers += used[cell];
  std::string text = formatv("{0,3}", registers).str();
  for (unsigned cell : cells) {
    char mark = reads[cell] && writes[cell]   ? 'x'
                : writes[cell]                ? '^'
                : reads[cell]                 ? 'v'
                : before[cell] && after[cell] ? ':'
                                              : ' ';
    text += ' ' + std::string(1, mark) + std::string(check::cellName(cell).size() - 1, ' ');
  }
  return StringRef(text).rtrim().str();
}

} // namespace leno
