# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
  .kernel k
# CHECK: param-type-unknown.s:[[#@LINE+1]]:10: error: unknown parameter type 'int'; types are u8 i8 u16 i16 u32 i32 u64 i64 f32 f64 ptr
  .param int n
  EXIT
  .endkernel
