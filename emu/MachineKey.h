//===- MachineKey.h - A setting of the machine, described once ------------===//
// A row stands beside what it configures (MachineConfig.h, warp/StackCache.cpp,
// memory/L2Slices.cpp, constants/ConstantUnit.cpp); users' settings, the
// machine's own check, `--machine '?'` and runtime/Settings.md are made of it.
//===----------------------------------------------------------------------===//
#pragma once
#include "emu/MachineConfig.h"
#include "llvm/ADT/ArrayRef.h"

namespace leno {

struct MachineKey {
  enum Type : uint8_t {
    Integer, ///< any radix
    Bytes,   ///< an integer that may end in KiB, MiB or GiB
    Choice,  ///< one of `choices`, kept as its place among them
  };
  const char *name; ///< "sm.count"
  Type type;
  uint64_t least, most;
  const char *unit; ///< "" for a plain count
  const char *doc;  ///< one line
  uint64_t &(*field)(MachineConfig &);
  const char *choices = "";  ///< "off|cycles"; of an integer, "half": a word for the value most + 1
  const char *whyLeast = ""; ///< why it cannot be less, where that is not plain

  bool hasWord() const { return type == Integer && *choices; }
  uint64_t greatest() const { return most + hasWord(); }
  uint64_t defaultValue() const {
    MachineConfig defaults;
    return field(defaults);
  }
};

/// All there are.
llvm::ArrayRef<MachineKey> machineKeys();

/// Fails, naming the key, when a value is outside its limits.
llvm::Error checkLimits(llvm::ArrayRef<MachineKey> keys, MachineConfig config);

} // namespace leno
