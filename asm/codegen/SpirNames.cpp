#include "asm/codegen/SpirNames.h"

#include "asm/codegen/LenoCode.h"
#include "asm/codegen/Spir.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <memory>
#include <optional>
#include <vector>

using namespace llvm;

namespace leno {
namespace {

/// A type of a mangled name, by the Itanium ABI: what stands before the type inside of it.
struct Type {
  enum Kind { Name, Qualified, Wrapped } kind;
  std::string text;              ///< a whole name, cv-qualifiers, or P, Dv4_, U7_Atomic
  std::optional<unsigned> space; ///< of Qualified
  std::shared_ptr<Type> inside;
};
using TypePtr = std::shared_ptr<Type>;

bool isBuiltin(const Type &type) { return type.kind == Type::Name && !isDigit(type.text.front()); }

/// As it stands in the name; the generic space is not spelled.
std::string spelledSpace(const Type &type) {
  return type.space.value_or(LenoSpace::Generic) ? "U3AS" + std::to_string(*type.space) : "";
}

/// Whole texts stand for types: two that are spelled alike are one, but for the generic space, which counts.
std::string whole(const Type &type) {
  std::string text = type.space ? "AS" + std::to_string(*type.space) + " " : "";
  return text + type.text + (type.inside ? whole(*type.inside) : "");
}

class Reader {
public:
  explicit Reader(StringRef text) : text(text) {}
  /// All parameters; none: there is something that OpenCL's functions do not have.
  std::optional<std::vector<TypePtr>> all() {
    std::vector<TypePtr> list;
    while (!text.empty()) {
      TypePtr type = next();
      if (!type)
        return std::nullopt;
      list.push_back(type);
    }
    return list;
  }

private:
  TypePtr remember(Type type) {
    auto made = std::make_shared<Type>(std::move(type));
    seen.push_back(made);
    return made;
  }
  /// A name with its length before it.
  std::optional<StringRef> sourceName() {
    size_t length;
    if (text.consumeInteger(10, length) || length > text.size())
      return std::nullopt;
    StringRef name = text.take_front(length);
    text = text.drop_front(length);
    return name;
  }
  TypePtr wrapped(std::string before) {
    TypePtr inside = next();
    return inside ? remember({Type::Wrapped, std::move(before), {}, inside}) : nullptr;
  }
  TypePtr substitution() {
    size_t index = 0;
    if (!text.consume_front("_")) {
      size_t digits = text.find('_'); // of base 36
      if (digits == StringRef::npos || text.take_front(digits).getAsInteger(36, index))
        return nullptr;
      text = text.drop_front(digits + 1);
      ++index;
    }
    return index < seen.size() ? seen[index] : nullptr;
  }
  TypePtr next() {
    if (text.empty())
      return nullptr;
    if (text.consume_front("S"))
      return substitution();
    if (text.consume_front("P"))
      return wrapped("P");
    if (text.starts_with("Dv")) {
      size_t end = text.find('_');
      if (end == StringRef::npos)
        return nullptr;
      std::string before = text.take_front(end + 1).str();
      text = text.drop_front(end + 1);
      return wrapped(before);
    }
    if (isDigit(text.front())) {
      std::optional<StringRef> name = sourceName();
      return name ? remember({Type::Name, std::to_string(name->size()) + name->str(), {}, nullptr}) : nullptr;
    }
    std::optional<unsigned> space;
    std::string qualifiers;
    bool isQualified = false;
    for (; !text.empty(); isQualified = true) {
      unsigned number;
      if (text.starts_with("U3AS") && !text.slice(4, 5).getAsInteger(10, number)) {
        space = number;
        text = text.drop_front(5);
      } else if (StringRef("rVK").contains(text.front())) {
        qualifiers.push_back(text.front());
        text = text.drop_front();
      } else {
        break;
      }
    }
    if (isQualified) {
      TypePtr inside = next();
      return inside ? remember({Type::Qualified, qualifiers, space, inside}) : nullptr;
    }
    if (text.consume_front("U")) {
      std::optional<StringRef> name = sourceName();
      return name ? wrapped("U" + std::to_string(name->size()) + name->str()) : nullptr;
    }
    size_t length = text.front() == 'D' ? 2 : 1;
    if (length > text.size() || !isLower(text[length - 1]))
      return nullptr;
    auto type = std::make_shared<Type>(Type{Type::Name, text.take_front(length).str(), {}, nullptr});
    text = text.drop_front(length);
    return type;
  }
  StringRef text;
  std::vector<TypePtr> seen;
};

/// With our numbers: what a pointer leads to always has a space.
TypePtr mapped(const TypePtr &type) {
  if (!type->inside)
    return type;
  Type result = *type;
  if (type->kind != Type::Wrapped || type->text != "P") {
    result.inside = mapped(type->inside);
    return std::make_shared<Type>(result);
  }
  Type inside = {Type::Qualified, "", spaceFromSpir(0), type->inside};
  if (type->inside->kind == Type::Qualified) {
    inside = *type->inside;
    inside.space = spaceFromSpir(inside.space.value_or(0));
  }
  inside.inside = mapped(inside.inside);
  result.inside = std::make_shared<Type>(inside);
  return std::make_shared<Type>(result);
}

class Writer {
public:
  void write(const Type &type) {
    if (isBuiltin(type)) {
      text += type.text;
      return;
    }
    std::string all = whole(type);
    if (auto found = find(seen, all); found != seen.end()) {
      size_t index = size_t(found - seen.begin());
      text += "S";
      if (index) {
        std::string digits;
        for (size_t rest = index - 1;; rest /= 36) {
          digits.insert(digits.begin(), "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[rest % 36]);
          if (rest < 36)
            break;
        }
        text += digits;
      }
      text += "_";
      return;
    }
    text += spelledSpace(type) + type.text;
    if (type.inside)
      write(*type.inside);
    seen.push_back(all);
  }
  std::string text;

private:
  std::vector<std::string> seen;
};

} // namespace

std::string nameFromSpir(StringRef name) {
  StringRef rest = name;
  size_t length;
  if (!rest.consume_front("_Z") || rest.consumeInteger(10, length) || length >= rest.size())
    return name.str();
  StringRef parameters = rest.drop_front(length);
  std::optional<std::vector<TypePtr>> types = Reader(parameters).all();
  if (!types)
    return name.str();
  Writer writer;
  writer.text = name.drop_back(parameters.size()).str();
  for (const TypePtr &type : *types)
    writer.write(*mapped(type));
  return writer.text;
}

} // namespace leno
