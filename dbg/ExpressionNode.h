//===- ExpressionNode.h - The tree between parser and evaluator -----------===//
#pragma once

#include "dbg/LaneContext.h"
#include <memory>
#include <vector>

namespace leno::dbg {

enum class Operator : u8 {
  Negate,
  Not,
  Complement,
  Plus, // of one operand
  AddressOf,
  SizeOf,
  Multiply,
  Divide,
  Remainder,
  Add,
  Subtract,
  ShiftLeft,
  ShiftRight,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  NotEqual,
  And,
  Xor,
  Or,
  LogicalAnd,
  LogicalOr,
};

enum class Quantifier : u8 { Any, All, Count, Mask };

struct ExpressionNode {
  enum Kind : u8 {
    Literal,   ///< value
    Register,  ///< number; lane
    Predicate, ///< number; lane or whole mask
    FlagBit,   ///< number is the Flag; lane or whole mask
    Special,   ///< name; lane
    Variable,  ///< name without '$'
    Name,      ///< a kernel's name for a register, parameter, shared variable or label
    Memory,    ///< space; address in the last child; a constant's bank in the first
    Unary,     ///< op, children[0]
    Binary,    ///< op, children[0], children[1]
    Cast,      ///< type, or typeName and stars; children[0]
    Member,    ///< of the source: children[0], name
    Subscript, ///< of the source: children[0], children[1]
    Quantified ///< quantifier, children[0]
  };
  Kind kind;
  size_t column = 0;
  Value value;
  unsigned number = 0;
  std::string name;
  std::string spelled;   ///< as it was written: a variable of the source may be called so
  std::string typeName;  ///< of a cast to a type of the source
  unsigned stars = 0;    ///< of a cast: how often it points
  bool isDereference = false; ///< Memory: written as C does, *p
  bool namesLane = false;     ///< [lane 3], [lanes 0:7]
  MemorySpace space = MemorySpace::Global;
  Operator op = Operator::Plus;
  Quantifier quantifier = Quantifier::Any;
  /// The type written after a dot, or of a cast.
  std::optional<ValueType> type;
  bool wholeMask = false;               ///< P0.mask
  bool everyLane = false;               ///< R3[*]
  bool hasDollar = false;               ///< $R3, gdb's way: a variable of that name comes first
  std::unique_ptr<ExpressionNode> lane; ///< R3[lane]
  // Of ranges, which stand alone.
  std::unique_ptr<ExpressionNode> lastLane; ///< R3[lane:lastLane]
  std::unique_ptr<ExpressionNode> count;    ///< [x].f32@count
  std::unique_ptr<ExpressionNode> index;    ///< m[index], m a name for several registers
  std::vector<std::unique_ptr<ExpressionNode>> children;

  /// Of several lanes.
  bool isRange() const { return everyLane || lastLane; }
};

/// C's words for a type, as far as they are known without a program: "unsigned int" is u32.
std::optional<ValueType> valueTypeOfC(llvm::StringRef words);

/// Texts with more parts are refused, which bounds the depth of every walk over the tree.
inline constexpr unsigned mostExpressionNodes = 1000;

} // namespace leno::dbg
