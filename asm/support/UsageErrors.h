//===- UsageErrors.h - What is wrong with a command line ------------------===//
#pragma once

#include "llvm/ADT/ArrayRef.h"

#include <string>

namespace CLI {
class App;
class ParseError;
} // namespace CLI

namespace leno {

/// One line: the option that a mistyped one is near to, the value that is missing, too many or wrong. `words`
/// is the command line without the tool.
std::string describeMistake(const CLI::App &app, const CLI::ParseError &error, llvm::ArrayRef<char *> words);
/// Throws when an option's value, or an operand, is an empty word (a variable of a script that is not set) or
/// the next option.
void requireValues(const CLI::App &app);

} // namespace leno
