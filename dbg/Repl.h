//===- Repl.h - Where the lines come from ---------------------------------===//
#pragma once

#include "dbg/Interpreter.h"

namespace leno::dbg {

/// Reads commands until the end of the input or `quit`: from a terminal with editing, history, completion and
/// a prompt; from a pipe or a file line by line, each echoed behind the prompt unless `quiet`.
void runRepl(Interpreter &interpreter, bool quiet);

} // namespace leno::dbg
