//===- LiveColumns.h - Life ranges beside the instructions ----------------===//
#pragma once

#include "asm/SectionCode.h"

namespace leno {

/// A column for each register, predicate and CC that a kernel or function names.
class LiveColumns {
public:
  explicit LiveColumns(const SectionCode &code) : code(code), lives(code) {}
  /// Takes the columns of the code from `begin` to `end`, and gives their heads.
  std::string heads(uint32_t begin, uint32_t end);
  /// `^` written, `v` read, `x` both, `:` needed later; before them how many registers are in use.
  std::string marks(uint32_t instruction) const;

private:
  const SectionCode &code;
  Liveness lives;
  std::vector<unsigned> cells;
};

} // namespace leno
