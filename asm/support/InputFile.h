//===- InputFile.h - Whole files, as every tool reads them ----------------===//
// Read rather than mapped: a file that shrinks meanwhile must not end the process with SIGBUS. And bounded: a
// device without an end (/dev/zero) or a file that is mostly holes must not take all memory.
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace leno {

class RunFiles;

/// The most bytes that a program, its source or a script may have.
constexpr uint64_t mostProgramBytes = uint64_t(256) << 20;

/// All bytes of a file; "-" is standard input. The error says why they cannot be read, and not whose they
/// are.
llvm::Expected<std::vector<uint8_t>> readBytes(llvm::StringRef path, uint64_t limit);
/// The same for those who parse: a zero follows the bytes.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> readWhole(llvm::StringRef path,
                                                              uint64_t limit = mostProgramBytes);
/// The same, and notes the file in `files`; the error names it.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> readInput(llvm::StringRef path,
                                                              RunFiles *files = nullptr);

} // namespace leno
