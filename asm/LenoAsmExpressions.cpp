//===- LenoAsmExpressions.cpp - Integer expressions -----------------------===//
// LLVM's parser makes a tree of an expression, and works it out at its end: one
// of fifty thousand terms is as many calls deep. Operators are taken here, where
// what is known is folded as it comes, and mistakes have their place.
//===----------------------------------------------------------------------===//
#include "asm/LenoAsmParser.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCSymbol.h"

using namespace llvm;

namespace leno {

constexpr unsigned mostNested = 256;
constexpr unsigned mostUnfolded = 1000;

/// LLVM's precedences for GNU's syntax; 0 for what is no operator.
static unsigned precedenceOf(AsmToken::TokenKind kind, MCBinaryExpr::Opcode &op) {
  struct Row {
    AsmToken::TokenKind kind;
    MCBinaryExpr::Opcode op;
    unsigned precedence;
  };
  using Op = MCBinaryExpr;
  static constexpr Row rows[] = {
      {AsmToken::PipePipe, Op::LOr, 1},     {AsmToken::AmpAmp, Op::LAnd, 2},
      {AsmToken::EqualEqual, Op::EQ, 3},    {AsmToken::ExclaimEqual, Op::NE, 3},
      {AsmToken::LessGreater, Op::NE, 3},   {AsmToken::Less, Op::LT, 3},
      {AsmToken::LessEqual, Op::LTE, 3},    {AsmToken::Greater, Op::GT, 3},
      {AsmToken::GreaterEqual, Op::GTE, 3}, {AsmToken::Plus, Op::Add, 4},
      {AsmToken::Minus, Op::Sub, 4},        {AsmToken::Pipe, Op::Or, 5},
      {AsmToken::Exclaim, Op::OrNot, 5},    {AsmToken::Caret, Op::Xor, 5},
      {AsmToken::Amp, Op::And, 5},          {AsmToken::Star, Op::Mul, 6},
      {AsmToken::Slash, Op::Div, 6},        {AsmToken::Percent, Op::Mod, 6},
      {AsmToken::LessLess, Op::Shl, 6},     {AsmToken::GreaterGreater, Op::LShr, 6}};
  for (const Row &row : rows)
    if (row.kind == kind) {
      op = row.op;
      return row.precedence;
    }
  return 0;
}

/// The operators of `expr` and the names it goes by, those of what the names stand for too. LLVM works all of
/// them out, one inside the other and as often as they occur, so that counting ends behind the limit: names
/// may double with each line, or stand for themselves.
static unsigned unfoldedIn(const MCExpr *expr) {
  SmallVector<const MCExpr *, 16> left{expr};
  unsigned count = 0;
  while (!left.empty() && count <= mostUnfolded) {
    const MCExpr *at = left.pop_back_val();
    if (const auto *binary = dyn_cast<MCBinaryExpr>(at))
      left.append({binary->getRHS(), binary->getLHS()});
    else if (const auto *unary = dyn_cast<MCUnaryExpr>(at))
      left.push_back(unary->getSubExpr());
    else if (const auto *name = dyn_cast<MCSymbolRefExpr>(at); name && name->getSymbol().isVariable())
      left.push_back(name->getSymbol().getVariableValue());
    else
      continue;
    ++count;
  }
  return count;
}

bool LenoAsmParser::tooMuchIn(StringRef name, SMLoc loc) {
  return Error(loc, "'" + name + "' stands for itself, or makes it more than " + Twine(mostUnfolded) +
                        " operators on values that are not known here: define these before");
}

/// Names may get their values behind their uses.
void LenoAsmParser::checkNames() {
  const MCSymbol *first = nullptr;
  auto place = [](const MCSymbol &symbol) { return symbol.getVariableValue()->getLoc(); };
  for (const auto &entry : getContext().getSymbols()) {
    const MCSymbol *symbol = entry.second.Symbol;
    if (!symbol || !symbol->isVariable() ||
        (first && place(*first).getPointer() <= place(*symbol).getPointer()))
      continue;
    if (unfoldedIn(symbol->getVariableValue()) > mostUnfolded)
      first = symbol;
  }
  if (first)
    tooMuchIn(first->getName(), place(*first));
}

/// The whole of an expression: no operator is left for LLVM's parser, whose virtual function this is.
bool LenoAsmParser::parsePrimaryExpr(const MCExpr *&res, SMLoc &end) {
  if (nesting == 0)
    unfolded = 0;
  if (nesting == mostNested)
    return Error(token().getLoc(), "parentheses are nested more than " + Twine(mostNested) + " deep here");
  ++nesting;
  bool failed = parseOperators(res, end, 1);
  --nesting;
  return failed;
}

/// An expression in brackets: LLVM's parser, which takes what operators are left, does not know that a
/// register may follow.
bool LenoAsmParser::parseNumber(const MCExpr *&res, SMLoc &end) {
  return stopsAtRegister ? parsePrimaryExpr(res, end) : parser.parseExpression(res, end);
}

/// `made` in the place of `res`: its value, if that is known.
bool LenoAsmParser::fold(const MCExpr *&res, const MCExpr *made, SMLoc loc) {
  res = made;
  if (int64_t value; unfolded < mostUnfolded && made->evaluateAsAbsolute(value)) {
    res = MCConstantExpr::create(value, getContext());
    return false;
  }
  if (++unfolded < mostUnfolded)
    return false;
  return Error(loc, "more than " + Twine(mostUnfolded) +
                        " operators on values that are not known here: .set parts of it before");
}

bool LenoAsmParser::parseOperators(const MCExpr *&res, SMLoc &end, unsigned lowest) {
  if (parseSigned(res, end))
    return true;
  for (;;) {
    MCBinaryExpr::Opcode op{};
    unsigned precedence = precedenceOf(token().getKind(), op);
    if (!precedence || precedence < lowest)
      return false;
    if (stopsAtRegister && nesting == 1 && op == MCBinaryExpr::Add && registerFollows())
      return false;
    SMLoc opLoc = token().getLoc();
    Lex();
    SMLoc rightLoc = token().getLoc();
    const MCExpr *right;
    if (parseOperators(right, end, precedence + 1))
      return true;
    if (const auto *known = dyn_cast<MCConstantExpr>(right)) {
      int64_t value = known->getValue();
      bool divides = op == MCBinaryExpr::Div || op == MCBinaryExpr::Mod;
      if (divides && value == 0)
        return Error(rightLoc, "division by zero");
      if ((op == MCBinaryExpr::Shl || op == MCBinaryExpr::LShr) && (value < 0 || value > 63))
        return Error(rightLoc,
                     "a shift by " + Twine(value) + ": expressions have 64 bits, and shift by 0 to 63");
      if (divides && value == -1) { // the processor traps where the least number is divided
        if (op == MCBinaryExpr::Mod)
          res = MCConstantExpr::create(0, getContext());
        else if (fold(res, MCUnaryExpr::createMinus(res, getContext(), opLoc), opLoc))
          return true;
        continue;
      }
    }
    if (fold(res, MCBinaryExpr::create(op, res, right, getContext(), opLoc), opLoc))
      return true;
  }
}

bool LenoAsmParser::parseSigned(const MCExpr *&res, SMLoc &end) {
  SmallVector<std::pair<MCUnaryExpr::Opcode, SMLoc>, 4> signs;
  for (;; Lex())
    if (SMLoc loc = token().getLoc(); token().is(AsmToken::Minus))
      signs.emplace_back(MCUnaryExpr::Minus, loc);
    else if (token().is(AsmToken::Tilde))
      signs.emplace_back(MCUnaryExpr::Not, loc);
    else if (token().is(AsmToken::Exclaim))
      signs.emplace_back(MCUnaryExpr::LNot, loc);
    else if (token().isNot(AsmToken::Plus))
      break;
  if (parseTerm(res, end))
    return true;
  for (auto [op, loc] : reverse(signs))
    if (fold(res, MCUnaryExpr::create(op, res, getContext(), loc), loc))
      return true;
  return false;
}

/// A number, a symbol, an expression in parentheses. A parameter's name is its offset in c[0], a shared
/// variable's its offset in shared memory.
bool LenoAsmParser::parseTerm(const MCExpr *&res, SMLoc &end) {
  const AsmToken &at = token();
  if (at.is(AsmToken::Real))
    return Error(at.getLoc(),
                 "'" + at.getString() +
                     "' is a float, and expressions are of integers: .float, .double and .half put "
                     "floats in memory, and instructions take them as they are");
  if (at.is(AsmToken::BigNum))
    return Error(at.getLoc(), "'" + at.getString() + "' does not fit 64 bits");
  if (at.is(AsmToken::Identifier) && (registerNamed(at.getString()) || findName(at.getString())))
    return Error(at.getLoc(),
                 "'" + at.getString() +
                     "' is a register, and expressions are of numbers: instructions compute with "
                     "registers");
  if (at.is(AsmToken::Identifier) && at.getString().size() > 1 && at.getString()[0] == '$' &&
      isDigit(at.getString()[1]))
    return Error(at.getLoc(), "a number stands without '$': " + at.getString().drop_front());
  if (const KernelInfo *kernel = target().kernel(); kernel && at.is(AsmToken::Identifier)) {
    std::optional<int64_t> offset;
    StringRef name = at.getString();
    for (const KernelParam &param : kernel->params)
      if (param.name == name)
        offset = param.offset;
    for (const SharedVariable &variable : kernel->shared)
      if (variable.name == name) {
        offset = variable.offset;
        uint32_t number = uint32_t(&variable - kernel->shared.data());
        sharedNamed = sharedNamed ? SharedUse::several : number;
      }
    if (offset) {
      res = MCConstantExpr::create(*offset, getContext());
      end = at.getEndLoc();
      Lex();
      return false;
    }
  }
  SMLoc loc = at.getLoc();
  if (MCTargetAsmParser::parsePrimaryExpr(res, end))
    return true;
  if (const auto *name = dyn_cast<MCSymbolRefExpr>(res); name && name->getSymbol().isVariable())
    if ((unfolded += unfoldedIn(res)) > mostUnfolded)
      return tooMuchIn(name->getSymbol().getName(), loc);
  return false;
}

} // namespace leno
