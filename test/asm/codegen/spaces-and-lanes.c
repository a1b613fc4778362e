// Memory of every space, a generic pointer into the stack, an atomic, votes and a shuffle.
// RUN: %leno-cc --llvm -verify-machineinstrs %s -o %t && %leno-run %t --block 32 --arg out:u32[160]:%t.bin
// RUN: %python -c "import struct; v = struct.unpack('<160I', open('%t.bin', 'rb').read()); t = range(32); assert v == tuple([(3, 1, 4, 1, 5)[i %% 5] for i in t] + [15] * 32 + [0x49249249] * 32 + [i + 1 + 2 for i in t][:31] + [33] + [40 + 2 * 32] * 32), v"
#include <leno/kernel.h>
static __constant unsigned table[5] = {3, 1, 4, 1, 5};
__global unsigned counter = 40;
__kernel void f(__global unsigned *out) {
  unsigned t = leno_tid_x();
  out[t] = table[t % 5];
  unsigned local[4] = {1, 2, 3, 4};
  unsigned *q = t & 1 ? local : local + 1; // local[1] becomes 12 either way
  q[t & 1] += 10;
  out[t + 32] = local[1] + local[2];
  out[t + 64] = leno_ballot(t % 3 == 0);
  out[t + 96] = leno_shuffle_down(t, 1, 0x1f) + leno_vote_any(t == 40) + 2 * leno_vote_all(t < 40);
  __atomic_fetch_add(&counter, 2, __ATOMIC_RELAXED);
  leno_barrier(0);
  out[t + 128] = counter;
}
