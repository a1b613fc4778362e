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
  bool allErrors = false;
  std::bitset<check::checkCount> errors, noErrors; ///< whatever allErrors says

  /// The text after -W: NAME, no-NAME, error, no-error, error=NAME, no-error=NAME, or all in the place of a
  /// name; false: no such check.
  bool apply(llvm::StringRef option);
  bool isError(check::Check check) const {
    return errors[size_t(check)] || (allErrors && !noErrors[size_t(check)]);
  }
};

/// " [-Wunset-read]", " [-Werror=unset-read]": what the message of a check ends with.
std::string warningName(check::Check check, bool isError);

/// Tells every finding that is on: file:line:col, the line, a caret, the check's name, and a note with the
/// way out.
void reportFindings(const CodeRecorder &recorder, const MacroCalls &calls, const llvm::SourceMgr &sources,
                    const WarningOptions &options, llvm::function_ref<void(const llvm::SMDiagnostic &)> tell);

} // namespace leno
