//===- Builtins.cpp - What a program calls by name ------------------------------===//
#include "asm/codegen/LenoCode.h"

#include "asm/codegen/AssemblerNumbers.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Function.h"

using namespace llvm;

// Modes are numbers of isa/Modifiers.td: VoteMode, ShflMode, MemScope.
std::optional<LenoBuiltin> llvm::findBuiltin(StringRef name) {
  if (!name.consume_front("leno_"))
    return name.starts_with("leno.parameter.") // ParametersInPlace
               ? std::optional(LenoBuiltin{LenoISD::CONSTANT, 0, false})
               : std::nullopt;
  if (unsigned word; name.starts_with("host_word_") && !name.drop_front(10).getAsInteger(10, word) && word < 8)
    return LenoBuiltin{LenoISD::CONSTANT, 0x20 + 4 * word, false};
  if (std::optional<leno::SpecialRegisterFacts> special = leno::specialRegisterByBuiltin(name))
    return LenoBuiltin{special->changes ? LenoISD::CLOCK : LenoISD::SPECIAL, special->value, special->byLane};
  return StringSwitch<std::optional<LenoBuiltin>>(name)
      .Case("vote_all", LenoBuiltin{LenoISD::VOTE, 0, false})
      .Case("vote_any", LenoBuiltin{LenoISD::VOTE, 1, false})
      .Case("vote_eq", LenoBuiltin{LenoISD::VOTE, 2, false})
      .Case("ballot", LenoBuiltin{LenoISD::BALLOT, 1, false})
      .Case("shuffle_idx", LenoBuiltin{LenoISD::SHUFFLE, 0, true})
      .Case("shuffle_up", LenoBuiltin{LenoISD::SHUFFLE, 1, true})
      .Case("shuffle_down", LenoBuiltin{LenoISD::SHUFFLE, 2, true})
      .Case("shuffle_bfly", LenoBuiltin{LenoISD::SHUFFLE, 3, true})
      .Case("reciprocal", LenoBuiltin{LenoISD::RCP, 0, true})
      .Case("reciprocal_root", LenoBuiltin{LenoISD::RSQ, 0, true})
      .Case("barrier", LenoBuiltin{LenoISD::BARRIER, 0, false})
      .Case("membar_cta", LenoBuiltin{LenoISD::MEMBAR, 0, false})
      .Case("membar_gl", LenoBuiltin{LenoISD::MEMBAR, 1, false})
      .Case("membar_sys", LenoBuiltin{LenoISD::MEMBAR, 2, false})
      .Default(std::nullopt);
}

void llvm::sayUnsupported(const Function &function, const DebugLoc &where, const Twine &what) {
  function.getContext().diagnose(DiagnosticInfoUnsupported(function, what, where));
}

LenoPlace &llvm::placeOfSelection() {
  static LenoPlace place;
  return place;
}
