//===- Command.h - A debugger command as a table row ----------------------===//
// Name, aliases, help, preconditions and function stand together: lookup, `help`,
// `apropos`, completion and the checks before a command runs all come from the rows.
//===----------------------------------------------------------------------===//
#pragma once

#include "dbg/Value.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <vector>

namespace leno::dbg {

class Interpreter;
struct Command;

/// What a user typed, after the command was found.
struct Invocation {
  const Command &command;
  llvm::StringRef format;    ///< after the slash: "8xw" of `x/8xw`
  llvm::StringRef arguments; ///< trimmed
  bool repeated;             ///< by an empty line
};

struct Command {
  enum Flag : unsigned {
    NeedsLaunch = 1,   ///< a launch with CTAs to look at
    NeedsWarp = 2,     ///< a warp in focus
    NeedsRunnable = 4, ///< a launch that can go on: not finished, not trapped
    TakesFormat = 8,   ///< `/8xw` after the name
    NoArguments = 16,
    Repeats = 32, ///< an empty line does it again
    CompletesLocation = 64,
    CompletesCommand = 128,
    AnyContext = 256,   ///< with several contexts: also while the focused one runs no grid
    SavesSession = 512, ///< of files only saved sessions are offered
    OpensBlock = 1024,  ///< the lines up to `end` belong to it
    GoesOn = 4096,      ///< NeedsRunnable: or a host program that goes on behind the launch
    Outside = 2048,     ///< writes files, reads scripts, runs programs, or makes what may do so later
  };
  enum Group : u8 { Running, Back, Stopping, Looking, Focusing, Code, General };

  llvm::StringLiteral name;    ///< "print", or two words: "info warps"
  llvm::StringLiteral aliases; ///< separated by blanks
  Group group;
  unsigned flags;
  llvm::StringLiteral arguments; ///< as help shows them: "LOCATION [if CONDITION]"
  llvm::StringLiteral summary;   ///< one line
  llvm::StringLiteral details;   ///< paragraphs, the last one an example that starts with the prompt
  llvm::Error (*run)(Interpreter &, const Invocation &);
};

/// "3", or nothing for 1: how many times. Errors are TextErrors.
llvm::Expected<u64> countOf(const Invocation &invocation);
/// The letter of `/x`, 0 for none. `more`: what else the command takes, for its error.
llvm::Expected<char> formatLetter(const Invocation &invocation, llvm::StringRef more = "");

/// Rows of dbg/commands/, one file a noun.
llvm::ArrayRef<Command> executionCommands();
llvm::ArrayRef<Command> historyCommands();
llvm::ArrayRef<Command> breakpointCommands();
llvm::ArrayRef<Command> checkCommands();
llvm::ArrayRef<Command> dataCommands();
llvm::ArrayRef<Command> constantCommands();
llvm::ArrayRef<Command> infoCommands();
llvm::ArrayRef<Command> warpCommands();
llvm::ArrayRef<Command> tableCommands();
llvm::ArrayRef<Command> machineCommands();
llvm::ArrayRef<Command> cacheCommands();
llvm::ArrayRef<Command> focusCommands();
llvm::ArrayRef<Command> contextCommands();
/// `info sms` of a device with contexts.
llvm::Error tellSmsOfContexts(Interpreter &in, const Invocation &invocation);
llvm::ArrayRef<Command> sourceCommands();
llvm::ArrayRef<Command> sourcePathCommands();
llvm::ArrayRef<Command> symbolCommands();
llvm::ArrayRef<Command> scriptCommands();
llvm::ArrayRef<Command> settingCommands();
llvm::ArrayRef<Command> memoryFileCommands();
llvm::ArrayRef<Command> breakpointEditCommands();
llvm::ArrayRef<Command> generalCommands();
llvm::ArrayRef<Command> sessionCommands();
llvm::ArrayRef<Command> layoutCommands();
llvm::ArrayRef<Command> launchCommands();

/// All rows, in the order of the groups.
llvm::ArrayRef<const Command *> allCommands();
llvm::StringRef groupName(Command::Group group);

/// Finds the command that starts `line` and leaves its arguments in `rest`. A unique prefix of a name does,
/// an alias or a whole name always. Errors (TextErrors) list what an ambiguous prefix can mean, or the
/// nearest name.
llvm::Expected<const Command *> findCommand(llvm::StringRef line, llvm::StringRef &rest);
/// Whether all that a line does is to tell: whoever looks at the same session sees nothing change.
bool onlyLooks(llvm::StringRef line);
/// Names that continue `prefix`, which may hold blanks.
std::vector<std::string> completeCommand(llvm::StringRef prefix);

} // namespace leno::dbg
