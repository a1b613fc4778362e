#include "asm/ElementType.h"

#include "llvm/ADT/STLExtras.h"

namespace leno {

static constexpr ElementInfo Table[] = {
#define LENO_ELEMENT_TYPE(type, name, npyCode, size, kind)                                                   \
  {ElementType::type, name, npyCode, size, ElementInfo::kind},
#include "isa/LenoElementTypes.inc"
};

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
