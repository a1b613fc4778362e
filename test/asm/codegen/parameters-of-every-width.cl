// Parameters lie where a launch puts them, also bytes and halves; two kernels of a file have shared variables of their own; a
// parameter whose name is a register's has another.
// RUN: %leno-cc --llvm -verify-machineinstrs %s -o %t
// RUN: %leno-run %t --kernel two --block 64 --arg out:i64[3]:print: --arg u32:5 --arg u8:200 --arg u16:65000 --arg i8:-3 --arg f64:0.5 --arg i64:-4 | FileCheck %s
// RUN: %leno-run %t --kernel one --block 64 --arg out:u32[2]:print: --arg u32:77 | FileCheck --check-prefix=ONE %s
// 5 + 200 * 65000 - 3 = 13000002; 0.5 * 8 = 4; -4 >> 1 = -2
// CHECK: 13000002 4 -2
// ONE: 77 77
kernel void one(global uint *out, uint R4) {
  local uint s[64];
  s[get_local_id(0)] = R4;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) < 2)
    out[get_local_id(0)] = s[get_local_id(0) ^ 1];
}
kernel void two(global long *out, uint lo, uchar b, ushort c, char d, double e, long f) {
  local int s[64];
  s[get_local_id(0)] = lo + b * c + d;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    out[0] = s[63];
    out[1] = (long)(e * 8);
    out[2] = f >> 1;
  }
}
