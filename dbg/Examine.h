//===- Examine.h - Memory and the strings in it ---------------------------===//
#pragma once

#include "dbg/Interpreter.h"

namespace leno::dbg {

/// The command x.
llvm::Error examineMemory(Interpreter &in, const Invocation &invocation);
/// The characters at an address of global memory, or a generic one, up to a zero byte; of very many the
/// first.
llvm::Expected<std::string> stringAt(const WarpContext &context, u64 address);
/// The unit that `bhwg` names, in bytes.
unsigned bytesOfUnit(char unit);
/// Where x, find and dump begin: `shared:0x10`, `local:0x10` (of the focused lane), `const:0x40`, `c2:8`,
/// `global:ADDRESS`, or an address in global memory, which may be generic.
llvm::Error readAddress(Interpreter &in, llvm::StringRef text, Interpreter::Examine &examine);
/// "0x10000 <x+0>", "shared:0x0010"
std::string nameOfAddress(Interpreter &in, const Interpreter::Examine &examine, u64 address);
/// Prints the string that begins where the expression `text` names memory.
llvm::Error printString(Interpreter &in, llvm::StringRef text);

} // namespace leno::dbg
