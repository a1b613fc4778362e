//===- LenoAsmAdvice.cpp - What to write in place of what does not match --===//
// A line that is given as advice assembles, and means what was meant.
//===----------------------------------------------------------------------===//
#include "asm/LenoAsmParser.h"

#include "asm/BuiltinIncludes.h"
#include "asm/ForeignNames.h"
#include "asm/support/NearMiss.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/MC/MCRegisterInfo.h"

using namespace llvm;

namespace leno {

using Kind = LenoOperand::Kind;

/// The whole dotted mnemonic, as it is written.
static StringRef writtenName(SMLoc loc) {
  const char *end = loc.getPointer();
  while (isAlnum(*end) || *end == '.' || *end == '_')
    ++end;
  return StringRef(loc.getPointer(), size_t(end - loc.getPointer()));
}

/// A statement that begins with no instruction. `key`: the name up to its first dot, in lower case.
bool LenoAsmParser::explainMnemonic(StringRef text, StringRef key, SMLoc loc) {
  if (StringRef file = builtinFileOfMacro(text); !file.empty())
    return Error(loc, "'" + text + "' is a macro: .include \"" + file + "\" before it");
  const NamedRegisters *named = findName(text);
  if (MCRegister reg = registerNamed(text); reg || named) {
    bool predicate = named ? named->isPredicate : registerInfo.getRegClass(LENO::PRRegClassID).contains(reg);
    if (predicate && token().isNot(AsmToken::Equal))
      return Error(loc, "a guard begins with '@': @" + text + " and then the instruction");
    return Error(loc, "'" + text + "' is a " + (predicate ? "predicate" : "register") +
                          ": a statement begins with an instruction, as in " +
                          (predicate ? "ISETP.lt " + text + ", R1, R2" : "IADD " + text + ", R1, R2"));
  }
  std::string lower = text.lower();
  // BAR.RED.XOR is a slip in a dotted name, where nothing is called BAR.
  SmallVector<StringRef, 8> longer;
  for (const MnemonicInfo &info : allMnemonics())
    if (info.key.starts_with((key + ".").str()))
      longer.push_back(info.text);
  NearMiss near(longer.empty() ? key : StringRef(lower));
  if (text.contains('.'))
    for (StringRef name : longer)
      near.consider(name, name);
  if (StringRef advice = near.found() ? "" : adviceForName(text); !advice.empty())
    return Error(loc, "unknown instruction '" + text + "': " + advice);
  if (!longer.empty()) {
    if (!near.found())
      return Error(loc, key.upper() + " needs the rest of its name: " + join(longer, ", "));
  } else {
    NearMiss completed(key, 2); // HADD2 for HADD, before FADD
    for (const MnemonicInfo &info : allMnemonics())
      if (info.key.starts_with(key))
        completed.consider(info.key, info.text);
    if (completed.found() && key.size() > 2)
      near = completed;
    else
      for (const MnemonicInfo &info : allMnemonics())
        near.consider(info.key, info.text);
  }
  if (near.found())
    fixIts.replace(textAt(loc, longer.empty() ? key.size() : text.size()), near.nearest());
  std::string hint = near.hint();
  if (std::string directive = "." + lower; hint.empty() && isDirective(directive))
    hint = "; did you mean the directive '" + directive + "'?";
  bool before =
      token().is(AsmToken::Identifier) && findMnemonic(token().getString().split('.').first.lower());
  if ((token().is(AsmToken::EndOfStatement) || before) && !text.contains('.') &&
      !StringRef(hint).contains("directive"))
    hint += "; a label has a ':' behind it";
  return Error(loc, "unknown instruction '" + (longer.empty() ? text.split('.').first : text) + "'" + hint);
}

/// Something stands behind an operand that neither separates nor ends.
bool LenoAsmParser::explainBehindOperand(const LenoOperand &operand) {
  SMLoc loc = token().getLoc();
  StringRef before = operand.written();
  switch (token().getKind()) {
  case AsmToken::Error:
    return Error(loc, getLexer().getErr());
  case AsmToken::Plus:
  case AsmToken::Minus:
  case AsmToken::Star:
  case AsmToken::LessLess:
  case AsmToken::GreaterGreater:
  case AsmToken::Amp:
  case AsmToken::Slash:
    if (operand.kind == Kind::Register || operand.kind == Kind::Constant)
      return Error(loc, "an operand is one register or constant: IADD, IMAD, SHL and others compute before");
    break;
  case AsmToken::At:
    return Error(loc, "a guard stands before the instruction: @P0 " + current->text);
  case AsmToken::Identifier:
    if (operand.isImm() && before == "0" && token().getString().starts_with_insensitive("f") &&
        token().getString().size() == 9)
      return Error(loc, "PTX writes a float's bits so; here they are 0x" + token().getString().drop_front());
    if (operand.number && token().getString().equals_insensitive("f"))
      return Error(loc, "a float has no suffix: " + before);
    if (operand.isAbsolute() && StringRef("uUlL").contains(token().getString()[0]) &&
        token().getString().size() <= 3)
      return Error(loc, "an integer has no suffix: " + before);
    if (operand.isAbsolute() && token().getString().equals_insensitive("h"))
      return Error(loc, "a hexadecimal number begins with 0x: 0x" + before);
    break;
  case AsmToken::LParen:
    if (operand.isImm())
      return Error(loc, "an address is a register and a number in brackets: [R4+" + before + "]");
    break;
  case AsmToken::LBrac:
    if (operand.isParameter || before.equals_insensitive("c0"))
      return Error(loc, "a parameter's value is c[0][" + (operand.isParameter ? before : "NAME") +
                            "]; memory is read by LDG R1, [R2.64]");
    if (operand.isImm())
      return Error(loc, "an address is one bracket with a register and a number: [R4+" + before + "]");
    break;
  default:
    break;
  }
  return Error(loc, "expected ',' or ';' here: an operand ends at this point");
}

/// A line of that mnemonic and those operands, as they are written, under the same guard.
std::string LenoAsmParser::lineOf(StringRef mnemonic, ArrayRef<const LenoOperand *> given, SMLoc loc) const {
  std::string line;
  if (guardLoc.isValid())
    line = StringRef(guardLoc.getPointer(), size_t(loc.getPointer() - guardLoc.getPointer())).rtrim().str() +
           " ";
  line += mnemonic.str();
  for (size_t i = 0; i < given.size(); ++i)
    line += (i ? ", " : " ") + given[i]->written().str();
  return line;
}

/// FADD for IADD: the same operation in another type.
static bool isOfOtherType(StringRef one, StringRef other) {
  constexpr StringLiteral types = "IFDHPCV";
  return one != other && one.size() > 3 && one.drop_front() == other.drop_front() && types.contains(one[0]) &&
         types.contains(other[0]);
}

bool LenoAsmParser::isSource(const LenoOperand &operand) {
  return operand.kind == Kind::Register || operand.kind == Kind::Immediate || operand.kind == Kind::Constant;
}

/// Whether the operation gives the same when two of its sources are exchanged, with their signs.
static bool commutes(StringRef name, size_t one, size_t other, const OperandVector &operands) {
  auto modifier = [&](LenoMod mod) -> StringRef {
    for (const auto &parsed : operands)
      if (const auto &operand = static_cast<LenoOperand &>(*parsed);
          operand.kind == Kind::Mod && operand.mod == mod)
        return modGroup(mod).spellings[size_t(operand.value)];
    return "";
  };
  StringRef root = name.split('.').first;
  bool pair = one + other == 3; // the first two sources
  bool symmetric = is_contained({"IADD", "FADD", "DADD",  "HADD2", "IMUL", "FMUL",  "DMUL", "HMUL2", "IMAD",
                                 "FFMA", "DFMA", "HFMA2", "IMIN",  "IMAX", "IMNMX", "FMIN", "FMAX",  "FMNMX",
                                 "DMIN", "DMAX", "DMNMX", "AND",   "OR",   "XOR",   "LOP"},
                                root);
  StringRef sign = modifier(LenoMod::MulSign);
  return pair && symmetric && modifier(LenoMod::LogicOp) != "pass" && sign != "us32" && sign != "su32";
}

/// After an operand of the wrong kind: an instruction or an order of operands that there is.
void LenoAsmParser::noteOtherForms(SMLoc loc, const OperandVector &operands, const GivenOperands &given,
                                   size_t wrong) {
  StringRef name = writtenName(loc), key = current->text;
  auto rest = [&] { return name.drop_front(std::min(key.size(), name.size())); };
  // A whole word as the immediate.
  std::string wide = StringSwitch<std::string>(key)
                         .Cases({"AND", "OR", "XOR"}, "LOP32I." + key.lower())
                         .Default(key.str() + "32I");
  const MnemonicInfo *wideInfo = findMnemonic(StringRef(wide).split('.').first.lower());
  auto takesModifiers = [&](const MnemonicInfo &info) {
    return all_of(operands, [&](const auto &parsed) {
      const auto &operand = static_cast<LenoOperand &>(*parsed);
      return operand.kind != Kind::Mod || !operand.given || is_contained(info.mods, operand.mod);
    });
  };
  bool sameKind = !given[wrong]->number || key.starts_with("F"); // a float's bits are no integer
  if (wideInfo && sameKind && fits(*wideInfo, given) && takesModifiers(*wideInfo)) {
    Note(loc, "write " + lineOf(wide + rest().str(), given, loc));
    return;
  }
  if (!given[wrong]->isAbsolute()) {
    std::string types;
    for (const MnemonicInfo &other : allMnemonics())
      if (isOfOtherType(key, other.text) && fits(other, given))
        types += (types.empty() ? "" : " or ") + other.text.str();
    if (!types.empty()) {
      Note(loc, types + " takes these operands");
      return;
    }
  }
  if (key == "ISUB" && given.size() == 3 && wrong == 1 && given[2]->isRegDest() &&
      fits(*findMnemonic("iadd"), {given[0], given[2], given[1]})) {
    Note(loc, "write " + lineOf("IADD" + rest().str(), {given[0]}, loc) + ", -" + given[2]->written().str() +
                  ", " + given[1]->written().str());
    return;
  }
  noteExchanged(loc, operands, given, wrong);
}

/// Two operands in each other's place, where that says the same.
void LenoAsmParser::noteExchanged(SMLoc loc, const OperandVector &operands, const GivenOperands &given,
                                  size_t wrong) {
  std::string name = writtenName(loc).str();
  if (wrong > 0 && noteDestination(loc, given))
    return;
  for (size_t i = 0; i < given.size(); ++i) {
    if (i == wrong || given[i]->kind == given[wrong]->kind)
      continue;
    GivenOperands exchanged = given;
    std::swap(exchanged[i], exchanged[wrong]);
    if (!fits(*current, exchanged))
      continue;
    // Elsewhere nobody knows which was meant: SEL R0, P0, R1, R2 with P0 last chooses R2.
    auto hasOnePlace = [](const LenoOperand &operand) {
      return operand.kind == Kind::Address || operand.kind == Kind::Special;
    };
    bool isDestination = std::min(i, wrong) == 0 && given[wrong]->kind != Kind::Register;
    if (!isDestination && !hasOnePlace(*given[i]) && !hasOnePlace(*given[wrong]) &&
        !(isSource(*given[i]) && isSource(*given[wrong])))
      continue;
    bool sources = isSource(*given[i]) && isSource(*given[wrong]) && std::min(i, wrong) > 0;
    if (sources && !commutes(current->text, i, wrong, operands)) {
      // a < 5 is 5 > a.
      const LenoOperand *test = nullptr;
      for (const auto &parsed : operands)
        if (auto *operand = static_cast<LenoOperand *>(parsed.get());
            operand->kind == Kind::Mod && operand->given &&
            (operand->mod == LenoMod::Cmp || operand->mod == LenoMod::FCmp))
          test = operand;
      if (!test || std::max(i, wrong) != std::min(i, wrong) + 1)
        continue;
      StringRef spelling = modGroup(test->mod).spellings[size_t(test->value)];
      std::string turned = spelling.str();
      if (turned[0] == 'l' || turned[0] == 'g')
        turned[0] = turned[0] == 'l' ? 'g' : 'l';
      name.replace(size_t(test->start.getPointer() - loc.getPointer()), spelling.size(), turned);
    }
    Note(given[i]->start, "write " + lineOf(name, exchanged, loc));
    return;
  }
}

/// `IADD R0, R1` for R0 += R1: where two operands do, the first is written and read.
bool LenoAsmParser::noteDestination(SMLoc loc, const GivenOperands &given) {
  if (given.size() != 2 || !given[0]->isRegDest())
    return false;
  GivenOperands again = given;
  again.insert(again.begin(), given[0]);
  if (!fits(*current, again))
    return false;
  Note(loc,
       "write " + lineOf(writtenName(loc), again, loc) + " if " + given[0]->written() + " is a source, too");
  return true;
}

/// How a value that cannot stand here comes into a register.
std::string LenoAsmParser::wayToRegister(const LenoOperand &operand, const GivenOperands &given) const {
  bool wide = current->text == "IMAD.WIDE" && given.size() == 4 && given.back() == &operand;
  bool pair = wide || any_of(current->forms, [](ArrayRef<OperandKind> form) {
                return any_of(form, [](OperandKind kind) {
                  return operandKind(kind).expects.starts_with("a float whose double");
                });
              });
  if (operand.kind == Kind::Constant)
    return "put it in a register" + std::string(pair ? " pair with two MOVs" : " with MOV");
  std::optional<uint64_t> bits = pair && !wide ? operand.doubleBits() : std::nullopt;
  if (bits)
    return "put it in a register pair with MOV32I, 0x" + utohexstr(uint32_t(*bits), true, 8) +
           " in the low and 0x" + utohexstr(uint32_t(*bits >> 32), true, 8) + " in the high register";
  return "put it in a register" + std::string(pair ? " pair" : "") + " with MOV32I";
}

bool LenoAsmParser::warn(check::Check check, SMLoc loc, const Twine &message, const Twine &note) {
  if (!warnings || !warnings->on[size_t(check)])
    return false;
  bool isError = warnings->isError(check);
  std::string text = (message + warningName(check, isError)).str();
  if (isError)
    Error(loc, text);
  else
    Warning(loc, text);
  Note(loc, note);
  return isError;
}

/// Operands that are allowed, and hardly meant.
void LenoAsmParser::warnOfOperands(const OperandVector &operands) {
  SmallVector<const LenoOperand *, 4> given;
  bool wraps = false;
  for (const auto &parsed : operands) {
    const auto &operand = static_cast<LenoOperand &>(*parsed);
    wraps |= operand.kind == Kind::Mod && operand.mod == LenoMod::W && operand.value;
    if (operand.kind != Kind::Mod && operand.kind != Kind::Guard && operand.kind != Kind::Token)
      given.push_back(&operand);
    if (operand.isParameter)
      warn(check::Check::ParameterOffset, operand.start,
           "this is where the parameter lies in c[0], " + Twine(operand.value) + ", and not its value",
           "c[0][" + operand.written() + "] is the value");
  }
  bool funnel = current->text == "SHF";
  if ((funnel || current->text == "SHL" || current->text == "SHR") && !wraps && given.size() > 2)
    if (const LenoOperand &amount = *given[2];
        amount.isAbsolute() && (amount.value < 0 || amount.value > 31 + funnel))
      warn(check::Check::ShiftRange, amount.start,
           "a shift by " + Twine(amount.value) +
               (amount.value < 0         ? " is one by more than 31: the amount is unsigned"
                : funnel                 ? " is one by 32: there are no more bits to bring in"
                : current->text == "SHL" ? " leaves 0: a register has 32 bits"
                                         : " leaves only copies of the sign, or 0: a register has 32 bits"),
           ".W takes the amount modulo 32");
}

/// What is wrong with a float that does not fit an immediate of 20 bits.
template <unsigned Width>
std::string LenoAsmParser::floatAdvice(const LenoOperand &operand, const GivenOperands &given) const {
  auto [below, above] = operand.floatsAround<Width>();
  std::string way = operand.hexadecimal ||
                            (Width == 32 ? operand.floatBits().has_value() : operand.doubleBits().has_value())
                        ? "; or " + wayToRegister(operand, given)
                        : "";
  // MOV32I would take the integer as it is.
  if (Width == 32 && !way.empty() && all_of(operand.written().ltrim("+-"), isDigit))
    way += ", as " + operand.written().str() + ".0";
  return operand.written().str() + " does not fit: an immediate here has 20 bits (sign, " +
         (Width == 32 ? "8 of exponent, 11" : "11 of exponent, 8") + " of fraction), as " + below + " and " +
         above + " have" + way;
}
template std::string LenoAsmParser::floatAdvice<32>(const LenoOperand &, const GivenOperands &) const;
template std::string LenoAsmParser::floatAdvice<64>(const LenoOperand &, const GivenOperands &) const;

} // namespace leno
