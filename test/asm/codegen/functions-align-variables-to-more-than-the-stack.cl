// What a function that is called aligns to more than the stack's 16 bytes lies there: its address says so, in every lane and
// after frames of any size. OpenCL C 6.2.1: a type of n bytes is aligned to n bytes.
// RUN: %leno-cc -O0 --llvm -verify-machineinstrs %s -o %t.0
// RUN: %leno-run %t.0 --kernel f --block 2 --arg out:u32[16]:print: | FileCheck %s
// RUN: %leno-cc -O2 --llvm -verify-machineinstrs %s -o %t.2
// RUN: %leno-run %t.2 --kernel f --block 2 --arg out:u32[16]:print: | FileCheck %s
// CHECK:      [ 0]   0   0   0   0  20   1   0   0   0   0   0   0  36  17
__attribute__((noinline)) uint low(const void *p, uint bytes) { return (uint)(ulong)p & (bytes - 1); }
__attribute__((noinline)) void grow(uint *p, uint by) { p[0] += by; }
__attribute__((noinline)) void own(global uint *out, uint t, uint deep) {
  long16 wide = t + 3;
  uint one[8] __attribute__((aligned(64))) = {t};
  double4 four = t;
  uint small = t + 1;
  if (deep) {
    own(out, t, deep - 1);
    return;
  }
  grow(&small, 0);
  grow((uint *)&wide, 16);
  grow(one, small);
  out[0] = low(&wide, 128);
  out[1] = low(one, 64);
  out[2] = low(&four, 32);
  out[3] = (uint)(four.w != t);
  out[4] = (uint)wide.s0 + 1;
  out[5] = one[0] - t;
}
kernel void f(global uint *out) {
  uint t = get_global_id(0);
  own(out + 8 * t, 16 * t, 1);
}
