//===- Listing.h - Source beside what became of it (leno-as -l) -----------===//
#pragma once

#include "asm/MacroCalls.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/SourceMgr.h"

#include <string>
#include <vector>

namespace llvm {
class MCAssembler;
class MCFragment;
class MCSection;
class MCStreamer;
class raw_ostream;
} // namespace llvm

namespace leno {

/// Notes where each instruction and each directive with data lands while a file is assembled; at the end
/// prints every source line with its addresses and words, expansions of macros and included files where they
/// are called.
class Listing {
public:
  /// Called before the streamer emits what stands at `loc`.
  void note(llvm::SMLoc loc, bool isInstruction, llvm::MCStreamer &streamer);
  /// Called when all is laid out: fragments become addresses.
  void layOut(const llvm::MCAssembler &assembler, const llvm::SourceMgr &sources, const MacroCalls &calls);
  /// Prints the main file. `object` is what was written.
  llvm::Error print(llvm::StringRef object, const llvm::SourceMgr &sources, llvm::raw_ostream &os);

private:
  struct Record {
    llvm::SMLoc loc;
    bool isInstruction;
    const llvm::MCSection *section;
    const llvm::MCFragment *fragment;
    uint64_t offset;     ///< in the fragment, then in the section
    std::string name;    ///< of the section
    uint64_t end = 0;    ///< where the next record of the section begins; 0: its end
    unsigned buffer = 0; ///< of the source
  };
  struct Expansion {
    unsigned buffer;
    bool isInclude;
  };
  /// What a line of a buffer gave.
  struct Line {
    llvm::SmallVector<const Record *, 1> records;
    llvm::SmallVector<Expansion, 0> expansions;
  };
  struct Printer;

  std::vector<Record> records;
  std::vector<std::pair<unsigned, llvm::SMLoc>> called; ///< buffers, and where each was called from
};

} // namespace leno
