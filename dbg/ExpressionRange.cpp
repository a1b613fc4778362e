// Ranges of lanes and of elements: several values from one expression.
#include "dbg/Evaluator.h"
#include "dbg/Expression.h"

using namespace llvm;

namespace leno::dbg {

using Node = ExpressionNode;

Expected<u64> Evaluator::countOf(const Node &node, unsigned lane) {
  static constexpr u64 most = 1024;
  Expected<Value> count = evaluate(*node.count, lane);
  if (!count)
    return count.takeError();
  if (count->isFloat() || count->integer() == 0 || count->integer() > most)
    return fail(*node.count, "a range has from 1 to " + Twine(most) + " elements");
  return count->integer();
}

static Error add(std::vector<Value> &values, Expected<Value> value) {
  if (!value)
    return value.takeError();
  values.push_back(*value);
  return Error::success();
}

Expected<LaneMask> Expression::lanesOfRange(const LaneContext &context) const {
  if (!root->everyLane && !root->lastLane)
    return 0;
  Evaluator evaluator(source, context);
  Expected<std::optional<Cell>> found = evaluator.cell(*root, context.lane());
  if (!found)
    return found.takeError();
  return evaluator.lanesOf(*root, *found ? (*found)->lane : root->lane.get(), context.lane());
}

bool Expression::isCell() const {
  return (root->kind == Node::Register || root->kind == Node::Predicate || root->kind == Node::FlagBit) &&
         !root->type && !root->lane;
}

bool Expression::isOfActiveLanes() const { return root->everyLane; }
bool Expression::isOfLanes() const { return root->isRange(); }

Expected<std::vector<Value>> Evaluator::lanesOfRange(const Node &node, unsigned lane) {
  if (node.count)
    return fail(*node.count, "a range is of lanes or of elements, not of both");
  Expected<std::optional<Cell>> found = cell(node, lane);
  if (!found)
    return found.takeError();
  Expected<LaneMask> mask = lanesOf(node, *found ? (*found)->lane : node.lane.get(), lane);
  if (!mask)
    return mask.takeError();
  std::vector<Value> values;
  for (LaneMask left = *mask; left; left &= left - 1) {
    unsigned one = unsigned(__builtin_ctz(left));
    if (Error error =
            add(values, *found ? cellValue(node, **found, (*found)->type.value_or(ValueType::Word), one)
                               : nameValue(node, one)))
      return std::move(error);
  }
  return values;
}

Expected<std::vector<Value>> Evaluator::elementsOfRange(const Node &node, unsigned lane) {
  Expected<u64> count = countOf(node, lane);
  if (!count)
    return count.takeError();
  Expected<std::optional<Cell>> found = cell(node, lane);
  if (!found)
    return found.takeError();
  if (node.kind != Node::Memory && (!*found || (*found)->kind != Node::Register))
    return fail(node, "only registers and memory have elements that follow");
  ValueType type = (*found ? (*found)->type : node.type).value_or(ValueType::Word);
  unsigned stride = sizeOf(type) == 8 ? 2 : 1; // registers of an element
  auto element = [&](u64 i) -> Expected<Value> {
    if (!*found)
      return memoryValue(node, type, lane, i);
    Expected<unsigned> wanted = laneOf(node, (*found)->lane, lane);
    if (!wanted)
      return wanted.takeError();
    u64 number = (*found)->number + i * stride;
    return number < 255 ? registerValue(node, unsigned(number), type, *wanted)
                        : Expected<Value>(fail(node, "the last register is R254"));
  };
  std::vector<Value> values;
  for (u64 i = 0; i < *count; ++i)
    if (Error error = add(values, element(i)))
      return std::move(error);
  return values;
}

bool Expression::isRange() const { return root->everyLane || root->lastLane || root->count; }

Expected<std::vector<Value>> Expression::evaluateAll(const LaneContext &context) const {
  Evaluator evaluator(source, context);
  if (root->everyLane || root->lastLane)
    return evaluator.lanesOfRange(*root, context.lane());
  if (root->count)
    return evaluator.elementsOfRange(*root, context.lane());
  std::vector<Value> values;
  if (Error error = add(values, evaluator.evaluate(*root, context.lane())))
    return std::move(error);
  return values;
}

} // namespace leno::dbg
