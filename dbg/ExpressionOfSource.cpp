// Variables of the source in expressions: names, members, elements, pointers, casts.
#include "dbg/Evaluator.h"
#include "dbg/Expression.h"
#include "dbg/source/Object.h"
#include <utility>

using namespace llvm;

namespace leno::dbg {

using Node = ExpressionNode;
using source::Object;
using source::Type;
using MaybeObject = std::optional<Object>;

Expected<MaybeObject> LaneContext::sourceVariable(StringRef, unsigned) const { return std::nullopt; }

//===--- Parts ------------------------------------------------------------===//

Expected<Value> Evaluator::valueOfObject(const Node &node, const Object &object) {
  const Type &type = object.type->plain();
  if (type.kind == Type::Array || type.kind == Type::Function) { // its first element's address
    Expected<Value> address = object.address();
    if (!address)
      return located(node, address.takeError());
    if (type.kind == Type::Array)
      address->of = source::pointerTo(*type.target);
    return address;
  }
  if (!type.isScalar())
    return fail(node, "'" + source::spell(*object.type) + "' is no number; its parts are");
  Expected<Value> value = object.value(context);
  return value ? std::move(value) : located(node, value.takeError());
}

Expected<MaybeObject> Evaluator::memberOf(const Node &node, Object object, StringRef name) {
  if (object.type->plain().kind == Type::Pointer) {
    Expected<Value> pointer = valueOfObject(node, object);
    if (!pointer)
      return pointer.takeError();
    object = source::pointee(*pointer, object.lane);
  }
  if (MaybeObject member = source::memberNamed(object, name))
    return member;
  // x.f32, as of a register.
  std::optional<ValueType> type = valueTypeNamed(name);
  if (type && sizeOf(*type) <= object.type->size)
    return object.part(0, *source::baseType(*type));
  std::string names;
  for (const Type::Member &member : object.type->plain().members)
    names += (names.empty() ? "" : ", ") + member.name;
  return fail(node, "'" + source::spell(*object.type) + "' has no member '" + name + "'" +
                        (names.empty() ? "" : ": it has " + names));
}

Expected<MaybeObject> Evaluator::elementOf(const Node &node, Object object, const Node &index, unsigned lane) {
  auto outer = std::exchange(inAddress, false);
  Expected<Value> number = evaluate(index, lane);
  inAddress = outer;
  if (!number)
    return number.takeError();
  if (number->isFloat())
    return fail(index, "an index is an integer");
  const Type &type = object.type->plain();
  if (type.kind == Type::Pointer) {
    Expected<Value> pointer = valueOfObject(node, object);
    if (!pointer)
      return pointer.takeError();
    pointer->bits += number->integer() * type.target->size;
    return source::pointee(*pointer, object.lane);
  }
  if (!object.type->isList())
    return fail(node, "'" + source::spell(*object.type) + "' has no elements; lanes are x[*lanes], x[lane 3]");
  if (!object.memory() && number->integer() >= type.count)
    return fail(index, "it has " + Twine(type.count) + " elements");
  return object.element(number->integer());
}

/// a[i][j] as far as a name holds them.
Expected<MaybeObject> Evaluator::subscriptsOf(const Node &node, Object object, unsigned lane) {
  for (const Node *index : {node.index.get(), node.namesLane || node.lastLane ? nullptr : node.lane.get()}) {
    if (!index)
      continue;
    Expected<MaybeObject> element = elementOf(node, std::move(object), *index, lane);
    if (!element || !*element)
      return element;
    object = std::move(**element);
  }
  return object;
}

Expected<MaybeObject> Evaluator::objectNamed(const Node &node, StringRef name, unsigned lane) {
  auto [first, rest] = name.split('.');
  Expected<MaybeObject> found = context.sourceVariable(first, lane);
  if (!found)
    return located(node, found.takeError());
  while (*found && !rest.empty()) {
    std::tie(first, rest) = rest.split('.');
    found = memberOf(node, std::move(**found), first);
    if (!found)
      return found;
  }
  return found;
}

//===--- Nodes ------------------------------------------------------------===//

/// A child as an object; of a pointer that was computed, that.
Expected<MaybeObject> Evaluator::operandOf(const Node &node, unsigned lane) {
  Expected<MaybeObject> found = object(node, lane);
  if (!found || *found || (node.kind != Node::Binary && node.kind != Node::Variable && node.kind != Node::Unary))
    return found;
  auto outer = std::exchange(inAddress, false);
  Expected<Value> value = evaluate(node, lane);
  inAddress = outer;
  if (!value)
    return value.takeError();
  if (!value->of)
    return std::nullopt;
  return source::objectOf(*value, *value->of, lane);
}

Expected<MaybeObject> Evaluator::castToSource(const Node &node, unsigned lane) {
  if (node.typeName.empty() || (node.type && !node.stars))
    return std::nullopt;
  const Type *type = context.sourceType(node.typeName);
  static const Type none{};
  if (!type && node.typeName == "void")
    type = &none;
  if (!type)
    if (std::optional<ValueType> plain = node.type ? valueTypeOfC(node.typeName) : std::nullopt)
      type = source::baseType(*plain);
  if (!type)
    return fail(node, "the program has no type '" + node.typeName + "'");
  Expected<Value> value = evaluate(*node.children[0], lane);
  if (!value)
    return value.takeError();
  bool isPointer = value->of && value->of->plain().kind == Type::Pointer;
  MemorySpace space = isPointer ? value->of->plain().space : MemorySpace::Generic;
  for (unsigned i = 0; i < node.stars; ++i)
    type = source::pointerTo(*type, i + 1 == node.stars ? space : MemorySpace::Generic);
  if (!type->isScalar())
    return fail(node, "a value cannot become '" + source::spell(*type) + "'");
  return source::objectOf(convert(*value, type->plain().scalar), *type, lane);
}

Expected<MaybeObject> Evaluator::object(const Node &node, unsigned lane) {
  if (!context.hasSource())
    return std::nullopt;
  if (node.namesLane && node.lane && !node.lastLane) { // [lane 3]
    Expected<LaneMask> named = lanesOf(node, node.lane.get(), lane);
    if (!named)
      return named.takeError();
    lane = unsigned(__builtin_ctz(*named));
  }
  switch (node.kind) {
  case Node::Register:
  case Node::Predicate:
  case Node::FlagBit:
  case Node::Name: {
    if (node.hasDollar || node.wholeMask)
      return std::nullopt;
    Expected<MaybeObject> found = objectNamed(node, node.kind == Node::Name ? node.name : node.spelled, lane);
    if (found && *found)
      found = subscriptsOf(node, std::move(**found), lane);
    if (found && *found && node.type)
      found = memberOf(node, std::move(**found), nameOf(*node.type));
    return found;
  }
  case Node::Memory: {
    if (node.isDereference) {
      Expected<MaybeObject> pointer = operandOf(*node.children[0], lane);
      if (!pointer || !*pointer || node.type)
        return pointer && node.type ? Expected<MaybeObject>(std::nullopt) : std::move(pointer);
      const Type &type = (*pointer)->type->plain();
      if (type.kind == Type::Array)
        return (*pointer)->element(0);
      if (type.kind != Type::Pointer)
        return std::nullopt;
      if (type.target->plain().kind == Type::Void)
        return fail(node, "it points to what has no type: *(int *)p reads an int there");
      Expected<Value> value = valueOfObject(node, **pointer);
      return value ? Expected<MaybeObject>(source::pointee(*value, lane)) : value.takeError();
    }
    if (node.spelled.empty())
      return std::nullopt;
    Expected<MaybeObject> found = context.sourceVariable(node.spelled, lane);
    if (!found)
      return located(node, found.takeError());
    for (const auto &index : node.children) {
      if (!*found)
        break;
      found = elementOf(node, std::move(**found), *index, lane);
      if (!found)
        return found;
    }
    return found;
  }
  case Node::Member: {
    Expected<MaybeObject> inner = operandOf(*node.children[0], lane);
    if (!inner || !*inner)
      return inner;
    // a->b.c
    StringRef rest = node.name;
    while (inner && *inner && !rest.empty()) {
      StringRef first;
      std::tie(first, rest) = rest.split('.');
      inner = memberOf(node, std::move(**inner), first);
    }
    return inner;
  }
  case Node::Subscript: {
    Expected<MaybeObject> inner = operandOf(*node.children[0], lane);
    return inner && *inner ? elementOf(node, std::move(**inner), *node.children[1], lane) : std::move(inner);
  }
  case Node::Cast:
    return castToSource(node, lane);
  default:
    return std::nullopt;
  }
}

Expected<LaneMask> Evaluator::lanesOfObject(const Node &node, unsigned lane) {
  return node.isRange() ? lanesOf(node, node.lane.get(), lane) : LaneMask(1) << lane;
}

//===--- Operators --------------------------------------------------------===//

Expected<Value> Evaluator::addressOrSize(const Node &node, unsigned lane) {
  bool isSize = node.op == Operator::SizeOf;
  auto size = [](u64 bytes) { return Value{ValueType::S32, bytes, /*literal=*/true}; };
  if (isSize && node.children.empty()) {
    const Type *type = context.sourceType(node.typeName);
    if (node.stars)
      return size(sizeof(u64));
    if (type || node.type)
      return size(type ? type->size : sizeOf(*node.type));
    return fail(node, "the program has no type '" + node.typeName + "'");
  }
  const Node &operand = *node.children[0];
  Expected<MaybeObject> found = object(operand, lane);
  if (!found)
    return found.takeError();
  if (*found && isSize)
    return size((*found)->type->size);
  if (*found) {
    Expected<Value> address = (*found)->address();
    return address ? std::move(address) : located(node, address.takeError());
  }
  if (isSize) {
    bool isPlace = operand.kind == Node::Register || operand.kind == Node::Memory || operand.kind == Node::Cast;
    if (!isPlace || operand.count)
      return fail(node, "sizeof takes a type, a register or memory, as in sizeof(int) or sizeof(R0); `whatis` "
                        "tells a value's type");
    return size(sizeOf(operand.type.value_or(ValueType::U32)));
  }
  // Names of memory and code are addresses already.
  if (operand.kind == Node::Name && !operand.type && !operand.lane && !operand.everyLane)
    return evaluate(operand, lane);
  if (operand.kind == Node::Memory && operand.space != MemorySpace::Constant && !operand.count)
    return evaluate(*operand.children.back(), lane);
  return fail(node, "only memory and names have an address: registers and values have none; an element's is "
                    "its byte offset from a name, as in `x out + 16`");
}

/// C's p + i and p - q; nullopt: neither is a pointer, or an address is computed, in bytes.
Expected<std::optional<Value>> Evaluator::ofPointers(const Node &node, const Value &a, const Value &b) {
  auto isPointer = [](const Value &value) { return value.of && value.of->plain().kind == Type::Pointer; };
  if (inAddress || (!isPointer(a) && !isPointer(b)) ||
      (node.op != Operator::Add && node.op != Operator::Subtract))
    return std::nullopt;
  const Value &pointer = isPointer(a) ? a : b, &other = isPointer(a) ? b : a;
  u64 step = std::max<u64>(1, pointer.of->plain().target->size);
  if (isPointer(a) && isPointer(b)) {
    if (node.op == Operator::Add)
      return fail(node, "two pointers have no sum");
    return Value{ValueType::S64, u64(s64(a.bits - b.bits) / s64(step))};
  }
  if (other.isFloat())
    return fail(node, "a pointer and a float have no sum");
  u64 bytes = other.integer() * step;
  Value result =
      reinterpret(node.op == Operator::Add ? pointer.bits + bytes : pointer.bits - bytes, pointer.type);
  result.of = pointer.of;
  return result;
}

//===--- Whole expressions ------------------------------------------------===//

Expected<std::optional<std::vector<Object>>> Expression::objects(const LaneContext &context) const {
  Evaluator evaluator(source, context);
  if (!context.hasSource() || !context.hasLane())
    return std::nullopt;
  Expected<LaneMask> lanes = evaluator.lanesOfObject(*root, context.lane());
  if (!lanes)
    return lanes.takeError();
  std::vector<Object> all;
  for (LaneMask left = *lanes; left; left &= left - 1) {
    Expected<MaybeObject> found = evaluator.object(*root, unsigned(__builtin_ctz(left)));
    if (!found)
      return found.takeError();
    if (!*found)
      return std::nullopt;
    all.push_back(std::move(**found));
  }
  if (!root->count)
    return all;
  if (all.size() != 1)
    return textError(source, root->count->column, "a range is of lanes or of elements, not of both");
  Expected<u64> count = evaluator.countOf(*root, context.lane());
  if (!count)
    return count.takeError();
  std::vector<Object> elements;
  for (u64 i = 0; i < *count; ++i)
    elements.push_back(all[0].part(i * all[0].type->size, *all[0].type));
  return elements;
}

Expected<bool> Expression::placeOfObject(const LaneContext &context, Place &place) const {
  Expected<std::optional<std::vector<Object>>> found = objects(context);
  if (!found || !*found || (*found)->empty())
    return found ? Expected<bool>(false) : found.takeError();
  auto fail = [&](const Twine &message) { return textError(source, root->column, message); };
  const Object &first = (*found)->front();
  const Type &type = first.type->plain();
  if (!type.isScalar())
    return fail("'" + source::spell(*first.type) + "' is watched part by part, as in `watch p.x`");
  if (first.isAbsent())
    return fail("it has no place here: " + first.absent);
  place.type = type.isHalf ? ValueType::U16 : type.scalar;
  for (const Object &object : **found) {
    if (object.whereabouts() != first.whereabouts())
      return fail("its lanes have it in different places: " + first.whereabouts() + ", " + object.whereabouts());
    place.lanes |= LaneMask(1) << object.lane;
  }
  const source::Piece &piece = first.pieces.front();
  bool isPair = first.pieces.size() == 2 && piece.kind == source::Piece::Register &&
                first.pieces[1].kind == source::Piece::Register && first.pieces[1].number == piece.number + 1;
  if (first.memory() && piece.space != MemorySpace::Constant) {
    place.kind = Place::Memory;
    place.space = piece.space;
    place.address = piece.address;
    place.bytes = unsigned(type.size);
    uint8_t bytes[8];
    if (Error error = context.read(place.space, 0, place.address, first.lane, MutableArrayRef(bytes, place.bytes)))
      return Evaluator(source, context).located(*root, std::move(error));
  } else if (piece.kind == source::Piece::Register && (first.pieces.size() == 1 || isPair)) {
    place.kind = Place::Register;
    place.number = piece.number;
    place.words = isPair ? 2 : 1;
  } else if (piece.kind == source::Piece::Predicate) {
    place.kind = Place::Predicate;
    place.number = piece.number;
  } else {
    return fail("it has no place that could change: it is " + first.whereabouts());
  }
  return true;
}

} // namespace leno::dbg
