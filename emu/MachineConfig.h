//===- MachineConfig.h - The machine's sizes and limits as plain values ---===//
// What an emulator is built from. The keys users type, their ranges and their
// documentation are rows of the table in runtime/MachineConfig.cpp; the
// defaults are the initializers here.
//===----------------------------------------------------------------------===//
#pragma once

#include "llvm/Support/Error.h"
#include <cstdint>

namespace leno {

struct MachineConfig {
  struct Sm {
    uint64_t count = 4;
    uint64_t warps = 24; // S0, S4: G = 24 thread groups an SM
    uint64_t ctas = 8;
    uint64_t sharedBytes = 49152;
  } sm;
  struct Warp {
    uint64_t stackDepth =
        1024; // S0: the driver's nesting limit; past it STACK_OVERFLOW (machine.md section 5)
  } warp;
  struct Memory {
    uint64_t bytes = uint64_t(1) << 30;
  } memory;
  struct Scheduler {
    uint64_t quantum = 1000; // warp instructions of one turn
  } scheduler;

  /// Fails, naming the key, when a size makes no machine.
  llvm::Error check() const;
};

} // namespace leno
