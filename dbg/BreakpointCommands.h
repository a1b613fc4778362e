//===- BreakpointCommands.h - What commands about breakpoints share -------===//
#pragma once

#include "dbg/Interpreter.h"

namespace leno::dbg {

/// "1 3-5, 7" of those that are known; all where nothing is written; $bpnum is the last. `what` names one in
/// errors, which are TextErrors.
llvm::Expected<std::vector<unsigned>> chosenNumbers(llvm::StringRef text, llvm::ArrayRef<unsigned> known,
                                                    const llvm::Twine &what);
llvm::Expected<std::vector<unsigned>> chosenBreakpoints(Interpreter &in, llvm::StringRef text);
/// The breakpoint whose number the arguments begin with; `rest` is what follows.
llvm::Expected<Breakpoint *> numberedBreakpoint(Interpreter &in, const Invocation &invocation,
                                                llvm::StringRef &rest);
/// Splits `LOCATION if CONDITION`; without a condition the result has no data.
llvm::StringRef takeCondition(llvm::StringRef &text);
/// Null for a text without data.
llvm::Expected<std::shared_ptr<const Expression>> parseCondition(Interpreter &in, llvm::StringRef text,
                                                                 bool isHere = true);
/// " of context a" where there are several.
std::string ofContext(Interpreter &in, u32 context);
/// Tells programs what it is.
void noteBreakpoint(Interpreter &in, const Breakpoint &point);

} // namespace leno::dbg
