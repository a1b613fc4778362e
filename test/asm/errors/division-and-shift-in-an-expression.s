# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
# CHECK: [[#@LINE+1]]:11: error: division by zero
  .word 4/0
# CHECK: [[#@LINE+1]]:19: error: division by zero
  MOV32I R1, (5 % (3-3))
# CHECK: [[#@LINE+1]]:12: error: a shift by 64: expressions have 64 bits, and shift by 0 to 63
  .quad 1<<64
# CHECK: [[#@LINE+1]]:13: error: '2.5' is a float, and expressions are of integers
  .word 1 + 2.5
# CHECK: [[#@LINE+1]]:13: error: '3.14' is a float
  .set pi,  3.14
# CHECK-NOT: error: {{.*}}9223372036854775808
  .quad -0x8000000000000000 / -1, -0x8000000000000000 % -1
# CHECK: 5 errors
