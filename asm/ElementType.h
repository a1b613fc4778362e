// The element types of buffers, data files and command-line values: one table of names, sizes and .npy codes
// (isa/ElementTypes.td).
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace leno {

/// F16 travels as its 16 bits; Bool is one byte, as numpy keeps it; C64 and C128 are two floats each, the
/// real part first.
enum class ElementType : uint8_t {
#define LENO_ELEMENT_TYPE(type, ...) type,
#include "isa/LenoElementTypes.inc"
};

struct ElementInfo {
  ElementType type;
  const char *name;    ///< as users write it: "f32"
  const char *npyCode; ///< the dtype code of .npy without its byte order: "f4"
  unsigned size;       ///< bytes
  enum Class : uint8_t { Unsigned, Signed, Float, Boolean, Complex } kind;
  /// Bytes of what is stored in one byte order: a part of a complex number.
  unsigned partSize() const { return kind == Complex ? size / 2 : size; }
};

/// Every element type, in the order of the enumeration.
llvm::ArrayRef<ElementInfo> elementTypes();
const ElementInfo &info(ElementType type);
std::optional<ElementType> elementTypeNamed(llvm::StringRef name);
/// "u8 i8 ... c128"
std::string elementTypeNames();

/// The bytes that an array of this shape takes; nothing when the product does not fit 64 bits. A shape
/// without dimensions is one element; a dimension of 0 makes 0 bytes.
std::optional<uint64_t> byteCount(ElementType type, llvm::ArrayRef<uint64_t> shape);

/// "f32[1024,4]"
std::string describe(ElementType type, llvm::ArrayRef<uint64_t> shape);

} // namespace leno
