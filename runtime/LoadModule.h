// The loader: where a program's data go on a device.
#pragma once

#include "asm/Executable.h"
#include "emu/Device.h"

namespace leno::runtime {

struct PlacedModule {
  uint64_t globalBase = 0;    ///< of its global data; 0: it has none
  std::vector<uint64_t> code; ///< with that address filled in
};

/// Allocates a program's global data and writes their initial values, and its constants into the device's
/// banks.
llvm::Expected<PlacedModule> placeModule(const Executable &executable, Device &device);

} // namespace leno::runtime
