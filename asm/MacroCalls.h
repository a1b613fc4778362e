//===- MacroCalls.h - Where expanded text comes from ----------------------===//
// LLVM expands a macro, or the body of .rept and .irp, into a buffer of its own
// and forgets who called when it is done, and where the text stood. What looks
// at it later (messages, the checker's warnings, the listing) asks here.
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/SMLoc.h"
#include "llvm/Support/SourceMgr.h"

namespace llvm {
class MCAsmParser;
class MCContext;
} // namespace llvm

namespace leno {

class MacroCalls {
public:
  /// Called for each instruction while it is parsed: remembers the calls its text comes from.
  void note(llvm::SMLoc loc, llvm::MCAsmParser &parser);
  /// The same, from the calls that are open at `loc`, the innermost first.
  void record(llvm::SMLoc loc, llvm::ArrayRef<llvm::SMLoc> open, const llvm::SourceMgr &sources,
              llvm::MCContext &context);
  /// Where the expansion that holds `loc` was called; invalid when it is no expansion.
  llvm::SMLoc callOf(llvm::SMLoc loc, const llvm::SourceMgr &sources) const;
  /// The same, out of all expansions: a place in a file.
  llvm::SMLoc outermost(llvm::SMLoc loc, const llvm::SourceMgr &sources) const;

  struct Place {
    llvm::SMLoc loc;
    bool differs; ///< its line is not the one that was expanded
  };
  /// Where the text of an expansion stands in a file: in the macro's body, or where the macro is called when
  /// the body is one of ours. A place in a file is its own.
  Place placeInFile(llvm::SMLoc loc, const llvm::SourceMgr &sources) const;

private:
  struct Expansion {
    llvm::SMLoc call;
    llvm::StringRef body; ///< empty: not known
  };
  llvm::DenseMap<unsigned, Expansion> expansions; ///< by number of the buffer
  llvm::StringRef lastBuffer;
};

} // namespace leno
