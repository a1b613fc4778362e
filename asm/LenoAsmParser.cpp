//===- LenoAsmParser.cpp - Assembly text to instructions ------------------===//
#include "asm/LenoAsmParser.h"

#include "asm/BuiltinIncludes.h"
#include "asm/ForeignNames.h"
#include "asm/support/NearMiss.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSection.h"
#include "llvm/MC/MCSymbol.h"
#include "llvm/Support/SourceMgr.h"

using namespace llvm;

namespace leno {

#define GET_REGISTER_MATCHER
#define GET_MATCHER_IMPLEMENTATION
#include "isa/LenoGenAsmMatcher.inc"

using Kind = LenoOperand::Kind;

LenoAsmParser::LenoAsmParser(const MCSubtargetInfo &subtargetInfo, MCAsmParser &parser,
                             const MCInstrInfo &instrInfo, const MCTargetOptions &options)
    : MCTargetAsmParser(options, subtargetInfo, instrInfo), parser(parser),
      registerInfo(*parser.getContext().getRegisterInfo()), gprs(256), preds(8) {
  MCAsmParserExtension::Initialize(parser);
  for (MCPhysReg reg : registerInfo.getRegClass(LENO::GPRRegClassID))
    gprs[registerInfo.getEncodingValue(reg)] = reg;
  for (MCPhysReg reg : registerInfo.getRegClass(LENO::PRRegClassID))
    preds[registerInfo.getEncodingValue(reg)] = reg;
}

std::unique_ptr<MCTargetAsmParser> createAsmParser(const MCSubtargetInfo &subtargetInfo, MCAsmParser &parser,
                                                   const MCInstrInfo &instrInfo,
                                                   const MCTargetOptions &options) {
  return std::make_unique<LenoAsmParser>(subtargetInfo, parser, instrInfo, options);
}

std::unique_ptr<LenoOperand> LenoAsmParser::defaultReg(Kind kind, MCRegister reg) const {
  auto operand = std::make_unique<LenoOperand>(kind, SMLoc(), SMLoc());
  operand->reg = reg;
  return operand;
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

/// Whether a name is one of a register. R and P followed by digits always are: a number out of range is an
/// error, and not a label.
bool LenoAsmParser::nameIsRegister(StringRef name, SMLoc loc, MCRegister &reg, bool &failed) {
  failed = false;
  bool isOneOf = false;
  reg = registerNamed(name, &isOneOf);
  if (!reg && isOneOf)
    failed = Error(loc, "there is no " + name.upper() +
                            (toUpper(name[0]) == 'R' ? ": registers are R0 to R254, and RZ"
                                                     : ": predicates are P0 to P6, and PT"));
  return reg.isValid();
}

/// The register or predicate of that name, if there is one. `isOneOf`: it looks like one.
MCRegister LenoAsmParser::registerNamed(StringRef name, bool *isOneOf) const {
  if (name.equals_insensitive("RZ"))
    return LENO::RZ;
  if (name.equals_insensitive("PT"))
    return LENO::PT;
  unsigned number;
  if (name.size() < 2 || !isDigit(name[1]) || !StringRef("RrPp").contains(name[0]) ||
      name.drop_front().getAsInteger(10, number))
    return {};
  if (isOneOf)
    *isOneOf = true;
  const std::vector<MCRegister> &all = toUpper(name[0]) == 'R' ? gprs : preds;
  return number < all.size() - 1 ? all[number] : MCRegister(); // the last, RZ or PT, has no number
}

ParseStatus LenoAsmParser::tryParseRegister(MCRegister &reg, SMLoc &start, SMLoc &end) {
  bool failed;
  start = token().getLoc();
  if (takeRegister(reg, end, failed))
    return ParseStatus::Success;
  return failed ? ParseStatus::Failure : ParseStatus::NoMatch;
}

bool LenoAsmParser::parseRegister(MCRegister &reg, SMLoc &start, SMLoc &end) {
  return tryParseRegister(reg, start, end).isSuccess() ? false : Error(start, "expected a register");
}

//===----------------------------------------------------------------------===//
// Guard, mnemonic, modifiers
//===----------------------------------------------------------------------===//

bool LenoAsmParser::parseInstruction(ParseInstructionInfo &, StringRef name, SMLoc nameLoc,
                                     OperandVector &operands) {
  kernelHasStatements = true;
  sharedNamed.reset();
  StringRef mnemonic(nameLoc.getPointer(), name.size()); // as written: `name` is in lower case
  SMLoc loc = nameLoc;
  guardLoc = SMLoc();
  auto guard = defaultReg(Kind::Guard, LENO::PT);
  operands.push_back(nullptr); // the mnemonic's place
  operands.push_back(std::move(guard));
  inheritGuard(static_cast<LenoOperand &>(*operands[1]));
  if (name == "@" && parseGuard(nameLoc, operands, mnemonic, loc))
    return true;
  if (macroFollows)
    return false;
  if (parseMnemonic(mnemonic, loc, operands))
    return true;
  if (token().isNot(AsmToken::EndOfStatement)) {
    do {
      if (parseOperand(operands))
        return true;
    } while (parseOptionalToken(AsmToken::Comma));
  }
  if (token().isNot(AsmToken::EndOfStatement))
    return explainBehindOperand(static_cast<LenoOperand &>(*operands.back()));
  // For the line table LLVM looks up the line of this instruction in the file that is read then. Behind the
  // last one of an included file that must still be this file, so the end of the line stays.
  if (!getContext().getGenDwarfForAssembly() || getLexer().peekTok().isNot(AsmToken::Eof))
    Lex();
  return false;
}

bool LenoAsmParser::parseGuard(SMLoc at, OperandVector &operands, StringRef &mnemonic, SMLoc &mnemonicLoc) {
  auto &guard = static_cast<LenoOperand &>(*operands[1]);
  guardLoc = guard.start = at;
  guard.sign = LenoOperand::Plain;
  while (parseOptionalToken(AsmToken::Exclaim)) // a macro may negate what it is given: @!!P0 is @P0
    guard.sign ^= LenoOperand::Inverted;
  MCRegister reg;
  bool failed;
  SMLoc predicateLoc = token().getLoc();
  if (!takeRegister(reg, guard.end, failed) || !registerInfo.getRegClass(LENO::PRRegClassID).contains(reg))
    return failed || Error(predicateLoc, "expected a predicate after '@': @P0, @!P3 or @PT");
  guard.reg = reg;
  mnemonicLoc = token().getLoc();
  if (token().isNot(AsmToken::Identifier))
    return Error(mnemonicLoc, token().is(AsmToken::At)
                                  ? "an instruction has one guard: PSETP combines predicates before it"
                                  : "expected an instruction after the guard");
  if (!guardedMacros.empty())
    return explainInherited(Error(at, "this has a guard of its own, and its macro was called with one"));
  if (getContext().lookupMacro(token().getString()))
    return guardMacro(reg, guard.sign);
  mnemonic = token().getString();
  Lex();
  return false;
}

bool LenoAsmParser::parseMnemonic(StringRef text, SMLoc loc, OperandVector &operands) {
  // The longest dotted prefix that is a mnemonic: BAR.SYNC before BAR.
  std::string lower = text.lower();
  StringRef key = lower;
  while (!(current = findMnemonic(key)) && key.contains('.'))
    key = key.rsplit('.').first;
  if (!current) {
    if (StringRef file = builtinFileOfMacro(text); !file.empty())
      return Error(loc, "'" + text + "' is a macro: .include \"" + file + "\" before it");
    return explainMnemonic(text, key, loc);
  }
  auto mnemonic = std::make_unique<LenoOperand>(Kind::Token, loc, loc);
  mnemonic->text = current->key;
  operands[0] = std::move(mnemonic);
  if (!current->guarded) {
    if (guardLoc.isValid() || !guardedMacros.empty())
      return explainInherited(Error(guardLoc.isValid() ? guardLoc : loc,
                                    current->text + " cannot be predicated: it pushes for all active lanes"));
    operands.pop_back();
  }
  return parseModifiers(*current, text.drop_front(key.size()), at(loc, text, text.drop_front(key.size())),
                        operands);
}

bool LenoAsmParser::parseModifiers(const MnemonicInfo &info, StringRef text, SMLoc loc,
                                   OperandVector &operands) {
  SmallVector<std::unique_ptr<LenoOperand>, 8> mods;
  for (LenoMod mod : info.mods) {
    mods.push_back(std::make_unique<LenoOperand>(Kind::Mod, loc, loc));
    mods.back()->mod = mod;
    mods.back()->value = modGroup(mod).implicit;
  }
  StringRef rest = text;
  while (rest.consume_front(".")) {
    StringRef part = rest.take_until([](char c) { return c == '.'; });
    SMLoc partLoc = at(loc, text, part);
    rest = rest.drop_front(part.size());
    NearMiss near(part);
    LenoOperand *free = nullptr, *taken = nullptr;
    for (auto &operand : mods) {
      const ModGroupInfo &group = modGroup(operand->mod);
      int value = group.valueOf(part);
      if (value >= 0 && !operand->given && !free) {
        free = operand.get();
        free->value = value;
      } else if (value >= 0 && operand->given) {
        taken = operand.get();
      }
      for (auto texts : {group.spellings, group.synonyms})
        for (StringRef spelling : texts)
          near.consider(spelling, spelling);
    }
    if (free) {
      free->given = true;
      free->start = partLoc;
      continue;
    }
    StringRef whole(text.data() - info.key.size(), info.key.size() + text.size());
    if (StringRef advice = taken ? "" : adviceForName(whole); !advice.empty())
      return Error(partLoc, info.text + " has no modifier '." + part + "': " + advice);
    if (taken)
      return Error(partLoc, "'." + part + "' is given twice, or contradicts a modifier before it");
    if (part.empty())
      return Error(partLoc, "a modifier is missing after '.'");
    if (StringRef advice = adviceForModifier(part); !advice.empty())
      return Error(partLoc, info.text + " has no modifier '." + part + "': " + advice);
    if (near.found())
      fixIts.replace(part, near.nearest());
    return Error(partLoc, info.text + " has no modifier '." + part + "'" + near.hint(".") +
                              (near.found() ? std::string() : "; it takes " + near.all(".")));
  }
  for (auto &operand : mods) {
    const ModGroupInfo &group = modGroup(operand->mod);
    if (operand->value < 0) {
      NearMiss choices("");
      for (StringRef spelling : group.spellings)
        choices.consider(spelling, spelling);
      return Error(loc, info.text + " needs a modifier (" + group.what + "): one of " + choices.all("."));
    }
    operands.push_back(std::move(operand));
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// Whether a register, a constant or an absolute value begins with this token, and not an expression.
bool LenoAsmParser::beginsSource(const AsmToken &token) const {
  if (token.is(AsmToken::Pipe))
    return true;
  if (token.isNot(AsmToken::Identifier))
    return false;
  StringRef name = token.getString(), whole = name.split('.').first; // R2.B1 is a part of R2
  return name.equals_insensitive("c") || whole.equals_insensitive("RZ") || whole.equals_insensitive("PT") ||
         (whole.size() > 1 && StringRef("RrPp").contains(whole[0]) && all_of(whole.drop_front(), isDigit)) ||
         findName(whole);
}

bool LenoAsmParser::parseOperand(OperandVector &operands) {
  SMLoc start = token().getLoc();
  std::unique_ptr<LenoOperand> operand;
  unsigned sign = LenoOperand::Plain;
  AsmToken next = getLexer().peekTok();
  switch (token().getKind()) {
  case AsmToken::LBrac:
    operand = parseAddress();
    break;
  case AsmToken::At:
    return Error(start, "a guard stands before the instruction: @P0 " + current->text);
  case AsmToken::Minus:
  case AsmToken::Plus:
    if (beginsFloat(next)) {
      bool negative = token().is(AsmToken::Minus);
      Lex();
      operand = parseFloat(negative, start);
      break;
    }
    [[fallthrough]];
  case AsmToken::Tilde:
  case AsmToken::Exclaim:
    if (beginsSource(next)) {
      sign = token().is(AsmToken::Minus)  ? LenoOperand::Negated
             : token().is(AsmToken::Plus) ? LenoOperand::Plain
                                          : LenoOperand::Inverted;
      bool exclaim = token().is(AsmToken::Exclaim);
      Lex();
      operand = parseSource(sign, start);
      if (operand && exclaim != (operand->kind == Kind::Predicate) && sign == LenoOperand::Inverted) {
        fixIts.replace(textAt(start, 1), exclaim ? "~" : "!");
        return Error(start, exclaim ? "'!' negates predicates; a register is inverted with '~'"
                                    : "'~' inverts registers; a predicate is negated with '!'");
      }
      break;
    }
    operand = parseImmediate();
    break;
  default:
    operand = beginsSource(token()) ? parseSource(sign, start) : parseImmediate();
    break;
  }
  if (!operand)
    return true;
  operands.push_back(std::move(operand));
  return false;
}

/// A register, predicate or constant, after its sign; `|x|` here.
std::unique_ptr<LenoOperand> LenoAsmParser::parseSource(unsigned sign, SMLoc start) {
  bool absolute = parseOptionalToken(AsmToken::Pipe);
  if (absolute)
    sign |= LenoOperand::Absolute;
  std::unique_ptr<LenoOperand> operand;
  if (token().is(AsmToken::Identifier) && token().getString().equals_insensitive("c")) {
    operand = parseConstant(sign, start);
  } else {
    MCRegister reg;
    SMLoc end;
    bool failed = false;
    StringRef part;
    if (!takeRegister(reg, end, failed, &part)) {
      if (!failed)
        Error(token().getLoc(), "expected a register or a constant c[bank][offset] here");
      return nullptr;
    }
    bool predicate = registerInfo.getRegClass(LENO::PRRegClassID).contains(reg);
    operand = std::make_unique<LenoOperand>(predicate ? Kind::Predicate : Kind::Register, start, end);
    operand->reg = reg;
    operand->sign = sign;
    if (part.data() && parsePart(*operand, part, SMLoc::getFromPointer(part.data())))
      return nullptr;
  }
  if (operand && absolute) {
    operand->end = token().getEndLoc();
    if (parser.parseToken(AsmToken::Pipe, "expected '|' to close the absolute value"))
      return nullptr;
  }
  return operand;
}

/// The part of a source that is written behind it: B1 of `R2.B1`.
bool LenoAsmParser::parsePart(LenoOperand &operand, StringRef text, SMLoc loc) {
  const ModGroupInfo &parts = modGroup(LenoMod::SubWord);
  int value = operand.kind == Kind::Predicate ? -1 : parts.valueOf(text);
  if (value >= 0) {
    operand.part = unsigned(value);
    return false;
  }
  if (operand.kind == Kind::Predicate)
    return Error(loc, "a predicate has no parts");
  NearMiss names("");
  for (StringRef spelling : parts.spellings)
    names.consider(spelling, spelling);
  return Error(loc, "there is no part '." + text + "'; a source has " + names.all("."));
}

/// The token at hand as a float. Which format it goes to only the instruction says: its text is kept.
std::unique_ptr<LenoOperand> LenoAsmParser::parseFloat(bool negative, SMLoc start) {
  StringRef text = token().getString();
  if (FloatLiteral read = readFloat(text, APFloat::IEEEdouble()); read.status == FloatLiteral::Malformed) {
    Error(token().getLoc(), read.message);
    return nullptr;
  }
  auto operand = std::make_unique<LenoOperand>(Kind::Immediate, start, token().getEndLoc());
  operand->number = (negative ? "-" : "") + text.str();
  Lex();
  return operand;
}

/// Whether a float begins with this token; also an integer that only a float can hold.
bool LenoAsmParser::beginsFloat(const AsmToken &token) {
  if (token.is(AsmToken::Identifier))
    return token.getString().equals_insensitive("inf") || token.getString().equals_insensitive("nan");
  return token.is(AsmToken::Real) || (token.is(AsmToken::BigNum) && all_of(token.getString(), isDigit));
}

/// CC.LT and the like.
std::unique_ptr<LenoOperand> LenoAsmParser::parseFlagTest() {
  const ModGroupInfo &tests = modGroup(LenoMod::CCTest);
  StringRef text = token().getString(), name = text.drop_front(3);
  auto operand = std::make_unique<LenoOperand>(Kind::FlagTest, token().getLoc(), token().getEndLoc());
  operand->value = tests.valueOf(name);
  if (operand->value < 0) {
    NearMiss near(name);
    for (StringRef spelling : tests.spellings)
      near.consider(spelling, spelling);
    Error(at(operand->start, text, name), "there is no test of the flags '" + text + "'" + near.hint("CC.") +
                                              (near.found() ? "" : "; there are " + near.all("CC.")));
    return nullptr;
  }
  Lex();
  return operand;
}

std::unique_ptr<LenoOperand> LenoAsmParser::parseImmediate() {
  SMLoc start = token().getLoc();
  if (beginsFloat(token()))
    return parseFloat(false, start);
  if (token().is(AsmToken::Identifier)) {
    StringRef name = token().getString();
    if ((name.equals_insensitive("lo") || name.equals_insensitive("hi")) &&
        getLexer().peekTok().is(AsmToken::LParen))
      return parseAddressHalf();
    if (name.starts_with_insensitive("CC."))
      return parseFlagTest();
    if (name.starts_with_insensitive("SR_")) {
      const SpecialRegisterInfo *special = findSpecialRegister(name);
      if (!special) {
        NearMiss near(name);
        for (const SpecialRegisterInfo &info : allSpecialRegisters())
          near.consider(info.text, info.text);
        std::string axes;
        for (const SpecialRegisterInfo &info : allSpecialRegisters())
          if (info.text.starts_with_insensitive((name + ".").str()))
            axes += (axes.empty() ? "; there are " : ", ") + info.text.str();
        if (near.found() && axes.empty())
          fixIts.replace(name, near.nearest());
        Error(start, "unknown special register '" + name + "'" + (axes.empty() ? near.hint() : axes));
        return nullptr;
      }
      auto operand = std::make_unique<LenoOperand>(Kind::Special, start, token().getEndLoc());
      operand->value = special->value;
      Lex();
      return operand;
    }
  }
  if (token().is(AsmToken::EndOfStatement) || token().is(AsmToken::Comma)) {
    Error(start, *start.getPointer() == '#'
                     ? "an operand is missing: '#' begins a comment, and a number stands without it"
                     : "an operand is missing here");
    return nullptr;
  }
  bool pattern =
      token().is(AsmToken::Integer) && token().getString().size() > 1 && token().getString()[0] == '0';
  auto operand = std::make_unique<LenoOperand>(Kind::Immediate, start, start);
  if (token().is(AsmToken::Identifier) && isParameter(token().getString())) {
    AsmToken next = getLexer().peekTok();
    operand->isParameter =
        next.is(AsmToken::EndOfStatement) || next.is(AsmToken::Comma) || next.is(AsmToken::LBrac);
  }
  const MCExpr *expr;
  if (parser.parseExpression(expr, operand->end))
    return nullptr;
  if (!expr->evaluateAsAbsolute(operand->value))
    operand->expr = expr;
  operand->hexadecimal = pattern;
  return operand;
}

/// lo(label) and hi(label): the halves of a 64-bit address.
std::unique_ptr<LenoOperand> LenoAsmParser::parseAddressHalf() {
  auto operand = std::make_unique<LenoOperand>(Kind::Immediate, token().getLoc(), token().getLoc());
  bool low = token().getString().equals_insensitive("lo");
  Lex();
  Lex();
  const MCExpr *expr;
  if (parser.parseExpression(expr))
    return nullptr;
  operand->end = token().getEndLoc();
  if (parser.parseToken(AsmToken::RParen, "expected ')' after the label"))
    return nullptr;
  if (int64_t value; expr->evaluateAsAbsolute(value))
    operand->value = int64_t(uint64_t(value) >> (low ? 0 : 32) & 0xffffffff);
  else
    operand->expr = MCSpecifierExpr::create(expr, low ? AddressHalf::Low : AddressHalf::High, getContext(),
                                            operand->start);
  return operand;
}

/// A value known now; `start` is where its text begins.
bool LenoAsmParser::parseAbsolute(int64_t &value, const char *what, SMLoc &start) {
  parseOptionalToken(AsmToken::Plus); // [R4+x]: x may be a parameter, which a unary plus would hide
  start = token().getLoc();
  SMLoc end;
  const MCExpr *expr;
  if (token().is(AsmToken::EndOfStatement))
    return Error(start, Twine(what) + " is missing here");
  if (parseNumber(expr, end))
    return true;
  if (!expr->evaluateAsAbsolute(value)) {
    NearMiss near(llvm::isa<MCSymbolRefExpr>(expr) ? cast<MCSymbolRefExpr>(expr)->getSymbol().getName() : "");
    if (const KernelInfo *kernel = target().kernel()) {
      for (const KernelParam &param : kernel->params)
        near.consider(param.name, param.name);
      for (const SharedVariable &variable : kernel->shared)
        near.consider(variable.name, variable.name);
    }
    return Error(start,
                 Twine(what) +
                     " must be known here: a number, a parameter, a shared variable or a symbol set before" +
                     near.hint());
  }
  return false;
}

/// An offset in a constant bank: known now, or a label of `.const` data. Bank 0 has no data to label.
bool LenoAsmParser::parseOffset(LenoOperand &operand, SMLoc &start) {
  if (operand.value == 0)
    return parseAbsolute(operand.offset, "the offset", start);
  parseOptionalToken(AsmToken::Plus);
  start = token().getLoc();
  const MCExpr *expr;
  SMLoc end;
  if (parseNumber(expr, end))
    return true;
  if (!expr->evaluateAsAbsolute(operand.offset))
    operand.expr = expr;
  return false;
}

/// c[bank][offset], c[bank][R4], c[bank][R4+offset].
std::unique_ptr<LenoOperand> LenoAsmParser::parseConstant(unsigned sign, SMLoc start) {
  auto operand = std::make_unique<LenoOperand>(Kind::Constant, start, start);
  operand->sign = sign;
  Lex();
  if (parser.parseToken(AsmToken::LBrac, "expected c[bank][offset]"))
    return nullptr;
  SMLoc bankLoc = token().getLoc();
  if (token().is(AsmToken::Identifier) && isParameter(token().getString())) {
    Error(bankLoc, "a constant has a bank and an offset: c[0][" + token().getString() + "]");
    return nullptr;
  }
  if (parseAbsolute(operand->value, "the bank", bankLoc))
    return nullptr;
  if (operand->value < 0 || operand->value > 15) {
    Error(bankLoc, "there is no constant bank " + Twine(operand->value) + ": banks are 0 to 15");
    return nullptr;
  }
  if (parser.parseToken(AsmToken::RBrac, "expected ']' after the bank") ||
      parser.parseToken(AsmToken::LBrac, "expected '[' and the offset"))
    return nullptr;
  MCRegister reg;
  SMLoc offsetLoc;
  auto addOffset = [&](SMLoc &at) {
    int64_t before = std::exchange(operand->offset, 0);
    const MCExpr *label = std::exchange(operand->expr, nullptr);
    if (parseOffset(*operand, at))
      return true;
    operand->offset += before;
    if (label)
      operand->expr = MCBinaryExpr::createAdd(
          label, operand->expr ? operand->expr : MCConstantExpr::create(operand->offset, getContext()),
          getContext());
    return false;
  };
  if (parsePlace(reg, nullptr, offsetLoc, addOffset))
    return nullptr;
  operand->reg = reg;
  if (operand->offset < 0 || operand->offset >= int64_t(constantBankBytes)) {
    Error(offsetLoc, "offset " + Twine(operand->offset) + " is outside the bank: it has bytes 0 to 65535");
    return nullptr;
  }
  operand->end = token().getEndLoc();
  if (parser.parseToken(AsmToken::RBrac, "expected ']' after the offset"))
    return nullptr;
  if (token().is(AsmToken::Identifier) && token().getString().starts_with(".")) {
    StringRef text = token().getString().drop_front();
    if (parsePart(*operand, text, SMLoc::getFromPointer(text.data())))
      return nullptr;
    operand->end = token().getEndLoc();
    Lex();
  }
  return operand;
}

/// Whether the token behind this one begins a register.
bool LenoAsmParser::registerFollows() {
  AsmToken next = getLexer().peekTok();
  return next.is(AsmToken::Identifier) && !next.getString().equals_insensitive("c") && beginsSource(next);
}

/// What stands in brackets: a register, a number, or both in either order; `parseNumber` adds one. `width`:
/// what is written behind the register's dot, when that may be. The register is none when there is none.
bool LenoAsmParser::parsePlace(MCRegister &reg, StringRef *width, SMLoc &offsetLoc,
                               function_ref<bool(SMLoc &)> parseNumber) {
  bool failed = false, numbered = false;
  auto takeBase = [&] {
    SMLoc loc = token().getLoc(), end;
    if (!takeRegister(reg, end, failed, width))
      return failed;
    if (registerInfo.getRegClass(LENO::PRRegClassID).contains(reg))
      return Error(loc, width ? "an address needs a register, not a predicate"
                              : "the offset of a constant is a number or a register, not a predicate");
    return false;
  };
  offsetLoc = token().getLoc();
  if (takeBase())
    return true;
  if (!reg) {
    stopsAtRegister = true;
    failed = parseNumber(offsetLoc);
    stopsAtRegister = false;
    if (failed)
      return true;
    numbered = true;
    if (token().is(AsmToken::Plus)) {
      Lex();
      if (takeBase())
        return true;
    }
  }
  if (token().is(AsmToken::RBrac) || (numbered && !reg))
    return false;
  if (token().is(AsmToken::Star) || token().is(AsmToken::LessLess))
    return Error(token().getLoc(), "a register is not scaled in an address: SHL or IMAD before it");
  if (token().isNot(AsmToken::Plus) && token().isNot(AsmToken::Minus)) {
    bool comma = token().is(AsmToken::Comma);
    return Error(token().getLoc(), comma ? "an offset stands behind '+', as in [R4+16]"
                                         : "expected ']' to close the address, or an offset such as +16");
  }
  if (registerFollows())
    return Error(getLexer().peekTok().getLoc(),
                 token().is(AsmToken::Plus) ? "an address has one register: add the two with IADD before"
                                            : "a register is not subtracted in an address: ISUB before it");
  offsetLoc = token().getLoc();
  return parseNumber(offsetLoc);
}

bool LenoAsmParser::isParameter(StringRef name) {
  const KernelInfo *kernel = target().kernel();
  return kernel && any_of(kernel->params, [&](const KernelParam &param) { return param.name == name; });
}

/// [R4], [R4+16], [R4.64-8], [tile+R4], [0x100].
std::unique_ptr<LenoOperand> LenoAsmParser::parseAddress() {
  auto operand = std::make_unique<LenoOperand>(Kind::Address, token().getLoc(), token().getLoc());
  Lex();
  StringRef width;
  SMLoc baseLoc = token().getLoc(), offsetLoc;
  auto addOffset = [&](SMLoc &at) {
    int64_t before = std::exchange(operand->offset, 0);
    if (parseAbsolute(operand->offset, "the offset", at))
      return true;
    operand->offset += before;
    return false;
  };
  if (parsePlace(operand->reg, &width, offsetLoc, addOffset))
    return nullptr;
  operand->value = width == "64";
  if (!width.empty() && width != "64") {
    StringRef name(baseLoc.getPointer(), size_t(width.data() - baseLoc.getPointer() - 1));
    Error(SMLoc::getFromPointer(width.data()), "an address register is " + name + " or " + name + ".64");
    return nullptr;
  }
  if (!operand->reg)
    operand->reg = LENO::RZ;
  if (!isInt<24>(operand->offset)) {
    Error(offsetLoc, "offset " + Twine(operand->offset) + " does not fit: -8388608 to 8388607 bytes");
    return nullptr;
  }
  operand->end = token().getEndLoc();
  if (parser.parseToken(AsmToken::RBrac, "expected ']' to close the address"))
    return nullptr;
  return operand;
}

} // namespace leno
