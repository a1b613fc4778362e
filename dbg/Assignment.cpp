// What expressions name, and what is put there.
#include "dbg/Evaluator.h"
#include "dbg/Expression.h"
#include "dbg/source/Object.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace leno::dbg {

using Node = ExpressionNode;

Expected<Place> Expression::placeOf(StringRef text, const LaneContext &context) {
  Expected<Expression> expression = parse(text);
  return expression ? expression->place(context) : expression.takeError();
}

Expected<Place> Expression::place(const LaneContext &context) const {
  const Node &node = *root;
  Evaluator evaluator(source, context);
  Place place{};
  if (node.count)
    return textError(source, node.count->column, "one place at a time: leave out the count");
  Expected<bool> isOfSource = placeOfObject(context, place);
  if (!isOfSource || *isOfSource)
    return isOfSource ? Expected<Place>(place) : isOfSource.takeError();
  if (node.kind == Node::Memory && node.space != MemorySpace::Constant) {
    Expected<Evaluator::Where> at = evaluator.where(node, context.lane());
    if (!at)
      return at.takeError();
    place.type = node.type.value_or(ValueType::Word);
    place.kind = Place::Memory;
    place.space = at->space;
    place.address = at->address;
    place.bytes = sizeOf(place.type);
    place.lanes = LaneMask(1) << context.lane();
    uint8_t bytes[8];
    if (Error error =
            context.read(place.space, 0, place.address, context.lane(), MutableArrayRef(bytes, place.bytes)))
      return evaluator.located(node, std::move(error));
    return place;
  }
  Expected<std::optional<Cell>> found = evaluator.cell(node, context.lane());
  if (!found)
    return found.takeError();
  if (!*found)
    return textError(source, node.column,
                     "expected a register, a predicate, a flag or memory, as in R3[7] or [x+4]");
  const Cell &cell = **found;
  place.type = cell.type.value_or(ValueType::Word);
  place.kind = cell.kind == Node::Register    ? Place::Register
               : cell.kind == Node::Predicate ? Place::Predicate
                                              : Place::FlagBit;
  place.number = cell.number;
  if (cell.kind == Node::Register) {
    place.words = sizeOf(place.type) == 8 ? 2 : 1;
    for (unsigned i = 0; i < place.words; ++i)
      if (Expected<u32> exists = context.readRegister(cell.number + i, 0); !exists)
        return evaluator.located(node, exists.takeError());
  }
  if (node.everyLane || cell.wholeMask) {
    place.lanes = allLanes;
    return place;
  }
  Expected<LaneMask> lanes = evaluator.lanesOf(node, cell.lane, context.lane());
  if (!lanes)
    return lanes.takeError();
  place.lanes = *lanes;
  return place;
}

/// The bits that a place of `type` gets: a Word takes a float as f32.
static u64 bitsFor(const Value &value, ValueType type) {
  if (type == ValueType::Word)
    type = value.isFloat() ? ValueType::F32 : ValueType::U32;
  return convert(value, type).bits;
}

Error Assignment::setMemory(LaneContext &context) const {
  const Node &place = *target.root;
  if (place.space == MemorySpace::Constant)
    return textError(value.source, place.column, "constants cannot be set: a launch has its own copy of them");
  Evaluator evaluator(value.source, context);
  ValueType type = place.type.value_or(ValueType::Word);
  Expected<Evaluator::Where> at = evaluator.where(place, context.lane());
  if (!at)
    return at.takeError();
  u64 count = 1;
  if (place.count) {
    Expected<u64> wanted = evaluator.countOf(place, context.lane());
    if (!wanted)
      return wanted.takeError();
    count = *wanted;
  }
  Expected<Value> newValue = evaluator.evaluate(*value.root, context.lane());
  if (!newValue)
    return newValue.takeError();
  std::vector<uint8_t> bytes;
  for (u64 i = 0; i < count; ++i) {
    uint8_t one[8];
    support::endian::write64le(one, bitsFor(*newValue, type));
    bytes.insert(bytes.end(), one, one + sizeOf(type));
  }
  Error error = context.write(at->space, at->address, context.lane(), bytes);
  return error ? evaluator.located(place, std::move(error)) : Error::success();
}

Error Assignment::setVariable(LaneContext &context) const {
  const Node &place = *target.root;
  Evaluator evaluator(value.source, context);
  if (place.lane || place.everyLane || place.type)
    return textError(value.source, place.column,
                     "a variable takes neither a lane nor a type; registers are written without '$', as in "
                     "`set R1[3] = 5`");
  Expected<Value> newValue = evaluator.evaluate(*value.root, context.lane());
  if (!newValue)
    return newValue.takeError();
  Error error = context.setVariable(place.name, *newValue);
  return error ? evaluator.located(place, std::move(error)) : Error::success();
}

Error Assignment::setRegister(LaneContext &context, unsigned number, ValueType type, LaneMask lanes,
                              ArrayRef<Value> values) const {
  const Node &place = *target.root;
  bool pair = sizeOf(type) == 8;
  if (pair && (number % 2 || number == 254))
    return textError(value.source, place.column,
                     "a 64-bit value stands in an even register and the next one");
  for (LaneMask left = lanes; left; left &= left - 1) {
    unsigned lane = unsigned(__builtin_ctz(left));
    u64 bits = bitsFor(values[lane], type);
    for (unsigned part = 0; part <= unsigned(pair); ++part)
      if (Error error = context.writeRegister(number + part, lane, u32(bits >> 32 * part)))
        return Evaluator(value.source, context).located(place, std::move(error));
  }
  return Error::success();
}

/// How the machine calls what a variable is called like: R4 for $R4 and $r4; empty: nothing.
static std::string registerLike(StringRef name, const LaneContext &context) {
  if (context.registersNamed(name))
    return name.str();
  StringRef text = name;
  Expected<Expression> parsed = Expression::parse(text);
  if (!parsed) {
    consumeError(parsed.takeError());
    return "";
  }
  return parsed->isCell() ? name.upper() : "";
}

std::string Assignment::warning(const LaneContext &context) const {
  const Node &place = *target.root;
  if (place.kind == Node::Variable || place.hasDollar) {
    std::string like = place.name == "pc" ? "" : registerLike(place.name, context);
    return like.empty() ? ""
                        : "$" + place.name + " is a variable of the debugger now; `set " + like +
                              " = ...` changes the machine's " + like;
  }
  if (place.kind == Node::Predicate || place.kind == Node::FlagBit)
    return "";
  Evaluator evaluator(value.source, context);
  if (context.hasSource()) {
    Expected<bool> ofSource = isOfSource(context);
    if (!ofSource)
      consumeError(ofSource.takeError());
    else if (*ofSource) // C's own conversion
      return "";
  }
  Expected<std::optional<Cell>> cell = evaluator.cell(place, context.lane());
  Expected<Value> given = evaluator.evaluate(*value.root, context.lane());
  if (!cell || !given) { // told when it is performed
    consumeError(cell.takeError());
    consumeError(given.takeError());
    return "";
  }
  std::optional<ValueType> written = *cell ? (*cell)->type : place.type;
  ValueType type = written.value_or(ValueType::Word);
  unsigned bits = 8 * sizeOf(type);
  if ((*cell && (*cell)->kind != Node::Register) || given->isFloat() || Value{type, 0}.isFloat() ||
      bits == 64 || given->type == ValueType::Word || type == ValueType::Bool)
    return "";
  u64 number = given->integer();
  bool isNegative = given->isSigned() && s64(number) < 0;
  bool fits = isNegative ? s64(number) >= -(s64(1) << (bits - 1)) : number >> bits == 0;
  if (fits)
    return "";
  std::string stored = hexAddress(reinterpret(number, type).bits, bits / 4);
  std::string text =
      hexAddress(number) + " does not fit " + std::to_string(bits) + " bits: stored is " + stored;
  if (*cell && !written && (*cell)->number % 2 == 0)
    text += formatv("; R{0}.u64 is the pair R{1}:R{0}", (*cell)->number, (*cell)->number + 1);
  return text;
}

/// A variable of the source or a part of one, in each lane that is named.
Error Assignment::setObject(LaneContext &context) const {
  const Node &place = *target.root;
  Evaluator evaluator(value.source, context);
  Expected<LaneMask> lanes = evaluator.lanesOfObject(place, context.lane());
  if (!lanes)
    return lanes.takeError();
  std::vector<std::pair<source::Object, Value>> all;
  for (LaneMask left = *lanes; left; left &= left - 1) {
    unsigned lane = unsigned(__builtin_ctz(left));
    Expected<std::optional<source::Object>> object = evaluator.object(place, lane);
    if (!object)
      return object.takeError();
    if (!(*object)->type->isScalar())
      return textError(value.source, place.column,
                       "'" + source::spell(*(*object)->type) + "' is set part by part, as in `set p.x = 1`");
    Expected<Value> newValue = evaluator.evaluate(*value.root, place.isRange() ? lane : context.lane());
    if (!newValue)
      return newValue.takeError();
    all.push_back({std::move(**object), *newValue});
  }
  for (const auto &[object, newValue] : all)
    if (Error error = object.write(newValue, context))
      return evaluator.located(place, std::move(error));
  return Error::success();
}

Expected<bool> Assignment::isOfSource(const LaneContext &context) const {
  Evaluator evaluator(value.source, context);
  Expected<LaneMask> lanes = evaluator.lanesOfObject(*target.root, context.lane());
  if (!lanes || !*lanes)
    return lanes ? Expected<bool>(false) : lanes.takeError();
  Expected<std::optional<source::Object>> object =
      evaluator.object(*target.root, unsigned(__builtin_ctz(*lanes)));
  return object ? Expected<bool>(object->has_value()) : object.takeError();
}

Error Assignment::perform(LaneContext &context) const {
  const Node &place = *target.root;
  if (context.hasSource()) {
    Expected<bool> ofSource = isOfSource(context);
    if (!ofSource)
      return ofSource.takeError();
    if (*ofSource)
      return setObject(context);
  }
  if (place.kind == Node::Member || place.kind == Node::Subscript)
    return textError(value.source, place.column, "only a variable of the source has such a part");
  if (place.kind == Node::Memory)
    return setMemory(context);
  if (place.kind == Node::Variable || place.hasDollar)
    return setVariable(context);
  Evaluator evaluator(value.source, context);
  if (Expected<LaneMask> active = context.activeMask(); !active)
    return evaluator.located(place, active.takeError());
  if (place.count)
    return textError(value.source, place.count->column, "one register at a time: leave out the count");
  Expected<std::optional<Cell>> found = evaluator.cell(place, context.lane());
  if (!found)
    return found.takeError();
  if (!*found)
    return textError(value.source, place.column,
                     "'" + place.name + "' is no name of a register or predicate");
  const Cell &cell = **found;
  Expected<LaneMask> lanes = evaluator.lanesOf(place, cell.lane, context.lane());
  if (!lanes)
    return lanes.takeError();
  bool several = place.everyLane || place.lastLane;
  // Every value is computed before the first is stored: R3[*] = R3[0] + 1 reads the old R3[0] everywhere.
  Value values[laneCount];
  for (LaneMask left = *lanes; left; left &= left - 1) {
    unsigned lane = unsigned(__builtin_ctz(left));
    Expected<Value> newValue = evaluator.evaluate(*value.root, several ? lane : context.lane());
    if (!newValue)
      return newValue.takeError();
    values[lane] = *newValue;
  }
  if (cell.kind == Node::Register)
    return setRegister(context, cell.number, cell.type.value_or(ValueType::Word), *lanes, values);
  bool isFlag = cell.kind == Node::FlagBit;
  Expected<LaneMask> old = isFlag ? context.readFlag(Flag(cell.number)) : context.readPredicate(cell.number);
  if (!old)
    return evaluator.located(place, old.takeError());
  LaneMask mask = *old;
  if (cell.wholeMask)
    mask = LaneMask(values[unsigned(__builtin_ctz(*lanes))].integer());
  else
    for (LaneMask left = *lanes; left; left &= left - 1) {
      unsigned lane = unsigned(__builtin_ctz(left));
      mask = values[lane].truth() ? mask | LaneMask(1) << lane : mask & ~(LaneMask(1) << lane);
    }
  Error error =
      isFlag ? context.writeFlag(Flag(cell.number), mask) : context.writePredicate(cell.number, mask);
  return error ? evaluator.located(place, std::move(error)) : Error::success();
}

} // namespace leno::dbg
