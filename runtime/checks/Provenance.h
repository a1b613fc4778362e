//===- Provenance.h - What an instruction's addresses are meant for ---------===//
// Which variable of shared memory, or whose frame of local memory, an access was
// written for: found from the names in a kernel's source and the stack pointer
// of isa/CallingConvention.md, carried through moves and additions along every
// way a lane can come. In doubt it says nothing.
//===----------------------------------------------------------------------===//
#pragma once
#include "asm/Executable.h"
#include "emu/program/Program.h"

namespace leno::checks {

class Provenance {
public:
  static constexpr s32 nothing = -1;
  struct Access {
    s32 variable = nothing;   ///< its number in KernelInfo::shared
    s32 frameBytes = nothing; ///< through R1, or what was computed from it: a frame that ends so far above it
    bool isIndexed = false;   ///< not by R1 itself
    bool operator==(const Access &) const = default;
  };

  /// Of the kernel and all that it calls. `code`: `executable`'s, predecoded.
  Provenance(const Executable &executable, const KernelInfo &kernel, const Program &code);
  /// By instruction; empty: nothing is known of any.
  const Access &of(size_t instruction) const { return accesses[instruction]; }
  bool knowsAny() const { return isUseful; }

private:
  class Walk;
  std::vector<Access> accesses;
  bool isUseful = false;
};

} // namespace leno::checks
