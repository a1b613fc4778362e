// The numbers of a structure by value are parameters of their own types, as the source has them: signs, and what pointers lead to. Of a
// union's members none is known, nor of bit-fields that share a byte.
// RUN: %leno-cc -S %s -o - | FileCheck %s
// RUN: %leno-cc -S -g -O0 %s -o - | FileCheck %s
// CHECK: .kernel f
// CHECK-NEXT: .param i32 o_0
// CHECK-NEXT: .param f32 o_1_0
// CHECK-NEXT: .param f32 o_1_1
// CHECK-NEXT: .param i64 o_2
// CHECK-NEXT: .param u8 o_3
// CHECK-NEXT: .param i8 o_4
// CHECK-NEXT: .param i16 o_5_0
// CHECK-NEXT: .param i16 o_5_1
// CHECK-NEXT: .param ptr.f32 o_6
// CHECK-NEXT: .param u64 o_7
// CHECK-NEXT: .param u32 o_8_0
// CHECK-NEXT: .param i16 o_9_0
// CHECK-NEXT: .param u16 o_9_1
// CHECK-NEXT: .param i32 o_10
// CHECK-NEXT: .param u8 o_11
// CHECK-NEXT: .param ptr.i32 out
// A launch takes what they take: -7 + 2 - 3 - 4 + 200 - 5 - 6 + 8 - 1 = 184, and 0.5 of a float in memory is 0.
// RUN: %leno-cc %s -o %t
// RUN: %leno-run %t --arg -7 --arg 1.5 --arg 0.5 --arg -3 --arg 200 --arg -4 --arg -5 --arg -6 --arg 'zero:f32[1]' --arg 8 --arg 0 --arg -1 --arg 0 --arg 0 --arg 0 --arg out:i32[1]:print: | FileCheck %s --check-prefix=OUT
// OUT: [0] 184
#include <leno/kernel.h>
typedef const short narrow;
typedef struct {
  int a;
  float b[2];
  long c;
  unsigned char d;
  signed char e;
  narrow f[2];
  __global float *g;
  unsigned long long h;
  union {
    int i;
    float j;
    int k;
  } u;
  struct {
    short k;
    unsigned short l;
  } m;
  enum { NONE = -1 } n;
  int p : 5;
} options;
__kernel void f(options o, __global int *out) {
  out[0] = o.a + (int)(o.b[0] + o.b[1] + o.g[0]) + (int)o.c + o.d + o.e + o.f[0] + o.f[1] + (int)o.h + o.u.i + o.m.k + o.m.l + o.n + o.p;
}
