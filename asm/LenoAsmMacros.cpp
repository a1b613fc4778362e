//===- LenoAsmMacros.cpp - Text from elsewhere: macros and included files -===//
#include "asm/LenoAsmParser.h"

#include "asm/SourceFiles.h"

#include "llvm/Support/SourceMgr.h"

using namespace llvm;

namespace leno {

/// `@P0 macro ...`: the guard is handed to every instruction of the expansion. What follows is left for the
/// next statement, which expands the macro into the next buffer.
bool LenoAsmParser::guardMacro(MCRegister reg, bool inverted) {
  guardedMacros.push_back({parser.getSourceManager().getNumBuffers() + 1, reg, inverted, guardLoc});
  macroFollows = true;
  return false;
}

void LenoAsmParser::inheritGuard(LenoOperand &guard) const {
  if (guardedMacros.empty())
    return;
  guard.reg = guardedMacros.back().reg;
  guard.sign = guardedMacros.back().inverted ? LenoOperand::Inverted : LenoOperand::Plain;
}

/// After an error that a guard before a macro has brought about.
bool LenoAsmParser::explainInherited(bool failed) {
  if (!guardedMacros.empty())
    Note(guardedMacros.back().loc, "the guard stands before the macro here");
  return failed;
}

/// At the end of a macro's expansion.
void LenoAsmParser::leaveMacro(SMLoc loc) {
  if (!guardedMacros.empty() &&
      parser.getSourceManager().FindBufferContainingLoc(loc) == guardedMacros.back().buffer)
    guardedMacros.pop_back();
}

constexpr unsigned mostIncluded = 200;

/// A file that includes itself, or two each other, would do so for ever.
ParseStatus LenoAsmParser::checkInclude(SMLoc loc) {
  const SourceMgr &sources = parser.getSourceManager();
  unsigned depth = 0;
  for (SMLoc at = loc; unsigned id = at.isValid() ? sources.FindBufferContainingLoc(at) : 0; ++depth)
    at = sources.getParentIncludeLoc(id);
  files->opensText = true;
  if (depth <= mostIncluded)
    return ParseStatus::NoMatch;
  Error(loc, "files are included " + Twine(mostIncluded) +
                 " deep here: does one include itself? .ifndef and .set let it be read once");
  giveUp();
  return ParseStatus::Failure;
}

ParseStatus LenoAsmParser::opensBytes() {
  files->opensText = false;
  return ParseStatus::NoMatch;
}

void LenoAsmParser::giveUp() {
  givenUp = true;
  getLexer().setBuffer(StringRef("", 0));
}

} // namespace leno
