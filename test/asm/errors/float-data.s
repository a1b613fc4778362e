# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
# CHECK: [[#@LINE+1]]:10: error: 1e39 does not fit: the largest f32 is 3.4028235e38; write inf for infinity
  .float 1e39
# CHECK: [[#@LINE+1]]:11: error: -1e400 does not fit: the largest f64
  .double -1e400
# CHECK: [[#@LINE+1]]:9: error: 65520.0 does not fit: the largest f16 is 65504
  .half 65520.0
# CHECK: [[#@LINE+1]]:10: error: 1e-46 does not fit: it is nearer to 0 than the smallest f32; write 0
  .float 1e-46
# CHECK: [[#@LINE+1]]:10: error: a hexadecimal float needs an exponent, as in 0x1.8p3; .word and .quad put bits as they are
  .float 0x3f800000
# CHECK: [[#@LINE+1]]:10: error: expected a number such as 2.5
  .float one
# CHECK: [[#@LINE+1]]:14: error: 1e39 does not fit: the largest f32
  MOV32I R1, 1e39
# CHECK: 7 errors
