// A product of 64 bits takes the sum with it, and equality of pairs is that of both words; the results are those that
// the host works out. A byte of a word in memory is read with the word.
// RUN: %leno-cc -S %s -o - | FileCheck %s
// RUN: %leno-cc --llvm -verify-machineinstrs %s -o %t
// RUN: %python %S/Inputs/pairs.py > %t.want
// RUN: %leno-run %t --kernel pairs --block 64 --arg out:u64[384]:%t.got.bin
// RUN: cmp %t.want %t.got.bin
// RUN: %leno-cc -O0 %s -o %t0 && %leno-run %t0 --kernel pairs --block 64 --arg out:u64[384]:%t.got0.bin
// RUN: cmp %t.want %t.got0.bin

// CHECK-LABEL: .kernel product
// CHECK: IMAD.WIDE.u32
// CHECK-NOT: IMUL.HI
// CHECK-NOT: IADD.X
// CHECK: EXIT
kernel void product(global ulong *out, ulong a, ulong b, ulong c) { *out = a * b + c; }

// CHECK-LABEL: .kernel same
// CHECK: ISETP.ne P0
// CHECK-NEXT: ISETP.ne.or P0, {{.*}}, P0;
kernel void same(global uint *out, ulong a, ulong b) { *out = a == b ? get_local_id(0) : 7; }

// CHECK-LABEL: .kernel isOne
// CHECK: ISETP.eq P0, R{{[0-9]+}}, 1;
// CHECK-NEXT: ISETP.eq P0, R{{[0-9]+}}, 0, P0;
kernel void isOne(global uint *out, global ulong *a) { *out = *a == 1 ? 7 : get_local_id(0); }

// CHECK-LABEL: .kernel lowByte
// CHECK: LDG R
// CHECK: LOP.and
kernel void lowByte(global uint *out, global const uint *in) { out[get_local_id(0)] = in[get_local_id(0)] & 255; }

kernel void pairs(global ulong *out) {
  ulong t = get_local_id(0), a = t * 0x9e3779b97f4a7c15ul ^ t << 61, b = (a >> 7) * (t + 3) + (t << 40);
  out += 6 * t;
  out[0] = a * b + (t - 5);
  out[1] = a * 3 + 1;
  out[2] = a * 0xfffffffful + b;
  out[3] = (ulong)(uint)a * b + (ulong)(long)(int)b;
  ulong c = t & 1 ? a : a ^ (t & 2 ? 1ul << 32 : t & 4);
  out[4] = (a == c) | (a != c) << 1 | (ulong)(c == 5) << 2 | (ulong)(t != 5) << 3;
  out[5] = (t << 32) == 0x700000000ul ? 1 : (t - 9) == 0xfffffffffffffffful ? 2 : (t << 31) != 0x80000000ul ? 3 : 4;
}
