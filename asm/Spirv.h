//===- Spirv.h - SPIR-V modules as words --------------------------------------===//
// What the OpenCL driver and leno-cc look for in them; a packaged translator (llvm-spirv) reads the rest.
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <string>
#include <vector>

namespace leno {

/// Whether it begins as SPIR-V does, in either order of bytes.
bool isSpirv(llvm::StringRef bytes);

/// The newest llvm-spirv: what LENO_SPIRV in the environment says, or in PATH. The error says what to
/// install.
llvm::Expected<std::string> spirvTranslator();

/// What it reads, as minor numbers of SPIR-V 1: 0 to this.
inline constexpr unsigned newestSpirv = 4;

class SpirvModule {
public:
  /// The words are well-formed: a header and whole instructions. In this machine's order of bytes then.
  static llvm::Expected<SpirvModule> read(llvm::StringRef bytes);
  std::string bytes() const;

  /// Bytes of the constant that a program may choose by this number (OpDecorate SpecId); 0: there is none.
  size_t specializationBytes(uint32_t id) const;
  /// Chooses it; `value` has those bytes.
  void specialize(uint32_t id, llvm::StringRef value);

  /// What llvm-spirv 15 ends at becomes what it reads: OpConstantNull of a number a constant, OpPtrEqual and
  /// OpPtrNotEqual comparisons of addresses.
  void simplify();

private:
  template <class Visit> void forEach(Visit visit) const;
  /// Where the instruction is that makes this; 0: nowhere.
  size_t definition(uint32_t result) const;
  /// Of a type of one number, in bits; a truth value has 1; 0: it is none.
  unsigned bitsOf(uint32_t type) const;
  std::vector<size_t> specialized(uint32_t id) const;

  std::vector<uint32_t> words;
};

} // namespace leno
