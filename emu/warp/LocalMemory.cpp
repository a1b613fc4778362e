#include "emu/warp/LocalMemory.h"
#include "asm/support/Assert.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cstdlib>

using namespace leno;
using namespace llvm;

void LocalMemory::Free::operator()(void *p) const { std::free(p); }

Expected<LocalMemory> LocalMemory::create(u32 laneBytes, u64 warps, u64 limit) {
  LocalMemory memory;
  memory.laneBytes = laneBytes;
  memory.left = warps;
  if (laneBytes == 0)
    return memory;
  const u64 warpBytes = localBytesOf(laneBytes);
  if (warps > limit / warpBytes)
    return createStringError(
        formatv("{0} bytes of local memory a lane for the {1} warps that can run at once are more than the "
                "{2} bytes of the memory; raise memory.bytes or lower .local",
                laneBytes, warps, limit));
  // calloc's large blocks are zero pages that cost nothing until they are touched.
  memory.block.reset(std::calloc(warps * warpBytes + rowBytes, 1));
  if (!memory.block)
    return createStringError(
        formatv("the host has no memory for {0} bytes of local memory", warps * warpBytes));
  memory.first = memory.next =
      reinterpret_cast<unsigned char *>(alignTo(uintptr_t(memory.block.get()), rowBytes));
  return memory;
}

MemoryWindow LocalMemory::place() {
  if (laneBytes == 0)
    return {0, 0, nullptr};
  LENO_ASSERT(left > 0, "more warps are resident than the machine holds");
  --left;
  unsigned char *host = next;
  next += localBytesOf(laneBytes);
  return {0, laneBytes, host};
}
