//===- ExpressionParser.cpp - Text to tree by precedence climbing ---------===//
#include "asm/FloatLiteral.h"
#include "dbg/Expression.h"
#include "dbg/ExpressionNode.h"
#include "dbg/Text.h"
#include "runtime/Numbers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace leno::dbg {

namespace {

using NodePtr = std::unique_ptr<ExpressionNode>;
using Node = ExpressionNode;

struct Token {
  enum Kind : u8 { End, Number, Identifier, Punctuation, Bad } kind = End;
  StringRef text;
  Value value;
  std::string message; ///< Bad
};

class Parser {
public:
  explicit Parser(StringRef text) : text(text) { advance(); }

  Expected<NodePtr> expression(unsigned lowest = 1);
  Error expectEnd() {
    if (token.kind == Token::End)
      return Error::success();
    return fail("'" + token.text + "' does not belong here" +
                (token.text == "=" ? ": == compares, `set NAME = VALUE` assigns" : ""));
  }
  /// What is not read yet.
  StringRef rest() const { return token.kind == Token::End ? StringRef() : text.substr(column()); }

private:
  size_t column() const { return token.kind == Token::End ? text.size() : columnIn(text, token.text); }
  Error fail(const Twine &message) const {
    return token.kind == Token::Bad ? textError(text, column(), token.message)
                                    : textError(text, column(), message);
  }
  void advance();
  Token number(size_t start);
  bool at(StringRef punctuation) const {
    return token.kind == Token::Punctuation && token.text == punctuation;
  }
  bool accept(StringRef punctuation) {
    bool found = at(punctuation);
    if (found)
      advance();
    return found;
  }
  Error expect(StringRef punctuation, const Twine &where) {
    return accept(punctuation) ? Error::success() : fail("expected '" + punctuation + "' " + where);
  }
  Expected<NodePtr> make(Node::Kind kind, size_t at) {
    if (++nodes > mostExpressionNodes)
      return textError(text, at, "the expression has more than " + Twine(mostExpressionNodes) + " parts");
    auto node = std::make_unique<Node>();
    node->kind = kind;
    node->column = at;
    return node;
  }

  struct CastOfC {
    std::optional<ValueType> type;
    unsigned stars = 0;
    MemorySpace space = MemorySpace::Global;
  };
  std::optional<CastOfC> castOfC();
  Expected<NodePtr> dereference(size_t start);
  Expected<NodePtr> addressOf(size_t start);
  Expected<NodePtr> unary();
  Expected<NodePtr> primary();
  Expected<NodePtr> identifier();
  Expected<NodePtr> call(StringRef name, size_t at);
  Expected<NodePtr> memory(MemorySpace space, size_t at);
  Expected<NodePtr> bracketed();
  Error laneSuffix(Node &node);
  Error dotSuffix(Node &node);
  Error countSuffix(Node &node);

  StringRef text;
  size_t position = 0;
  Token token;
  unsigned nodes = 0;
};

} // namespace

static bool startsIdentifier(char c) { return isAlpha(c) || c == '_' || c == '$'; }
static bool continuesIdentifier(char c) { return isAlnum(c) || c == '_' || c == '$'; }

Token Parser::number(size_t start) {
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
    FloatLiteral narrow = readFloat(digits, APFloat::IEEEsingle()), wide = readFloat(digits, APFloat::IEEEdouble());
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
  runtime::ScannedInteger scanned = runtime::scanInteger(digits);
  if (scanned.status != runtime::ScannedInteger::Ok) {
    result.kind = Token::Bad;
    result.message = scanned.status == runtime::ScannedInteger::TooLarge ? "the number does not fit 64 bits"
                                                                         : scanned.message;
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

void Parser::advance() {
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
  for (StringRef known : {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||", ".."})
    if (two == known)
      end = position + 2;
  token.text = text.slice(position, end);
  if (token.text.size() == 1 && !StringRef("+-*/%&|^~!<>=()[].,:@").contains(c)) {
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

Expected<NodePtr> Parser::expression(unsigned lowest) {
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

/// C's words for a type, as far as they are known: "unsigned int" is u32. `void` has none.
static std::optional<ValueType> typeOfC(ArrayRef<StringRef> words) {
  bool isUnsigned = is_contained(words, "unsigned"), isSigned = is_contained(words, "signed");
  SmallVector<StringRef, 4> rest;
  for (StringRef word : words)
    if (word != "unsigned" && word != "signed" && word != "const" && word != "volatile")
      rest.push_back(word);
  std::string name = rest.empty() ? "int" : join(rest, " ");
  using enum ValueType;
  auto type = StringSwitch<std::optional<ValueType>>(name)
                  .Cases({"int", "int32_t"}, S32)
                  .Cases({"uint", "uint32_t"}, U32)
                  .Cases({"char", "int8_t"}, isSigned || name == "int8_t" ? S8 : U8)
                  .Cases({"uchar", "uint8_t", "bool"}, U8)
                  .Cases({"short", "short int", "int16_t"}, S16)
                  .Cases({"ushort", "uint16_t"}, U16)
                  .Cases({"long", "long int", "long long", "long long int", "int64_t", "ptrdiff_t"}, S64)
                  .Cases({"ulong", "uint64_t", "size_t", "uintptr_t"}, U64)
                  .Case("float", F32)
                  .Case("double", F64)
                  .Default(valueTypeNamed(name));
  if (type && isUnsigned)
    type = *type == S32 ? U32 : *type == S16 ? U16 : *type == S64 ? U64 : *type;
  return type;
}

/// `(int)`, `(float *)` or cuda-gdb's `(@shared int *)`, where it is one, read.
std::optional<Parser::CastOfC> Parser::castOfC() {
  if (!at("("))
    return std::nullopt;
  StringRef rest = text.substr(column() + 1), inner = rest.take_front(rest.find(')'));
  if (inner.size() == rest.size())
    return std::nullopt;
  CastOfC cast;
  StringRef name = inner.trim();
  if (name.consume_front("@")) {
    StringRef space = name.take_while(isAlpha);
    name = name.drop_front(space.size()).ltrim();
    if (space == "shared" || space == "local")
      cast.space = space == "shared" ? MemorySpace::Shared : MemorySpace::Local;
    else if (space != "global" && space != "generic")
      return std::nullopt;
  }
  while (name.consume_back("*")) {
    ++cast.stars;
    name = name.rtrim();
  }
  SmallVector<StringRef, 4> words;
  SplitString(name, words);
  cast.type = typeOfC(words);
  bool isVoid = words.size() == 1 && words[0] == "void";
  if (words.empty() || (!cast.type && !(isVoid && cast.stars)))
    return std::nullopt;
  position = size_t(inner.end() - text.data()) + 1;
  advance();
  return cast;
}

/// C's `*` and its casts: an address is in bytes, and has its type where it is read.
Expected<NodePtr> Parser::dereference(size_t start) {
  std::optional<CastOfC> cast = castOfC();
  Expected<NodePtr> address = unary();
  Expected<NodePtr> node = address ? make(Node::Memory, start) : std::move(address);
  if (!node)
    return node;
  if (cast && cast->stars != 1)
    return textError(text, start, cast->stars ? "one * at a time: [[x].u64] reads where x points to"
                                              : "a pointer is expected after *, as in *(int*)0x10000");
  (*node)->count = std::move((*address)->count); // *(int*)x@4
  (*node)->space = cast ? cast->space : MemorySpace::Global;
  (*node)->type = cast ? cast->type : std::nullopt;
  (*node)->children.push_back(std::move(*address));
  return node;
}

/// C's `&`: of memory its address; names of memory and code are addresses already.
Expected<NodePtr> Parser::addressOf(size_t start) {
  Expected<NodePtr> operand = unary();
  if (!operand)
    return operand;
  Node &node = **operand;
  if (node.kind == Node::Name && !node.type && !node.lane && !node.everyLane)
    return operand;
  if (node.kind == Node::Memory && node.space != MemorySpace::Constant && !node.count)
    return std::move(node.children.back());
  return textError(text, start, "only memory and names have an address: registers and values have none");
}

Expected<NodePtr> Parser::unary() {
  using enum Operator;
  size_t start = column();
  if (accept("*"))
    return dereference(start);
  if (accept("&"))
    return addressOf(start);
  if (std::optional<CastOfC> cast = castOfC()) {
    Expected<NodePtr> operand = unary();
    // A pointer is a number of bytes.
    Expected<NodePtr> node = operand ? make(Node::Cast, start) : std::move(operand);
    if (!node)
      return node;
    (*node)->type = cast->stars ? ValueType::U64 : cast->type;
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
  return primary();
}

Expected<NodePtr> Parser::primary() {
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

Expected<NodePtr> Parser::bracketed() {
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
Error Parser::laneSuffix(Node &node) {
  if (accept("[")) {
    if (accept("*"))
      node.everyLane = true;
    else {
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
  if (Error error = dotSuffix(node))
    return error;
  if (!namesLanes && node.type && at("[")) // R4.f32[3] is R4[3].f32
    return laneSuffix(node);
  return node.kind == Node::Register || node.kind == Node::Name ? countSuffix(node) : Error::success();
}

// @count
Error Parser::countSuffix(Node &node) {
  if (!accept("@"))
    return Error::success();
  Expected<NodePtr> count = unary();
  if (!count)
    return count.takeError();
  node.count = std::move(*count);
  return Error::success();
}

Error Parser::dotSuffix(Node &node) {
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

Expected<NodePtr> Parser::memory(MemorySpace space, size_t start) {
  Expected<NodePtr> node = make(Node::Memory, start);
  if (!node)
    return node;
  (*node)->space = space;
  Expected<NodePtr> address = bracketed();
  if (!address)
    return address;
  (*node)->children.push_back(std::move(*address));
  if (space == MemorySpace::Constant) {
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

Expected<NodePtr> Parser::call(StringRef name, size_t start) {
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

Expected<NodePtr> Parser::identifier() {
  size_t start = column();
  StringRef name = token.text;
  advance();
  if (at("("))
    return call(name, start);
  if (at("["))
    for (MemorySpace space : {MemorySpace::Global, MemorySpace::Shared, MemorySpace::Local})
      if (name == nameOf(space))
        return memory(space, start);
  if (at("[") && (name == "c" || name == "C"))
    return memory(MemorySpace::Constant, start);

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
    if (Error error = laneSuffix(result))
      return std::move(error);
    return node;
  }
  result.name = name;
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
  Parser parser(text);
  Expected<NodePtr> root = parser.expression();
  if (!root)
    return root.takeError();
  if (Error error = parser.expectEnd())
    return std::move(error);
  return Expression(text, std::move(*root));
}

Expected<Expression> Expression::parsePrefix(StringRef text, StringRef &rest) {
  Parser parser(text);
  Expected<NodePtr> root = parser.expression();
  if (!root)
    return root.takeError();
  rest = parser.rest();
  return Expression(text, std::move(*root));
}

static bool isAssignable(Node::Kind kind) {
  return kind == Node::Register || kind == Node::Predicate || kind == Node::FlagBit || kind == Node::Memory ||
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
  if (target->root->kind == Node::Memory && target->root->space == MemorySpace::Constant)
    return textError(text, target->root->column,
                     "constants cannot be set: a launch has its own copy of them");
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
