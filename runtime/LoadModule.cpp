#include "runtime/LoadModule.h"

namespace leno::runtime {

using llvm::Error;

llvm::Expected<PlacedModule> placeModule(const Executable &executable, Device &device) {
  PlacedModule placed;
  if (uint64_t bytes = executable.globalBytes())
    if (Error error = device.memory().allocate(bytes, "global data").moveInto(placed.globalBase))
      return std::move(error);
  Image image = executable.image(placed.globalBase);
  if (!image.data.empty())
    if (Error error = device.memory().write(placed.globalBase, image.data))
      return std::move(error);
  for (unsigned bank = 0; bank < ConstantBanks::count; ++bank)
    if (!image.constants[bank].empty())
      if (Error error = device.constants().write(bank, 0, image.constants[bank]))
        return std::move(error);
  placed.code = std::move(image.code);
  return placed;
}

} // namespace leno::runtime
