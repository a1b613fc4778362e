//===- LenoAsmMacros.cpp - A guard before a macro's name ------------------===//
#include "asm/LenoAsmParser.h"

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

} // namespace leno
