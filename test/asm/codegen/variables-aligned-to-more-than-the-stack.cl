// Large vectors on the stack, indexed: in kernels whose calls need so many bytes that the stack stands at no multiple of the vector's
// 64, and in a function that is called there. The index was put into lower bits of the address that were not 0.
// Element i of lane t's vector is 8 t + i for i < 8, and the same backwards behind it.
// RUN: %leno-cc -O0 --llvm -verify-machineinstrs %s -o %t.0
// RUN: %leno-run %t.0 --kernel needs656 --block 2 --arg out:u32[64]:print: | FileCheck %s
// RUN: %leno-run %t.0 --kernel needs688 --block 2 --arg out:u32[64]:print: | FileCheck %s
// RUN: %leno-cc -O2 --llvm -verify-machineinstrs %s -o %t.2
// RUN: %leno-run %t.2 --kernel needs656 --block 2 --arg out:u32[64]:print: | FileCheck %s
// RUN: %leno-run %t.2 --kernel needs688 --block 2 --arg out:u32[64]:print: | FileCheck %s
// CHECK:      [ 0]   0   1   2   3   4   5   6   7   7   6   5   4   3   2   1   0   8   9  10  11  12  13  14  15
// CHECK-NEXT: [24]  15  14  13  12  11  10   9   8   0   1   2   3   4   5   6   7   7   6   5   4   3   2   1   0
// CHECK-NEXT: [48]   8   9  10  11  12  13  14  15  15  14  13  12  11  10   9   8
uint16 vector(uint t) {
  uint8 q = (uint8)(0, 1, 2, 3, 4, 5, 6, 7) + 8u * t;
  return (uint16)(q, q.s76543210);
}
__attribute__((noinline)) uint element(uint t, uint i) {
  uint16 w = vector(t);
  return w[i];
}
#define NEEDS(BYTES)                                                                                                                 \
  __attribute__((noinline)) uint same##BYTES(uint x) {                                                                               \
    volatile uint room[BYTES / 4] = {x};                                                                                             \
    return room[0];                                                                                                                  \
  }                                                                                                                                  \
  kernel void needs##BYTES(global uint *out) {                                                                                       \
    uint t = get_global_id(0);                                                                                                       \
    uint16 w = vector(t);                                                                                                            \
    for (uint i = 0; i < 16; ++i) {                                                                                                  \
      uint k = same##BYTES(i);                                                                                                       \
      out[16 * t + i] = w[k];                                                                                                        \
      out[32 + 16 * t + i] = element(t, k);                                                                                          \
    }                                                                                                                                \
  }
NEEDS(656)
NEEDS(688)
