//===- ForeignNames.h - What other assemblers call our instructions -------===//
#pragma once

#include "llvm/ADT/StringRef.h"

namespace leno {

/// What to write for a name of PTX, SASS, x86, ARM, LLVM IR or C that stands where an instruction is
/// expected: a sentence without its end, or nothing when the name is unknown. `text` is the whole dotted
/// name.
llvm::StringRef adviceForName(llvm::StringRef text);
/// Likewise for a directive, with its dot.
llvm::StringRef adviceForDirective(llvm::StringRef name);
/// Likewise for a modifier without its dot.
llvm::StringRef adviceForModifier(llvm::StringRef modifier);

} // namespace leno
