#include "emu/constants/ConstantBanks.h"
#include "llvm/Support/FormatVariadic.h"
#include <cstring>

using namespace leno;
using namespace llvm;

Error ConstantBanks::write(unsigned bank, u64 offset, ArrayRef<uint8_t> bytes) {
  if (bank >= count)
    return createStringError(formatv("there is no constant bank {0}: banks are 0 to {1}", bank, count - 1));
  if (offset > maxBytes || bytes.size() > maxBytes - offset)
    return createStringError(
        formatv("constant bank {0} holds at most {1} bytes; {2} bytes at offset {3} do not fit", bank,
                maxBytes, bytes.size(), offset));
  std::vector<uint8_t> &data = banks[bank];
  if (data.size() < offset + bytes.size())
    data.resize(offset + bytes.size());
  if (!bytes.empty())
    std::memcpy(data.data() + offset, bytes.data(), bytes.size());
  return Error::success();
}

bool ConstantBanks::word(unsigned bank, u64 offset, u32 &value) const {
  if (bank >= count || offset > banks[bank].size() || banks[bank].size() - offset < 4)
    return false;
  std::memcpy(&value, banks[bank].data() + offset, 4);
  return true;
}

std::array<MemoryWindow, ConstantBanks::count> ConstantBanks::windows() {
  std::array<MemoryWindow, count> result;
  for (unsigned i = 0; i < count; ++i)
    result[i] = {0, banks[i].size(), banks[i].data()};
  return result;
}
