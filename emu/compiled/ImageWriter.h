//===- ImageWriter.h - An object becomes an image that can be loaded ------===//
#pragma once
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace leno::compiled {

/// Linked by JITLink to a CodeImage. `object`: of one function that others see.
llvm::Expected<std::string> imageOf(llvm::StringRef object);

} // namespace leno::compiled
