//===- Trap.h - Guest faults as values ------------------------------------===//
// Architecture.md 10: a guest fault is a value, never a crash. The runtime adds
// label, offset and source line from the executable's line table.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/warp/Lanes.h"
#include "isa/FactNames.h"
#include <string>
#include <vector>

namespace leno {

/// The name users see, as Architecture.md 10 spells it: `ADDRESS_OUT_OF_RANGE`.
const char *trapName(TrapKind kind);

/// Only the CTA of the warp ends; the rest of the grid goes on. CHOICE: what a warp needs too much of for
/// itself takes nothing from others. Every other fault ends the grid where it is.
constexpr bool endsCtaOnly(TrapKind kind) { return kind == TrapKind::StackOverflow; }

struct Dim3 {
  u32 x = 1, y = 1, z = 1;
  u64 count() const { return u64(x) * y * z; }
  bool operator==(const Dim3 &) const = default;
};

/// A call that has not returned yet: where it was made.
struct CallSite {
  u64 pc = 0;    ///< byte address of the call; where it returns to when no call stands before that place
  u64 times = 1; ///< so many calls in a row come from there: recursion
  bool operator==(const CallSite &) const = default;
};

struct Trap {
  TrapKind kind = TrapKind::IllegalInstruction;
  u64 pc = 0;                  ///< byte address of the faulting instruction
  Dim3 cta{0, 0, 0};           ///< CTA index in the grid
  unsigned warp = 0;           ///< warp in the CTA
  LaneMask lanes = 0;          ///< the lanes that faulted
  bool hasAddress = false;     ///< `address` means something
  u64 address = 0;             ///< of the lowest faulting lane
  std::vector<CallSite> calls; ///< STACK_OVERFLOW: the call path, the innermost first
  std::string detail;          ///< what went wrong, lower-case, no final dot

  /// One line: `ADDRESS_OUT_OF_RANGE at 0x0018, CTA (0,0,0) warp 1 lanes 0x00000003: ...`.
  std::string str() const;
};

} // namespace leno
