# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
# CHECK: name-without-name.s:[[#@LINE+1]]:8: error: expected a name and a register, such as `.reg sum, R4`
  .reg 4, R1
# CHECK: name-without-name.s:[[#@LINE+1]]:9: error: expected a name and a predicate, such as `.pred done, P1`
  .pred 4, P1
# CHECK: name-without-name.s:[[#@LINE+1]]:10: error: expected ',' and the register
  .reg a R1
# CHECK: name-without-name.s:[[#@LINE+1]]:11: error: expected a register here
  .reg a, 17
