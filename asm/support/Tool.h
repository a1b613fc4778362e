//===- Tool.h - What every command-line tool does the same way ------------===//
// Exit status 0 on success, 1 on a user's error, 2 on bad usage; messages on
// standard error; outputs under a temporary name, renamed when complete.
//===----------------------------------------------------------------------===//
#pragma once

#include "asm/support/RunFiles.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace CLI {
class App;
}

namespace leno {

enum ExitStatus : int { ExitSuccess = 0, ExitFailure = 1, ExitUsage = 2 };

/// Prepares a tool's App: --version, examples under the help, no abbreviations. --describe-options, which the help does
/// not show, prints the options as JSON: manual pages and completions are made of it (.cmake/pages.py).
void describeTool(CLI::App &app, const std::string &name, const std::string &examples);
/// Parses; the result is -1 to go on, otherwise the exit status. A mistake is told with the tool's name, and
/// the option that a mistyped one is near to.
int parseCommandLine(CLI::App &app, int argc, char **argv);
/// "leno-as: error: ..." on standard error; gives ExitFailure.
int fail(llvm::StringRef tool, llvm::Error error);
struct WholeFile {
  llvm::StringRef path, bytes; ///< "-" is standard output
};
/// Writes whole files, through temporary names, all or none. None may be one that the run reads or writes
/// otherwise: `files` knows those.
llvm::Error writeWhole(llvm::ArrayRef<WholeFile> outputs, RunFiles files = {});
/// Standard output was written completely (no full disk); a reader that closed the pipe is no error.
llvm::Error finishOutput();
/// Whether messages may be coloured: a terminal, and NO_COLOR is not set.
bool useColours();

} // namespace leno
