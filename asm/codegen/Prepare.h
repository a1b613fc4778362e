//===- Prepare.h - A program's IR, made ready for selection ----------------------===//
#pragma once

#include "asm/codegen/Compile.h"

#include "llvm/Support/Error.h"

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace leno {

/// Gives the module our layout, optimizes as the options say, and replaces what selection cannot
/// do: divisions become loops. An error where the module as a whole is not for this machine; single
/// constructs are told by the context's diagnostics.
llvm::Error prepareModule(llvm::Module &module, llvm::TargetMachine &machine, const CompileOptions &options);

/// A source as a message names it: from where the command runs, if it lies below that. LLVM splits names
/// where folders are shared, not where people do.
std::string sourceName(llvm::StringRef directory, llvm::StringRef file);

} // namespace leno
