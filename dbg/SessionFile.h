//===- SessionFile.h - A debugging session in one file --------------------===//
// The program, its inputs, the machine's settings and the launch; who was let run, and what the user changed;
// breakpoints, displays and values; the sources' text. Opened on another machine, the launch is executed
// again up to the same instruction, and a hash of the machine's state tells that it is the same.
//
// The file is text: a line "LENO SESSION 6", the SHA-256 of what follows, and a JSON document.
//===----------------------------------------------------------------------===//
#pragma once

#include "dbg/Interpreter.h"

namespace leno::dbg {

/// Whether a file begins as a session does.
bool isSessionFile(llvm::StringRef path);

/// What a file holds, before it is executed again.
struct SavedSession {
  runtime::Prepared::Saved work;
  Session::Moment moment;
  std::vector<Breakpoint> breakpoints;
  std::vector<std::optional<std::pair<u32, size_t>>> programs; ///< of each: Session::launchThatRuns
  struct Display {
    char format;
    std::string expression;
  };
  std::vector<Display> displays;
  std::map<std::string, std::string> sources; ///< text by name
  u64 hash = 0;                               ///< of the machine's state
};

/// All that a file of it holds.
SavedSession savedSession(Interpreter &interpreter);
llvm::Error saveSession(Interpreter &interpreter, llvm::StringRef path);
/// Errors name the file and what is wrong with it.
llvm::Expected<SavedSession> readSession(llvm::StringRef path);
/// A session at its first instruction, to be given to an interpreter.
llvm::Expected<std::unique_ptr<Session>> openSession(SavedSession &saved);
/// Executes what was executed, and tells where it stopped; on a terminal also how far it has come. Fails when
/// it does not come out as it was, and on Ctrl-C when it is interruptible.
llvm::Error repeatSession(const SavedSession &saved, Interpreter &interpreter, bool interruptible);

/// All that what happens next depends on, in one number.
u64 stateHash(const Machine &machine);

} // namespace leno::dbg
