//===- AssemblerNumbers.h - The assembler's side of the code generator -----------===//
// The code generator numbers registers and instructions by its own records;
// this is what it asks of the assembler's, by name.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <memory>
#include <optional>
#include <vector>

namespace llvm {
class MCAsmInfo;
class MCInstPrinter;
} // namespace llvm

namespace leno {

struct SpecialRegisterFacts {
  unsigned value;
  bool byLane;  ///< may differ between the lanes of a warp
  bool changes; ///< from one read to the next
};
/// By the name that a program reads it by, without `leno_`: `tid_x` is SR_TID.X.
std::optional<SpecialRegisterFacts> specialRegisterByBuiltin(llvm::StringRef name);

/// For each of `count` instructions or registers by its name the assembler's number, 0 where it has none.
std::vector<unsigned> assemblerInstructions(unsigned count,
                                            llvm::function_ref<llvm::StringRef(unsigned)> name);
std::vector<unsigned> assemblerRegisters(unsigned count, llvm::function_ref<llvm::StringRef(unsigned)> name);

/// Whether text names a register or a predicate, in either case.
bool isRegisterName(llvm::StringRef name);

/// Prints the assembler's instructions.
std::unique_ptr<llvm::MCInstPrinter> createTextPrinter(const llvm::MCAsmInfo &asmInfo);

} // namespace leno
