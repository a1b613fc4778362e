//===- ExpressionParser.cpp - Text to tree by precedence climbing ---------===//
#include "dbg/ExpressionParser.h"
#include "asm/FloatLiteral.h"
#include "asm/support/Numbers.h"
#include "dbg/Expression.h"
#include "dbg/ExpressionNode.h"
#include "dbg/Text.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace leno::dbg {

using Node = ExpressionNode;
using NodePtr = std::unique_ptr<ExpressionNode>;
using Token = ExpressionToken;

static bool startsIdentifier(char c) { return isAlpha(c) || c == '_' || c == '$'; }
static bool continuesIdentifier(char c) { return isAlnum(c) || c == '_' || c == '$'; }

Token ExpressionParser::number(size_t start) {
  size_t end = start;
  bool isFloat = false, hex = text.substr(start).starts_with_insensitive("0x");
  while (end < text.size()) {
    char c = text[end];
    bool exponentSign =
        (c == '+' || c == '-') && !hex && toLower(text[end - (end > start)]) == 'e' && end > start;
    if (!isAlnum(c) && !exponentSign &&
        !(c == '.' && !hex && end + 1 < text.size() && isDigit(text[end + 1])))
      break;
    isFloat |= !hex && (c == '.' || exponentSign);
    ++end;
  }
  Token result{Token::Number, text.slice(start, end), {}, ""};
  StringRef digits = result.text;
  bool radix = hex || digits.starts_with_insensitive("0b") || digits.starts_with_insensitive("0o");
  isFloat |= !radix && digits.find_first_of("eEfF") != StringRef::npos;
  if (isFloat) {
    bool single = digits.consume_back("f") || digits.consume_back("F");
    FloatLiteral narrow = readFloat(digits, APFloat::IEEEsingle()),
                 wide = readFloat(digits, APFloat::IEEEdouble());
    const FloatLiteral &read = single ? narrow : wide;
    if (!isDigit(digits.back()) || read.status == FloatLiteral::Malformed) {
      result.kind = Token::Bad;
      result.message = "'" + result.text.str() + "' is not a number";
    } else if (read.status != FloatLiteral::Ok) {
      result.kind = Token::Bad;
      result.message = read.message;
    } else if (single)
      result.value = {ValueType::F32, narrow.bits()};
    else
      result.value = Value::ofLiteral(wide.value.convertToDouble(), u32(narrow.bits()));
    return result;
  }
  ScannedInteger scanned = scanInteger(digits);
  if (scanned.status != ScannedInteger::Ok) {
    result.kind = Token::Bad;
    result.message =
        scanned.status == ScannedInteger::TooLarge ? "the number does not fit 64 bits" : scanned.message;
    return result;
  }
  // C's rule for literals: the first type that holds it, unsigned 32 bits only when not written in decimal.
  u64 value = scanned.magnitude;
  using enum ValueType;
  ValueType type = value <= 0x7fffffff            ? S32
                   : value <= 0xffffffff && radix ? U32
                   : value <= 0x7fffffffffffffff  ? S64
                                                  : U64;
  result.value = {type, value, /*literal=*/true};
  return result;
}

void ExpressionParser::advance() {
  while (position < text.size() && isSpace(text[position]))
    ++position;
  token = Token();
  if (position == text.size())
    return;
  char c = text[position];
  if (isDigit(c)) {
    token = number(position);
    position += token.text.size();
    return;
  }
  size_t end = position + 1;
  // A label may start with a dot: `.loop`.
  if (startsIdentifier(c) || (c == '.' && end < text.size() && startsIdentifier(text[end]))) {
    while (end < text.size() && continuesIdentifier(text[end]))
      ++end;
    token = {Token::Identifier, text.slice(position, end), {}, ""};
    position = end;
    return;
  }
  token.kind = Token::Punctuation;
  StringRef two = text.substr(position, 2);
  for (StringRef known : {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "..", "->"})
    if (two == known)
      end = position + 2;
  token.text = text.slice(position, end);
  if (token.text.size() == 1 && !StringRef("+-*/%&|^~!<>=()[]{}.,:@").contains(c)) {
    token.kind = Token::Bad;
    token.message = isPrint(c) ? ("'" + token.text + "' means nothing in an expression").str()
                               : "this character means nothing in an expression";
  }
  position = end;
}

/// C's precedences; 0 for what is no binary operator.
static unsigned precedenceOf(StringRef text, Operator &op) {
  struct Row {
    StringLiteral text;
    Operator op;
    unsigned precedence;
  };
  using enum Operator;
  static constexpr Row rows[] = {{"||", LogicalOr, 1},  {"&&", LogicalAnd, 2},   {"|", Or, 3},
                                 {"^", Xor, 4},         {"&", And, 5},           {"==", Equal, 6},
                                 {"!=", NotEqual, 6},   {"<", Less, 7},          {"<=", LessEqual, 7},
                                 {">", Greater, 7},     {">=", GreaterEqual, 7}, {"<<", ShiftLeft, 8},
                                 {">>", ShiftRight, 8}, {"+", Add, 9},           {"-", Subtract, 9},
                                 {"*", Multiply, 10},   {"/", Divide, 10},       {"%", Remainder, 10}};
  for (const Row &row : rows)
    if (row.text == text) {
      op = row.op;
      return row.precedence;
    }
  return 0;
}

Expected<NodePtr> ExpressionParser::expression(unsigned lowest) {
  Expected<NodePtr> left = unary();
  if (!left)
    return left;
  for (;;) {
    Operator op{};
    unsigned precedence = token.kind == Token::Punctuation ? precedenceOf(token.text, op) : 0;
    if (!precedence || precedence < lowest)
      return left;
    Expected<NodePtr> node = make(Node::Binary, column());
    if (!node)
      return node;
    (*node)->op = op;
    advance();
    Expected<NodePtr> right = expression(precedence + 1);
    if (!right)
      return right;
    (*node)->children.push_back(std::move(*left));
    (*node)->children.push_back(std::move(*right));
    *left = std::move(*node);
  }
}

Expected<NodePtr> ExpressionParser::unary() {
  using enum Operator;
  size_t start = column();
  if (accept("*"))
    return dereference(start);
  if (accept("&"))
    return placeOperator(Operator::AddressOf, start);
  if (at("{"))
    return typedMemory(start);
  if (token.kind == Token::Identifier && token.text == "sizeof") {
    advance();
    return placeOperator(Operator::SizeOf, start);
  }
  if (std::optional<CastOfC> cast = castOfC()) {
    Expected<NodePtr> operand = unary();
    // A pointer is a number of bytes.
    Expected<NodePtr> node = operand ? make(Node::Cast, start) : std::move(operand);
    if (!node)
      return node;
    (*node)->type = cast->isOfSource() ? std::nullopt : cast->stars ? ValueType::U64 : cast->type;
    (*node)->typeName = cast->typeName;
    (*node)->stars = cast->stars;
    hoistLanes(**operand, **node);
    (*node)->children.push_back(std::move(*operand));
    return node;
  }
  for (auto [text, op] :
       {std::pair<StringRef, Operator>("-", Negate), {"!", Not}, {"~", Complement}, {"+", Plus}}) {
    if (!at(text))
      continue;
    Expected<NodePtr> node = make(Node::Unary, column());
    if (!node)
      return node;
    (*node)->op = op;
    advance();
    Expected<NodePtr> operand = unary();
    if (!operand)
      return operand;
    (*node)->children.push_back(std::move(*operand));
    return node;
  }
  return postfix(primary());
}

/// Lanes are those of the whole expression.
void ExpressionParser::hoistLanes(Node &from, Node &to) {
  bool isSubscript = from.lane && !from.lastLane && !from.namesLane;
  to.everyLane = std::exchange(from.everyLane, false);
  if (from.lane && !isSubscript) {
    to.lane = std::move(from.lane);
    to.lastLane = std::move(from.lastLane);
    to.namesLane = std::exchange(from.namesLane, false);
  }
}

Expected<NodePtr> ExpressionParser::part(NodePtr of, Node::Kind kind, size_t at) {
  Expected<NodePtr> node = make(kind, at);
  if (!node)
    return node;
  hoistLanes(*of, **node);
  (*node)->children.push_back(std::move(of));
  return node;
}

/// What follows a value as C has it: p->x, a[i].y, (p + 1)[2]; and [*lanes].
Expected<NodePtr> ExpressionParser::postfix(Expected<NodePtr> node) {
  while (node) {
    Node::Kind kind = (*node)->kind;
    size_t start = column();
    if (kind == Node::Literal || (*node)->count)
      return node;
    if (accept("->")) {
      if (token.kind != Token::Identifier || token.text.starts_with("."))
        return fail("expected a member's name after ->");
      node = part(std::move(*node), Node::Member, start);
      if (node)
        (*node)->name = token.text;
      advance();
      // a->b.c
      continue;
    }
    bool isDotted = token.kind == Token::Identifier && token.text.starts_with(".");
    if (isDotted && kind != Node::Register && kind != Node::Predicate && kind != Node::FlagBit) {
      node = part(std::move(*node), Node::Member, start);
      if (node)
        (*node)->name = token.text.drop_front();
      advance();
      continue;
    }
    if (!at("[") || kind == Node::Register || kind == Node::Predicate || kind == Node::FlagBit ||
        kind == Node::Special)
      return node;
    // a[i][j][lane 3]: the name holds one index and one lane.
    if (kind == Node::Name && (*node)->index && (*node)->lane && !(*node)->namesLane) {
      NodePtr last = std::move((*node)->lane);
      node = part(std::move(*node), Node::Subscript, start);
      if (!node)
        return node;
      (*node)->children.push_back(std::move(last));
    }
    Expected<bool> lanes = lanesInBrackets(**node);
    if (!lanes)
      return lanes.takeError();
    if (*lanes)
      continue;
    accept("[");
    Expected<NodePtr> index = expression();
    if (!index)
      return index;
    node = part(std::move(*node), Node::Subscript, start);
    if (!node)
      return node;
    (*node)->children.push_back(std::move(*index));
    if (Error error = expect("]", "to close the bracket"))
      return std::move(error);
    if (Error error = countSuffix(**node))
      return std::move(error);
  }
  return node;
}

bool ExpressionParser::lanesAhead(bool &every) const {
  if (!at("["))
    return false;
  StringRef inner = text.substr(column() + 1).ltrim();
  StringRef word = inner.take_while([](char c) { return isAlpha(c); });
  StringRef behind = inner.drop_front(word.size()).ltrim();
  bool isWord = (word == "lane" || word == "lanes") && !behind.empty() && (isAlnum(behind[0]) || behind[0] == '$');
  StringRef afterStar = inner.starts_with("*") ? inner.drop_front().ltrim() : "";
  every = afterStar.starts_with("]") ||
          (afterStar.consume_front("lanes") && afterStar.ltrim().starts_with("]"));
  return isWord || every;
}

/// [*], [*lanes], [lane 3], [lanes 0:7]: of what a variable of the source's is.
Expected<bool> ExpressionParser::lanesInBrackets(Node &node) {
  bool isEvery = false;
  if (!lanesAhead(isEvery))
    return false;
  accept("[");
  advance(); // the star or the word
  if (isEvery) {
    node.everyLane = true;
    if (token.kind == Token::Identifier)
      advance();
  } else {
    Expected<NodePtr> lane = expression();
    if (!lane)
      return lane.takeError();
    // a[i][lane 3]: what came first is an index
    if (node.kind == Node::Name && node.lane && !node.index)
      node.index = std::move(node.lane);
    node.lane = std::move(*lane);
    node.namesLane = true;
    if (accept(":")) {
      Expected<NodePtr> last = expression();
      if (!last)
        return last.takeError();
      node.lastLane = std::move(*last);
    }
  }
  if (Error error = expect("]", "after the lane"))
    return std::move(error);
  return true;
}

Expected<NodePtr> ExpressionParser::primary() {
  size_t start = column();
  if (token.kind == Token::Number) {
    Expected<NodePtr> node = make(Node::Literal, start);
    if (!node)
      return node;
    (*node)->value = token.value;
    advance();
    return node;
  }
  if (token.kind == Token::Identifier)
    return identifier();
  if (at("["))
    return memory(MemorySpace::Global, start);
  if (accept("(")) {
    // The parentheses count as a part: they nest.
    if (++nodes > mostExpressionNodes)
      return textError(text, start, "the expression has more than " + Twine(mostExpressionNodes) + " parts");
    Expected<NodePtr> inner = expression();
    if (!inner)
      return inner;
    if (Error error = expect(")", "to close the parenthesis"))
      return std::move(error);
    return inner;
  }
  if (token.kind == Token::End)
    return fail(start == 0 ? "expected an expression" : "expected a value: the expression ends here");
  return fail("expected a value, not '" + token.text + "'");
}

Expected<NodePtr> ExpressionParser::bracketed() {
  if (Error error = expect("[", "here"))
    return std::move(error);
  Expected<NodePtr> inner = expression();
  if (!inner)
    return inner;
  if (Error error = expect("]", "to close the bracket"))
    return std::move(error);
  return inner;
}

// [lane] and .type or .mask
Error ExpressionParser::laneSuffix(Node &node) {
  Expected<bool> lanes = at("[") ? lanesInBrackets(node) : Expected<bool>(false);
  if (!lanes)
    return lanes.takeError();
  if (!*lanes && accept("[")) {
    {
      Expected<NodePtr> lane = expression();
      if (!lane)
        return lane.takeError();
      node.lane = std::move(*lane);
      if (accept(":")) {
        Expected<NodePtr> last = expression();
        if (!last)
          return last.takeError();
        node.lastLane = std::move(*last);
      }
    }
    if (Error error = expect("]", "after the lane"))
      return error;
    // m[2][7]: what came first names one of several registers.
    if (node.kind == Node::Name && at("[") && node.lane && !node.lastLane && !node.index) {
      node.index = std::move(node.lane);
      return laneSuffix(node);
    }
  }
  bool namesLanes = node.lane || node.everyLane;
  // A member's name is for the evaluator to tell.
  bool isOfSource = node.kind == Node::Name && token.kind == Token::Identifier && token.text.starts_with(".") &&
                    token.text != ".mask" && !valueTypeNamed(token.text.drop_front());
  if (isOfSource)
    return Error::success();
  if (Error error = dotSuffix(node))
    return error;
  if (!namesLanes && node.type && at("[")) // R4.f32[3] is R4[3].f32
    return laneSuffix(node);
  return node.kind == Node::Register || node.kind == Node::Name ? countSuffix(node) : Error::success();
}

// @count
Error ExpressionParser::countSuffix(Node &node) {
  if (!accept("@"))
    return Error::success();
  Expected<NodePtr> count = unary();
  if (!count)
    return count.takeError();
  node.count = std::move(*count);
  return Error::success();
}

Error ExpressionParser::dotSuffix(Node &node) {
  if (token.kind != Token::Identifier || !token.text.starts_with("."))
    return Error::success();
  StringRef name = token.text.drop_front();
  bool mayBeMask = node.kind == Node::Predicate || node.kind == Node::FlagBit || node.kind == Node::Name;
  bool isMask = name == "mask" && mayBeMask;
  if (isMask && ((node.kind != Node::Name && node.lane) || node.everyLane))
    return fail("a mask has every lane: leave out the lane's brackets");
  if (isMask)
    node.wholeMask = true;
  else if (!(node.type = valueTypeNamed(name)) || node.kind == Node::Predicate || node.kind == Node::FlagBit)
    return fail(node.kind == Node::Predicate || node.kind == Node::FlagBit
                    ? "'" + token.text + "' means nothing here: expected .mask"
                    : "'" + token.text +
                          "' is no type: expected .u8 .s8 .u16 .s16 .u32 .s32 .u64 .s64 .f32 or .f64");
  advance();
  return Error::success();
}

Expected<NodePtr> ExpressionParser::memory(MemorySpace space, size_t start) {
  Expected<NodePtr> node = make(Node::Memory, start);
  if (!node)
    return node;
  (*node)->space = space;
  Expected<NodePtr> address = bracketed();
  if (!address)
    return address;
  (*node)->children.push_back(std::move(*address));
  if (space == MemorySpace::Constant && at("[")) { // else it is a variable of the source, or a mistake
    Expected<bool> lanes = lanesInBrackets(**node);
    if (!lanes || *lanes)
      return lanes ? std::move(node) : lanes.takeError();
    Expected<NodePtr> offset = bracketed();
    if (!offset)
      return offset;
    (*node)->children.push_back(std::move(*offset));
  }
  if (Error error = dotSuffix(**node))
    return std::move(error);
  if (Error error = countSuffix(**node))
    return std::move(error);
  return node;
}

Expected<NodePtr> ExpressionParser::call(StringRef name, size_t start) {
  auto quantifier = StringSwitch<std::optional<Quantifier>>(name)
                        .Case("any", Quantifier::Any)
                        .Case("all", Quantifier::All)
                        .Case("count", Quantifier::Count)
                        .Case("mask", Quantifier::Mask)
                        .Default(std::nullopt);
  std::optional<ValueType> type = valueTypeNamed(name);
  if (!quantifier && !type)
    return textError(text, start,
                     "there is no function '" + name + "': expected any, all, count, mask or a type");
  advance(); // (
  Expected<NodePtr> node = make(quantifier ? Node::Quantified : Node::Cast, start);
  if (!node)
    return node;
  if (quantifier)
    (*node)->quantifier = *quantifier;
  (*node)->type = type;
  Expected<NodePtr> inner = expression();
  if (!inner)
    return inner;
  (*node)->children.push_back(std::move(*inner));
  if (Error error = expect(")", "after the value of '" + name + "'"))
    return std::move(error);
  return node;
}

/// R12, RZ: 255; P3, PT: 7. Either case, as in the assembly language.
static std::optional<unsigned> numbered(StringRef name, char letter, unsigned most, char constantLetter,
                                        unsigned constantNumber) {
  if (name.size() < 2 || toUpper(name[0]) != letter)
    return std::nullopt;
  if (name.size() == 2 && toUpper(name[1]) == constantLetter)
    return constantNumber;
  unsigned number;
  StringRef digits = name.drop_front();
  if (digits.getAsInteger(10, number) || (digits.size() > 1 && digits[0] == '0') || number > most)
    return std::nullopt;
  return number;
}

Expected<NodePtr> ExpressionParser::identifier() {
  size_t start = column();
  StringRef name = token.text;
  advance();
  if (at("("))
    return call(name, start);
  // A variable of the source may be called so: the evaluator tells.
  auto spelledMemory = [&](MemorySpace space) -> Expected<NodePtr> {
    Expected<NodePtr> node = memory(space, start);
    if (node)
      (*node)->spelled = name;
    return node;
  };
  bool every = false, isMemory = at("[") && !lanesAhead(every);
  if (isMemory)
    for (MemorySpace space : {MemorySpace::Global, MemorySpace::Shared, MemorySpace::Local})
      if (name == nameOf(space))
        return spelledMemory(space);
  if (isMemory && (name == "c" || name == "C"))
    return spelledMemory(MemorySpace::Constant);

  Expected<NodePtr> node = make(Node::Name, start);
  if (!node)
    return node;
  Node &result = **node;
  StringRef plain = name;
  result.hasDollar = plain.consume_front("$");
  auto reg = numbered(plain, 'R', 254, 'Z', 255), predicate = numbered(plain, 'P', 6, 'T', 7);
  auto flag = StringSwitch<std::optional<Flag>>(name.upper())
                  .Case("OF", Flag::Overflow)
                  .Case("CF", Flag::Carry)
                  .Case("SF", Flag::Sign)
                  .Case("ZF", Flag::Zero)
                  .Default(std::nullopt);
  if (reg || predicate || flag) {
    result.kind = reg ? Node::Register : predicate ? Node::Predicate : Node::FlagBit;
    result.number = reg ? *reg : predicate ? *predicate : unsigned(*flag);
    result.name = result.hasDollar ? plain.str() : name.upper();
    result.spelled = name;
    if (Error error = laneSuffix(result))
      return std::move(error);
    return node;
  }
  result.name = result.spelled = name;
  if (name.starts_with("$")) {
    result.kind = Node::Variable;
    result.name = name.drop_front();
  } else if (name.starts_with_insensitive("SR_")) {
    result.kind = Node::Special;
    result.name = name.upper();
  }
  // Dots belong to the name: $cta.x, SR_TID.X, a label `outer.loop`, or a type, which the evaluator tells
  // apart.
  while (token.kind == Token::Identifier && token.text.starts_with(".") &&
         token.text.data() == text.data() + column() && column() > 0 && !isSpace(text[column() - 1])) {
    result.name += result.kind == Node::Special ? token.text.upper() : token.text.str();
    advance();
  }
  if (Error error = laneSuffix(result))
    return std::move(error);
  return node;
}

Expected<Expression> Expression::parse(StringRef text) {
  ExpressionParser parser(text);
  Expected<NodePtr> root = parser.expression();
  if (!root)
    return root.takeError();
  if (Error error = parser.expectEnd())
    return std::move(error);
  return Expression(text, std::move(*root));
}

Expected<Expression> Expression::parsePrefix(StringRef text, StringRef &rest) {
  ExpressionParser parser(text);
  Expected<NodePtr> root = parser.expression();
  if (!root)
    return root.takeError();
  rest = parser.rest();
  return Expression(text, std::move(*root));
}

static bool isAssignable(Node::Kind kind) {
  return kind == Node::Member || kind == Node::Subscript || kind == Node::Register || kind == Node::Predicate || kind == Node::FlagBit || kind == Node::Memory ||
         kind == Node::Name || kind == Node::Variable;
}

Expected<Assignment> Assignment::parse(StringRef text) {
  StringRef rest;
  Expected<Expression> target = Expression::parsePrefix(text, rest);
  if (!target)
    return target.takeError();
  if (!rest.starts_with("="))
    return textError(text, rest.empty() ? text.size() : columnIn(text, rest),
                     "expected '=' and a value, as in `set R3 = 5`");
  if (!isAssignable(target->root->kind))
    return textError(text, target->root->column,
                     "only a register, a predicate, a flag, memory or a variable can be set");
  if (target->root->kind == Node::Register && target->root->number == 255)
    return textError(text, target->root->column, "RZ is always 0");
  if (target->root->kind == Node::Predicate && target->root->number == 7)
    return textError(text, target->root->column, "PT is always true");
  // Blanks instead of the target keep the columns of what follows.
  std::string blanked = std::string(columnIn(text, rest) + 1, ' ') + rest.drop_front().str();
  Expected<Expression> value = Expression::parse(blanked);
  if (!value)
    return handleErrors(value.takeError(),
                        [&](const TextError &error) { return textError(text, error.column, error.message); });
  value->source = text;
  return Assignment(std::move(*target), std::move(*value));
}

Expression::Expression(StringRef source, NodePtr root) : source(source), root(std::move(root)) {}
Expression::Expression(Expression &&) noexcept = default;
Expression &Expression::operator=(Expression &&) noexcept = default;
Expression::~Expression() = default;

} // namespace leno::dbg
