# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
# CHECK: name-range.s:[[#@LINE+1]]:11: error: expected ':' and the last index, such as m[0:3]
  .reg a[4], R1
# CHECK: name-range.s:[[#@LINE+1]]:12: error: the last index is from the first, 3, to 255 more
  .reg a[3:2], R1
# CHECK: name-range.s:[[#@LINE+1]]:10: error: the first index is from 0 to 65535
  .reg a[-1:2], R1
# CHECK: name-range.s:[[#@LINE+1]]:13: error: expected ']' after the last index
  .reg a[0:2, R1
# CHECK: name-range.s:[[#@LINE+1]]:16: error: 8 registers from R250 would reach past R254
  .reg a[0:7], R250
# CHECK: name-range.s:[[#@LINE+1]]:17: error: 2 predicates from P6 would reach past P6
  .pred p[0:1], P6
