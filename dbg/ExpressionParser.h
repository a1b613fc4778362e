//===- ExpressionParser.h - Text to the tree of an expression --------------===//
#pragma once

#include "dbg/ExpressionNode.h"
#include "dbg/Text.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace leno::dbg {

struct ExpressionToken {
  enum Kind : u8 { End, Number, Identifier, Punctuation, Bad } kind = End;
  llvm::StringRef text;
  Value value;
  std::string message; ///< Bad
};

/// One text, read once. What C has of its own is read in ExpressionOfC.cpp.
class ExpressionParser {
  using Node = ExpressionNode;
  using NodePtr = std::unique_ptr<ExpressionNode>;
  using Token = ExpressionToken;

public:
  explicit ExpressionParser(llvm::StringRef text) : text(text) { advance(); }

  llvm::Expected<NodePtr> expression(unsigned lowest = 1);
  llvm::Error expectEnd() {
    if (token.kind == Token::End)
      return llvm::Error::success();
    return fail("'" + token.text + "' does not belong here" +
                (token.text == "="   ? ": == compares, `set NAME = VALUE` assigns"
                 : token.text == "," ? ": one value is computed at a time; `info table R1 R2` shows several"
                                     : ""));
  }
  /// What is not read yet.
  llvm::StringRef rest() const {
    return token.kind == Token::End ? llvm::StringRef() : text.substr(column());
  }

private:
  size_t column() const { return token.kind == Token::End ? text.size() : columnIn(text, token.text); }
  llvm::Error fail(const llvm::Twine &message) const {
    return token.kind == Token::Bad ? textError(text, column(), token.message)
                                    : textError(text, column(), message);
  }
  void advance();
  Token number(size_t start);
  bool at(llvm::StringRef punctuation) const {
    return token.kind == Token::Punctuation && token.text == punctuation;
  }
  bool accept(llvm::StringRef punctuation) {
    bool found = at(punctuation);
    if (found)
      advance();
    return found;
  }
  llvm::Error expect(llvm::StringRef punctuation, const llvm::Twine &where) {
    return accept(punctuation) ? llvm::Error::success() : fail("expected '" + punctuation + "' " + where);
  }
  llvm::Expected<NodePtr> make(Node::Kind kind, size_t at) {
    if (++nodes > mostExpressionNodes)
      return textError(text, at,
                       "the expression has more than " + llvm::Twine(mostExpressionNodes) + " parts");
    auto node = std::make_unique<Node>();
    node->kind = kind;
    node->column = at;
    return node;
  }

  struct CastOfC {
    std::optional<ValueType> type;
    unsigned stars = 0;
    MemorySpace space = MemorySpace::Global;
    std::string typeName; ///< as C spells it
    bool isOfSource() const { return !type && typeName != "void"; }
  };
  std::optional<CastOfC> castOfC(llvm::StringRef open = "(", llvm::StringRef close = ")");
  llvm::Expected<NodePtr> dereference(size_t start);
  llvm::Expected<NodePtr> placeOperator(Operator op, size_t start);
  llvm::Expected<NodePtr> typedMemory(size_t start);
  llvm::Expected<NodePtr> unary();
  llvm::Expected<NodePtr> primary();
  llvm::Expected<NodePtr> identifier();
  llvm::Expected<NodePtr> call(llvm::StringRef name, size_t at);
  llvm::Expected<NodePtr> memory(MemorySpace space, size_t at);
  llvm::Expected<NodePtr> bracketed();
  static void hoistLanes(Node &from, Node &to);
  llvm::Expected<NodePtr> postfix(llvm::Expected<NodePtr> node);
  llvm::Expected<NodePtr> part(NodePtr of, Node::Kind kind, size_t at);
  /// What follows is a bracket that names lanes: `every`: all of them.
  bool lanesAhead(bool &every) const;
  llvm::Expected<bool> lanesInBrackets(Node &node);
  llvm::Error laneSuffix(Node &node);
  llvm::Error dotSuffix(Node &node);
  llvm::Error countSuffix(Node &node);

  llvm::StringRef text;
  size_t position = 0;
  Token token;
  unsigned nodes = 0;
};

} // namespace leno::dbg
