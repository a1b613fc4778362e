//===- InlineAssembly.cpp - What asm statements of C need beside their text ----===//
#include "asm/codegen/InlineAssembly.h"

#include "asm/codegen/Prepare.h"

#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace leno {
namespace {

/// The registers `letter`0, `letter`1, ... that a text names.
SmallBitVector namedRegisters(StringRef text, char letter, unsigned count) {
  SmallBitVector result(count);
  auto isWord = [](char c) { return isAlnum(c) || c == '_' || c == '.'; };
  for (size_t at = 0; (at = text.find(letter, at)) != StringRef::npos; ++at) {
    StringRef rest = text.drop_front(at + 1);
    unsigned number;
    bool begins = !at || !isWord(text[at - 1]);
    if (begins && !rest.consumeInteger(10, number) && number < count && (rest.empty() || !isAlnum(rest[0])))
      result.set(number);
  }
  return result;
}

/// Whether an operand is in the register already: "={v9}", "{R9}", "{v[8:9]}".
bool isOperand(const InlineAsm &assembly, StringRef names, unsigned number) {
  for (const InlineAsm::ConstraintInfo &constraint : assembly.ParseConstraints())
    for (StringRef code : constraint.Codes) {
      unsigned first, last;
      if (!code.consume_front("{") || code.empty() || !names.contains(code[0]))
        continue;
      code = code.drop_front();
      code.consume_front("[");
      if (code.consumeInteger(10, first))
        continue;
      last = first;
      if (code.consume_front(":") && code.consumeInteger(10, last))
        continue;
      if (first <= number && number <= last)
        return true;
    }
  return false;
}

} // namespace

void prepareInlineAssembly(Module &module) {
  for (Function &function : module)
    for (Instruction &inst : instructions(function)) {
      auto *call = dyn_cast<CallBase>(&inst);
      if (!call || !call->isInlineAsm())
        continue;
      auto *assembly = cast<InlineAsm>(call->getCalledOperand());
      std::string text = assembly->getAsmString().str(), constraints = assembly->getConstraintString().str();
      auto clobber = [&](char letter, unsigned count, StringRef names) {
        SmallBitVector named = namedRegisters(text, letter, count);
        for (unsigned number : named.set_bits())
          if (!isOperand(*assembly, names, number))
            constraints +=
                (constraints.empty() ? "~{" : ",~{") + std::string(1, letter) + std::to_string(number) + "}";
      };
      clobber('R', 254, "vR");
      clobber('P', 7, "P");
      const DILocation *place = call->getDebugLoc().get();
      std::string file = place ? sourceName(place->getDirectory(), place->getFilename()) : "";
      if (place && place->getLine() && file.find_first_of("${}|\"\\\n") == std::string::npos)
        text = ("# " + Twine(place->getLine()) + " \"" + file + "\"\n\t" + text).str();
      call->setCalledOperand(InlineAsm::get(assembly->getFunctionType(), text, constraints,
                                            assembly->hasSideEffects(), assembly->isAlignStack(),
                                            assembly->getDialect(), assembly->canThrow()));
    }
}

} // namespace leno
