//===- Predecoder.h - From words of code to a Program ---------------------===//
#pragma once
#include "emu/program/Program.h"

namespace leno {

/// Predecodes code that starts at byte address 0. Never fails: a word that is
/// no instruction becomes an operation that traps ILLEGAL_INSTRUCTION.
Program predecode(llvm::ArrayRef<uint64_t> code, const Engine &engine);

} // namespace leno
