//===- Effects.h - What an instruction reads, writes and does -------------===//
// The records' facts for one decoded instruction; no instruction is named here.
//===----------------------------------------------------------------------===//
#pragma once

#include "isa/Facts.h"

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class MCInst;
class MCRegisterInfo;
} // namespace llvm

namespace leno {

/// Cells of a lane's state: R0 to R254, P0 to P6, CC.
constexpr unsigned firstPredicate = 255, flagsCell = 262, cellCount = 263;

/// The flags of CC, as P2R orders them.
enum FlagBits : uint8_t { zeroFlag = 1, signFlag = 2, carryFlag = 4, overflowFlag = 8 };

/// One operand's registers, or predicates or flags, written or read. RZ and PT, which swallow, are none.
struct Effect {
  uint16_t cell; ///< the first
  uint8_t count; ///< how many
  uint8_t flags; ///< of CC: which
  bool writes : 1;
  bool guards : 1;   ///< the instruction's guard
  bool isMasked : 1; ///< a mask picks them among others
  bool mayStay : 1;  ///< written only where a mask that is not known says so

  bool has(unsigned other) const { return other >= cell && other - cell < count; }
};

/// How lanes execute an instruction and where they go.
struct Execution {
  isa::Flow flow = isa::Flow::Opaque;
  uint8_t guard = 7;            ///< predicate, and 8 for a negated one
  bool conditional : 1 = false; ///< some lanes may not execute it: a guard, or a test of CC
  bool never : 1 = false;       ///< @!PT
  bool sync : 1 = false;        ///< .S: the lanes join afterwards
  bool uniform : 1 = false;     ///< .U
  bool setSync : 1 = false;     ///< pushes SYNC with the join first
  bool distinct : 1 = false;    ///< results differ by lane where sources do
  bool byLane : 1 = false;      ///< the result differs by lane
  bool useless : 1 = false;     ///< all it writes is swallowed by RZ and PT
  bool relative : 1 = false;    ///< a number as target counts from the next instruction
};

/// An operand of several words that does not begin where it must.
struct MisalignedOperand {
  unsigned index; ///< in the MCInst; of a constant, its byte offset
  unsigned words;
  bool isConstant;
  bool isPastEnd; ///< aligned, but it would reach past R254
};

struct Effects {
  isa::Facts facts; ///< of a word that is no instruction: Flow::Opaque
  Execution execution;
  llvm::SmallVector<Effect, 8> cells;
  unsigned registers = 0; ///< one more than the highest register
  std::optional<MisalignedOperand> misaligned;

  /// Whether it surely reads or writes a cell, or some of these flags.
  bool touches(unsigned cell, bool writes, uint8_t flags = 15) const;
};

Effects effectsOf(const llvm::MCInst &inst, const llvm::MCRegisterInfo &registers);

/// The operands of a branch in the MCInst: -1 when it has none.
int targetOperand(const llvm::MCInst &inst);
int joinOperand(const llvm::MCInst &inst);

} // namespace leno
