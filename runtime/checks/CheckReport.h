//===- CheckReport.h - Findings in words, as JSON and as SARIF -------------===//
#pragma once
#include "asm/Executable.h"
#include "emu/memory/AddressSpace.h"
#include "runtime/checks/Check.h"
#include "runtime/checks/Suppressions.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace leno::checks {

/// A finding with what its places are called.
struct NamedFinding {
  Finding finding;
  const Executable *executable = nullptr; ///< null: none is known
  const Executable *other = nullptr;      ///< the same of another launch, whose action came before
  std::string kernel;
  std::string context; ///< its name; empty: there is one only
  std::string where;   ///< "16 bytes into 'y' (4096 bytes at 0x10000)"; empty: not known
  bool isSuppressed = false;

  /// "saxpy.s:14", else "saxpy+0x48".
  std::string lineOf(const Action &action) const;
  const Executable *programOf(const Action &action) const { return action.launch ? other : executable; }
  Suppressible suppressible() const;
};

/// `programOf(launch)`: what that grid runs. `memory`: its context's.
NamedFinding named(Finding finding, llvm::function_ref<RunningProgram(u64)> programOf,
                   const AddressSpace &memory);

/// `race: ... [store-after-load]`, then both places with their source lines, and notes; lines that end.
void printFinding(llvm::raw_ostream &os, const NamedFinding &finding, bool colours);
/// An object's attributes.
void writeFinding(llvm::json::OStream &json, const NamedFinding &finding);
/// A log of the format SARIF 2.1.0 (OASIS), suppressed ones in it and marked.
void writeSarif(llvm::raw_ostream &os, llvm::ArrayRef<NamedFinding> findings);

} // namespace leno::checks
