//===- ExpressionEvaluator.cpp - Tree to value, tree to change ------------===//
#include "dbg/Expression.h"
#include "dbg/ExpressionNode.h"
#include "dbg/Text.h"
#include "llvm/Support/Endian.h"
#include <cmath>
#include <utility>

using namespace llvm;

namespace leno::dbg {

StringRef nameOf(MemorySpace space) {
  return space == MemorySpace::Global     ? "global"
         : space == MemorySpace::Shared   ? "shared"
         : space == MemorySpace::Constant ? "constant"
                                          : "local";
}

namespace {

using Node = ExpressionNode;

class Evaluator {
public:
  Evaluator(StringRef text, const LaneContext &context) : text(text), context(context) {}

  Expected<Value> evaluate(const Node &node, unsigned lane);
  Expected<LaneMask> lanesWhereTrue(const Node &node);
  /// The lane that brackets name, or `lane`.
  Expected<unsigned> laneOf(const Node &node, unsigned lane);
  Expected<u64> addressOf(const Node &node, unsigned lane);
  /// Gives an error of the context its place.
  Error located(const Node &node, Error error) {
    if (error.isA<TextError>())
      return error;
    return textError(text, node.column, toString(std::move(error)));
  }

private:
  Error fail(const Node &node, const Twine &message) { return textError(text, node.column, message); }
  Expected<Value> registerValue(const Node &node, ValueType type, unsigned lane);
  Expected<Value> bitOf(const Node &node, Expected<LaneMask> mask, unsigned lane);
  Expected<Value> nameValue(const Node &node, unsigned lane);
  Expected<Value> memoryValue(const Node &node, ValueType type, unsigned lane);
  Expected<Value> unary(const Node &node, unsigned lane);
  Expected<Value> binary(const Node &node, unsigned lane);
  Expected<Value> integerOperation(const Node &node, ValueType type, u64 a, u64 b);
  Expected<Value> quantified(const Node &node);

  StringRef text;
  const LaneContext &context;
};

} // namespace

Expected<unsigned> Evaluator::laneOf(const Node &node, unsigned lane) {
  if (node.everyLane)
    return fail(node, "[*] is for `set`; `info registers` shows every lane");
  if (!node.lane)
    return lane;
  Expected<Value> value = evaluate(*node.lane, lane);
  if (!value)
    return value.takeError();
  s64 number = s64(value->integer());
  if (value->isFloat() || number < 0 || number >= s64(laneCount))
    return fail(*node.lane, "a lane is an integer from 0 to 31");
  return unsigned(number);
}

Expected<u64> Evaluator::addressOf(const Node &node, unsigned lane) {
  Expected<Value> value = evaluate(node, lane);
  if (!value)
    return value.takeError();
  if (value->isFloat())
    return fail(node, "an address is an integer, not a float");
  // A register is unsigned, a typed number may be negative and then is outside of every memory.
  return value->integer();
}

Expected<Value> Evaluator::registerValue(const Node &node, ValueType type, unsigned lane) {
  Expected<u32> low = context.readRegister(node.number, lane);
  if (!low)
    return located(node, low.takeError());
  if (sizeOf(type) < 8)
    return reinterpret(*low, type);
  if (node.number == 255)
    return reinterpret(0, type);
  // machine.md 2: 64-bit values stand in aligned pairs.
  if (node.number % 2 || node.number == 254)
    return fail(node, "a 64-bit value stands in an even register and the next one");
  Expected<u32> high = context.readRegister(node.number + 1, lane);
  if (!high)
    return located(node, high.takeError());
  return reinterpret(u64(*high) << 32 | *low, type);
}

Expected<Value> Evaluator::bitOf(const Node &node, Expected<LaneMask> mask, unsigned lane) {
  if (!mask)
    return located(node, mask.takeError());
  if (node.wholeMask)
    return Value{ValueType::Mask, *mask};
  Expected<unsigned> wanted = laneOf(node, lane);
  if (!wanted)
    return wanted.takeError();
  return Value::boolean(*mask >> *wanted & 1);
}

Expected<Value> Evaluator::nameValue(const Node &node, unsigned lane) {
  StringRef name = node.name;
  Expected<unsigned> wanted = laneOf(node, lane);
  if (!wanted)
    return wanted.takeError();
  auto lookUp = [&](StringRef candidate) -> Expected<std::optional<Value>> {
    if (node.kind == Node::Variable)
      return context.variable(candidate, *wanted);
    if (node.kind == Node::Special)
      return context.special(candidate, *wanted);
    return context.named(candidate);
  };
  std::optional<ValueType> type = node.type;
  Expected<std::optional<Value>> found = lookUp(name);
  // `y.f32` is y with a type when nothing is called so.
  if (found && !*found && !type)
    if (size_t dot = name.rfind('.'); dot != StringRef::npos && dot > 0)
      if ((type = valueTypeNamed(name.substr(dot + 1).lower())))
        found = lookUp(name.take_front(dot));
  if (!found)
    return located(node, found.takeError());
  if (!*found) {
    if (node.kind == Node::Variable)
      return fail(node, "there is no variable '$" + name +
                            "'; there are $pc $mask $lane $warp $cta $depth, and $1, $2, "
                            "... of `print`");
    if (node.kind == Node::Special)
      return fail(node, "there is no special register '" + name + "'");
    return fail(node, "there is no register, parameter, shared variable or label '" + name + "'");
  }
  return type ? reinterpret((*found)->bits, *type) : **found;
}

Expected<Value> Evaluator::memoryValue(const Node &node, ValueType type, unsigned lane) {
  Expected<u64> address = addressOf(*node.children.back(), lane);
  if (!address)
    return address.takeError();
  u64 bank = 0;
  if (node.space == MemorySpace::Constant) {
    Expected<u64> first = addressOf(*node.children[0], lane);
    if (!first)
      return first.takeError();
    bank = *first;
    if (bank > 15)
      return fail(*node.children[0], "the constant banks are c[0] to c[15]");
  }
  uint8_t bytes[8] = {};
  if (Error error =
          context.read(node.space, unsigned(bank), *address, lane, MutableArrayRef(bytes, sizeOf(type))))
    return located(node, std::move(error));
  return reinterpret(support::endian::read64le(bytes), type);
}

Expected<Value> Evaluator::evaluate(const Node &node, unsigned lane) {
  switch (node.kind) {
  case Node::Literal:
    return node.value;
  case Node::Register: {
    Expected<unsigned> wanted = laneOf(node, lane);
    return wanted ? registerValue(node, node.type.value_or(ValueType::Word), *wanted)
                  : Expected<Value>(wanted.takeError());
  }
  case Node::Predicate:
    return bitOf(node, context.readPredicate(node.number), lane);
  case Node::FlagBit:
    return bitOf(node, context.readFlag(Flag(node.number)), lane);
  case Node::Special:
  case Node::Variable:
  case Node::Name:
    return nameValue(node, lane);
  case Node::Memory:
    return memoryValue(node, node.type.value_or(ValueType::Word), lane);
  case Node::Unary:
    return unary(node, lane);
  case Node::Binary:
    return binary(node, lane);
  case Node::Cast: {
    // The bits of what has no type are given one, at the type's width.
    const Node &inner = *node.children[0];
    if (inner.kind == Node::Register && !inner.type) {
      Expected<unsigned> wanted = laneOf(inner, lane);
      return wanted ? registerValue(inner, *node.type, *wanted) : Expected<Value>(wanted.takeError());
    }
    if (inner.kind == Node::Memory && !inner.type)
      return memoryValue(inner, *node.type, lane);
    Expected<Value> value = evaluate(inner, lane);
    return value ? convert(*value, *node.type) : std::move(value);
  }
  case Node::Quantified:
    return quantified(node);
  }
  return fail(node, "this cannot be computed");
}

Expected<LaneMask> Evaluator::lanesWhereTrue(const Node &node) {
  Expected<LaneMask> active = context.activeMask();
  if (!active)
    return located(node, active.takeError());
  LaneMask lanes = 0;
  for (unsigned lane = 0; lane < laneCount; ++lane) {
    if (!(*active >> lane & 1))
      continue;
    Expected<Value> value = evaluate(node, lane);
    if (!value)
      return value.takeError();
    lanes |= LaneMask(value->truth()) << lane;
  }
  return lanes;
}

Expected<Value> Evaluator::quantified(const Node &node) {
  // Within a quantifier each lane would look at every lane again: 32 to the power of the nesting.
  static constexpr const char *names[] = {"any", "all", "count", "mask"};
  auto nested = [](const Node &inner, auto &self) -> const Node * {
    if (inner.kind == Node::Quantified)
      return &inner;
    if (inner.lane)
      if (const Node *found = self(*inner.lane, self))
        return found;
    for (const auto &child : inner.children)
      if (const Node *found = self(*child, self))
        return found;
    return nullptr;
  };
  if (const Node *inner = nested(*node.children[0], nested))
    return fail(*inner, Twine(names[unsigned(inner->quantifier)]) +
                            " cannot stand inside another quantifier: it looks at every lane already");
  Expected<LaneMask> lanes = lanesWhereTrue(*node.children[0]);
  if (!lanes)
    return lanes.takeError();
  Expected<LaneMask> active = context.activeMask();
  if (!active)
    return located(node, active.takeError());
  switch (node.quantifier) {
  case Quantifier::Any:
    return Value::boolean(*lanes != 0);
  case Quantifier::All:
    return Value::boolean(*lanes == *active);
  case Quantifier::Count:
    return Value::u32Of(u32(__builtin_popcount(*lanes)));
  case Quantifier::Mask:
    return Value{ValueType::Mask, *lanes};
  }
  return fail(node, "this cannot be computed");
}

/// What an integer computes as: at least 32 bits.
static ValueType promoted(ValueType type) {
  using enum ValueType;
  switch (type) {
  case Bool:
  case U8:
  case S8:
  case U16:
  case S16:
    return S32;
  case Word:
  case Mask:
    return U32;
  case Address:
    return U64;
  default:
    return type;
  }
}

static ValueType commonInteger(const Value &a, const Value &b) {
  ValueType x = promoted(a.type), y = promoted(b.type);
  if (sizeOf(x) != sizeOf(y))
    return sizeOf(x) > sizeOf(y) ? x : y;
  return x == ValueType::U32 || x == ValueType::U64 ? x : y;
}

Expected<Value> Evaluator::unary(const Node &node, unsigned lane) {
  Expected<Value> operand = evaluate(*node.children[0], lane);
  if (!operand)
    return operand;
  if (node.op == Operator::Not)
    return Value::boolean(!operand->truth());
  if (operand->isFloat()) {
    if (node.op == Operator::Complement)
      return fail(node, "'~' needs an integer");
    if (node.op == Operator::Negate) // the sign bit: a NaN keeps its bits
      operand->bits ^= u64(1) << (8 * sizeOf(operand->type) - 1);
    return operand;
  }
  ValueType type = promoted(operand->type);
  u64 value = operand->integer();
  if (node.op == Operator::Negate)
    value = 0 - value;
  else if (node.op == Operator::Complement)
    value = ~value;
  // ~mask is a mask.
  return reinterpret(
      value, node.op == Operator::Complement && operand->type == ValueType::Mask ? ValueType::Mask : type);
}

static bool compareWith(Operator op, auto &&less, auto &&equal) {
  switch (op) {
  case Operator::Less:
    return less(false);
  case Operator::LessEqual:
    return less(false) || equal();
  case Operator::Greater:
    return less(true);
  case Operator::GreaterEqual:
    return less(true) || equal();
  case Operator::Equal:
    return equal();
  default:
    return !equal();
  }
}

static bool isComparison(Operator op) { return op >= Operator::Less && op <= Operator::NotEqual; }

/// Exact: -1 is less than any unsigned number.
static bool compareIntegers(Operator op, const Value &a, const Value &b) {
  auto wide = [](const Value &value) {
    return value.isSigned() ? __int128(s64(value.integer())) : __int128(value.integer());
  };
  __int128 x = wide(a), y = wide(b);
  return compareWith(op, [&](bool swapped) { return swapped ? y < x : x < y; }, [&] { return x == y; });
}

static bool compareFloats(Operator op, double x, double y) {
  return compareWith(op, [&](bool swapped) { return swapped ? y < x : x < y; }, [&] { return x == y; });
}

Expected<Value> Evaluator::integerOperation(const Node &node, ValueType type, u64 a, u64 b) {
  unsigned bits = 8 * sizeOf(type);
  bool isSigned = Value{type, 0}.isSigned();
  switch (node.op) {
  case Operator::Multiply:
    return reinterpret(a * b, type);
  case Operator::Add:
    return reinterpret(a + b, type);
  case Operator::Subtract:
    return reinterpret(a - b, type);
  case Operator::And:
    return reinterpret(a & b, type);
  case Operator::Or:
    return reinterpret(a | b, type);
  case Operator::Xor:
    return reinterpret(a ^ b, type);
  case Operator::ShiftLeft:
    return reinterpret(b < bits ? a << b : 0, type);
  case Operator::ShiftRight:
    if (isSigned)
      return reinterpret(u64(s64(a) >> std::min<u64>(b, 63)), type);
    return reinterpret(b < bits ? a >> b : 0, type);
  case Operator::Divide:
  case Operator::Remainder: {
    if (b == 0)
      return fail(node, "division by zero");
    bool divide = node.op == Operator::Divide;
    if (!isSigned)
      return reinterpret(divide ? a / b : a % b, type);
    if (s64(b) == -1) // the one quotient that can overflow wraps
      return reinterpret(divide ? 0 - a : 0, type);
    return reinterpret(u64(divide ? s64(a) / s64(b) : s64(a) % s64(b)), type);
  }
  default:
    return fail(node, "this operator needs integers");
  }
}

Expected<Value> Evaluator::binary(const Node &node, unsigned lane) {
  Expected<Value> left = evaluate(*node.children[0], lane);
  if (!left)
    return left;
  // Lazy, as in C: `R4 != 0 && [R4] > 5`.
  bool isAnd = node.op == Operator::LogicalAnd, isOr = node.op == Operator::LogicalOr;
  if ((isAnd && !left->truth()) || (isOr && left->truth()))
    return Value::boolean(isOr);
  Expected<Value> right = evaluate(*node.children[1], lane);
  if (!right)
    return right;
  if (isAnd || isOr)
    return Value::boolean(right->truth());
  Value a = *left, b = *right;
  if (!a.isFloat() && !b.isFloat()) {
    if (isComparison(node.op))
      return Value::boolean(compareIntegers(node.op, a, b));
    bool shifts = node.op == Operator::ShiftLeft || node.op == Operator::ShiftRight;
    ValueType type = shifts ? promoted(a.type) : commonInteger(a, b);
    bool masks = a.type == ValueType::Mask && b.type == ValueType::Mask &&
                 (node.op == Operator::And || node.op == Operator::Or || node.op == Operator::Xor);
    if (shifts && s64(b.integer()) < 0 && b.isSigned())
      return fail(node, "a shift by a negative count");
    // Both operands at the common type's width first: 0xffffffff as s32 beside u32 is 0xffffffff.
    u64 x = reinterpret(a.integer(), type).integer();
    u64 y = shifts ? b.integer() : reinterpret(b.integer(), type).integer();
    return integerOperation(node, masks ? ValueType::Mask : type, x, y);
  }
  // A typed-in float is as wide as the float beside it; an integer becomes that float.
  bool single = (a.type == ValueType::F32 || !a.isFloat() || a.literal) &&
                (b.type == ValueType::F32 || !b.isFloat() || b.literal) &&
                (a.type == ValueType::F32 || b.type == ValueType::F32);
  ValueType type = single ? ValueType::F32 : ValueType::F64;
  // A raw word beside a float keeps its number, as an integer does: f32(R3) says otherwise.
  auto toFloat = [&](Value value) {
    if (value.type == ValueType::Word)
      value.type = ValueType::U32;
    return convert(value, type).number();
  };
  double x = toFloat(a), y = toFloat(b);
  if (isComparison(node.op))
    return Value::boolean(compareFloats(node.op, x, y));
  double result;
  switch (node.op) {
  case Operator::Multiply:
    result = x * y;
    break;
  case Operator::Divide:
    result = x / y;
    break;
  case Operator::Add:
    result = x + y;
    break;
  case Operator::Subtract:
    result = x - y;
    break;
  case Operator::Remainder:
    result = std::fmod(x, y);
    break;
  default:
    return fail(node, "this operator needs integers; u32(...) makes one");
  }
  // One operation in double and one rounding to f32 is the correctly rounded f32 operation (IEEE 754: 53 >=
  // 2*24+2).
  Value value = single ? Value::ofFloat(float(result)) : Value::ofDouble(result);
  value.literal = a.isFloat() && b.isFloat() && a.literal && b.literal;
  return value;
}

Expected<Value> Expression::evaluate(const LaneContext &context) const {
  return Evaluator(source, context).evaluate(*root, context.lane());
}

Expected<LaneMask> Expression::lanesWhereTrue(const LaneContext &context) const {
  return Evaluator(source, context).lanesWhereTrue(*root);
}

Expected<Place> Expression::place(const LaneContext &context) const {
  const Node &node = *root;
  Evaluator evaluator(source, context);
  ValueType type = node.type.value_or(ValueType::Word);
  Place place{};
  place.type = type;
  if (node.kind == Node::Memory && node.space != MemorySpace::Constant) {
    Expected<u64> address = evaluator.addressOf(*node.children[0], context.lane());
    if (!address)
      return address.takeError();
    place.kind = Place::Memory;
    place.space = node.space;
    place.address = *address;
    place.bytes = sizeOf(type);
    place.lanes = LaneMask(1) << context.lane();
    uint8_t bytes[8];
    if (Error error =
            context.read(place.space, 0, place.address, context.lane(), MutableArrayRef(bytes, place.bytes)))
      return evaluator.located(node, std::move(error));
    return place;
  }
  if (node.kind != Node::Register && node.kind != Node::Predicate && node.kind != Node::FlagBit)
    return textError(source, node.column,
                     "expected a register, a predicate, a flag or memory, as in R3[7] or [x+4]");
  place.kind = node.kind == Node::Register    ? Place::Register
               : node.kind == Node::Predicate ? Place::Predicate
                                              : Place::FlagBit;
  place.number = node.number;
  if (node.kind == Node::Register) {
    place.words = sizeOf(type) == 8 ? 2 : 1;
    for (unsigned i = 0; i < place.words; ++i)
      if (Expected<u32> exists = context.readRegister(node.number + i, 0); !exists)
        return evaluator.located(node, exists.takeError());
  }
  if (node.everyLane || node.wholeMask) {
    place.lanes = allLanes;
    return place;
  }
  Expected<unsigned> lane = evaluator.laneOf(node, context.lane());
  if (!lane)
    return lane.takeError();
  place.lanes = LaneMask(1) << *lane;
  return place;
}

/// The bits that a place of `type` gets: a Word takes a float as f32.
static u64 bitsFor(const Value &value, ValueType type) {
  if (type == ValueType::Word)
    type = value.isFloat() ? ValueType::F32 : ValueType::U32;
  return convert(value, type).bits;
}

Error Assignment::perform(LaneContext &context) const {
  const Node &place = *target.root;
  Evaluator evaluator(value.source, context);
  LaneMask lanes;
  Expected<LaneMask> active = context.activeMask();
  if (!active)
    return evaluator.located(place, active.takeError());
  if (place.everyLane)
    lanes = *active;
  else {
    Expected<unsigned> lane = evaluator.laneOf(place, context.lane());
    if (!lane)
      return lane.takeError();
    lanes = LaneMask(1) << *lane;
  }
  if (place.kind == Node::Memory) {
    ValueType type = place.type.value_or(ValueType::Word);
    Expected<u64> address = evaluator.addressOf(*place.children[0], context.lane());
    if (!address)
      return address.takeError();
    Expected<Value> newValue = evaluator.evaluate(*value.root, context.lane());
    if (!newValue)
      return newValue.takeError();
    uint8_t bytes[8];
    support::endian::write64le(bytes, bitsFor(*newValue, type));
    if (Error error = context.write(place.space, *address, context.lane(), ArrayRef(bytes, sizeOf(type))))
      return evaluator.located(place, std::move(error));
    return Error::success();
  }
  // Every value is computed before the first is stored: R3[*] = R3[0] + 1 reads the old R3[0] everywhere.
  Value values[laneCount];
  for (unsigned lane = 0; lane < laneCount; ++lane) {
    if (!(lanes >> lane & 1))
      continue;
    Expected<Value> newValue = evaluator.evaluate(*value.root, place.everyLane ? lane : context.lane());
    if (!newValue)
      return newValue.takeError();
    values[lane] = *newValue;
  }
  if (place.kind == Node::Register) {
    ValueType type = place.type.value_or(ValueType::Word);
    bool pair = sizeOf(type) == 8;
    if (pair && (place.number % 2 || place.number == 254))
      return textError(value.source, place.column,
                       "a 64-bit value stands in an even register and the next one");
    for (unsigned lane = 0; lane < laneCount; ++lane) {
      if (!(lanes >> lane & 1))
        continue;
      u64 bits = bitsFor(values[lane], type);
      for (unsigned part = 0; part <= unsigned(pair); ++part)
        if (Error error = context.writeRegister(place.number + part, lane, u32(bits >> 32 * part)))
          return evaluator.located(place, std::move(error));
    }
    return Error::success();
  }
  bool isFlag = place.kind == Node::FlagBit;
  Expected<LaneMask> old =
      isFlag ? context.readFlag(Flag(place.number)) : context.readPredicate(place.number);
  if (!old)
    return evaluator.located(place, old.takeError());
  LaneMask mask = *old;
  if (place.wholeMask)
    mask = LaneMask(values[unsigned(__builtin_ctz(lanes))].integer());
  else
    for (unsigned lane = 0; lane < laneCount; ++lane)
      if (lanes >> lane & 1)
        mask = values[lane].truth() ? mask | LaneMask(1) << lane : mask & ~(LaneMask(1) << lane);
  Error error =
      isFlag ? context.writeFlag(Flag(place.number), mask) : context.writePredicate(place.number, mask);
  return error ? evaluator.located(place, std::move(error)) : Error::success();
}

} // namespace leno::dbg
