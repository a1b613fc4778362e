//===- ExpressionEvaluator.cpp - Tree to value ----------------------------===//
#include "dbg/Evaluator.h"
#include "dbg/Expression.h"
#include "dbg/Habits.h"
#include "dbg/source/Object.h"
#include "emu/memory/AddressSpace.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Endian.h"
#include <cmath>
#include <utility>

using namespace llvm;

namespace leno::dbg {

using Node = ExpressionNode;

std::pair<MemorySpace, u64> mapGeneric(u64 address) {
  for (auto [window, space] : {std::pair(AddressSpace::sharedWindow, MemorySpace::Shared),
                               {AddressSpace::localWindow, MemorySpace::Local}})
    if (address - window < AddressSpace::windowBytes)
      return {space, address - window};
  return {MemorySpace::Global, address};
}

Error Evaluator::located(const Node &node, Error error) {
  if (error.isA<TextError>())
    return error;
  return textError(text, node.column, toString(std::move(error)));
}

//===--- Lanes, names and places ------------------------------------------===//

Expected<LaneMask> Evaluator::lanesOf(const Node &node, const Node *brackets, unsigned lane) {
  if (node.everyLane) {
    Expected<LaneMask> active = context.activeMask();
    return active ? std::move(active) : located(node, active.takeError());
  }
  auto number = [&](const Node &part) -> Expected<unsigned> {
    Expected<Value> value = evaluate(part, lane);
    if (!value)
      return value.takeError();
    s64 number = s64(value->integer());
    if (value->isFloat() || number < 0 || number >= s64(laneCount))
      return fail(part, "a lane is an integer from 0 to 31");
    return unsigned(number);
  };
  if (!brackets)
    return LaneMask(1) << lane;
  Expected<unsigned> first = number(*brackets);
  if (!first)
    return first.takeError();
  if (!node.lastLane)
    return LaneMask(1) << *first;
  Expected<unsigned> last = number(*node.lastLane);
  if (!last)
    return last.takeError();
  if (*last < *first)
    return fail(*node.lastLane, "the last lane of a range is not below the first");
  return LaneMask(((u64(1) << (*last - *first + 1)) - 1) << *first);
}

Expected<unsigned> Evaluator::laneOf(const Node &node, const Node *brackets, unsigned lane) {
  if (node.everyLane || node.lastLane)
    return fail(node, "a range of lanes stands alone, as in `print R0[0:7]`");
  Expected<LaneMask> lanes = lanesOf(node, brackets, lane);
  return lanes ? Expected<unsigned>(unsigned(__builtin_ctz(*lanes))) : lanes.takeError();
}

Expected<std::optional<Cell>> Evaluator::cell(const Node &node, unsigned lane) {
  if (node.kind == Node::Register || node.kind == Node::Predicate || node.kind == Node::FlagBit)
    return Cell{node.kind, node.number, node.lane.get(), node.type, node.wholeMask};
  if (node.kind != Node::Name)
    return std::nullopt;
  StringRef name = node.name;
  Cell result{Node::Register, 0, node.lane.get(), node.type, node.wholeMask};
  std::optional<NamedRegisters> found = context.registersNamed(name);
  if (size_t dot = name.rfind('.'); !found && dot != StringRef::npos && dot > 0) {
    result.type = valueTypeNamed(name.substr(dot + 1).lower());
    result.wholeMask = name.substr(dot + 1) == "mask";
    if (result.type || result.wholeMask)
      found = context.registersNamed(name = name.take_front(dot));
  }
  if (!found)
    return std::nullopt;
  if (found->isPredicate)
    result.kind = Node::Predicate;
  if (result.kind == Node::Predicate ? result.type.has_value() : result.wholeMask)
    return fail(node, result.wholeMask ? "'" + name + "' is a register: only a predicate has a mask"
                                       : "'" + name + "' is a predicate, which has no other type");
  result.number = found->first;
  if (!found->isRange) {
    if (node.index)
      return fail(*node.index, "'" + name + "' is one register: its brackets take a lane");
    return result;
  }
  unsigned last = found->firstIndex + found->count - 1;
  const Node *index = node.index ? node.index.get() : node.lane.get();
  if (!index || node.everyLane || (!node.index && node.lastLane))
    return fail(node, "'" + name + "' is several registers: " + name + "[" + Twine(found->firstIndex) +
                          "] to " + name + "[" + Twine(last) + "]; a second pair of brackets takes the lane");
  Expected<Value> value = evaluate(*index, lane);
  if (!value)
    return value.takeError();
  u64 number = value->integer();
  if (value->isFloat() || number < found->firstIndex || number > last)
    return fail(*index, "'" + name + "' goes from " + Twine(found->firstIndex) + " to " + Twine(last));
  result.number += unsigned(number) - found->firstIndex;
  result.lane = node.index ? node.lane.get() : nullptr;
  return result;
}

Expected<u64> Evaluator::addressOf(const Node &node, unsigned lane) {
  auto outer = make_scope_exit([this, was = std::exchange(inAddress, true)] { inAddress = was; });
  Expected<Value> value = evaluate(node, lane);
  if (!value)
    return value.takeError();
  if (value->isFloat())
    return fail(node, "an address is an integer, not a float");
  // A typed number may be negative and then is outside of every memory.
  return value->integer();
}

Expected<Value> Evaluator::registerValue(const Node &node, unsigned number, ValueType type, unsigned lane) {
  Expected<u32> low = context.readRegister(number, lane);
  if (!low)
    return located(node, low.takeError());
  if (sizeOf(type) < 8)
    return reinterpret(*low, type);
  if (number == 255)
    return reinterpret(0, type);
  // Architecture.md 2: 64-bit values stand in aligned pairs.
  if (number % 2 || number == 254)
    return fail(node, "a 64-bit value stands in an even register and the next one");
  Expected<u32> high = context.readRegister(number + 1, lane);
  if (!high)
    return located(node, high.takeError());
  return reinterpret(u64(*high) << 32 | *low, type);
}

Expected<Value> Evaluator::cellValue(const Node &node, const Cell &cell, ValueType type, unsigned lane) {
  if (cell.kind == Node::Register)
    return registerValue(node, cell.number, type, lane);
  Expected<LaneMask> mask =
      cell.kind == Node::Predicate ? context.readPredicate(cell.number) : context.readFlag(Flag(cell.number));
  if (!mask)
    return located(node, mask.takeError());
  return cell.wholeMask ? Value{ValueType::Mask, *mask} : Value::boolean(*mask >> lane & 1);
}

/// What other debuggers' users look for.
static std::string hintOf(StringRef name) {
  StringRef here = nameByHabit(name);
  return here.empty() ? "" : ("; here it is " + here).str();
}

Expected<Value> Evaluator::nameValue(const Node &node, unsigned lane) {
  StringRef name = node.name;
  auto lookUp = [&](StringRef candidate) -> Expected<std::optional<Value>> {
    if (node.kind == Node::Variable)
      return context.variable(candidate, lane);
    if (node.kind == Node::Special)
      return context.special(candidate, lane);
    // As the assembly language has it.
    if (std::optional<u64> offset = bank ? context.constantNamed(*bank, candidate) : std::nullopt)
      return Value{ValueType::U64, *offset};
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
    auto unknown = [&](const Twine &message) {
      return make_error<TextError>(text, node.column, message, /*isUnknownName=*/true);
    };
    if (node.kind == Node::Variable)
      return unknown("there is no variable '$" + name + "'" + hintOf("$" + name.str()) +
                     "; there are $pc $mask $lane $warp $cta $depth $tick, $1, $2, ... of `print`, and those "
                     "that `set` makes");
    if (node.kind == Node::Special)
      return unknown("there is no special register '" + name + "'");
    if (context.sourceKnows(name.split('.').first)) // it may be one elsewhere
      return fail(node, "'" + name.split('.').first + "' is no variable here: it belongs to another function or block");
    return unknown("there is no register, parameter, shared variable or label '" + name + "'" + hintOf(name));
  }
  if (node.kind == Node::Name && (node.lane || node.everyLane))
    return fail(node, "'" + name + "' is no register: it has no lanes; memory is [" + name + "], [" + name +
                          " + 4].f32, and [" + name + "]@8 several words of it");
  return type ? reinterpret((*found)->bits, *type) : **found;
}

Expected<Evaluator::Where> Evaluator::whereOfConstant(const Node &node, unsigned lane) {
  Expected<u64> number = addressOf(*node.children[0], lane);
  if (!number)
    return number.takeError();
  if (node.children.size() < 2)
    return textError(text, text.size(), "expected '[' here");
  if (*number > 15)
    return fail(*node.children[0], "the constant banks are c[0] to c[15]");
  bank = unsigned(*number);
  Expected<u64> offset = addressOf(*node.children.back(), lane);
  if (!offset)
    return offset.takeError();
  return Where{node.space, unsigned(*number), *offset};
}

Expected<Evaluator::Where> Evaluator::where(const Node &node, unsigned lane) {
  auto outer = make_scope_exit([this, was = std::exchange(bank, std::nullopt)] { bank = was; });
  // Of the source's types it was an object.
  if (node.isDereference && node.children[0]->kind == Node::Cast && node.children[0]->stars > 1)
    return fail(node, "one * at a time: [[x].u64] reads where x points to");
  if (node.space == MemorySpace::Constant)
    return whereOfConstant(node, lane);
  Expected<u64> address = addressOf(*node.children.back(), lane);
  if (!address)
    return address.takeError();
  auto [space, offset] = mapGeneric(*address);
  if (node.space != MemorySpace::Global && node.space != space)
    return Where{node.space, 0, *address};
  return Where{space, 0, offset};
}

Expected<Value> Evaluator::memoryValue(const Node &node, ValueType type, unsigned lane, u64 element) {
  Expected<Where> at = where(node, lane);
  if (!at)
    return at.takeError();
  uint8_t bytes[8] = {};
  if (Error error = context.read(at->space, at->bank, at->address + element * sizeOf(type), lane,
                                 MutableArrayRef(bytes, sizeOf(type))))
    return located(node, std::move(error));
  return reinterpret(support::endian::read64le(bytes), type);
}

//===--- Values -----------------------------------------------------------===//

Expected<Value> Evaluator::evaluate(const Node &node, unsigned lane) {
  if (node.count)
    return fail(*node.count, "a range stands alone, as in `print [x].f32@8`");
  if (context.hasSource()) {
    Expected<std::optional<source::Object>> found = object(node, lane);
    if (!found)
      return found.takeError();
    // In an address the names of memory are addresses, in bytes.
    bool isMemory = *found && inAddress && node.kind == Node::Name && !node.lane && !node.everyLane &&
                    (*found)->memory() && (*found)->memory()->space != MemorySpace::Local &&
                    (*found)->memory()->space != MemorySpace::Constant;
    if (isMemory) {
      Expected<Value> address = (*found)->address();
      return address ? std::move(address) : located(node, address.takeError());
    }
    if (*found && node.isRange())
      return fail(node, "a range of lanes stands alone, as in `print x[*lanes]`");
    if (*found)
      return valueOfObject(node, **found);
  }
  switch (node.kind) {
  case Node::Literal:
    return node.value;
  case Node::Register:
  case Node::Predicate:
  case Node::FlagBit:
  case Node::Name: {
    if (node.hasDollar) {
      Expected<std::optional<Value>> own = context.variable(node.name, lane);
      if (!own || *own)
        return own ? Expected<Value>(**own) : located(node, own.takeError());
    }
    Expected<std::optional<Cell>> found = cell(node, lane);
    if (!found)
      return found.takeError();
    if (!*found)
      return nameValue(node, lane);
    Expected<unsigned> wanted = laneOf(node, (*found)->lane, lane);
    return wanted ? cellValue(node, **found, (*found)->type.value_or(ValueType::Word), *wanted)
                  : Expected<Value>(wanted.takeError());
  }
  case Node::Special:
  case Node::Variable: {
    Expected<unsigned> wanted = laneOf(node, node.lane.get(), lane);
    return wanted ? nameValue(node, *wanted) : Expected<Value>(wanted.takeError());
  }
  case Node::Memory:
    return memoryValue(node, node.type.value_or(ValueType::Word), lane);
  case Node::Unary:
    return unary(node, lane);
  case Node::Binary:
    return binary(node, lane);
  case Node::Cast:
    return node.type ? cast(node, lane)
                     : Expected<Value>(fail(node, "the program has no type '" + node.typeName + "'"));
  case Node::Quantified:
    return quantified(node);
  case Node::Member:
  case Node::Subscript:
    return evaluate(*node.children[0], lane)
               ? fail(node, "only a variable of the source has such a part")
               : evaluate(*node.children[0], lane).takeError();
  }
  return fail(node, "this cannot be computed");
}

// The bits of what has no type are given one, at the type's width.
Expected<Value> Evaluator::cast(const Node &node, unsigned lane) {
  const Node &inner = *node.children[0];
  if (inner.kind == Node::Memory && !inner.type && !inner.count)
    return memoryValue(inner, *node.type, lane);
  if (!inner.count) {
    Expected<std::optional<Cell>> found = cell(inner, lane);
    if (!found)
      return found.takeError();
    if (*found && (*found)->kind == Node::Register && !(*found)->type) {
      Expected<unsigned> wanted = laneOf(inner, (*found)->lane, lane);
      return wanted ? cellValue(inner, **found, *node.type, *wanted) : Expected<Value>(wanted.takeError());
    }
  }
  Expected<Value> value = evaluate(inner, lane);
  return value ? convert(*value, *node.type) : std::move(value);
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
    for (const Node *part : {inner.lane.get(), inner.lastLane.get(), inner.index.get(), inner.count.get()})
      if (part)
        if (const Node *found = self(*part, self))
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

/// What an integer computes as: at least 32 bits. A word is what it prints as, C's int.
static ValueType promoted(ValueType type) {
  using enum ValueType;
  switch (type) {
  case Bool:
  case U8:
  case S8:
  case U16:
  case S16:
  case Word:
    return S32;
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
  if (node.op == Operator::AddressOf || node.op == Operator::SizeOf)
    return addressOrSize(node, lane);
  Expected<Value> operand = evaluate(*node.children[0], lane);
  if (!operand)
    return operand;
  if (node.op == Operator::Not)
    return Value::boolean(!operand->truth());
  if (operand->isFloat()) {
    if (node.op == Operator::Complement)
      return fail(node, "'~' needs an integer");
    if (node.op == Operator::Negate) { // the sign bit: a NaN keeps its bits
      operand->bits ^= u64(1) << (8 * sizeOf(operand->type) - 1);
      operand->single ^= operand->literal ? 0x80000000 : 0;
    }
    return operand;
  }
  ValueType type = inAddress && operand->type == ValueType::Word ? ValueType::U32 : promoted(operand->type);
  u64 value = reinterpret(operand->integer(), type).integer();
  if (node.op == Operator::Negate)
    value = 0 - value;
  else if (node.op == Operator::Complement)
    value = ~value;
  // ~mask is a mask.
  Value result = reinterpret(
      value, node.op == Operator::Complement && operand->type == ValueType::Mask ? ValueType::Mask : type);
  result.literal = operand->literal;
  return result;
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

/// A word read for what stands beside it: signed, as it prints; unsigned beside an unsigned value, and beside
/// a number that was typed and that only an unsigned word can be.
static Value readBeside(const Value &word, const Value &other) {
  if (word.type != ValueType::Word)
    return word;
  ValueType type = promoted(other.type);
  bool isUnsigned = type == ValueType::U32 || type == ValueType::U64 ||
                    (other.literal && other.type == ValueType::S64 && other.bits <= 0xffffffff);
  return reinterpret(word.bits, isUnsigned ? ValueType::U32 : ValueType::S32);
}

/// Of two numbers that were typed: exact, and then as narrow as the parser would have made it, `narrow` if it
/// fits.
static Value ofLiterals(Value exact, ValueType narrow) {
  Value small = reinterpret(exact.bits, narrow);
  Value &result = small.integer() == exact.integer() ? small : exact;
  result.literal = true;
  return result;
}

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

Expected<Value> Evaluator::ofIntegers(const Node &node, Value a, Value b) {
  Value other = a;
  if (inAddress) // as the machine has them
    for (Value *one : {&a, &b})
      one->type = one->type == ValueType::Word ? ValueType::U32 : one->type;
  bool shifts = node.op == Operator::ShiftLeft || node.op == Operator::ShiftRight;
  a = readBeside(a, shifts ? a : b);
  b = readBeside(b, shifts ? b : other);
  if (isComparison(node.op))
    return Value::boolean(compareIntegers(node.op, a, b));
  if (shifts && s64(b.integer()) < 0 && b.isSigned())
    return fail(node, "a shift by a negative count");
  bool typed = a.literal && b.literal;
  ValueType narrow = shifts ? promoted(a.type) : commonInteger(a, b);
  ValueType type = typed && narrow != ValueType::U64 ? ValueType::S64 : narrow;
  bool masks = a.type == ValueType::Mask && b.type == ValueType::Mask &&
               (node.op == Operator::And || node.op == Operator::Or || node.op == Operator::Xor);
  // Both operands at the common type's width first: 0xffffffff as s32 beside u32 is 0xffffffff.
  u64 x = reinterpret(a.integer(), type).integer();
  u64 y = shifts ? b.integer() : reinterpret(b.integer(), type).integer();
  Expected<Value> result = integerOperation(node, masks ? ValueType::Mask : type, x, y);
  return result && typed ? Expected<Value>(ofLiterals(*result, narrow)) : std::move(result);
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
  Expected<std::optional<Value>> pointers = ofPointers(node, a, b);
  if (!pointers || *pointers)
    return pointers ? Expected<Value>(**pointers) : pointers.takeError();
  if (!a.isFloat() && !b.isFloat())
    return ofIntegers(node, a, b);
  // A typed-in float is as wide as the float beside it; an integer becomes that float.
  bool single = (a.type == ValueType::F32 || !a.isFloat() || a.literal) &&
                (b.type == ValueType::F32 || !b.isFloat() || b.literal) &&
                (a.type == ValueType::F32 || b.type == ValueType::F32);
  ValueType type = single ? ValueType::F32 : ValueType::F64;
  // A raw word beside a float keeps its number, as an integer does: f32(R3) says otherwise.
  auto toFloat = [&](Value value) {
    if (value.type == ValueType::Word)
      value.type = ValueType::S32;
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
  if (single)
    return Value::ofFloat(float(result));
  if (a.isFloat() && b.isFloat() && a.literal && b.literal)
    return Value::ofLiteral(result, u32(Value::ofFloat(float(result)).bits));
  return Value::ofDouble(result);
}

Error Evaluator::checkNames(const Node &node) {
  auto isUnknown = [](const TextError &error) { return error.isUnknownName; };
  if (node.kind == Node::Name || node.kind == Node::Special || node.kind == Node::Variable ||
      node.kind == Node::Register) {
    Expected<Value> value = evaluate(node, context.lane());
    Error wrong = value ? Error::success() : value.takeError();
    bool unknown = false;
    std::string message;
    handleAllErrors(
        std::move(wrong),
        [&](const TextError &error) {
          // Of a register: that the kernel has no such one.
          unknown = isUnknown(error) || (node.kind == Node::Register && !node.lane && !node.everyLane &&
                                         !node.count && context.hasLane());
          message = error.message;
        },
        [](const ErrorInfoBase &) {});
    if (unknown)
      return fail(node, message);
  }
  auto outer = make_scope_exit([this, was = bank] { bank = was; });
  if (node.kind == Node::Memory)
    bank.reset();
  for (const Node *part : {node.lane.get(), node.lastLane.get(), node.index.get(), node.count.get()})
    if (part)
      if (Error error = checkNames(*part))
        return error;
  for (const auto &child : node.children) {
    if (node.kind == Node::Memory && node.space == MemorySpace::Constant && &child == &node.children.back() &&
        node.children[0]->kind == Node::Literal)
      bank = unsigned(node.children[0]->value.bits);
    if (Error error = checkNames(*child))
      return error;
  }
  return Error::success();
}

Error Expression::checkNames(const LaneContext &context) const {
  return Evaluator(source, context).checkNames(*root);
}

Expected<u64> Expression::address(const LaneContext &context) const {
  return Evaluator(source, context).addressOf(*root, context.lane());
}

Expected<Value> Expression::evaluate(const LaneContext &context) const {
  return Evaluator(source, context).evaluate(*root, context.lane());
}

Expected<std::pair<unsigned, u64>> Expression::constantPlace(const LaneContext &context) const {
  if (root->kind != Node::Memory || root->space != MemorySpace::Constant || root->count)
    return textError(source, root->column, "expected a constant: c[BANK][OFFSET]");
  Expected<Evaluator::Where> where = Evaluator(source, context).where(*root, context.lane());
  if (!where)
    return where.takeError();
  return std::pair(where->bank, where->address);
}

Expected<LaneMask> Expression::lanesWhereTrue(const LaneContext &context) const {
  return Evaluator(source, context).lanesWhereTrue(*root);
}

} // namespace leno::dbg
