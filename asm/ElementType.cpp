#include "asm/ElementType.h"

#include "llvm/ADT/STLExtras.h"

namespace leno {

static constexpr ElementInfo Table[] = {
    {ElementType::U8, "u8", "u1", 1, ElementInfo::Unsigned},
    {ElementType::I8, "i8", "i1", 1, ElementInfo::Signed},
    {ElementType::U16, "u16", "u2", 2, ElementInfo::Unsigned},
    {ElementType::I16, "i16", "i2", 2, ElementInfo::Signed},
    {ElementType::U32, "u32", "u4", 4, ElementInfo::Unsigned},
    {ElementType::I32, "i32", "i4", 4, ElementInfo::Signed},
    {ElementType::U64, "u64", "u8", 8, ElementInfo::Unsigned},
    {ElementType::I64, "i64", "i8", 8, ElementInfo::Signed},
    {ElementType::F16, "f16", "f2", 2, ElementInfo::Float},
    {ElementType::F32, "f32", "f4", 4, ElementInfo::Float},
    {ElementType::F64, "f64", "f8", 8, ElementInfo::Float},
    {ElementType::Bool, "bool", "b1", 1, ElementInfo::Boolean},
    {ElementType::C64, "c64", "c8", 8, ElementInfo::Complex},
    {ElementType::C128, "c128", "c16", 16, ElementInfo::Complex},
};

static constexpr bool tableFollowsTheEnumeration() {
  for (unsigned i = 0; i < std::size(Table); ++i)
    if (Table[i].type != ElementType(i))
      return false;
  return true;
}
static_assert(tableFollowsTheEnumeration());

llvm::ArrayRef<ElementInfo> elementTypes() { return Table; }

const ElementInfo &info(ElementType type) { return Table[unsigned(type)]; }

std::optional<ElementType> elementTypeNamed(llvm::StringRef name) {
  for (const ElementInfo &row : Table)
    if (name == row.name)
      return row.type;
  return std::nullopt;
}

std::string elementTypeNames() {
  std::string names;
  for (const ElementInfo &row : Table)
    names += (names.empty() ? "" : " ") + std::string(row.name);
  return names;
}

std::optional<uint64_t> byteCount(ElementType type, llvm::ArrayRef<uint64_t> shape) {
  if (llvm::is_contained(shape, uint64_t(0)))
    return 0;
  uint64_t bytes = info(type).size;
  for (uint64_t dimension : shape)
    if (__builtin_mul_overflow(bytes, dimension, &bytes))
      return std::nullopt;
  return bytes;
}

std::string describe(ElementType type, llvm::ArrayRef<uint64_t> shape) {
  std::string text = info(type).name;
  text += '[';
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? "," : "") + std::to_string(shape[i]);
  return text + ']';
}

} // namespace leno
