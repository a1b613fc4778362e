// Integers as users type them on a command line and in a machine file.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace leno {

struct ScannedInteger {
  enum Status : uint8_t { Ok, Malformed, TooLarge } status = Ok; ///< TooLarge: the magnitude passes 64 bits
  bool negative = false;
  uint64_t magnitude = 0;
  size_t column = 0;   ///< Malformed: the offending character, from 0
  std::string message; ///< Malformed: what is wrong with it
};

/// Reads all of `text`: a sign, then decimal digits or 0x, 0b, 0o and digits. A leading zero before other
/// digits is refused, because C and Python disagree about what it means. With `byteUnits` a decimal number
/// may end in KiB, MiB or GiB.
ScannedInteger scanInteger(llvm::StringRef text, bool byteUnits = false);

} // namespace leno
