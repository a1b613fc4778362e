//===- CodePlaces.h - Instructions begin at multiples of their size -------===//
#pragma once

#include "llvm/Support/SMLoc.h"
#include "llvm/Support/SourceMgr.h"

#include <functional>
#include <vector>

namespace llvm {
class MCAssembler;
class MCFragment;
class MCSection;
class MCStreamer;
} // namespace llvm

namespace leno {

/// Notes where instructions, and data among them, land while a file is assembled. Data may have any length,
/// and where they end is known only when all is laid out: then it tells the first instruction of each section
/// that does not begin at a multiple of 8, and sections of code that end within a word.
class CodePlaces {
public:
  /// Called before the streamer emits what stands at `loc`, in a section of code.
  void note(llvm::SMLoc loc, bool isInstruction, llvm::MCStreamer &streamer);
  using Report = std::function<void(llvm::SMLoc, const llvm::Twine &)>;
  void check(const llvm::MCAssembler &assembler, const Report &report) const;

private:
  struct Place {
    llvm::SMLoc loc;
    const llvm::MCFragment *fragment;
    uint32_t offset; ///< in the fragment
    bool isInstruction;
  };
  std::vector<Place> places;
};

} // namespace leno
