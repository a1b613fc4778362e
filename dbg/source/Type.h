//===- Type.h - Types of the source, from DWARF ---------------------------===//
#pragma once

#include "dbg/Value.h"
#include "isa/FactNames.h"
#include <memory>
#include <string>
#include <vector>

namespace leno::dbg::source {

/// A type of C or OpenCL C. Types live as long as the debugger does, and are alike when they are one object.
struct Type {
  enum Kind : u8 {
    Void,
    Base,        ///< scalar; `isCharacter`, `isHalf`
    Enumeration, ///< scalar, enumerators
    Pointer,     ///< target, space
    Array,       ///< target, count
    Vector,      ///< target, count: of OpenCL C
    Structure,   ///< members
    Union,       ///< members
    Function,
    Alias,     ///< of typedef: target
    Qualified, ///< name is "const" or "volatile": target
  };
  struct Member {
    std::string name; ///< may be empty: its members are the outer one's
    const Type *type;
    u64 offset = 0;
    unsigned bitOffset = 0, bitSize = 0; ///< of a bit field, from `offset` on
  };
  struct Enumerator {
    std::string name;
    s64 value;
  };
  Kind kind = Void;
  std::string name; ///< of what has one, with "struct" in front
  u64 size = 0;     ///< in bytes
  ValueType scalar = ValueType::U32;
  bool isCharacter = false, isHalf = false;
  const Type *target = nullptr;
  u64 count = 0;
  /// Of pointers: Shared and Local are 32-bit offsets there; Generic ones tell their memory by their value.
  MemorySpace space = MemorySpace::Generic;
  std::vector<Member> members;
  std::vector<Enumerator> enumerators;

  /// Without typedef, const and volatile.
  const Type &plain() const;
  bool isScalar() const {
    Kind k = plain().kind;
    return k == Base || k == Enumeration || k == Pointer;
  }
  bool isRecord() const { return plain().kind == Structure || plain().kind == Union; }
  bool isList() const { return plain().kind == Array || plain().kind == Vector; }
};

/// As C spells it: "const float [4]", "struct point *", "__local int *".
std::string spell(const Type &type);
/// The same, and of a structure, union or enumeration what it is made of.
std::string describe(const Type &type);

/// Types that C has without a program's debug information, and those that are made of others.
const Type *baseType(ValueType type);
const Type *pointerTo(const Type &target, MemorySpace space = MemorySpace::Generic);
/// The scalar that bytes are, and back. A half is computed as a float.
Value valueOf(const Type &type, u64 bits);
u64 bitsOf(const Type &type, const Value &value);
/// A value of the source's types as C would have it written: 'a', GREEN, (int *) 0x10000; `short`: within a
/// list, where the type is known.
std::string formatTyped(const Value &value, bool isShort = false);

} // namespace leno::dbg::source
