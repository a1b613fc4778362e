//===- Expression.h - Expressions over lanes ------------------------------===//
// What print, display, x, set and break's conditions take. Operators are C's, with C's precedence, on typed
// values: integers are computed in the wider operand's type and wrap, at least 32 bits wide, but numbers that
// were typed are exact among themselves; comparisons of integers are exact whatever their signs; a register
// without a type is signed, and unsigned beside an unsigned value; `any`, `all`, `count` and `mask` look at
// every active lane of the warp.
//===----------------------------------------------------------------------===//
#pragma once

#include "dbg/Place.h"
#include <memory>

namespace leno::dbg {

struct ExpressionNode;

class Expression {
public:
  /// Reads all of `text`. Errors are TextErrors.
  static llvm::Expected<Expression> parse(llvm::StringRef text);
  /// Reads the start of `text` and leaves in `rest` what is after it.
  static llvm::Expected<Expression> parsePrefix(llvm::StringRef text, llvm::StringRef &rest);
  Expression(Expression &&) noexcept;
  Expression &operator=(Expression &&) noexcept;
  ~Expression();

  llvm::StringRef text() const { return source; }
  llvm::Expected<Value> evaluate(const LaneContext &context) const;
  /// As the brackets of memory read it: words are unsigned.
  llvm::Expected<u64> address(const LaneContext &context) const;
  /// Fails when it names what does not exist, whatever the machine's state.
  llvm::Error checkNames(const LaneContext &context) const;
  /// A range of lanes R0[0:7], R0[*] or of elements [x].f32@8, R4@4: it has several values.
  bool isRange() const;
  llvm::Expected<std::vector<Value>> evaluateAll(const LaneContext &context) const;
  /// The lanes of a range R0[0:7], R0[*]: of each value of evaluateAll in turn. None for other expressions.
  llvm::Expected<LaneMask> lanesOfRange(const LaneContext &context) const;
  /// It is a register, a predicate or a flag and no more: R4, P0.
  bool isCell() const;
  /// It is of every active lane: R0[*].
  bool isOfActiveLanes() const;
  /// It is a range of lanes.
  bool isOfLanes() const;
  /// What it names in the source: a variable, or a part of one, in each lane of a range; nullopt: it is none.
  llvm::Expected<std::optional<std::vector<source::Object>>> objects(const LaneContext &context) const;
  /// The place it names; its warp and CTA are for the caller to fill in. Fails when it is no place, or a
  /// constant.
  llvm::Expected<Place> place(const LaneContext &context) const;
  /// Reads `text` and gives the place it names.
  static llvm::Expected<Place> placeOf(llvm::StringRef text, const LaneContext &context);
  /// The bank and the offset of a constant c[1][4]. Fails when it is none.
  llvm::Expected<std::pair<unsigned, u64>> constantPlace(const LaneContext &context) const;
  /// The active lanes for which it is not zero.
  llvm::Expected<LaneMask> lanesWhereTrue(const LaneContext &context) const;

private:
  friend class Assignment;
  Expression(llvm::StringRef source, std::unique_ptr<ExpressionNode> root);
  llvm::Expected<bool> placeOfObject(const LaneContext &context, Place &place) const;
  std::string source;
  std::unique_ptr<ExpressionNode> root;
};

/// `R3 = 5`, `R3[7] = 1.0`, `R3[*] = 0` (every active lane, each with its own value), `R3[0:7] = 1`, `acc =
/// 5`, `P0 = 1`, `P0.mask = 0xff`, `ZF = 0`, `[0x10000].f32 = 2.5`, `shared[4]@8 = 1`, `$i = 0`, `$pc =
/// loop`.
class Assignment {
public:
  static llvm::Expected<Assignment> parse(llvm::StringRef text);
  llvm::Error perform(LaneContext &context) const;
  /// Before it is performed: what the user may not have meant. Empty: nothing.
  std::string warning(const LaneContext &context) const;

private:
  Assignment(Expression target, Expression value) : target(std::move(target)), value(std::move(value)) {}
  llvm::Error setMemory(LaneContext &context) const;
  llvm::Error setObject(LaneContext &context) const;
  llvm::Expected<bool> isOfSource(const LaneContext &context) const;
  llvm::Error setVariable(LaneContext &context) const;
  llvm::Error setRegister(LaneContext &context, unsigned number, ValueType type, LaneMask lanes,
                          llvm::ArrayRef<Value> values) const;
  Expression target, value;
};

} // namespace leno::dbg
