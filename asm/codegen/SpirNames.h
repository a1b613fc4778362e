//===- SpirNames.h - Mangled names of SPIR's functions as clang's for amdgcn ------===//
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>

namespace leno {

/// The name with our numbers of address spaces: _Z5fractfPU3AS4f (generic) is _Z5fractfPf, and _Z5fractfPf
/// (private) is _Z5fractfPU3AS5f. Other names stay as they are.
std::string nameFromSpir(llvm::StringRef name);

} // namespace leno
