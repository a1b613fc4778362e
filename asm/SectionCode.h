//===- SectionCode.h - A section's code and where lanes go in it ----------===//
#pragma once

#include "asm/BlockHeat.h"
#include "asm/FileNames.h"
#include "asm/checker/Flows.h"
#include "asm/checker/Registers.h"

namespace leno {

/// The code of a section with branches resolved as far as they stay in it; what other sections hold is not
/// known.
struct SectionCode {
  check::Code code;
  check::Flows flows;

  SectionCode(const DumpSection &section, llvm::ArrayRef<check::ImageKernel> kernels);
  /// The first instruction after `begin` that begins a kernel or function, or ends a kernel.
  uint32_t endOfFunction(uint32_t begin) const;
};

/// Which registers and predicates hold a value that is read later, before and after each instruction: of each
/// lane by itself, calls included.
class Liveness {
public:
  explicit Liveness(const SectionCode &code);
  const check::Cells &before(uint32_t instruction) const { return livesBefore[instruction]; }
  const check::Cells &after(uint32_t instruction) const { return livesAfter[instruction]; }

private:
  struct Part;
  struct Summary {
    check::Cells reads; ///< before anything writes them
    check::Cells keeps; ///< not surely overwritten
  };
  check::Cells solve(Part &part, const check::Cells &atReturn);
  check::Cells beforeBlock(Part &part, size_t block, bool record);
  check::Cells beforeCall(const check::Instruction &inst, const check::Cells &after) const;

  const check::Code &code;
  const check::Blocks &blocks;
  check::Cells mentioned;
  std::map<uint32_t, Summary> summaries; ///< of functions, by their first instruction
  std::vector<check::Cells> livesBefore, livesAfter;
};

/// Prints the blocks and edges of the code as a graph for Graphviz' dot.
struct FlowGraphText {
  const DumpSection &section;
  const SectionCode &code;
  /// The instruction at an address, and the labels there.
  llvm::function_ref<std::string(uint64_t address)> textOf;
  llvm::function_ref<std::string(uint32_t root)> nameOf;
  /// Whether a kernel or function was asked for; what those call is shown, too.
  llvm::function_ref<bool(uint32_t root)> isWanted;
  const BlockHeat *heat = nullptr; ///< of a profile: what colours the blocks

  void print(llvm::raw_ostream &os, unsigned &cluster) const;
};

} // namespace leno
