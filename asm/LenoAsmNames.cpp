//===- LenoAsmNames.cpp - .reg and .pred: names for registers -------------===//
// A name stands for its register wherever one can be written. Inside a .kernel
// it holds to the .endkernel, outside to the end of the file.
//===----------------------------------------------------------------------===//
#include "asm/LenoAsmParser.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSymbol.h"

using namespace llvm;

namespace leno {

const LenoAsmParser::NamedRegisters *LenoAsmParser::findName(StringRef name) const {
  for (const auto *scope : {&kernelNames, &fileNames})
    for (const NamedRegisters &named : *scope)
      if (named.name == name)
        return &named;
  return nullptr;
}

/// The names a kernel sees, for its metadata.
std::vector<RegisterName> LenoAsmParser::visibleNames() const {
  std::vector<RegisterName> names;
  for (const NamedRegisters &named : fileNames)
    if (findName(named.name) == &named)
      names.push_back(named);
  llvm::append_range(names, kernelNames);
  return names;
}

bool LenoAsmParser::nameCanBeDeclared(StringRef name, SMLoc loc) {
  MCRegister reg;
  bool failed;
  for (StringRef taken : {"c", "lo", "hi", "inf", "nan"})
    if (name.equals_insensitive(taken))
      return !Error(loc, "'" + name + "' means something in operands: choose another name");
  if (nameIsRegister(name, loc, reg, failed))
    return !Error(loc, "'" + name + "' is a register itself: choose another name");
  if (failed)
    return false;
  if (name.starts_with_insensitive("SR_"))
    return !Error(loc, "names that begin with SR_ are those of special registers");
  if (name.contains('.'))
    return !Error(loc, "the name of a register has no '.': what follows one is a modifier");
  const auto &scope = target().inKernel() ? kernelNames : fileNames;
  for (const NamedRegisters &named : scope)
    if (named.name == name) {
      Error(loc, "'" + name + "' is declared twice");
      Note(named.loc, "the first time is here");
      return false;
    }
  if (target().inKernel())
    return nameIsNoVariable(name, loc);
  if (MCSymbol *symbol = getContext().lookupSymbol(name); symbol && symbol->isDefined())
    return !Error(loc, "'" + name + "' is already defined");
  return true;
}

/// The [0:3] of `.reg m[0:3], R8`.
bool LenoAsmParser::parseNameRange(NamedRegisters &named) {
  int64_t first, last;
  SMLoc firstLoc, lastLoc;
  Lex();
  if (parseAbsolute(first, "the first index", firstLoc) ||
      parser.parseToken(AsmToken::Colon, "expected ':' and the last index, such as m[0:3]") ||
      parseAbsolute(last, "the last index", lastLoc) ||
      parser.parseToken(AsmToken::RBrac, "expected ']' after the last index"))
    return true;
  if (first < 0 || first > 65535)
    return Error(firstLoc, "the first index is from 0 to 65535");
  if (last < first || last - first > 255)
    return Error(lastLoc, "the last index is from the first, " + Twine(first) + ", to 255 more");
  named.isRange = true;
  named.firstIndex = uint32_t(first);
  named.count = uint32_t(last - first + 1);
  return false;
}

/// `.reg acc, R4`, `.reg m[0:3], R8`, `.pred done, P1`.
bool LenoAsmParser::parseRegisterName(bool isPredicate) {
  NamedRegisters named;
  StringRef name, kind = isPredicate ? "predicate" : "register";
  named.isPredicate = isPredicate;
  named.loc = token().getLoc();
  if (parser.parseIdentifier(name) || name.starts_with("."))
    return Error(named.loc, isPredicate ? "expected a name and a predicate, such as `.pred done, P1`"
                                        : "expected a name and a register, such as `.reg sum, R4`");
  named.name = name.str();
  if (token().is(AsmToken::LBrac) && parseNameRange(named))
    return true;
  if (parser.parseToken(AsmToken::Comma, "expected ',' and the " + kind))
    return true;
  MCRegister reg;
  SMLoc regLoc = token().getLoc(), end;
  bool failed;
  if (!takeRegister(reg, end, failed))
    return failed || Error(regLoc, "expected a " + kind + " here");
  if (registerInfo.getRegClass(LENO::PRRegClassID).contains(reg) != isPredicate)
    return Error(regLoc, isPredicate ? "this is a register: its name is declared with .reg"
                                     : "this is a predicate: its name is declared with .pred");
  if (parser.parseEOL() || !nameCanBeDeclared(name, named.loc))
    return true;
  named.first = registerInfo.getEncodingValue(reg);
  uint32_t most = isPredicate ? 7 : 255; // RZ and PT stand alone
  if (named.count > 1 && named.first + named.count > most)
    return Error(regLoc, Twine(named.count) + " " + kind + "s from " + (isPredicate ? "P" : "R") +
                             Twine(named.first) + " would reach past " + (isPredicate ? "P6" : "R254"));
  (target().inKernel() ? kernelNames : fileNames).push_back(named);
  return false;
}

/// The 64 of `m[2].64`, the B1 of `m[2].B1`; no data: there is none. Behind a bracket it is a token of its
/// own, the 64 to LLVM's lexer a float; and with an offset behind it, `.64+8`, a float that is wrong.
StringRef LenoAsmParser::takeSuffix(SMLoc end) {
  if ((token().is(AsmToken::Real) || token().is(AsmToken::Identifier)) &&
      token().getString().starts_with(".")) {
    StringRef suffix = token().getString().drop_front();
    Lex();
    return suffix;
  }
  StringRef before(end.getPointer(), size_t(token().getLoc().getPointer() - end.getPointer()));
  if (token().is(AsmToken::Error) && before == ".64") {
    getLexer().Lex(); // the parser's own would tell the lexer's error
    return before.drop_front();
  }
  return {};
}

/// Takes a register, a predicate or a name of one, if such comes next. `suffix`, when asked for, is what
/// follows a dot: the 64 of R4.64; it has no data when there is no dot.
bool LenoAsmParser::takeRegister(MCRegister &reg, SMLoc &end, bool &failed, StringRef *suffix) {
  failed = false;
  if (token().isNot(AsmToken::Identifier))
    return false;
  SMLoc loc = token().getLoc();
  StringRef name = token().getString();
  if (suffix)
    std::tie(name, *suffix) = name.split('.');
  bool plain = nameIsRegister(name, loc, reg, failed);
  const NamedRegisters *named = plain || failed ? nullptr : findName(name);
  if (!plain && !named)
    return false;
  end = token().getEndLoc();
  Lex();
  if (plain)
    return true;
  int64_t index = named->firstIndex, last = index + named->count - 1;
  if (!named->isRange && token().is(AsmToken::LBrac))
    return failed = Error(loc, "'" + name + "' is one register, and has no index"), false;
  if (named->isRange) {
    SMLoc indexLoc;
    std::string range =
        named->name + "[" + std::to_string(index) + "] to " + named->name + "[" + std::to_string(last) + "]";
    if (token().isNot(AsmToken::LBrac))
      return failed = Error(loc, "'" + name + "' is several registers: " + range), false;
    Lex();
    failed = parseAbsolute(index, "the index", indexLoc);
    if (!failed && (index < named->firstIndex || index > last))
      failed = Error(indexLoc, "there is no " + named->name + "[" + Twine(index) + "]: " + range);
    end = token().getEndLoc();
    if (failed || (failed = parser.parseToken(AsmToken::RBrac, "expected ']' after the index")))
      return false;
    if (suffix)
      *suffix = takeSuffix(end);
  }
  unsigned number = named->first + unsigned(index - named->firstIndex);
  reg = named->isPredicate ? preds[number] : gprs[number];
  return true;
}

/// `n = 5` is an assignment to a symbol; `R1 = 5` a statement without its instruction.
bool LenoAsmParser::equalIsAsmAssignment() {
  const char *end = token().getLoc().getPointer(), *begin = end;
  while (isSpace(begin[-1]))
    end = --begin;
  while (isAlnum(begin[-1]) || begin[-1] == '_' || begin[-1] == '.')
    --begin;
  StringRef name(begin, size_t(end - begin));
  return !registerNamed(name) && !findName(name);
}

void LenoAsmParser::doBeforeLabelEmit(MCSymbol *symbol, SMLoc loc) {
  StringRef name = symbol->getName();
  firstPlaces.try_emplace(name, loc);
  if (const NamedRegisters *named = findName(name)) {
    Error(loc, "'" + name + "' is the name of a register; a label needs another");
    Note(named->loc, "it is declared here");
  } else if (registerNamed(name)) {
    Error(loc, "'" + name + "' is a register; a label needs another name");
  }
}

} // namespace leno
