//===- Facts.h - What the records tell of instructions --------------------===//
// One table of facts, made from isa/*.td (gen/facts.py), for all who ask what an
// instruction does: asm/Effects.h asks for an MCInst, emu/program/OpFacts.h for an
// operation. Nobody keeps a list of instructions of his own.
//===----------------------------------------------------------------------===//
#pragma once

#include "isa/FactNames.h"

#include <optional>

namespace leno::isa {

/// What each execution does to memory.
struct MemoryFacts {
  MemorySpace space;
  unsigned bytes; ///< of a lane
  bool reads, writes;
  bool isAtomic; ///< nobody's access comes between the read and the write
  Lock lock;
  bool operator==(const MemoryFacts &) const = default;
};

/// What an instruction does whatever its registers are.
struct Facts {
  Flow flow = Flow::Opaque;
  bool waits = false; ///< the warp may wait here for others
  uint32_t traps = 0; ///< a bit for each TrapKind, beside those that every instruction may raise
  std::optional<MemoryFacts> memory = std::nullopt;
  /// What it tells of the order in which CTAs run, or of where, to go on after "the program"; null: nothing.
  const char *order = nullptr;

  bool canRaise(TrapKind kind) const { return traps >> unsigned(kind) & 1; }
  /// It goes on to the next instruction, reads and changes nothing but its warp's own registers and state,
  /// and raises nothing of its own: nobody else can tell when it executes.
  bool isAlone() const { return flow == Flow::Next && !waits && !traps && !memory && !order; }
};

/// Facts before the modifiers are known. What a modifier decides names its place, which is the table's own
/// business: an operand of the MCInst, or a byte of the operation's modifiers.
struct FactRow {
  Flow flow;
  bool waits;
  uint32_t traps;
  bool touchesMemory;
  MemoryFacts memory;
  int8_t sizeAt; ///< -1: memory.bytes; else the modifier that tells, with these
  uint8_t bytes[8];
  struct Order {
    int8_t at;       ///< -1: always; else with one of
    uint64_t values; ///< these, a bit each
    const char *text;
  } orders[4];

  /// `valueAt` gives the value that a modifier has at its place.
  template <class ValueAt> constexpr Facts with(ValueAt valueAt) const {
    Facts facts{flow, waits, traps};
    if (touchesMemory) {
      facts.memory = memory;
      if (sizeAt >= 0)
        facts.memory->bytes = bytes[valueAt(sizeAt) & 7];
    }
    for (const Order &row : orders)
      if (row.text && (row.at < 0 || row.values >> (valueAt(row.at) & 63) & 1))
        facts.order = row.text;
    return facts;
  }
};

} // namespace leno::isa
