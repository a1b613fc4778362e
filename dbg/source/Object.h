//===- Object.h - A thing of the source, and where its bytes are ----------===//
#pragma once

#include "dbg/LaneContext.h"
#include "dbg/source/Type.h"

namespace leno::dbg::source {

/// Some of an object's bytes.
struct Piece {
  enum Kind : u8 {
    Absent,    ///< nothing holds them
    Register,  ///< number, from byte `shift` on
    Predicate, ///< number
    Memory,    ///< space, bank, address
    Bytes,     ///< they are nowhere but here
  } kind = Absent;
  u64 size = 0;
  unsigned number = 0, shift = 0;
  MemorySpace space = MemorySpace::Global;
  unsigned bank = 0;
  u64 address = 0;
  std::vector<uint8_t> bytes{};
};

/// A variable or a part of one, of one lane, or a value with a type.
struct Object {
  const Type *type = nullptr;
  unsigned lane = 0;
  std::vector<Piece> pieces{};
  unsigned bitOffset = 0, bitSize = 0; ///< of a bit field
  std::string absent{};                ///< why there is no value: "<optimized out>"

  bool isAbsent() const { return !absent.empty(); }
  /// Its one piece of memory; null: it is elsewhere, or in parts.
  const Piece *memory() const {
    return pieces.size() == 1 && pieces[0].kind == Piece::Memory ? &pieces[0] : nullptr;
  }
  /// `size` bytes of it from `offset` on, as another type.
  Object part(u64 offset, const Type &type) const;
  Object member(const Type::Member &member) const;
  Object element(u64 index) const;
  llvm::Expected<std::vector<uint8_t>> read(const LaneContext &context) const;
  /// Of a scalar.
  llvm::Expected<Value> value(const LaneContext &context) const;
  llvm::Error write(const Value &value, LaneContext &context) const;
  /// Its generic address: as C's `&` has it. Fails, in words, when it is not in memory.
  llvm::Expected<Value> address() const;
  /// "in R5", "in local memory at 0x28", "in R4 and R5", "a constant".
  std::string whereabouts() const;
};

Object objectOf(const Value &value, const Type &type, unsigned lane);
/// What is at an address, by the type of the pointer.
Object pointee(const Value &pointer, unsigned lane);
/// The members of a name, those of unnamed members among them.
std::optional<Object> memberNamed(const Object &object, llvm::StringRef name);

/// As print shows it: {x = 1, y = 2}. `format` is of its scalars; `describe` names an address of code.
std::string format(const Object &object, const LaneContext &context, char format,
                   llvm::function_ref<std::string(u64)> describe);

inline constexpr u64 mostElements = 200; ///< of an array that are shown

} // namespace leno::dbg::source
