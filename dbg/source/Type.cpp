#include "dbg/source/Type.h"
#include "dbg/LaneContext.h"
#include "dbg/Text.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace llvm;

namespace leno::dbg::source {

const Type &Type::plain() const {
  const Type *type = this;
  while ((type->kind == Alias || type->kind == Qualified) && type->target)
    type = type->target;
  return *type;
}

//===--- Names ------------------------------------------------------------===//

std::string spell(const Type &type) {
  auto target = [&] { return type.target ? spell(*type.target) : std::string("void"); };
  switch (type.kind) {
  case Type::Void:
    return "void";
  case Type::Pointer: {
    std::string to = target();
    // int (*) [4]
    if (type.target && type.target->kind == Type::Array) {
      size_t bracket = to.find(" [");
      return to.substr(0, bracket) + " (*)" + to.substr(bracket);
    }
    StringRef where = type.space == MemorySpace::Shared  ? "__local "
                      : type.space == MemorySpace::Local ? "__private "
                                                         : "";
    return (where + to + (StringRef(to).ends_with("*") ? "*" : " *")).str();
  }
  case Type::Array: {
    // The outer bracket stands before the inner ones.
    std::string element = target();
    size_t bracket = element.find(" [");
    std::string own = " [" + (type.count ? std::to_string(type.count) : "") + "]";
    return bracket == std::string::npos
               ? element + own
               : element.substr(0, bracket) + own + StringRef(element).substr(bracket + 1).str();
  }
  case Type::Vector:
    return type.name.empty() ? target() + std::to_string(type.count) : type.name;
  case Type::Qualified:
    return StringRef(target()).ends_with("*") ? target() + " " + type.name : type.name + " " + target();
  default:
    return type.name;
  }
}

std::string describe(const Type &type) {
  const Type &plain = type.plain();
  std::string text;
  if (type.isRecord()) {
    text = plain.name + " {\n";
    for (const Type::Member &member : plain.members) {
      std::string spelled = spell(*member.type), suffix;
      if (size_t bracket = spelled.find(" ["); bracket != std::string::npos && !spelled.empty()) {
        suffix = spelled.substr(bracket + 1);
        spelled.resize(bracket);
      }
      text += "    " + spelled + (StringRef(spelled).ends_with("*") ? "" : " ") + member.name + suffix +
              (member.bitSize ? " : " + std::to_string(member.bitSize) : "") + ";\n";
    }
    return text + "}";
  }
  if (plain.kind == Type::Enumeration) {
    s64 next = 0;
    for (const Type::Enumerator &one : plain.enumerators) {
      text += (text.empty() ? "" : ", ") + one.name + (one.value == next ? "" : " = " + std::to_string(one.value));
      next = one.value + 1;
    }
    return plain.name + " {" + text + "}";
  }
  // The name of typedef is looked behind, once.
  return spell(type.kind == Type::Alias ? plain : type);
}

//===--- Those that are made ----------------------------------------------===//

const Type *baseType(ValueType type) {
  static std::map<ValueType, Type> made;
  auto [it, isNew] = made.try_emplace(type);
  if (isNew) {
    static constexpr StringLiteral names[] = {"_Bool", "unsigned char", "signed char",   "unsigned short", "short",
                                              "unsigned int", "int",    "unsigned long", "long",           "float",
                                              "double"};
    it->second.kind = Type::Base;
    it->second.size = sizeOf(type);
    it->second.scalar = type;
    it->second.name = unsigned(type) < std::size(names) ? names[unsigned(type)].str() : nameOf(type).str();
  }
  return &it->second;
}

const Type *pointerTo(const Type &target, MemorySpace space) {
  static std::map<std::pair<const Type *, MemorySpace>, Type> made;
  auto [it, isNew] = made.try_emplace({&target, space});
  if (isNew) {
    bool isNarrow = space == MemorySpace::Shared || space == MemorySpace::Local;
    it->second.kind = Type::Pointer;
    it->second.target = &target;
    it->second.space = space;
    it->second.size = isNarrow ? 4 : 8;
    it->second.scalar = isNarrow ? ValueType::U32 : ValueType::U64;
  }
  return &it->second;
}

//===--- Values -----------------------------------------------------------===//

Value valueOf(const Type &type, u64 bits) {
  const Type &plain = type.plain();
  if (plain.isHalf)
    return Value::ofFloat(APFloat(APFloat::IEEEhalf(), APInt(16, bits & 0xffff)).convertToFloat());
  Value value = reinterpret(bits, plain.scalar);
  // What prints or computes in its own way.
  if (plain.kind != Type::Base || plain.isCharacter)
    value.of = &type;
  return value;
}

u64 bitsOf(const Type &type, const Value &value) {
  const Type &plain = type.plain();
  if (!plain.isHalf)
    return convert(value, plain.scalar).bits;
  bool lost;
  APFloat number(convert(value, ValueType::F64).number());
  number.convert(APFloat::IEEEhalf(), APFloat::rmNearestTiesToEven, &lost);
  return number.bitcastToAPInt().getZExtValue();
}

/// 97 'a'
static std::string character(const Value &value) {
  std::string number = value.isSigned() ? std::to_string(s64(value.integer())) : std::to_string(value.bits);
  char c = char(value.bits);
  std::string shown;
  raw_string_ostream os(shown);
  if (c == '\'')
    os << "\\'";
  else if (isPrint(c) && c != '\\')
    os << c;
  else if (size_t at = StringRef("\a\b\t\n\v\f\r\\").find(c); at != StringRef::npos)
    os << '\\' << "abtnvfr\\"[at];
  else
    os << formatv("\\{0}", utostr(value.bits >> 6 & 7) + utostr(value.bits >> 3 & 7) + utostr(value.bits & 7));
  return number + " '" + shown + "'";
}

std::string formatTyped(const Value &value, bool isShort) {
  const Type &plain = value.of->plain();
  if (plain.isCharacter)
    return character(value);
  if (plain.kind == Type::Enumeration) {
    s64 number = s64(value.integer());
    for (const Type::Enumerator &one : plain.enumerators)
      if (one.value == number)
        return one.name;
    return std::to_string(number);
  }
  std::string text = "0x" + utohexstr(value.bits, true);
  if (plain.space == MemorySpace::Generic)
    if (auto [space, address] = mapGeneric(value.bits); space != MemorySpace::Global)
      text += formatv(" <{0}[{1:x}]>", nameOf(space), address);
  return isShort ? text : "(" + spell(*value.of) + ") " + text;
}

} // namespace leno::dbg::source
