#include "dbg/dap/Arguments.h"

using namespace llvm;

namespace leno::dbg::dap {

const json::Value *Arguments::find(StringRef name) const {
  const json::Value *value = object ? object->get(name) : nullptr;
  return value && value->kind() != json::Value::Null ? value : nullptr;
}

Error Arguments::expected(StringRef name, StringRef what) const {
  return createStringError("the argument '" + name + "' " +
                           (find(name) ? "is not " : "is missing: expected ") + what);
}

Expected<int64_t> Arguments::integer(StringRef name) const {
  const json::Value *value = find(name);
  if (std::optional<int64_t> number = value ? value->getAsInteger() : std::nullopt)
    return *number;
  return expected(name, "an integer");
}

Expected<std::string> Arguments::string(StringRef name) const {
  const json::Value *value = find(name);
  if (std::optional<StringRef> text = value ? value->getAsString() : std::nullopt)
    return text->str();
  return expected(name, "a string");
}

Expected<const json::Array *> Arguments::array(StringRef name) const {
  const json::Value *value = find(name);
  if (const json::Array *found = value ? value->getAsArray() : nullptr)
    return found;
  return expected(name, "an array");
}

Expected<const json::Object *> Arguments::child(StringRef name) const {
  const json::Value *value = find(name);
  if (const json::Object *found = value ? value->getAsObject() : nullptr)
    return found;
  return expected(name, "an object");
}

Expected<int64_t> Arguments::integerOr(StringRef name, int64_t fallback) const {
  return find(name) ? integer(name) : fallback;
}

Expected<std::string> Arguments::stringOr(StringRef name, StringRef fallback) const {
  return find(name) ? string(name) : fallback.str();
}

Expected<bool> Arguments::flag(StringRef name) const {
  const json::Value *value = find(name);
  if (!value)
    return false;
  if (std::optional<bool> set = value->getAsBoolean())
    return *set;
  return expected(name, "true or false");
}

} // namespace leno::dbg::dap
