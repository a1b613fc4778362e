//===- FloatLiteral.h - Floats as people write them -----------------------===//
// The one reader of float literals: the assembler's, the command line's, the
// debugger's. It goes from the text to the wanted format in one rounding; a way
// by double would round twice.
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace leno {

struct FloatLiteral {
  enum Status : uint8_t {
    Ok,
    Malformed,
    TooLarge, ///< rounds to infinity
    TooSmall, ///< rounds to 0, and is not 0
  } status = Ok;
  bool exact = false;     ///< the format has the very number
  bool roundedUp = false; ///< `value` is further from 0 than the number
  llvm::APFloat value;    ///< the nearest of the format, ties to even; infinity when TooLarge
  std::string message{};  ///< what is wrong, and the way out; none when Ok

  uint64_t bits() const { return value.bitcastToAPInt().getZExtValue(); }
};

/// Reads all of `text`: a sign or none, then a decimal number (2.5, 1e-3, 7), one of C's hexadecimal floats
/// (0x1.8p3), inf or nan in either case. `format` is IEEEhalf, IEEEsingle or IEEEdouble.
FloatLiteral readFloat(llvm::StringRef text, const llvm::fltSemantics &format);

/// A text that readFloat reads back as exactly `value`, which is finite: in decimal where that is short.
std::string exactText(const llvm::APFloat &value);

/// The shortest decimal number that readFloat rounds to `value`, which is finite.
std::string shortestText(const llvm::APFloat &value);

/// "f16", "f32", "f64"
llvm::StringRef formatName(const llvm::fltSemantics &format);

} // namespace leno
