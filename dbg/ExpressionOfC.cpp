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
  if (words.empty() || (!cast.type && !(isVoid && cast.stars)))
    return std::nullopt;
  position = size_t(inner.end() - text.data()) + 1;
  advance();
  return cast;
}

/// C's `*` and its casts: an address is in bytes, and has its type where it is read.
Expected<NodePtr> ExpressionParser::dereference(size_t start) {
  std::optional<CastOfC> cast = castOfC();
  Expected<NodePtr> address = unary();
  Expected<NodePtr> node = address ? make(Node::Memory, start) : std::move(address);
  if (!node)
    return node;
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
  if (!cast || !cast->type)
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

/// C's `sizeof`, of a type, a register or memory.
Expected<NodePtr> ExpressionParser::sizeInBytes(size_t start) {
  advance();
  std::optional<CastOfC> cast = castOfC();
  u64 bytes = cast ? cast->stars ? sizeof(u64) : sizeOf(*cast->type) : 0;
  if (!cast) {
    Expected<NodePtr> operand = unary();
    if (!operand)
      return operand;
    const Node &node = **operand;
    bool isPlace = node.kind == Node::Register || node.kind == Node::Memory || node.kind == Node::Cast;
    if (!isPlace || node.count)
      return textError(text, start,
                       "sizeof takes a type, a register or memory, as in sizeof(int) or sizeof(R0); `whatis` "
                       "tells a value's type");
    bytes = sizeOf(node.type.value_or(ValueType::U32));
  }
  Expected<NodePtr> node = make(Node::Literal, start);
  if (node)
    (*node)->value = {ValueType::S32, bytes, /*literal=*/true};
  return node;
}

/// C's `&`: of memory its address; names of memory and code are addresses already.
Expected<NodePtr> ExpressionParser::addressOf(size_t start) {
  Expected<NodePtr> operand = unary();
  if (!operand)
    return operand;
  Node &node = **operand;
  if (node.kind == Node::Name && !node.type && !node.lane && !node.everyLane)
    return operand;
  if (node.kind == Node::Memory && node.space != MemorySpace::Constant && !node.count)
    return std::move(node.children.back());
  return textError(text, start,
                   "only memory and names have an address: registers and values have none; an element's is "
                   "its byte offset from a name, as in `x out + 16`");
}

} // namespace leno::dbg
