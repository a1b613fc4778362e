// Variables of the source as rows, with their parts.
#include "dbg/dap/Variables.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace leno::dbg::dap {

using source::Object;
using source::Type;

std::optional<Object> Variables::objectOf(const Container &container, Warp &warp) const {
  Expected<Expression> expression = Expression::parse(container.expression);
  if (!expression) {
    consumeError(expression.takeError());
    return std::nullopt;
  }
  Expected<std::optional<std::vector<Object>>> found =
      expression->objects(session.focus().contextOf(&warp, session.focus().position().lane, container.frame));
  if (!found) {
    consumeError(found.takeError());
    return std::nullopt;
  }
  return *found && (*found)->size() == 1 ? std::optional((*found)->front()) : std::nullopt;
}

std::optional<Container> Variables::partsOf(Warp &warp, size_t frame, const Object &object,
                                            StringRef expression) const {
  const Type &type = object.type->plain();
  const Type *target = type.kind == Type::Pointer ? &type.target->plain() : nullptr;
  bool pointsToSomething = target && target->kind != Type::Void && target->kind != Type::Function && target->size;
  if (object.isAbsent() || expression.empty() || (type.members.empty() && !object.type->isList() && !pointsToSomething))
    return std::nullopt;
  Container parts{.kind = Container::Parts, .cta = warp.cta().index(), .warp = warp.index()};
  parts.context = warp.grid().device().contextId();
  parts.launch = warp.grid().gridId();
  parts.frame = frame;
  parts.expression = expression.str();
  return parts;
}

Variable Variables::rowOf(Warp &warp, size_t frame, const Object &object, StringRef name, StringRef expression,
                          bool hexadecimal) const {
  WarpContext context = session.focus().contextOf(&warp, object.lane, frame);
  Variable row{name.str()};
  row.value = source::format(object, context, hexadecimal ? 'x' : '\0',
                             [&](u64 at) { return session.code().describe(at); });
  row.type = source::spell(*object.type);
  row.expression = expression.str();
  row.children = partsOf(warp, frame, object, expression);
  if (object.isAbsent())
    return row;
  row.canBeSet = object.type->isScalar() && all_of(object.pieces, [](const source::Piece &piece) {
    bool isConstant = piece.kind == source::Piece::Memory && piece.space == MemorySpace::Constant;
    return piece.kind != source::Piece::Absent && piece.kind != source::Piece::Bytes && !isConstant;
  });
  MemoryReference memory{.cta = warp.cta().index(), .warp = warp.index(), .lane = object.lane};
  memory.context = warp.grid().device().contextId();
  if (object.type->plain().kind == Type::Pointer) { // what it points to
    if (Expected<Value> pointer = object.value(context)) {
      const Object target = source::pointee(*pointer, object.lane);
      memory.space = target.pieces[0].space;
      memory.address = target.pieces[0].address;
      row.memory = memory.text();
    } else
      consumeError(pointer.takeError());
  } else if (const source::Piece *piece = object.memory()) {
    memory.space = piece->space;
    memory.bank = piece->bank;
    memory.address = piece->address;
    row.memory = memory.text();
  }
  return row;
}

Variable Variables::sourceRow(const Container &container, Warp &warp, size_t index, bool hexadecimal) const {
  unsigned lane = session.focus().position().lane;
  WarpContext context = session.focus().contextOf(&warp, lane, container.frame);
  if (container.kind != Container::Parts) {
    auto all = context.sourceVariables(container.kind == Container::Arguments);
    const source::Variable &variable = *all[index];
    // One that another hides has no name that `print` takes.
    bool isHidden = false;
    for (size_t i = 0; i < index; ++i)
      isHidden |= all[i]->name == variable.name && all[i]->scope != variable.scope;
    return rowOf(warp, container.frame, context.sourceObject(variable, lane), variable.name,
                 isHidden ? "" : variable.name, hexadecimal);
  }
  std::optional<Object> object = objectOf(container, warp);
  if (!object)
    return {};
  const Type &type = object->type->plain();
  std::string whole = container.expression;
  if (StringRef(whole).starts_with("*"))
    whole = "(" + whole + ")";
  if (object->type->isList()) {
    std::string name = "[" + std::to_string(index) + "]";
    return rowOf(warp, container.frame, object->element(index), name, whole + name, hexadecimal);
  }
  if (type.kind == Type::Pointer) {
    Expected<Value> pointer = object->value(context);
    if (!pointer) {
      consumeError(pointer.takeError());
      return {};
    }
    Object target = source::pointee(*pointer, lane);
    if (!type.target->isRecord())
      return rowOf(warp, container.frame, target, "*" + container.expression, "*" + whole, hexadecimal);
    const Type::Member &member = type.target->plain().members[index];
    return rowOf(warp, container.frame, target.member(member), member.name,
                 member.name.empty() ? "" : whole + "->" + member.name, hexadecimal);
  }
  const Type::Member &member = type.members[index];
  return rowOf(warp, container.frame, object->member(member), member.name,
               member.name.empty() ? "" : whole + "." + member.name, hexadecimal);
}

} // namespace leno::dbg::dap
