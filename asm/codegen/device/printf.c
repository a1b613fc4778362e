// Where printf's records go: a buffer that the launch gives, whose first two words say how many bytes of it are
// used, and how many there are.
#include "device.h"

typedef __attribute__((address_space(1))) uint *Buffer;

__attribute__((address_space(1))) ulong *leno_printf_reserve(uint words) {
  ulong address = (ulong)leno_host_word_5() << 32 | leno_host_word_4();
  if (address == 0)
    return 0;
  Buffer buffer = (Buffer)address;
  uint bytes = 8 * (words + 1); // with their number before them
  uint at = __scoped_atomic_fetch_add(buffer, bytes, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  if (at + bytes > buffer[1] || at + bytes < at)
    return 0;
  __attribute__((address_space(1))) ulong *record = (__attribute__((address_space(1))) ulong *)(address + 8 + at);
  record[0] = words;
  return record + 1;
}
