#include "emu/memory/CacheArray.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace leno;
using namespace llvm;

Error CacheShape::check(StringRef key) const {
  auto fail = [](auto &&...arguments) { return createStringError(formatv(arguments...)); };
  if (lineBytes < 4 || lineBytes > 256 || !isPowerOf2_64(lineBytes))
    return fail("the machine's {0}lineBytes is {1}; it must be a power of two from 4 to 256", key, lineBytes);
  if (bytes < lineBytes || bytes > (u64(1) << 30) || bytes % lineBytes != 0)
    return fail("the machine's {0}bytes is {1}; it must be a multiple of {0}lineBytes, {2}, up to 1 GiB", key,
                bytes, lineBytes);
  if (ways < 1 || lines() % ways != 0)
    return fail("the machine's {0}ways is {1}; it must divide the number of lines, {2}", key, ways, lines());
  return Error::success();
}
