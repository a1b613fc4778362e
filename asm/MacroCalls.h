//===- MacroCalls.h - Where expanded text was called from -----------------===//
// LLVM expands a macro, or the body of .rept and .irp, into a buffer of its own
// and forgets who called when it is done. What looks at instructions later
// (the checker's warnings, the listing) asks here.
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/SMLoc.h"
#include "llvm/Support/SourceMgr.h"

namespace llvm {
class MCAsmParser;
}

namespace leno {

class MacroCalls {
public:
  /// Called for each instruction while it is parsed: remembers the calls its text comes from.
  void note(llvm::SMLoc loc, llvm::MCAsmParser &parser);
  /// Where the expansion that holds `loc` was called; invalid when it is no expansion.
  llvm::SMLoc callOf(llvm::SMLoc loc, const llvm::SourceMgr &sources) const;
  /// The same, out of all expansions: a place in a file.
  llvm::SMLoc outermost(llvm::SMLoc loc, const llvm::SourceMgr &sources) const;

private:
  llvm::DenseMap<unsigned, llvm::SMLoc> calls; ///< by number of the buffer
  llvm::StringRef lastBuffer;
};

} // namespace leno
