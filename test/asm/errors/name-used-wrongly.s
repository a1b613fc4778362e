# RUN: not %leno-as -c %s -o %t 2>&1 | FileCheck %s
  .reg m[1:3], R8
  .reg a, R1
# CHECK: name-used-wrongly.s:[[#@LINE+1]]:7: error: 'm' is several registers: m[1] to m[3]
  MOV m, R1
# CHECK: name-used-wrongly.s:[[#@LINE+1]]:9: error: there is no m[4]: m[1] to m[3]
  MOV m[4], R1
# CHECK: name-used-wrongly.s:[[#@LINE+1]]:10: error: expected ']' after the index
  MOV m[2, R1
# CHECK: name-used-wrongly.s:[[#@LINE+1]]:7: error: 'a' is one register, and has no index
  MOV a[0], R1
# CHECK: name-used-wrongly.s:[[#@LINE+1]]:4: error: expected a predicate after '@': @P0, @!P3 or @PT
  @a MOV R1, R2
