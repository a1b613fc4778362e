// Tools that call each other are found where they are installed together.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace leno {

/// Where the tool `name` is: what `variable` in the environment says, beside this program or the library we are in,
/// or in PATH. `use`: what it is wanted for, for the message.
llvm::Expected<std::string> programBeside(llvm::StringRef name, const char *variable, llvm::StringRef use);

} // namespace leno
