// A vector or a structure by value is a parameter for each of its numbers; a pointer to local memory is where it begins there.
// RUN: %leno-cc %s -o %t && %leno-cc -S %s -o - | FileCheck %s
// CHECK: .kernel f
// CHECK-NEXT: .argument out, "float*", "", global, 8, 0
// CHECK-NEXT: .param ptr.f32 out
// CHECK-NEXT: .argument o, "struct options", "", private, 32, 0, 4, 8, 16, 24
// CHECK-NEXT: .param i32 o_0
// CHECK-NEXT: .param f32 o_1_0
// CHECK-NEXT: .param f32 o_1_1
// CHECK-NEXT: .param i64 o_2
// CHECK-NEXT: .param u8 o_3
// CHECK-NEXT: .argument v, "float3", "", private, 16, 0, 4, 8
// CHECK-NEXT: .param f32 v_x
// CHECK-NEXT: .param f32 v_y
// CHECK-NEXT: .param f32 v_z
// CHECK-NEXT: .argument s, "short8", "", private, 16, 0, 2, 4, 6, 8, 10, 12, 14
// CHECK-NEXT: .param i16 s_s0
// CHECK: .param i16 s_s7
// CHECK-NEXT: .argument tile, "float*", "", local, 8, 0
// CHECK-NEXT: .param u32 tile
// CHECK-NEXT: .argument h, "half", "", private, 2, 0
// CHECK-NEXT: .param u16 h
// CHECK-NEXT: .argument second, "int*", "", local, 8, 0
// CHECK-NEXT: .param u32 second
// RUN: %leno-run %t --block 32 --arg out:f32[32]:%t.npy --arg 5 --arg 0.5 --arg 0.25 --arg 1000 --arg 3 --arg 10 --arg 20 --arg 30 --arg -1 --arg 1 --arg 1 --arg 1 --arg 1 --arg 1 --arg 1 --arg -8 --arg 'shared:f32[32]' --arg 0x3e00 --arg 'shared:i32[32]'
// RUN: %python %tools/expect.py %t.npy "(31 - lane) * 0.5 + lane + 5 + 0.75 + 1000 + 3 + 60 - 3 + 1.5"
// RUN: %leno-cc -O0 %s -o %t0
// RUN: %leno-run %t0 --block 32 --arg out:f32[32]:%t0.npy --arg 5 --arg 0.5 --arg 0.25 --arg 1000 --arg 3 --arg 10 --arg 20 --arg 30 --arg -1 --arg 1 --arg 1 --arg 1 --arg 1 --arg 1 --arg 1 --arg -8 --arg 'shared:f32[32]' --arg 0x3e00 --arg 'shared:i32[32]'
// RUN: cmp %t.npy %t0.npy
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
struct options { int a; float b[2]; long c; uchar d; };
kernel void f(global float *out, struct options o, float3 v, short8 s, local float *tile, half h, local int *second) {
  uint t = get_local_id(0);
  tile[t] = t * 0.5f;
  second[t] = t;
  barrier(CLK_LOCAL_MEM_FENCE);
  short4 a = s.lo + s.hi;
  out[t] = tile[31 - t] + second[t] + o.a + o.b[0] + o.b[1] + o.c + o.d + v.x + v.y + v.z + (a.x + a.y + a.z + a.w) + h;
}
