//===- ExpressionOfC.cpp - What expressions have of C -----------------------===//
#include "dbg/ExpressionParser.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace leno::dbg {

using Node = ExpressionNode;
using NodePtr = std::unique_ptr<ExpressionNode>;

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

std::optional<ValueType> valueTypeOfC(StringRef name) {
  SmallVector<StringRef, 4> words;
  SplitString(name, words);
  return typeOfC(words);
}

/// `(int)`, `(float *)` or cuda-gdb's `(@shared int *)`, where it is one, read.
std::optional<ExpressionParser::CastOfC> ExpressionParser::castOfC(StringRef open, StringRef close) {
  if (!at(open))
    return std::nullopt;
  StringRef rest = text.substr(column() + 1), inner = rest.take_front(rest.find(close));
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
  cast.typeName = join(words, " ");
  // What only a program's own types may be: `(struct point *)`, `(byte) x`.
  auto isName = [](StringRef word) { return !word.empty() && !isDigit(word[0]) && all_of(word, [](char c) { return isAlnum(c) || c == '_'; }); };
  StringRef behind = rest.drop_front(inner.size() + 1).ltrim();
  bool isTagged = words.size() == 2 && is_contained({"struct", "union", "enum"}, words[0]) && isName(words[1]);
  bool isPlain = words.size() == 1 && isName(words[0]) &&
                 (cast.stars || (!behind.empty() && (isAlnum(behind[0]) || behind[0] == '_' || behind[0] == '$' || behind[0] == '(')));
  if (words.empty() || (!cast.type && !(isVoid && cast.stars) && !isTagged && !isPlain))
    return std::nullopt;
  position = size_t(inner.end() - text.data()) + 1;
  advance();
  return cast;
}

/// C's `*` and its casts: an address is in bytes, and has its type where it is read.
Expected<NodePtr> ExpressionParser::dereference(size_t start) {
  size_t castAt = column();
  std::optional<CastOfC> cast = castOfC();
  Expected<NodePtr> address = unary();
  if (address && cast && (cast->isOfSource() || cast->stars > 1)) { // of the source's types
    Expected<NodePtr> inner = make(Node::Cast, castAt);
    if (!inner)
      return inner;
    (*inner)->typeName = cast->typeName;
    (*inner)->stars = cast->stars;
    if (cast->type)
      (*inner)->type = ValueType::U64;
    hoistLanes(**address, **inner);
    (*inner)->count = std::move((*address)->count);
    (*inner)->children.push_back(std::move(*address));
    address = std::move(inner);
    cast.reset();
  }
  Expected<NodePtr> node = address ? make(Node::Memory, start) : std::move(address);
  if (!node)
    return node;
  (*node)->isDereference = true;
  hoistLanes(**address, **node);
  if (cast && cast->stars != 1)
    return textError(text, start,
                     cast->stars ? "one * at a time: [[x].u64] reads where x points to"
                                 : "a pointer is expected after *, as in *(int*)0x10000");
  (*node)->count = std::move((*address)->count); // *(int*)x@4
  (*node)->space = cast ? cast->space : MemorySpace::Global;
  (*node)->type = cast ? cast->type : std::nullopt;
  (*node)->children.push_back(std::move(*address));
  return node;
}

/// gdb's `{int} ADDRESS`.
Expected<NodePtr> ExpressionParser::typedMemory(size_t start) {
  std::optional<CastOfC> cast = castOfC("{", "}");
  if (!cast || !cast->type || cast->isOfSource())
    return textError(text, start, "expected a type in braces, as in {int}0x10000 or {float}x");
  Expected<NodePtr> address = unary();
  Expected<NodePtr> node = address ? make(Node::Memory, start) : std::move(address);
  if (!node)
    return node;
  (*node)->count = std::move((*address)->count);
  (*node)->space = cast->space;
  (*node)->type = cast->stars ? ValueType::U64 : *cast->type;
  (*node)->children.push_back(std::move(*address));
  return node;
}

/// C's `sizeof`, of a type, a register or memory; its `&`, of what has an address: the evaluator tells.
Expected<NodePtr> ExpressionParser::placeOperator(Operator op, size_t start) {
  std::optional<CastOfC> cast = op == Operator::SizeOf ? castOfC() : std::nullopt;
  Expected<NodePtr> node = make(Node::Unary, start);
  if (!node)
    return node;
  (*node)->op = op;
  if (cast) {
    (*node)->typeName = cast->typeName;
    (*node)->stars = cast->stars;
    (*node)->type = cast->isOfSource() ? std::nullopt : cast->type;
    return node;
  }
  Expected<NodePtr> operand = unary();
  if (!operand)
    return operand;
  hoistLanes(**operand, **node);
  (*node)->children.push_back(std::move(*operand));
  return node;
}

} // namespace leno::dbg
