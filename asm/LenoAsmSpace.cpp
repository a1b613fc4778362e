//===- LenoAsmSpace.cpp - Directives that take room by a number -----------===//
// .zero, .space, .skip and .fill put bytes, .rept repeats text, as often as a
// number says. LLVM takes any number, 2.5 by its bits among them, and then runs
// out of memory; a mistyped size shall be an error in its place.
//===----------------------------------------------------------------------===//
#include "asm/LenoAsmParser.h"

#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCSectionELF.h"

using namespace llvm;

namespace leno {

constexpr uint64_t mostFilled = uint64_t(1) << 28;    ///< bytes, of all that a file fills
constexpr uint64_t mostAddressed = uint64_t(1) << 40; ///< bytes, of a section that takes none in the file
constexpr uint64_t mostRepetitions = uint64_t(1) << 24;

/// The number of `what` at hand; one that a label's address decides is null until the file is laid out.
bool LenoAsmParser::parseCount(const MCExpr *&expr, std::optional<uint64_t> &count, const char *what,
                               SMLoc &start) {
  start = token().getLoc();
  if (token().is(AsmToken::EndOfStatement))
    return Error(start, Twine("the number of ") + what + " is missing here");
  if (token().is(AsmToken::Real))
    return Error(start, "'" + token().getString() + "' is no whole number of " + what);
  if (parser.parseExpression(expr))
    return true;
  if (int64_t value; expr->evaluateAsAbsolute(value)) {
    if (value < 0)
      return Error(start, Twine(value) + " " + what + " cannot be");
    count = uint64_t(value);
  }
  return false;
}

/// `bytes` more that a directive fills.
bool LenoAsmParser::roomFor(uint64_t bytes, SMLoc loc) {
  const MCSection *section = getStreamer().getCurrentSectionOnly();
  if (section && section->isBssSection()) {
    if (bytes <= mostAddressed)
      return true;
    return !Error(loc, Twine(bytes) + " bytes are more than a context can address: 1 TiB");
  }
  if (bytes <= mostFilled - filledBytes) {
    filledBytes += bytes;
    return true;
  }
  std::string before = filledBytes ? " and " + std::to_string(filledBytes) + " before it" : "";
  return !Error(loc, Twine(bytes) + " bytes" + before +
                         " make the file larger than the 256 MiB that it may fill: .bss takes no room in the "
                         "file, and buffers come from the host");
}

/// `.zero bytes [, value]`, also `.space` and `.skip`.
bool LenoAsmParser::parseSpace(SMLoc loc) {
  const MCExpr *bytes;
  std::optional<uint64_t> count;
  int64_t value = 0;
  SMLoc bytesLoc, valueLoc;
  if (parser.checkForValidSection() || parseCount(bytes, count, "bytes", bytesLoc) ||
      (parseOptionalToken(AsmToken::Comma) && parseAbsolute(value, "the value", valueLoc)) ||
      parser.parseEOL())
    return true;
  if (count && !roomFor(*count, bytesLoc))
    return true;
  getStreamer().emitFill(*bytes, uint64_t(value), loc);
  return false;
}

/// `.fill count [, size [, value]]`: as often a value of so many bytes, 0 to 8.
bool LenoAsmParser::parseFill(SMLoc loc) {
  const MCExpr *values;
  std::optional<uint64_t> count;
  int64_t size = 1, value = 0;
  SMLoc countLoc, sizeLoc, valueLoc;
  if (parser.checkForValidSection() || parseCount(values, count, "values", countLoc) ||
      (parseOptionalToken(AsmToken::Comma) &&
       (parseAbsolute(size, "the size", sizeLoc) ||
        (parseOptionalToken(AsmToken::Comma) && parseAbsolute(value, "the value", valueLoc)))) ||
      parser.parseEOL())
    return true;
  if (size < 0 || size > 8)
    return Error(sizeLoc, "a value of .fill has 0 to 8 bytes");
  if (!isUIntN(32, uint64_t(value)) && !isInt<32>(value) && size > 4)
    Warning(valueLoc, "a value of .fill has 32 bits at most: the bytes above them are 0");
  if (count && !roomFor(SaturatingMultiply(*count, uint64_t(size)), countLoc))
    return true;
  if (size) // LLVM would divide by it
    getStreamer().emitFill(*values, size, value, loc);
  return false;
}

/// What LLVM repeats as often as the number says that stands next.
ParseStatus LenoAsmParser::checkRepetitions() {
  if (token().is(AsmToken::Real))
    return Error(token().getLoc(), "'" + token().getString() + "' is no whole number of repetitions");
  if (token().is(AsmToken::BigNum) ||
      (token().is(AsmToken::Integer) && uint64_t(token().getIntVal()) > mostRepetitions))
    return Error(token().getLoc(), "'" + token().getString() + "' is too often: " + Twine(mostRepetitions) +
                                       " repetitions at most");
  return ParseStatus::NoMatch;
}

} // namespace leno
