// A sum in shared memory with barriers, whose threads also loop: 0 + 1 + ... + 999 = 499500, in two blocks.
// RUN: %leno-cc --llvm -verify-machineinstrs %s -o %t
// RUN: %leno-run %t --grid 2 --block 64 --arg out:u32[1]:print: --arg u32:1000 | FileCheck %s
// RUN: %leno-cc -O0 %s -o %t0 && %leno-run %t0 --grid 2 --block 64 --arg out:u32[1]:print: --arg u32:1000 | FileCheck %s
// CHECK: 499500
kernel void total(global uint *out, uint n) {
  local uint part[64];
  uint t = get_local_id(0), sum = 0;
  for (uint i = get_global_id(0); i < n; i += get_global_size(0))
    sum += i;
  part[t] = sum;
  for (uint step = 32; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < step)
      part[t] += part[t + step];
  }
  if (t == 0)
    atomic_add(out, part[0]);
}
