// A volatile or atomic load goes past the SM's L1, which is coherent by time only: LDG.cv. Others ask all caches.
// RUN: %leno-cc -S %s -o - | FileCheck %s
// RUN: %python -c "open('%t.in.bin', 'wb').write(bytes([3, 0, 0, 0, 4, 0, 0, 0]))"
// RUN: %leno-cc %s -o %t && %leno-run %t --block 1 --arg in:%t.in.bin --arg out:u32[1]:%t.bin --set l1.model=cache --stats 2>/dev/null | FileCheck %s --check-prefix=COUNT
// RUN: %python -c "import struct; v = struct.unpack('<I', open('%t.bin', 'rb').read()); assert v == (10,), v"
// CHECK-DAG: LDG.cv
// CHECK-DAG: LDG.cv
// CHECK: STG
// COUNT: SM  read hits  read misses  write hits  write misses  evictions  reads past it
// COUNT-NEXT: 0 {{ *}}0 {{ *}}1 {{ *}}0 {{ *}}1 {{ *}}0 {{ *}}2
#include <leno/kernel.h>
__kernel void f(__global unsigned *in, __global unsigned *out) {
  unsigned first = *(volatile __global unsigned *)in;
  unsigned second = __atomic_load_n(in, __ATOMIC_RELAXED);
  *out = first + second + in[1];
}
