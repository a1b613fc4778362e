# A .kernel that is wrong is open all the same, and one whose instructions are all wrong has instructions: what follows
# is checked, and no error follows from another.
# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
# RUN: not %leno-as -c %s -o %t 2>&1 | grep -c error: | FileCheck %s --check-prefix=COUNT
# COUNT: 6
  .kernel k
  EXIT
  .endkernel
# CHECK: one-mistake-one-error.s:[[#@LINE+1]]:11: error: 'k' is already defined
  .kernel k
  .param u32 n
  MOV R1, c[0][n]
  EXIT
  .endkernel
# CHECK: one-mistake-one-error.s:[[#@LINE+1]]:10: error: expected the kernel's name
  .kernel
  .shared s, 4
# CHECK: one-mistake-one-error.s:[[#@LINE+1]]:3: error: unknown instruction 'EXITS'; did you mean 'EXIT'?
  EXITS
  .endkernel
  .kernel outer
  EXIT
# CHECK: one-mistake-one-error.s:[[#@LINE+1]]:3: error: kernel 'outer' is still open
  .kernel inner
  .param u32 n
  EXIT
  .endkernel
# CHECK: one-mistake-one-error.s:[[#@LINE+1]]:11: error: 'R4' is a register itself
  .kernel R4
  EXIT
  .endkernel
# CHECK: 5 errors
