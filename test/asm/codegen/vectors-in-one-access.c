// Vectors of 64 and of 128 bits that are aligned move in one access, in every memory, words and pairs of them, and so do copies of aligned
// structures; what is aligned for its elements alone moves by those. Against the host's clang.
// RUN: clang-22 -O1 -ffp-contract=off -DHOST %s -o %t.host && %t.host > %t.want.bin
// RUN: head -c 4096 /dev/zero | tr '\0' '\101' > %t.in.bin
// RUN: %leno-cc -ffp-contract=off --llvm -verify-machineinstrs %s -o %t && %leno-run %t --kernel vectors --block 64 --arg in:%t.in.bin --arg out:u32[1024]:%t.out.bin
// RUN: cmp %t.out.bin %t.want.bin
// RUN: %leno-cc -O0 -ffp-contract=off --llvm -verify-machineinstrs %s -o %t0 && %leno-run %t0 --kernel vectors --block 64 --arg in:%t.in.bin --arg out:u32[1024]:%t.out0.bin
// RUN: cmp %t.out0.bin %t.want.bin
// RUN: %leno-cc -S %s -o - | FileCheck %s
// RUN: %leno-cc -S %s -o - | sed -n '/kernel unaligned/,/endkernel/p' | FileCheck --check-prefix=WORDS %s
// CHECK-LABEL: .kernel doubled
// CHECK: LDG.128 R[[A:[0-9]+]], [R{{[0-9]+}}.64];
// CHECK-NOT: {{LDG|STG}}
// CHECK: STG.128
// CHECK-NOT: {{LDG|STG}}
// CHECK: EXIT
// CHECK-LABEL: .kernel pairs
// CHECK-DAG: LDG.64
// CHECK-DAG: LDG.128
// CHECK: STG.128
// CHECK: STG.64
// CHECK-LABEL: .kernel shared
// CHECK: STS.128
// CHECK: LDS.128
// CHECK-LABEL: .kernel structures
// CHECK: LDG.128
// CHECK: LDG.128
// CHECK-NOT: LDG
// CHECK: STG.128
// CHECK: EXIT
// WORDS-COUNT-4: LDG R
// WORDS: EXIT
#ifdef HOST
#include <stdio.h>
#define OUT
#define IN const
#else
#include <leno/kernel.h>
#define OUT __global
#define IN __global const
#endif
typedef unsigned u32;
typedef float float2 __attribute__((ext_vector_type(2)));
typedef float float4 __attribute__((ext_vector_type(4)));
typedef u32 uint4 __attribute__((ext_vector_type(4)));
typedef u32 uint8 __attribute__((ext_vector_type(8)));
typedef double double2 __attribute__((ext_vector_type(2)));
typedef long long2 __attribute__((ext_vector_type(2)));
struct __attribute__((aligned(16))) node { u32 key, next; double weight; float at[3]; short kind; };

static void all(u32 t, IN uint4 *in, OUT uint4 *out) {
  uint4 a = in[t], mine[4] = {a, a + t, a * 3, {t, 1, 2, 3}};
  float4 f = {(float)t, 1, 2, 3};
  double2 d = {t * 0.5, -1.25};
  long2 l = {(long)t << 33, -(long)t};
  struct node nodes[3] = {{t, 1, t * 0.25, {1, 2, (float)t}, (short)-t}, {2, 3, 4, {5, 6, 7}, 8}}, *from = &nodes[t & 1];
  nodes[2] = *from;
  f = f * f + f.wzyx;
  d = d * 2 + d.yx;
  l += l.yx;
  float2 half = f.xz;
  uint4 r = mine[t & 3];
  r.x += (u32)(int)f.x + (u32)(int)half.y * 3;
  r.y += (u32)(int)(d.x * 4) + (u32)(int)(d.y * 8) * 5;
  r.z ^= (u32)(l.x >> 30) + (u32)l.y;
  r.w += nodes[2].key + (u32)nodes[2].weight + (u32)(int)nodes[2].at[2] + (u32)nodes[2].kind;
  out[2 * t] = r;
  *(OUT float4 *)&out[2 * t + 1] = f;
  OUT uint8 *both = (OUT uint8 *)(out + 128);
  uint8 eight = {1, 2, 3, t, r.x, r.y, 7, 8};
  if (t < 32)
    both[t] = eight.s76543210;
}
#ifdef HOST
int main(void) {
  static uint4 in[256], out[256];
  for (u32 i = 0; i < 1024; ++i)
    ((u32 *)in)[i] = 0x41414141;
  for (u32 t = 0; t < 64; ++t)
    all(t, in, out);
  fwrite(out, 1, sizeof out, stdout);
}
#else
__kernel void doubled(__global const float4 *in, __global float4 *out) {
  u32 t = leno_tid_x();
  out[t] = in[t] + in[t];
}
__kernel void pairs(__global const float2 *in, __global double2 *out) {
  u32 t = leno_tid_x();
  float2 a = in[t];
  double2 b = out[t];
  out[t] = b.yx;
  ((__global float2 *)out)[t + 64] = a.yx;
}
static __local uint4 rows[64];
__kernel void shared(__global uint4 *out) {
  u32 t = leno_tid_x();
  rows[t] = (uint4){t, 2, 3, 4};
  leno_barrier(0);
  out[t] = rows[63 - t];
}
__kernel void structures(__global const struct node *in, __global struct node *out) {
  u32 t = leno_tid_x();
  out[t] = in[63 - t];
}
__kernel void unaligned(__global const float *in, __global float4 *out) {
  u32 t = leno_tid_x();
  typedef float words __attribute__((ext_vector_type(4), aligned(4)));
  out[t] = *(__global const words *)(in + t);
}
__kernel void vectors(__global const uint4 *in, __global uint4 *out) { all(leno_tid_x(), in, out); }
#endif
