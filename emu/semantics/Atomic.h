//===- Atomic.h - What an atomic operation makes of memory ----------------===//
// Architecture.md 4 and 8: read, compute, write, indivisibly. The lanes of one
// instruction go one after the other, lowest first (CHOICE).
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/semantics/Float.h"
#include "emu/semantics/Memory.h"

namespace leno::sem {

constexpr unsigned bytesOf(isa::AtomType type) { return type == isa::AtomType::U64 ? 8 : 4; }

/// Add of floats rounds to nearest even and keeps subnormals; the NaN is the canonical one.
inline u32 atomicFloatAdd(u32 old, u32 operand) {
  return bitsOf(finished(floatOf(old) + floatOf(operand), false, false));
}

/// The value that `op` leaves at an address that held `old`. Values of 32 bits stand in the low word.
inline u64 atomicResult(isa::AtomOp op, isa::AtomType type, u64 old, u64 operand) {
  bool isSigned = type == isa::AtomType::S32;
  bool less = isSigned ? s32(old) < s32(operand) : old < operand;
  switch (op) {
  case isa::AtomOp::ADD:
    return type == isa::AtomType::F32   ? atomicFloatAdd(u32(old), u32(operand))
           : type == isa::AtomType::U64 ? old + operand
                                        : u32(old + operand);
  case isa::AtomOp::MIN:
    return less ? old : operand;
  case isa::AtomOp::MAX:
    return less ? operand : old;
  case isa::AtomOp::INC: // counts 0 to the operand, then 0 again
    return old >= operand ? 0 : old + 1;
  case isa::AtomOp::DEC: // counts down to 0, then the operand again
    return old == 0 || old > operand ? operand : old - 1;
  case isa::AtomOp::AND:
    return old & operand;
  case isa::AtomOp::OR:
    return old | operand;
  case isa::AtomOp::XOR:
    return old ^ operand;
  case isa::AtomOp::EXCH:
    return operand;
  }
  return old;
}

/// ATOM: to global memory; d = the old value.
struct ATOM {
  static constexpr MemorySpace space = MemorySpace::Global;
  static constexpr bool returnsOld = true;
  static constexpr bool swaps = false;
  static u64 result(isa::ATOMMods m, u64 old, u64 b, u64) { return atomicResult(m.op, m.type, old, b); }
};
/// RED: the same without a result.
struct RED {
  static constexpr MemorySpace space = MemorySpace::Global;
  static constexpr bool returnsOld = false;
  static constexpr bool swaps = false;
  static u64 result(isa::REDMods m, u64 old, u64 b, u64) { return atomicResult(m.op, m.type, old, b); }
};
/// ATOMS: to shared memory; d = the old value.
struct ATOMS {
  static constexpr MemorySpace space = MemorySpace::Shared;
  static constexpr bool returnsOld = true;
  static constexpr bool swaps = false;
  static u64 result(isa::ATOMSMods m, u64 old, u64 b, u64) { return atomicResult(m.op, m.type, old, b); }
};
/// ATOM.CAS: where b stands, c comes; d = the old value either way.
struct ATOMCAS {
  static constexpr MemorySpace space = MemorySpace::Global;
  static constexpr bool returnsOld = true;
  static constexpr bool swaps = true;
  static u64 result(isa::ATOMCASMods, u64 old, u64 compare, u64 swap) { return old == compare ? swap : old; }
};
/// ATOMS.CAS.
struct ATOMSCAS {
  static constexpr MemorySpace space = MemorySpace::Shared;
  static constexpr bool returnsOld = true;
  static constexpr bool swaps = true;
  static u64 result(isa::ATOMSCASMods, u64 old, u64 compare, u64 swap) { return old == compare ? swap : old; }
};

} // namespace leno::sem
