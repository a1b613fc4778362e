//===- CheckReport.h - The static checker's findings as warnings ----------===//
#pragma once

#include "asm/CodeRecorder.h"
#include "asm/MacroCalls.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/SourceMgr.h"

#include <bitset>

namespace leno {

/// Which checks warn, and which are errors.
struct WarningOptions {
  std::bitset<check::checkCount> on = std::bitset<check::checkCount>().set();
  std::bitset<check::checkCount> errors;

  /// The text after -W: NAME, no-NAME, error, error=NAME, or all in the place of a name; false: no such
  /// check.
  bool apply(llvm::StringRef option);
};

/// Tells every finding that is on: file:line:col, the line, a caret, the check's name, and a note with the
/// way out.
void reportFindings(const CodeRecorder &recorder, const MacroCalls &calls, const llvm::SourceMgr &sources,
                    const WarningOptions &options, llvm::function_ref<void(const llvm::SMDiagnostic &)> tell);

} // namespace leno
