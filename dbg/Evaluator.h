//===- Evaluator.h - Tree to value, for the focused lane or another -------===//
#pragma once

#include "dbg/ExpressionNode.h"
#include "dbg/Text.h"

namespace leno::dbg {

/// A register, predicate or flag, written R4 or by the kernel's own name for it.
struct Cell {
  ExpressionNode::Kind kind; ///< Register, Predicate or FlagBit
  unsigned number;
  const ExpressionNode *lane; ///< that brackets name; null: none
  std::optional<ValueType> type;
  bool wholeMask;
};

class Evaluator {
public:
  Evaluator(llvm::StringRef text, const LaneContext &context) : text(text), context(context) {}

  llvm::Expected<Value> evaluate(const ExpressionNode &node, unsigned lane);
  /// What R0[0:7] and [x].f32@8 stand for.
  llvm::Expected<std::vector<Value>> lanesOfRange(const ExpressionNode &node, unsigned lane);
  llvm::Expected<std::vector<Value>> elementsOfRange(const ExpressionNode &node, unsigned lane);
  llvm::Expected<LaneMask> lanesWhereTrue(const ExpressionNode &node);
  /// Nullopt: it is none.
  llvm::Expected<std::optional<Cell>> cell(const ExpressionNode &node, unsigned lane);
  /// The lanes that its brackets name; `lane` without brackets.
  llvm::Expected<LaneMask> lanesOf(const ExpressionNode &node, const ExpressionNode *brackets, unsigned lane);
  llvm::Expected<u64> addressOf(const ExpressionNode &node, unsigned lane);
  /// Where a Memory node is: generic addresses in the windows of shared and local memory are there.
  struct Where {
    MemorySpace space;
    unsigned bank;
    u64 address;
  };
  llvm::Expected<Where> where(const ExpressionNode &node, unsigned lane);
  llvm::Expected<Where> whereOfConstant(const ExpressionNode &node, unsigned lane);
  /// How many elements a range has.
  llvm::Expected<u64> countOf(const ExpressionNode &node, unsigned lane);
  /// Fails when a part names what does not exist, whatever the machine's state: what can be known without it.
  llvm::Error checkNames(const ExpressionNode &node);
  /// What a node names in the source, in a lane; nullopt: nothing. Lanes that it names itself are the caller's.
  llvm::Expected<std::optional<source::Object>> object(const ExpressionNode &node, unsigned lane);
  /// The lanes that it is of.
  llvm::Expected<LaneMask> lanesOfObject(const ExpressionNode &node, unsigned lane);
  /// Gives an error of the context its place.
  llvm::Error located(const ExpressionNode &node, llvm::Error error);

private:
  llvm::Error fail(const ExpressionNode &node, const llvm::Twine &message) {
    return textError(text, node.column, message);
  }
  llvm::Expected<unsigned> laneOf(const ExpressionNode &node, const ExpressionNode *brackets, unsigned lane);
  llvm::Expected<Value> cellValue(const ExpressionNode &node, const Cell &cell, ValueType type,
                                  unsigned lane);
  llvm::Expected<Value> registerValue(const ExpressionNode &node, unsigned number, ValueType type,
                                      unsigned lane);
  llvm::Expected<Value> nameValue(const ExpressionNode &node, unsigned lane);
  llvm::Expected<Value> memoryValue(const ExpressionNode &node, ValueType type, unsigned lane,
                                    u64 element = 0);
  llvm::Expected<std::optional<source::Object>> objectNamed(const ExpressionNode &node, llvm::StringRef name,
                                                            unsigned lane);
  llvm::Expected<std::optional<source::Object>> memberOf(const ExpressionNode &node, source::Object object,
                                                         llvm::StringRef name);
  llvm::Expected<std::optional<source::Object>> elementOf(const ExpressionNode &node, source::Object object,
                                                          const ExpressionNode &index, unsigned lane);
  llvm::Expected<std::optional<source::Object>> subscriptsOf(const ExpressionNode &node, source::Object object,
                                                             unsigned lane);
  llvm::Expected<std::optional<source::Object>> castToSource(const ExpressionNode &node, unsigned lane);
  llvm::Expected<std::optional<source::Object>> operandOf(const ExpressionNode &node, unsigned lane);
  llvm::Expected<Value> valueOfObject(const ExpressionNode &node, const source::Object &object);
  llvm::Expected<Value> addressOrSize(const ExpressionNode &node, unsigned lane);
  llvm::Expected<std::optional<Value>> ofPointers(const ExpressionNode &node, const Value &a, const Value &b);
  llvm::Expected<Value> cast(const ExpressionNode &node, unsigned lane);
  llvm::Expected<Value> unary(const ExpressionNode &node, unsigned lane);
  llvm::Expected<Value> binary(const ExpressionNode &node, unsigned lane);
  llvm::Expected<Value> ofIntegers(const ExpressionNode &node, Value a, Value b);
  llvm::Expected<Value> integerOperation(const ExpressionNode &node, ValueType type, u64 a, u64 b);
  llvm::Expected<Value> quantified(const ExpressionNode &node);

  llvm::StringRef text;
  const LaneContext &context;
  bool inAddress = false;       ///< words are unsigned there
  std::optional<unsigned> bank; ///< within the brackets of c[bank][...]: names are offsets there
};

} // namespace leno::dbg
